import { Anchor } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconExternalLink } from '@tabler/icons-react';
import type { RuleDraft } from '@tyrian/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatInteger } from '../../../lib/format-number.ts';
import { useScope } from '../../../lib/session-store.ts';
import { useSettings } from '../../../lib/settings.ts';
import { findPath } from '../../../query-kit/runs/find-path.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import styles from './rule-draft.module.css';

export interface DraftTextProps {
  readonly draft: RuleDraft;
  /** Of the selected events. */
  readonly uids: readonly string[];
  readonly isBusy: boolean;
  readonly onClose: () => void;
}

interface TextProps extends Omit<DraftTextProps, 'onClose' | 'isBusy'> {
  readonly text: string;
  /** What finds its events. */
  readonly kql: string;
  readonly others: number;
  readonly matchesAll: boolean;
  readonly notes?: ReactNode;
  readonly actions: ReactNode;
}

/** A draft with what it finds in the day, and what can be made of it. */
export function DraftText(props: TextProps) {
  const { t } = useTranslation('draft');
  const { draft, text, matchesAll } = props;
  const Icon = matchesAll ? IconCircleCheck : IconAlertTriangle;
  return (
    <div className={styles.text}>
      <p className={styles.found} data-bad={!matchesAll || undefined}>
        <Icon size={16} aria-hidden />
        <span>{t(matchesAll ? 'matchesAll' : 'matchesSome', { count: draft.events })}</span>
        <Others {...props} />
      </p>
      {props.notes}
      <div className={styles.code}>
        <pre>{text}</pre>
        <span className={styles.copy}>
          <CopyButton value={text} />
        </span>
      </div>
      <div className={styles.actions}>{props.actions}</div>
    </div>
  );
}

function Others({ draft, uids, kql, others }: TextProps) {
  const { t } = useTranslation('draft');
  const { locale } = useSettings();
  const scope = useScope();
  const without = `${kql}\n| where EventUid !in (${uids.map((uid) => `guid(${uid})`).join(', ')})`;
  return (
    <>
      <span>{t('others', { count: others, shown: formatInteger(others, locale) })}</span>
      {others > 0 && (
        <Anchor component={Link} to={findPath(scope, without, draft.range)} target="_blank" size="sm">
          {t('openOthers')} <IconExternalLink size={12} aria-hidden />
        </Anchor>
      )}
    </>
  );
}
