import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ResultColumn, type SearchRange, say, sayOfField } from '@tyrian/contract';
import type { QueryReach } from '@tyrian/kql';
import { AppError } from '../../platform/app-error.ts';
import type { QueryService } from './query-service.ts';
import type { ResultRow } from './run-pieces.ts';
import { type CsvOptions, csvHeader, csvLine } from './write-csv.ts';

// All rows of a query as a file. Rows pass through as the engine gives them, so a file may be of any length; a
// mistake in the query or a refusal of the engine is answered before the first byte.

export interface ExportRequest {
  readonly clusterId: string;
  readonly userId: string;
  readonly scopes: readonly string[];
  readonly reach: QueryReach;
  readonly kql: string;
  readonly range: SearchRange;
  readonly format: 'csv' | 'ndjson';
  /** In this order; all of them when empty. */
  readonly columns: readonly string[];
  readonly bom: boolean;
  readonly csv: CsvOptions;
  readonly signal: AbortSignal;
  /**
   * Writes it into the audit trail: before the first byte, and with the rows that left at the end, also when the
   * reading broke off. What it throws ends the export.
   */
  readonly note: (read: ExportRead) => Promise<void>;
}

export interface ExportRead {
  readonly state: 'BEGUN' | 'SUCCESS' | 'BROKEN OFF';
  readonly rows: number;
  readonly scopes: ReadonlySet<string>;
}

export interface ExportFile {
  readonly contentType: string;
  readonly extension: string;
  readonly body: Readable;
}

export interface ExportService {
  /** Resolves when the first rows are there. The body ends with an error when the query breaks off later. */
  open(request: ExportRequest): Promise<ExportFile>;
}

/** A client that takes nothing for so long is cut off, because it keeps a slot that others wait for. */
const STALLED_MS = 60_000;
/** Before each piece a download lets those go first on whom somebody waits, for so long at the most. */
const [ASIDE_MS, LOOK_MS] = [30, 5];

export function createExportService(deps: {
  readonly queries: QueryService;
  readonly stalledMs?: number;
  /** Whether queries run on which somebody waits. */
  readonly isAwaited?: () => boolean;
}): ExportService {
  const { stalledMs = STALLED_MS, isAwaited = () => false } = deps;
  const standAside = async (): Promise<void> => {
    const untilMs = performance.now() + ASIDE_MS;
    while (isAwaited() && performance.now() < untilMs) await sleep(LOOK_MS);
  };
  return {
    open: async (request) => {
      const scopes = new Set<string>();
      const answer = await deps.queries.stream({
        clusterId: request.clusterId,
        userId: request.userId,
        scopes: request.scopes,
        reach: request.reach,
        kql: request.kql,
        timeRange: request.range,
        queue: 'exports',
        order: 'newest-first',
        signal: request.signal,
        onScopes: (read) => {
          for (const scope of read) scopes.add(scope);
        },
      });
      const picked = pickColumns(answer.columns, request.columns);
      const lines = request.format === 'csv' ? csvWriter(picked, request) : ndjsonWriter(picked);
      const batches = answer.batches[Symbol.asyncIterator]();
      const first = await batches.next();
      const note = (state: ExportRead['state'], rows: number) => request.note({ state, rows, scopes });
      try {
        await note('BEGUN', 0);
      } catch (error) {
        await batches.return?.();
        throw error;
      }
      const rest = { next: () => standAside().then(() => batches.next()), return: () => batches.return?.() };
      const body = bodyOf({ lines, first, rest, note }, stalledMs);
      return {
        contentType: request.format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson',
        extension: request.format,
        body,
      };
    },
  };
}

/** Cuts a download off when the piece that is offered now is not taken in time; the answer calls that off. */
function cutWhenStalled(body: Readable, stalledMs: number): () => void {
  const timer = setTimeout(() => {
    body.destroy(new AppError('unavailable', say('search.downloadStalled', { seconds: stalledMs / 1000 })));
  }, stalledMs);
  return () => clearTimeout(timer);
}

interface Picked {
  readonly columns: readonly ResultColumn[];
  readonly positions: readonly number[];
}

interface LineWriter {
  readonly start: string;
  line(row: ResultRow): string;
}

function pickColumns(all: readonly ResultColumn[], names: readonly string[]): Picked {
  const plain = all.map(({ name, type }) => ({ name, type }));
  if (names.length === 0) return { columns: plain, positions: plain.map((_, index) => index) };
  const positions = names.map((name) => {
    const position = plain.findIndex((column) => column.name === name);
    if (position < 0)
      throw new AppError('bad-input', sayOfField('columns', say('search.noResultColumn', { name })));
    return position;
  });
  return { columns: positions.flatMap((position) => plain[position] ?? []), positions };
}

function csvWriter({ columns, positions }: Picked, { bom, csv }: ExportRequest): LineWriter {
  return {
    start: `${bom ? '\uFEFF' : ''}${csvHeader(columns, csv)}`,
    line: (row) =>
      csvLine(
        columns,
        positions.map((position) => row[position]),
        csv,
      ),
  };
}

function ndjsonWriter({ columns, positions }: Picked): LineWriter {
  return {
    start: '',
    line: (row) => {
      const pairs = columns.map(({ name }, index) => [name, row[positions[index] ?? 0]]);
      return `${JSON.stringify(Object.fromEntries(pairs))}\n`;
    },
  };
}

interface OpenExport {
  readonly lines: LineWriter;
  readonly first: IteratorResult<readonly ResultRow[]>;
  readonly rest: {
    next(): Promise<IteratorResult<readonly ResultRow[]>>;
    return(): Promise<unknown> | undefined;
  };
  readonly note: (state: ExportRead['state'], rows: number) => Promise<void>;
}

/** The rows as text. Releases the slot of the query and notes the end, however it comes. */
function bodyOf(open: OpenExport, stalledMs: number): Readable {
  let isPulled = false;
  const text = async function* () {
    isPulled = true;
    yield* textOf(open, () => cutWhenStalled(body, stalledMs));
  };
  const body: Readable = Readable.from(text(), { objectMode: false });
  // What nobody has pulled has not begun and so ends nothing.
  body.once('close', () => {
    if (isPulled) return;
    const ended = async () => {
      await open.rest.return();
      await open.note('BROKEN OFF', 0);
    };
    ended().catch(() => undefined);
  });
  return body;
}

async function* textOf(
  { lines, first, rest, note }: OpenExport,
  offered: () => () => void,
): AsyncGenerator<string> {
  let ended = false;
  let rows = 0;
  let taken = (): void => undefined;
  try {
    let text = lines.start;
    for (let batch = first; !batch.done; batch = await rest.next()) {
      for (const row of batch.value) text += lines.line(row);
      rows += batch.value.length;
      taken = offered();
      yield text;
      taken();
      text = '';
    }
    ended = true;
    if (text !== '') yield text;
  } finally {
    taken();
    if (!ended) await rest.return();
    await note(ended ? 'SUCCESS' : 'BROKEN OFF', rows);
  }
}
