import { Skeleton } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatInteger } from '../../lib/format-number.ts';
import { useSettings } from '../../lib/settings.ts';
import classes from './home-page.module.css';

interface HomeRow {
  readonly id: string;
  readonly to: string | undefined;
  readonly mark?: ReactNode;
  readonly name: string;
  readonly side: ReactNode;
}

interface HomeListProps {
  readonly title: string;
  /** The whole list. */
  readonly all: string | undefined;
  readonly total: number | undefined;
  /** Undefined while they are awaited. */
  readonly rows: readonly HomeRow[] | undefined;
  readonly none: string;
  readonly isFailed: boolean;
}

/** The first few of a list, each a way to its thing; the title is the way to all of them. */
export function HomeList({ title, all, total, rows, none, isFailed }: HomeListProps) {
  const { t } = useTranslation('home');
  const { locale } = useSettings();
  const id = useId();
  const head = (
    <>
      <span id={id}>{title}</span>
      {total ? <span className={classes.count}>{formatInteger(total, locale)}</span> : null}
    </>
  );
  return (
    <section className={classes.list} aria-labelledby={id}>
      <h2 className={classes.listHead}>{all ? <Link to={all}>{head}</Link> : head}</h2>
      {rows?.length === 0 ? <p className={classes.none}>{none}</p> : null}
      {isFailed ? <p className={classes.none}>{t('failed')}</p> : null}
      {!rows && !isFailed ? <Skeleton height={96} /> : null}
      <ul className={classes.rows}>
        {rows?.map((row) => (
          <li key={row.id}>
            <Row {...row} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Row({ to, mark, name, side }: HomeRow) {
  const cells = (
    <>
      {mark}
      <span className={classes.rowName} title={name}>
        {name}
      </span>
      <span className={classes.note}>{side}</span>
    </>
  );
  return to ? (
    <Link to={to} className={classes.row}>
      {cells}
    </Link>
  ) : (
    <div className={classes.row}>{cells}</div>
  );
}
