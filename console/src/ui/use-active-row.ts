import { useCallback, useRef, useState } from 'react';

interface Place {
  /** Undefined until there are rows, and again when the order changes. */
  readonly id: string | undefined;
  readonly index: number;
  readonly sorting: string;
}

/**
 * Place of the row that the keys act on. It stays on its row when others come above it or leave, and goes to the row
 * that takes its place when it leaves itself. Another order begins at the top.
 */
export function useActiveRow(rows: readonly { readonly id: string }[], sorting: string) {
  const [place, setPlace] = useState<Place>({ id: undefined, index: 0, sorting });
  const latest = useRef({ rows, sorting });
  latest.current = { rows, sorting };
  const active = rowPosition(rows, place.sorting === sorting ? place : { id: undefined, index: 0, sorting });
  const id = rows[active]?.id;
  if (rows.length > 0 && (place.id !== id || place.index !== active || place.sorting !== sorting)) {
    setPlace({ id, index: active, sorting });
  }
  const set = useCallback((index: number) => {
    const now = latest.current;
    setPlace({ id: now.rows[index]?.id, index, sorting: now.sorting });
  }, []);
  return [active, set] as const;
}

function rowPosition(rows: readonly { readonly id: string }[], { id, index }: Place): number {
  if (id === undefined || rows[index]?.id === id) return index;
  const found = rows.findIndex((row) => row.id === id);
  return found >= 0 ? found : Math.max(0, Math.min(index, rows.length - 1));
}
