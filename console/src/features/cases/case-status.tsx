import {
  IconCircle,
  IconCircleCheck,
  IconPlayerPause,
  IconProgress,
  type TablerIcon,
} from '@tabler/icons-react';
import type { CaseStatus } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import classes from './case-status.module.css';

const ICONS: Readonly<Record<CaseStatus, TablerIcon>> = {
  OPEN: IconCircle,
  'IN-PROGRESS': IconProgress,
  'ON-HOLD': IconPlayerPause,
  CLOSED: IconCircleCheck,
};

/** A status as its sign and its word. */
export function CaseStatusLabel({ status }: { readonly status: CaseStatus }) {
  const { t } = useTranslation('cases');
  const Icon = ICONS[status];
  return (
    <span className={classes.status} data-status={status}>
      <Icon size={14} aria-hidden />
      {t(`status.${status}`)}
    </span>
  );
}
