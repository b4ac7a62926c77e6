import type { ResultValue } from '@tyrian/contract';
import type { TimeRange } from '@tyrian/plan';
import type { QueryProgress } from '../../platform/clickhouse/event-store.ts';
import type { Pieces } from './newest-pieces.ts';

// Runs one query over the pieces of its range, one after the other, until there are enough rows, and adds up what
// was read.

export type ResultRow = readonly ResultValue[];

export interface QueryStats {
  readonly rowsRead: number;
  readonly bytesRead: number;
  /** What the engine expects to read for the piece at hand; 0 while unknown. */
  readonly rowsToRead: number;
  /** Share of the range that was read, 0 to 1. */
  readonly share: number;
  /** Time since the first piece was started. */
  readonly engineMs: number;
  readonly rows: number;
  /** What the engine sent for the rows and all else. */
  readonly receivedBytes: number;
  /** Numbers of the engine's shards whose events are not in the rows. */
  readonly missingShards: readonly number[];
}

export interface PieceAnswer {
  readonly batches: AsyncIterable<readonly (readonly unknown[])[]>;
  decode(row: readonly unknown[]): ResultRow;
  receivedBytes(): number;
  missingShards(): readonly number[];
}

export interface PieceRun {
  readonly pieces: Pieces;
  readonly rowLimit: number | undefined;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: ((stats: QueryStats) => void) | undefined;
  start(
    range: TimeRange | undefined,
    maxRows: number | undefined,
    onProgress: (progress: QueryProgress) => void,
    index: number,
  ): Promise<PieceAnswer>;
}

const shareRead = ({ rowsRead, totalRows }: QueryProgress): number =>
  totalRows > 0 ? Math.min(1, rowsRead / totalRows) : 0;

function missingIn(answers: readonly PieceAnswer[]): number[] {
  return [...new Set(answers.flatMap((answer) => answer.missingShards()))].sort((a, b) => a - b);
}

/** The batches run once; `stats` may be asked at any time. */
export function runPieces(run: PieceRun): {
  batches: AsyncIterable<readonly ResultRow[]>;
  stats(): QueryStats;
} {
  const { pieces, rowLimit, signal, onProgress } = run;
  let startedAt: number | null = null;
  let endedAt: number | null = null;
  let rows = 0;
  let received = 0;
  let before = { rowsRead: 0, bytesRead: 0, share: 0 };
  let current: QueryProgress = { rowsRead: 0, bytesRead: 0, totalRows: 0, elapsedMs: 0 };
  let pieceShare = 0;
  let highestShare = 0;
  const answers: PieceAnswer[] = [];

  /** A join finds more to read while it reads; what was told of it is not taken back. */
  const shareNow = (): number => {
    highestShare = Math.max(highestShare, Math.min(1, before.share + shareRead(current) * pieceShare));
    return highestShare;
  };
  const stats = (): QueryStats => ({
    rowsRead: before.rowsRead + current.rowsRead,
    bytesRead: before.bytesRead + current.bytesRead,
    rowsToRead: before.rowsRead + current.totalRows,
    share: endedAt !== null ? 1 : shareNow(),
    engineMs: startedAt === null ? 0 : Math.round((endedAt ?? performance.now()) - startedAt),
    rows,
    receivedBytes: received,
    missingShards: missingIn(answers),
  });

  async function* batches(): AsyncGenerator<readonly ResultRow[]> {
    startedAt = performance.now();
    for (let index = 0; ; index += 1) {
      signal?.throwIfAborted();
      const piece = await pieces.next(rows);
      if (!piece) break;
      pieceShare = piece.share;
      const answer = await run.start(
        piece.range,
        rowLimit === undefined ? undefined : rowLimit - rows,
        (progress) => {
          current = progress;
          onProgress?.(stats());
        },
        index,
      );
      answers.push(answer);
      const already = received;
      for await (const batch of answer.batches) {
        received = already + answer.receivedBytes();
        const decoded = batch.map((row) => answer.decode(row));
        rows += decoded.length;
        yield decoded;
      }
      before = {
        rowsRead: before.rowsRead + current.rowsRead,
        bytesRead: before.bytesRead + current.bytesRead,
        share: before.share + pieceShare,
      };
      current = { rowsRead: 0, bytesRead: 0, totalRows: 0, elapsedMs: 0 };
      pieceShare = 0;
      if (rowLimit !== undefined && rows >= rowLimit) break;
    }
    endedAt = performance.now();
    onProgress?.(stats());
  }

  return { batches: batches(), stats };
}
