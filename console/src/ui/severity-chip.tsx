import { useTranslation } from 'react-i18next';
import classes from './severity-chip.module.css';

const SEVERITY_NAMES = ['Critical', 'High', 'Medium', 'Low', 'None'] as const;
export type SeverityName = (typeof SEVERITY_NAMES)[number];

/** Severity as a coloured shape with its word: red, orange, yellow, green, white. */
export function SeverityChip({ severity }: { readonly severity: SeverityName }) {
  const { t } = useTranslation('ui');
  return (
    <span className={classes.chip} data-severity={severity}>
      <span className={classes.shape} aria-hidden />
      {t(`severity.${severity}`)}
    </span>
  );
}
