import type { ReactNode } from 'react';
import { Link } from 'react-router';
import classes from './figure-link.module.css';

interface FigureLinkProps {
  /** What the figure counts; absent for whoever may not open it. */
  readonly to: string | undefined;
  readonly className?: string | undefined;
  readonly title?: string | undefined;
  readonly children: ReactNode;
}

/** A figure with its name and bar, as the way to what it counts. */
export function FigureLink({ to, className = '', title, children }: FigureLinkProps) {
  if (!to) {
    return (
      <div className={className} title={title}>
        {children}
      </div>
    );
  }
  return (
    <Link to={to} className={`${classes.link} ${className}`} title={title}>
      {children}
    </Link>
  );
}
