import type { ReactNode } from 'react';
import classes from './page-layout.module.css';

interface PageLayoutProps {
  readonly head: ReactNode;
  /** Search, chips and time range under the head. */
  readonly filters?: ReactNode;
  /** Scrolls by itself, e.g. one table; `scrolls` lets the layout scroll instead. */
  readonly children: ReactNode;
  readonly scrolls?: boolean;
  /** The flyout beside the content. */
  readonly aside?: ReactNode;
}

/** Head, filter row, content that owns the scroll, and a flyout at the right. */
export function PageLayout({ head, filters, children, scrolls, aside }: PageLayoutProps) {
  return (
    <div className={classes.page}>
      {head}
      {filters ? <div className={classes.filters}>{filters}</div> : null}
      <div className={classes.body}>
        <div
          className={classes.content}
          data-scrolls={scrolls || undefined}
          tabIndex={scrolls ? 0 : undefined}
        >
          {children}
        </div>
        {aside}
      </div>
    </div>
  );
}
