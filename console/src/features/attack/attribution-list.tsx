import { Anchor, Text } from '@mantine/core';
import { type Attribution, attackAddress, type Suggestions } from '@tyrian/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { EmptyState } from '../../ui/empty-state.tsx';
import styles from './attack.module.css';
import { useAttackPaths } from './use-attack-paths.ts';

interface AttributionListProps {
  readonly found: Suggestions;
  /** What can be done with one. */
  readonly act?: (attribution: Attribution) => ReactNode;
}

/** Groups and campaigns with their score and the reasons for it. */
export function AttributionList({ found, act }: AttributionListProps) {
  const { t } = useTranslation('attack');
  if (found.data.length === 0) {
    const isAsked = found.techniques.length + found.software.length > 0;
    return (
      <EmptyState kind="nothing-yet" title={t(isAsked ? 'attribution.none' : 'attribution.noTechnique')} />
    );
  }
  return (
    <div className={styles.stack}>
      <Text size="xs" c="dimmed">
        {t('attribution.help', { techniques: found.techniques.map(({ id }) => id).join(', ') })}
      </Text>
      <ul className={styles.rules}>
        {found.data.map((one) => (
          <li key={one.actor.id}>
            <Reasons attribution={one} act={act?.(one)} />
          </li>
        ))}
      </ul>
      {found.total_count > found.data.length && (
        <Text size="xs" c="dimmed">
          {t('attribution.more', { more: found.total_count - found.data.length })}
        </Text>
      )}
    </div>
  );
}

function Reasons({ attribution, act }: { readonly attribution: Attribution; readonly act: ReactNode }) {
  const { t } = useTranslation('attack');
  const paths = useAttackPaths();
  const { actor, score, techniques, software } = attribution;
  return (
    <>
      <div className={styles.ruleHead}>
        <Anchor component={Link} to={paths.actor(actor.id)} size="sm" className={styles.ruleName}>
          {actor.name}
        </Anchor>
        <span className={styles.count}>{t('attribution.score', { score })}</span>
        {act}
      </div>
      <div className={styles.ruleFacts}>
        <span>{t(`actors.${actor.kind}`)}</span>
        <Anchor href={attackAddress(actor.id)} target="_blank" rel="noreferrer noopener" size="xs">
          {actor.id}
        </Anchor>
        <span>{t('attribution.does', { techniques: actor.techniques })}</span>
      </div>
      <ul className={styles.reasons}>
        {techniques.map(({ id, name, used_by, is_exact }) => (
          <li key={id}>
            {t(is_exact ? 'attribution.exact' : 'attribution.related', { id, name, used: used_by })}
          </li>
        ))}
        {software.map(({ id, name }) => (
          <li key={id}>{t('attribution.software', { name })}</li>
        ))}
      </ul>
    </>
  );
}
