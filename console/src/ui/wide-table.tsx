import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

interface WideTableProps {
  readonly label: string;
  /** Width in pixels below which the table scrolls sideways. */
  readonly minWidth: number;
  readonly children: ReactNode;
}

/** A plain table; where its columns have no room it scrolls, by key as well. */
export function WideTable({ label, minWidth, children }: WideTableProps) {
  return (
    <Table.ScrollContainer minWidth={minWidth} type="native" tabIndex={0} role="group" aria-label={label}>
      <Table verticalSpacing={4} aria-label={label}>
        {children}
      </Table>
    </Table.ScrollContainer>
  );
}
