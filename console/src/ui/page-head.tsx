import { Title } from '@mantine/core';
import type { ComponentType, ReactNode } from 'react';
import { Link } from 'react-router';
import classes from './page-head.module.css';

interface PageHeadProps {
  readonly icon: ComponentType<{ size?: number | string; 'aria-hidden'?: boolean }>;
  readonly title: string;
  /** How many are shown, e.g. `1,284 of 3,010`. */
  readonly count?: string;
  /** The list that the page stands under. */
  readonly parent?: { readonly title: string; readonly to: string };
  /** Between title and actions, e.g. status and severity. */
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}

/** The 48 px head of a page: icon, title, count; actions at the right. */
export function PageHead({ icon: Icon, title, count, parent, children, actions }: PageHeadProps) {
  return (
    <header className={classes.head}>
      <Icon size={18} aria-hidden />
      {parent ? (
        <>
          <Link to={parent.to} className={classes.parent}>
            {parent.title}
          </Link>
          <span className={classes.divider} aria-hidden>
            /
          </span>
        </>
      ) : null}
      <Title order={1} className={classes.title} title={title}>
        {title}
      </Title>
      {count ? <span className={classes.count}>{count}</span> : null}
      {children}
      <div className={classes.actions}>{actions}</div>
    </header>
  );
}
