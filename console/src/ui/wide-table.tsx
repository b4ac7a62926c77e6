import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

interface WideTableProps {
  readonly label: string;
  /** Width in pixels below which the table scrolls sideways. */
  readonly minWidth: number;
  /** In a flyout the text is as small as that of lists. */
  readonly size?: 'xs';
  readonly children: ReactNode;
}

/** A plain table; where its columns have no room it scrolls, by key as well. */
export function WideTable({ label, minWidth, size, children }: WideTableProps) {
  return (
    <Table.ScrollContainer minWidth={minWidth} type="native" tabIndex={0} role="group" aria-label={label}>
      <Table verticalSpacing={4} aria-label={label} {...(size ? { fz: size } : {})}>
        {children}
      </Table>
    </Table.ScrollContainer>
  );
}
