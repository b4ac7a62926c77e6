import classes from './component-list-page.module.css';

interface HealthDotProps {
  readonly state: 'up' | 'starting' | 'degraded' | 'down';
  readonly label: string;
}

/** A state of health as a mark and its word. */
export function HealthDot({ state, label }: HealthDotProps) {
  return (
    <span className={classes.health} data-state={state}>
      <span className={classes.dot} aria-hidden />
      {label}
    </span>
  );
}
