import {
  IconAlertTriangle,
  IconBarrierBlock,
  IconCircleCheck,
  IconCircleDashed,
  IconClockExclamation,
  IconClockPause,
} from '@tabler/icons-react';
import type { RuleHealth } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import styles from './rule-state-chip.module.css';

const ICONS = {
  off: IconCircleDashed,
  waiting: IconClockPause,
  ok: IconCircleCheck,
  late: IconClockExclamation,
  failing: IconAlertTriangle,
  quarantined: IconBarrierBlock,
} as const;

/** How a rule keeps up, as a shape and a word. */
export function RuleStateChip({ state }: { readonly state: RuleHealth['state'] }) {
  const { t } = useTranslation('workbooks');
  const Icon = ICONS[state];
  return (
    <span className={styles.chip} data-state={state}>
      <Icon size={14} aria-hidden />
      {t(`ruleState.${state}`)}
    </span>
  );
}
