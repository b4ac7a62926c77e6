import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { HiddenTable } from './hidden-table.tsx';

afterEach(cleanup);

it('[R-C4] is read by who cannot see the drawing, and cut off by a box around it', () => {
  const rows = [
    { key: 1, cells: ['10:00', 3, 4] },
    { key: 2, cells: ['11:00', 5, 6] },
  ];
  render(<HiddenTable caption="Events over time" heads={['Time', 'Dns', 'Other']} rows={rows} />);
  const table = screen.getByRole('table', { name: 'Events over time' });
  expect(within(table).getAllByRole('columnheader')).toHaveLength(3);
  expect(within(table).getByRole('row', { name: '11:00 5 6' })).toBeTruthy();
  // A table takes the height of its rows whatever its style says.
  expect(table.className).toBe('');
  expect(table.parentElement?.tagName).toBe('DIV');
  expect(table.parentElement?.className).toBe('visually-hidden');
});
