import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import classes from './settings-section.module.css';

interface SettingsSectionProps {
  readonly title: string;
  readonly help?: string;
  readonly children: ReactNode;
  /** A line of buttons under the fields. */
  readonly actions?: ReactNode;
  /** What is here cannot be undone. */
  readonly isDanger?: boolean;
  /** A link whose address ends with `#` and this opens the page at this part. */
  readonly anchor?: string;
}

/** A part of a form: what it is about at the left, its fields at the right; one under the other on a phone. */
export function SettingsSection({ title, help, children, actions, isDanger, anchor }: SettingsSectionProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const location = useLocation();
  useEffect(() => {
    if (anchor !== undefined && location.hash === `#${anchor}`) heading.current?.focus();
  }, [anchor, location]);
  return (
    <section className={classes.section} data-danger={isDanger || undefined} aria-label={title}>
      <div>
        <h2 ref={heading} className={classes.title} tabIndex={anchor === undefined ? undefined : -1}>
          {title}
        </h2>
        {help ? <p className={classes.help}>{help}</p> : null}
      </div>
      <div className={classes.fields}>
        {children}
        {actions ? <div className={classes.actions}>{actions}</div> : null}
      </div>
    </section>
  );
}

/** The column of sections of a settings page. */
export function SettingsPage({ children }: { readonly children: ReactNode }) {
  return <div className={classes.page}>{children}</div>;
}
