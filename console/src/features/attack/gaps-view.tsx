import { Anchor, Badge, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { attackGaps, type OutputOf } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useScope } from '../../lib/session-store.ts';
import { callQuery } from '../../lib/use-call.ts';
import { Answered } from '../../ui/answered.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ScrollFrame } from '../../ui/scroll-frame.tsx';
import styles from './attack.module.css';
import { type AttackLink, type ChangeAttackLink, filtersOf } from './attack-link.ts';
import { useAttackPaths } from './use-attack-paths.ts';

type Gap = OutputOf<typeof attackGaps>[number];

const TECHNIQUES_SHOWN = 12;
const GAPS_SHOWN = 60;

interface GapsViewProps {
  readonly link: AttackLink;
  readonly change: ChangeAttackLink;
}

/** What would cover techniques that nothing watches, the most first. */
export function GapsView({ link, change }: GapsViewProps) {
  const { t } = useTranslation('attack');
  const { clusterId, scopeId } = useScope();
  const input = { scope_id: scopeId, addfilters: filtersOf(link) };
  const gaps = useQuery(callQuery(attackGaps, input, { params: { clusterId }, keep: true, quiet: true }));
  return (
    <Answered query={gaps}>
      {(found) => (
        <ScrollFrame className={styles.gaps} label={t('views.gaps')}>
          <Text size="sm" c="dimmed">
            {t('gaps.help')}
          </Text>
          {found.length === 0 && <EmptyState kind="nothing-yet" title={t('gaps.none')} />}
          {found.slice(0, GAPS_SHOWN).map((gap) => (
            <GapCard key={`${gap.cause} ${gap.kind} ${gap.name}`} gap={gap} change={change} />
          ))}
          {found.length > GAPS_SHOWN && (
            <Text size="xs" c="dimmed">
              {t('gaps.more', { more: found.length - GAPS_SHOWN })}
            </Text>
          )}
        </ScrollFrame>
      )}
    </Answered>
  );
}

function GapCard({ gap, change }: { readonly gap: Gap; readonly change: ChangeAttackLink }) {
  const { t } = useTranslation('attack');
  const paths = useAttackPaths();
  const { cause, name, kind, techniques, rules, rule_count: all } = gap;
  const title =
    cause === 'off'
      ? t('gaps.off', { from: kind === 'imported' ? name : t(`kinds.${kind ?? 'own'}`) })
      : t(cause === 'stream' ? 'gaps.stream' : 'gaps.field', { name });
  const shown = techniques.slice(0, TECHNIQUES_SHOWN);
  return (
    <article className={styles.gap} aria-label={title}>
      <h2 className={styles.gapTitle}>{title}</h2>
      <Text size="sm">{t('gaps.covers', { techniques: techniques.length, rules: all })}</Text>
      <div className={styles.chips}>
        {shown.map(({ id, name: technique }) => (
          <Badge
            key={id}
            component="button"
            type="button"
            variant="default"
            tt="none"
            fw={500}
            className={styles.chip}
            onClick={() => change({ technique: id })}
          >
            {id} {technique}
          </Badge>
        ))}
        {techniques.length > shown.length && (
          <Text size="xs" c="dimmed">
            {t('gaps.moreTechniques', { more: techniques.length - shown.length })}
          </Text>
        )}
      </div>
      <ul className={styles.lines}>
        {rules.map((rule) => (
          <li key={rule.rule_id}>
            <Anchor component={Link} to={paths.rule(rule.rule_id)} size="sm">
              {rule.name}
            </Anchor>
          </li>
        ))}
      </ul>
      {all > rules.length && (
        <Text size="xs" c="dimmed">
          {t('gaps.moreRules', { more: all - rules.length })}
        </Text>
      )}
    </article>
  );
}
