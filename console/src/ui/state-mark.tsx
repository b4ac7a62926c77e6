import classes from './state-mark.module.css';

export type StateTone = 'good' | 'warn' | 'bad' | 'quiet';

/** A state as a mark and its word: form and colour say the same. */
export function StateMark({ tone, label }: { readonly tone: StateTone; readonly label: string }) {
  return (
    <span className={classes.state} data-tone={tone}>
      <span className={classes.mark} aria-hidden />
      {label}
    </span>
  );
}
