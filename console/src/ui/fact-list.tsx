import type { ReactNode } from 'react';
import classes from './fact-list.module.css';

export interface Fact {
  readonly label: string;
  readonly value: ReactNode;
}

interface FactListProps {
  readonly facts: readonly Fact[];
  /** One below the other: for values that may not be broken. */
  readonly isStacked?: boolean;
}

/** Facts of one thing, name before value, in as many columns as there is room for. */
export function FactList({ facts, isStacked }: FactListProps) {
  return (
    <dl className={classes.facts} data-stacked={isStacked || undefined}>
      {facts.map(({ label, value }) => (
        <div key={label} className={classes.fact}>
          <dt>{label}</dt>
          <dd>{value ?? '–'}</dd>
        </div>
      ))}
    </dl>
  );
}
