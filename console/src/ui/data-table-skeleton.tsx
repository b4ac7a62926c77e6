import { Skeleton } from '@mantine/core';
import classes from './data-table.module.css';
import { useLate } from './use-late.ts';

const ROWS = 12;

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
      {Array.from({ length: ROWS }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: skeleton rows have no identity
        <div key={row} className={classes.skeletonRow} style={{ height: rowHeight }}>
          {Array.from({ length: Math.min(columns, 6) }, (_, cell) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: skeleton cells have no identity
            <Skeleton key={cell} height={10} width={`${[22, 14, 10, 16, 9, 12][cell]}%`} />
          ))}
        </div>
      ))}
    </div>
  );
}
