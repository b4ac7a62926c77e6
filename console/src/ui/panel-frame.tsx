import type { ReactNode } from 'react';
import classes from './panel-frame.module.css';

interface PanelFrameProps {
  /** Search, filters and actions above the table. */
  readonly bar: ReactNode;
  readonly children: ReactNode;
  /** The flyout beside the table. */
  readonly aside?: ReactNode;
}

/** A list that is a tab or a part of a page: a bar, a table that scrolls by itself, a flyout at the right. */
export function PanelFrame({ bar, children, aside }: PanelFrameProps) {
  return (
    <div className={classes.frame}>
      <div className={classes.bar}>{bar}</div>
      <div className={classes.body}>
        <div className={classes.table}>{children}</div>
        {aside}
      </div>
    </div>
  );
}
