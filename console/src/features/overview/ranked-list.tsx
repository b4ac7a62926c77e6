import { Text } from '@mantine/core';
import { formatCount } from '../../lib/format-number.ts';
import { FigureLink } from './figure-link.tsx';
import classes from './overview-page.module.css';

interface RankedListProps {
  readonly title: string;
  readonly items: readonly { readonly name: string; readonly count: number }[] | undefined;
  readonly none: string;
  /** Where a name leads. */
  readonly linkOf?: ((name: string) => string) | undefined;
}

/** Names with their counts, most first, each with a bar. */
export function RankedList({ title, items, none, linkOf }: RankedListProps) {
  const most = Math.max(1, ...(items ?? []).map((item) => item.count));
  return (
    <section className={`${classes.panel} ${classes.ranked}`} aria-label={title}>
      <h2 className={classes.caption}>{title}</h2>
      {items?.length === 0 ? (
        <Text size="sm" c="dimmed">
          {none}
        </Text>
      ) : null}
      <ol className={classes.list}>
        {items?.map((item) => (
          <li key={item.name}>
            <FigureLink to={linkOf?.(item.name)} className={classes.row} title={item.name}>
              <span className={classes.name}>{item.name}</span>
              <span>{formatCount(item.count)}</span>
              <div className={classes.track}>
                <div className={classes.bar} style={{ width: `${(item.count / most) * 100}%` }} />
              </div>
            </FigureLink>
          </li>
        ))}
      </ol>
    </section>
  );
}
