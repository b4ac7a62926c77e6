import type { ResultRow } from './run-pieces.ts';
import type { KeptSearch, SearchResultStore } from './search-result-store.ts';

// Gathers the rows of one search and keeps them in pieces, the first ones small so that they come soon.

export interface RowWriter {
  add(rows: readonly ResultRow[]): Promise<void>;
  /** Keeps what is gathered; several at once wait for each other. */
  flush(): Promise<void>;
  /** Keeps all rows of a result that is held, when the engine has time for it. */
  flushSoon(): Promise<void>;
  /** Takes back what is kept and what is on its way. */
  drop(): Promise<void>;
  /** Rows that are kept. */
  written(): number;
  /** Rows given so far. */
  given(): number;
  /** Text of the rows given, nearly. */
  bytes(): number;
  /** The rows themselves, while they are few; else null. */
  all(): readonly ResultRow[] | null;
}

const FIRST_PIECE = { rows: 500, bytes: 1024 * 1024 };
/** An insert costs as much as many rows. */
const PIECE = { rows: 5_000, bytes: 4 * 1024 * 1024 };
/** A result up to this size is held to be answered again. */
const SMALL_BYTES = 512 * 1024;

export function rowWriter(results: SearchResultStore, search: KeptSearch): RowWriter {
  let pending: ResultRow[] = [];
  let pendingBytes = 0;
  let written = 0;
  let given = 0;
  let bytes = 0;
  let held: ResultRow[] | null = [];
  let turn: Promise<void> = Promise.resolve();

  const write = async (): Promise<void> => {
    if (pending.length === 0) return;
    const rows = pending;
    pending = [];
    pendingBytes = 0;
    await results.add(search, written, rows);
    written += rows.length;
  };
  const flush = (): Promise<void> => {
    turn = turn.then(write);
    return turn;
  };
  const isFull = (): boolean => {
    const piece = written === 0 ? FIRST_PIECE : PIECE;
    return pending.length >= piece.rows || pendingBytes >= piece.bytes;
  };

  return {
    flush,
    flushSoon: () => {
      if (held === null || written > 0 || pending.length === 0) return flush();
      const rows = pending;
      pending = [];
      pendingBytes = 0;
      written = rows.length;
      return results.addSoon(search, rows);
    },
    drop: async () => {
      pending = [];
      held = null;
      await turn.catch(() => undefined);
      if (written > 0) await results.remove(search.clusterId, [search.id]);
    },
    add: async (rows) => {
      for (const row of rows) {
        pending.push(row);
        const more = approximateBytes(row);
        given += 1;
        bytes += more;
        pendingBytes += more;
        if (bytes > SMALL_BYTES) held = null;
        held?.push(row);
        if (held === null && isFull()) await flush();
      }
    },
    written: () => written,
    given: () => given,
    bytes: () => bytes,
    all: () => held,
  };
}

function approximateBytes(row: ResultRow): number {
  let bytes = 0;
  for (const value of row) {
    if (typeof value === 'string') bytes += value.length + 3;
    else if (typeof value === 'object' && value !== null) bytes += JSON.stringify(value).length + 1;
    else bytes += 6;
  }
  return bytes;
}
