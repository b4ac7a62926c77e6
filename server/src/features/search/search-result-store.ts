import { randomUUID } from 'node:crypto';
import { say } from '@tyrian/contract';
import { AppError } from '../../platform/app-error.ts';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import type { ResultRow } from './run-pieces.ts';

// Rows of searches, in the event database of their tenant (db/clickhouse/0004_search_results.sql), so that any process
// answers for a search that another one ran. The engine drops them when their time is over.

/** The search whose rows they are. They are read with the scope of the search alone: the engine itself filters by it. */
export interface KeptSearch {
  readonly clusterId: string;
  readonly scopeId: string;
  readonly id: string;
}

/** Rows that were kept together: their JSON, cut into pieces. */
export interface SearchResultStore {
  /** Keeps rows of a task from number `firstRow` on, counted from 0. */
  add(search: KeptSearch, firstRow: number, rows: readonly ResultRow[]): Promise<void>;
  /** The same for a few rows that are answered from memory meanwhile: together with others, within a second. */
  addSoon(search: KeptSearch, rows: readonly ResultRow[]): Promise<void>;
  /** Rows `from` to `to` (excluded). Throws AppError `bad-input` when they are too large for one page. */
  rows(search: KeptSearch, from: number, to: number): Promise<ResultRow[]>;
  /** Removes the rows of tasks before their time. */
  remove(clusterId: string, taskIds: readonly string[]): Promise<void>;
}

/** Text of the rows of one page, as they are answered. */
const MAX_PAGE_BYTES = 32 * 1024 * 1024;
/** Text of one piece: written as JSON again it stays far below the limit on one row of an answer. */
const PIECE_LENGTH = 512 * 1024;

const pageTooLarge = (): AppError =>
  new AppError('bad-input', say('search.pageTooLarge', { most: MAX_PAGE_BYTES / 1024 ** 2 }), {
    limit: 'page_bytes',
    allowed: MAX_PAGE_BYTES,
  });

type EventDoor = Pick<EventStore, 'insertRows' | 'query' | 'command'>;

/** An insert costs the engine as much as many rows, and holds up what is asked next. */
const SOON_MS = 1_000;
const SOON_BYTES = 4 * 1024 * 1024;

interface Batch {
  readonly lines: string[];
  bytes: number;
  readonly written: Promise<void>;
  /** Writes it now. */
  readonly write: () => void;
}

interface SearchResultStoreParts {
  readonly events: EventDoor;
  readonly batches: Map<string, Batch>;
}

export function createSearchResultStore(events: EventDoor): SearchResultStore {
  const batches = new Map<string, Batch>();
  const parts: SearchResultStoreParts = { events, batches };
  return bindDeps(parts, { add, addSoon, rows, remove });
}

function insert(
  { events }: SearchResultStoreParts,
  clusterId: string,
  lines: readonly string[],
): Promise<void> {
  const body = Buffer.from(`${lines.join('\n')}\n`);
  return events.insertRows(clusterId, body, { dedupToken: randomUUID(), table: 'search_results' });
}

function batchOf(parts: SearchResultStoreParts, clusterId: string): Batch {
  const { batches } = parts;
  const open = batches.get(clusterId);
  if (open) return open;
  const lines: string[] = [];
  let write = (): void => undefined;
  const written = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, SOON_MS);
    write = () => {
      clearTimeout(timer);
      resolve();
    };
  }).then(() => {
    if (batches.get(clusterId)?.lines === lines) batches.delete(clusterId);
    return insert(parts, clusterId, lines);
  });
  const batch = { lines, bytes: 0, written, write };
  batches.set(clusterId, batch);
  return batch;
}

function add(
  parts: SearchResultStoreParts,
  search: KeptSearch,
  firstRow: number,
  rows: readonly ResultRow[],
): Promise<void> {
  return insert(parts, search.clusterId, linesOf(search, firstRow, rows));
}

function addSoon(
  parts: SearchResultStoreParts,
  search: KeptSearch,
  rows: readonly ResultRow[],
): Promise<void> {
  const { clusterId } = search;
  const batch = batchOf(parts, clusterId);
  for (const line of linesOf(search, 0, rows)) {
    batch.lines.push(line);
    batch.bytes += line.length;
  }
  if (batch.bytes >= SOON_BYTES) {
    parts.batches.delete(clusterId);
    batch.write();
  }
  return batch.written;
}

async function rows(
  { events }: SearchResultStoreParts,
  { clusterId, scopeId, id }: KeptSearch,
  from: number,
  to: number,
): Promise<ResultRow[]> {
  if (to <= from) return [];
  const { batches } = await events.query(clusterId, {
    // An insert that was sent again after a broken connection may stand twice.
    sql: `SELECT FirstRow, TextBytes, Body FROM search_results
          WHERE TaskId = {task:String} AND Expires > now()
            AND FirstRow < {to:UInt32} AND FirstRow + RowCount > {from:UInt32}
          ORDER BY FirstRow, Piece LIMIT 1 BY FirstRow, Piece`,
    params: { task: id, from, to },
    scopes: [scopeId],
    // Whoever asks knows how many there should be.
    takesPart: true,
  });
  const found: ResultRow[] = [];
  for (const [firstRow, text] of await textsOf(batches)) {
    const rows = JSON.parse(text) as ResultRow[];
    found.push(...rows.slice(Math.max(0, from - firstRow), to - firstRow));
  }
  return found;
}

async function remove(
  { events }: SearchResultStoreParts,
  clusterId: string,
  taskIds: readonly string[],
): Promise<void> {
  if (taskIds.length === 0) return;
  const sql = 'DELETE FROM search_results WHERE TaskId IN {tasks:Array(String)}';
  await events.command(clusterId, sql, { tasks: taskIds });
}

/** The rows of the table for some rows of a task. */
function linesOf(
  { scopeId: Scope, id: TaskId }: KeptSearch,
  FirstRow: number,
  rows: readonly ResultRow[],
): string[] {
  const text = JSON.stringify(rows);
  const RowCount = rows.length;
  return piecesOf(text).map((Body, Piece) => {
    // The first piece tells how large all of them are.
    const TextBytes = Piece === 0 ? Buffer.byteLength(text) : 0;
    return JSON.stringify({ Scope, TaskId, FirstRow, RowCount, Piece, TextBytes, Body });
  });
}

/** The text of each run of rows by its first row, in order. */
async function textsOf(
  batches: AsyncIterable<readonly (readonly unknown[])[]>,
): Promise<Map<number, string>> {
  const texts = new Map<number, string>();
  let bytes = 0;
  for await (const batch of batches) {
    for (const [firstRow, textBytes, body] of batch) {
      bytes += Number(textBytes);
      if (bytes > MAX_PAGE_BYTES) throw pageTooLarge();
      const at = Number(firstRow);
      texts.set(at, (texts.get(at) ?? '') + String(body));
    }
  }
  return texts;
}

/** Cuts a text without parting a surrogate pair. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    let end = Math.min(text.length, at + PIECE_LENGTH);
    const last = text.charCodeAt(end - 1);
    if (end < text.length && last >= 0xd800 && last <= 0xdbff) end -= 1;
    pieces.push(text.slice(at, end));
    at = end;
  }
  return pieces;
}
