import { Skeleton } from '@mantine/core';
import classes from './data-table.module.css';
import { useLate } from './use-late.ts';

const ROWS = Array.from({ length: 12 }, (_, row) => `row-${row}`);
const WIDTHS = ['22%', '14%', '10%', '16%', '9%', '12%'];

/** Rows of the true shape, after 150 ms. */
export function DataTableSkeleton({
  columns,
  rowHeight,
}: {
  readonly columns: number;
  readonly rowHeight: number;
}) {
  const isLate = useLate();
  if (!isLate) return null;
  return (
    <div aria-hidden data-testid="table-skeleton">
      {ROWS.map((row) => (
        <div key={row} className={classes.skeletonRow} style={{ height: rowHeight }}>
          {WIDTHS.slice(0, columns).map((width) => (
            <Skeleton key={width} height={10} width={width} />
          ))}
        </div>
      ))}
    </div>
  );
}
