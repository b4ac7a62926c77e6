import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderScreen } from '../../testing/render-screen.tsx';
import { sampleAccess } from '../../testing/sample-session.ts';
import { ResultGrid } from './result-grid.tsx';
import { shownColumn } from './result-value.ts';

afterEach(cleanup);

const COLUMNS = [shownColumn([{ name: 'Stream', type: 'string' }], 'Stream')].filter((one) => one !== null);
let setRunning: (isRunning: boolean) => void;

function Results() {
  const [isRunning, set] = useState(false);
  setRunning = set;
  return (
    <div data-results tabIndex={-1} data-testid="panel">
      {!isRunning && (
        <ResultGrid
          label="Results"
          columns={COLUMNS}
          rows={[['ProcessEvent']]}
          order={[0]}
          zone="UTC"
          sort={null}
          openRow={null}
          onSort={vi.fn()}
          onColumns={vi.fn()}
          onOpen={vi.fn()}
          onMenu={vi.fn()}
          onFilter={vi.fn()}
          onCopy={vi.fn()}
        />
      )}
    </div>
  );
}

describe('the grid of results', () => {
  it('[R-C8] has the focus again when a search that was started from it has its rows', async () => {
    await renderScreen(<Results />, { access: sampleAccess() });
    screen.getByRole('grid').focus();
    act(() => setRunning(true));
    expect(document.activeElement).toBe(screen.getByTestId('panel'));
    act(() => setRunning(false));
    expect(document.activeElement).toBe(screen.getByRole('grid'));
  });

  it('[R-C8] takes the focus from nothing else, nor from what has it when the rows come', async () => {
    await renderScreen(<Results />, { access: sampleAccess() });
    act(() => setRunning(true));
    act(() => setRunning(false));
    expect(document.activeElement).toBe(document.body);
    screen.getByRole('grid').focus();
    act(() => setRunning(true));
    const panel = screen.getByTestId('panel');
    expect(document.activeElement).toBe(panel);
    panel.blur();
    act(() => setRunning(false));
    expect(document.activeElement).toBe(document.body);
  });

  it('[T-draft] selects rows with x and the space bar, by their boxes, and with Shift all between two', async () => {
    const onSelect = vi.fn();
    const rows = [['a'], ['b'], ['c'], ['d']];
    const shown = { columns: COLUMNS, rows, order: [3, 2, 1, 0], zone: 'UTC', sort: null, openRow: null };
    const nothing = vi.fn();
    const acts = {
      onSort: nothing,
      onColumns: nothing,
      onOpen: nothing,
      onMenu: nothing,
      onFilter: nothing,
      onCopy: nothing,
    };
    const selection = { rows: new Set([3]), onSelect };
    await renderScreen(<ResultGrid label="Results" {...shown} {...acts} selection={selection} />, {
      access: sampleAccess(),
    });
    expect(screen.getByRole('checkbox', { name: 'Select row 1' })).toHaveProperty('checked', true);
    fireEvent.keyDown(screen.getByRole('grid'), { key: ' ' });
    expect(onSelect).toHaveBeenLastCalledWith([3], false);
    fireEvent.keyDown(screen.getByRole('grid'), { key: 'x' });
    expect(onSelect).toHaveBeenCalledTimes(2);
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select row 2' }));
    expect(onSelect).toHaveBeenLastCalledWith([2], true);
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select row 4' }), { shiftKey: true });
    expect(onSelect).toHaveBeenLastCalledWith([2, 1, 0], true);
    expect(nothing).not.toHaveBeenCalled();
  });
});
