import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderScreen } from '../testing/render-screen.tsx';
import { DataTable, type DataTableProps, nextSelection } from './data-table.tsx';

interface Fruit {
  readonly id: string;
  readonly weight: number;
}
const FRUIT: readonly Fruit[] = [
  { id: 'pear', weight: 3 },
  { id: 'apple', weight: 10 },
  { id: 'fig', weight: 1 },
];
const COLUMNS = [
  { id: 'name', header: 'Name', value: (one: Fruit) => one.id },
  { id: 'weight', header: 'Weight', value: (one: Fruit) => one.weight, align: 'right' as const },
];

afterEach(cleanup);

function Sample(props: Partial<DataTableProps<Fruit>>) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  return (
    <DataTable
      label="Fruit"
      rows={FRUIT}
      columns={COLUMNS}
      rowId={(one) => one.id}
      selected={selected}
      onSelect={setSelected}
      {...props}
    />
  );
}
const names = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.textContent);
const grid = () => screen.getByRole('grid');

describe('the table', () => {
  it('sorts by a click on the header, numbers as numbers', async () => {
    await renderScreen(<Sample />);
    fireEvent.click(screen.getByRole('button', { name: 'Weight' }));
    expect(names()).toEqual(['apple10', 'pear3', 'fig1']);
    fireEvent.click(screen.getByRole('button', { name: 'Weight' }));
    expect(names()).toEqual(['fig1', 'pear3', 'apple10']);
    expect(screen.getByRole('columnheader', { name: /Weight/ }).getAttribute('aria-sort')).toBe('ascending');
  });

  it('moves with j, k and the arrows, opens with Enter, selects with x', async () => {
    const onOpen = vi.fn();
    await renderScreen(<Sample onOpen={onOpen} />);
    for (const key of ['j', 'ArrowDown', 'k', 'Enter', 'x']) fireEvent.keyDown(grid(), { key });
    expect(onOpen).toHaveBeenCalledWith(FRUIT[1]);
    expect(screen.getAllByRole('row')[2]?.getAttribute('aria-selected')).toBe('true');
  });

  it('[R-C16] keeps the active row on its row while others come above it, and says which it is', async () => {
    const onOpen = vi.fn();
    function Growing() {
      const [rows, setRows] = useState(FRUIT);
      return (
        <>
          <button type="button" onClick={() => setRows([{ id: 'kiwi', weight: 2 }, ...FRUIT])}>
            arrive
          </button>
          <button type="button" onClick={() => setRows(FRUIT.filter((one) => one.id !== 'apple'))}>
            leave
          </button>
          <Sample rows={rows} onOpen={onOpen} />
        </>
      );
    }
    await renderScreen(<Growing />);
    const activeText = () =>
      document.getElementById(grid().getAttribute('aria-activedescendant') ?? '')?.textContent;
    fireEvent.keyDown(grid(), { key: 'j' });
    expect(activeText()).toBe('apple10');
    fireEvent.click(screen.getByText('arrive'));
    expect(activeText()).toBe('apple10');
    fireEvent.keyDown(grid(), { key: 'Enter' });
    expect(onOpen).toHaveBeenLastCalledWith(FRUIT[1]);
    fireEvent.click(screen.getByText('leave'));
    expect(activeText()).toBe('fig1');
    fireEvent.click(screen.getByRole('button', { name: 'Weight' }));
    fireEvent.keyDown(grid(), { key: 'Enter' });
    expect(onOpen).toHaveBeenLastCalledWith(FRUIT[0]);
  });

  it('[R-C16] takes no keys while it is hidden', async () => {
    const onOpen = vi.fn();
    await renderScreen(
      <div hidden>
        <Sample onOpen={onOpen} />
      </div>,
    );
    fireEvent.keyDown(document.body, { key: 'Enter' });
    expect(onOpen).not.toHaveBeenCalled();
  });

  it('[R-C16] takes letters after a button was clicked, and leaves it Enter and blank, and letters to menus', async () => {
    const onOpen = vi.fn();
    await renderScreen(
      <>
        <button type="button">refresh</button>
        <div role="menu">
          <button type="button">entry</button>
        </div>
        <Sample onOpen={onOpen} />
      </>,
    );
    const active = () => grid().getAttribute('aria-activedescendant');
    const first = active();
    fireEvent.keyDown(screen.getByText('entry'), { key: 'j' });
    expect(active()).toBe(first);
    fireEvent.keyDown(screen.getByText('refresh'), { key: 'j' });
    expect(active()).not.toBe(first);
    fireEvent.keyDown(screen.getByText('refresh'), { key: 'Enter' });
    fireEvent.keyDown(screen.getByText('refresh'), { key: ' ' });
    expect(onOpen).not.toHaveBeenCalled();
    expect(screen.getAllByLabelText<HTMLInputElement>('Select row').some((box) => box.checked)).toBe(false);
  });

  it('leaves keys to fields', async () => {
    const onOpen = vi.fn();
    await renderScreen(
      <>
        <input aria-label="field" />
        <Sample onOpen={onOpen} />
      </>,
    );
    fireEvent.keyDown(screen.getByLabelText('field'), { key: 'Enter' });
    expect(onOpen).not.toHaveBeenCalled();
  });

  it('selects all, and says when only some are', async () => {
    await renderScreen(<Sample />);
    const all = screen.getByLabelText<HTMLInputElement>('Select all rows');
    fireEvent.click(screen.getAllByLabelText('Select row')[0] as HTMLElement);
    expect(all.indeterminate).toBe(true);
    fireEvent.click(all);
    expect(screen.getAllByLabelText<HTMLInputElement>('Select row').every((box) => box.checked)).toBe(true);
  });

  it('selects a range with Shift', () => {
    const order = ['a', 'b', 'c', 'd'];
    expect([...nextSelection(new Set(['a']), order, 'c', 'a')].sort()).toEqual(['a', 'b', 'c']);
    expect([...nextSelection(new Set(['a', 'b', 'c']), order, 'c', 'b')]).toEqual(['a']);
  });

  it('resizes a column with the keys', async () => {
    await renderScreen(<Sample />);
    const edge = screen.getByRole('separator', { name: 'Resize column Name' });
    fireEvent.keyDown(edge, { key: 'ArrowRight' });
    expect(edge.getAttribute('aria-valuenow')).toBe('176');
  });

  it('[R-C20] gives the room that is left over to the column that wants it, until the user sizes it', async () => {
    const [name, weight] = COLUMNS;
    if (!name || !weight) throw new Error('two columns are needed');
    await renderScreen(<Sample columns={[{ ...name, grows: true }, weight]} />);
    const grown = () =>
      [...document.querySelectorAll('[data-growing]')].map((one) => one.textContent?.replace(/\d+$/, ''));
    expect(new Set(grown())).toEqual(new Set(['Name', 'pear', 'apple', 'fig']));
    const [edge] = screen.getAllByRole('separator');
    if (edge) fireEvent.keyDown(edge, { key: 'ArrowRight' });
    expect(grown()[0]).toBe('Weight');
  });

  it('shows a skeleton only after 150 ms', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await renderScreen(<Sample rows={undefined} />);
    expect(screen.queryByTestId('table-skeleton')).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(160));
    expect(screen.getByTestId('table-skeleton')).toBeTruthy();
    vi.useRealTimers();
  });

  it('says why it is empty, and what failed', async () => {
    await renderScreen(<Sample rows={[]} empty="No fruit yet" />);
    expect(screen.getByText('No fruit yet')).toBeTruthy();
    cleanup();
    await renderScreen(<Sample rows={undefined} failed="Broken" />);
    expect(screen.getByText('Broken')).toBeTruthy();
  });
});
