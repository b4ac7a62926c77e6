import type { ReactNode } from 'react';
import classes from './settings-section.module.css';

interface SettingsSectionProps {
  readonly title: string;
  readonly help?: string;
  readonly children: ReactNode;
  /** A line of buttons under the fields. */
  readonly actions?: ReactNode;
  /** What is here cannot be undone. */
  readonly isDanger?: boolean;
}

/** A part of a form: what it is about at the left, its fields at the right; one under the other on a phone. */
export function SettingsSection({ title, help, children, actions, isDanger }: SettingsSectionProps) {
  return (
    <section className={classes.section} data-danger={isDanger || undefined} aria-label={title}>
      <div>
        <h2 className={classes.title}>{title}</h2>
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
