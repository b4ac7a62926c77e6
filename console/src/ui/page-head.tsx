import { Title } from '@mantine/core';
import type { ComponentType, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import classes from './page-head.module.css';

interface Crumb {
  readonly title: string;
  readonly to: string;
}

interface PageHeadProps {
  readonly icon: ComponentType<{ size?: number | string; 'aria-hidden'?: boolean }>;
  readonly title: string;
  /** How many are shown, e.g. `1,284 of 3,010`. */
  readonly count?: string;
  /** The pages that this one stands under, from the top: the list, and what is between. */
  readonly parents?: readonly Crumb[];
  /** Between title and actions, e.g. status and severity. */
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}

/** The 48 px head of a page: icon, title, count; actions at the right. */
export function PageHead({ icon: Icon, title, count, parents = [], children, actions }: PageHeadProps) {
  return (
    <header className={classes.head}>
      <Icon size={18} aria-hidden />
      {parents.length > 0 ? <Crumbs parents={parents} /> : null}
      <Title order={1} className={classes.title} title={title}>
        {title}
      </Title>
      {count ? <span className={classes.count}>{count}</span> : null}
      {children}
      <div className={classes.actions}>{actions}</div>
    </header>
  );
}

/** The way down to the page: each step leads back up. */
function Crumbs({ parents }: { readonly parents: readonly Crumb[] }) {
  const { t } = useTranslation('ui');
  return (
    <nav aria-label={t('crumbs')} className={classes.crumbs}>
      <ol>
        {parents.map((parent) => (
          <li key={parent.to}>
            <Link to={parent.to} className={classes.parent}>
              {parent.title}
            </Link>
            <span className={classes.divider} aria-hidden>
              /
            </span>
          </li>
        ))}
      </ol>
    </nav>
  );
}
