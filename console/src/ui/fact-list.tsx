import type { ReactNode } from 'react';
import classes from './fact-list.module.css';

export interface Fact {
  readonly label: string;
  readonly value: ReactNode;
}

/** Facts of one thing, name before value, in as many columns as there is room for. */
export function FactList({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(({ label, value }) => (
        <div key={label} className={classes.fact}>
          <dt>{label}</dt>
          <dd>{value ?? '–'}</dd>
        </div>
      ))}
    </dl>
  );
}
