import { IconBriefcase, IconCircleDashed, IconFlagOff } from '@tabler/icons-react';
import type { Signal } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import styles from './signals-page.module.css';

/** Pending, in a case, or tagged a false positive. */
export function SignalStatusLabel({ signal }: { readonly signal: Signal }) {
  const { t } = useTranslation('signals');
  const kind = signal.false_positive
    ? 'falsePositive'
    : signal.case_ids.length > 0
      ? 'inCase'
      : signal.status;
  const Icon = {
    falsePositive: IconFlagOff,
    inCase: IconBriefcase,
    pending: IconCircleDashed,
    triaged: IconBriefcase,
  }[kind];
  return (
    <span className={styles.status}>
      <Icon size={14} aria-hidden />
      {t(`status.${kind}`)}
    </span>
  );
}
