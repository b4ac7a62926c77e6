import type { ResultValue } from '@tyrian/contract';
import type { TimeRange } from '@tyrian/plan';
import type { QueryProgress } from '../../platform/clickhouse/event-store.ts';

// Runs one query over the pieces of its range, one after the other, until there are enough rows, and adds up what
// was read.

/** Events that a joined piece may read, judged by the one before it: about a second's work. */
const QUICK_ROWS = 2_000_000;

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
}

export interface PieceAnswer {
  readonly batches: AsyncIterable<readonly (readonly unknown[])[]>;
  decode(row: readonly unknown[]): ResultRow;
  receivedBytes(): number;
}

export interface PieceRun {
  /** Newest first, each beginning where the one after it ends; `undefined` alone stands for all time. */
  readonly pieces: readonly (TimeRange | undefined)[];
  /** Joins pieces that are still to come when those before read so little that small steps only cost time. */
  readonly joinsQuick: boolean;
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

  /** A join finds more to read while it reads; what was told of it is not taken back. */
  const shareNow = (): number => {
    const within = current.totalRows > 0 ? Math.min(1, current.rowsRead / current.totalRows) : 0;
    highestShare = Math.max(highestShare, Math.min(1, before.share + within * pieceShare));
    return highestShare;
  };
  const stats = (): QueryStats => {
    return {
      rowsRead: before.rowsRead + current.rowsRead,
      bytesRead: before.bytesRead + current.bytesRead,
      rowsToRead: before.rowsRead + current.totalRows,
      share: endedAt !== null ? 1 : shareNow(),
      engineMs: startedAt === null ? 0 : Math.round((endedAt ?? performance.now()) - startedAt),
      rows,
      receivedBytes: received,
    };
  };

  async function* batches(): AsyncGenerator<readonly ResultRow[]> {
    startedAt = performance.now();
    let left = pieces;
    for (let index = 0; left.length > 0; index += 1) {
      signal?.throwIfAborted();
      const [piece] = left;
      left = left.slice(1);
      pieceShare = shareOf(pieces, piece);
      const answer = await run.start(
        piece,
        rowLimit === undefined ? undefined : rowLimit - rows,
        (progress) => {
          current = progress;
          onProgress?.(stats());
        },
        index,
      );
      const already = received;
      for await (const batch of answer.batches) {
        received = already + answer.receivedBytes();
        const decoded = batch.map((row) => answer.decode(row));
        rows += decoded.length;
        yield decoded;
      }
      const { rowsRead } = current;
      before = {
        rowsRead: before.rowsRead + rowsRead,
        bytesRead: before.bytesRead + current.bytesRead,
        share: before.share + pieceShare,
      };
      current = { rowsRead: 0, bytesRead: 0, totalRows: 0, elapsedMs: 0 };
      pieceShare = 0;
      if (rowLimit !== undefined && rows >= rowLimit) break;
      if (run.joinsQuick && piece) left = joined(left, piece, rowsRead);
    }
    endedAt = performance.now();
    onProgress?.(stats());
  }

  return { batches: batches(), stats };
}

function shareOf(pieces: PieceRun['pieces'], piece: TimeRange | undefined): number {
  const [first, last] = [pieces[0], pieces.at(-1)];
  if (!first || !last || !piece) return 1 / pieces.length;
  return (piece.to - piece.from) / Math.max(1, first.to - last.from);
}

/** The pieces with as many of the first joined to one as should read QUICK_ROWS together. */
function joined(left: PieceRun['pieces'], before: TimeRange, rowsRead: number): PieceRun['pieces'] {
  const [first] = left;
  // A piece without events tells nothing about the next one.
  if (!first || rowsRead === 0) return left;
  const span = ((before.to - before.from) * QUICK_ROWS) / rowsRead;
  const count = left.filter((piece) => piece && first.to - piece.from <= span).length;
  const last = left[count - 1];
  return last ? [{ from: last.from, to: first.to }, ...left.slice(count)] : left;
}
