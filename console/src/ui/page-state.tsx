import type { ComponentType, ReactNode } from 'react';
import classes from './page-state.module.css';

interface PageStateProps {
  readonly icon: ComponentType<{ size?: number | string; stroke?: number; 'aria-hidden'?: boolean }>;
  readonly children: ReactNode;
  readonly isSmall?: boolean;
}

/** A page or panel that holds one message in its middle. */
export function PageState({ icon: Icon, children, isSmall }: PageStateProps) {
  return (
    <div className={classes.state} data-small={isSmall || undefined}>
      <Icon size={isSmall ? 24 : 36} stroke={1.4} aria-hidden />
      {children}
    </div>
  );
}
