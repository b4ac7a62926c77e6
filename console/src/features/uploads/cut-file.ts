import { UPLOAD_LIMITS, type UploadFormat } from '@tyrian/contract';

// A file as pieces that the server can read each by itself: whole lines, rows of CSV behind the row of names, whole chunks
// of an event log of Windows. Cut at the same places however often it is read.

const NEWLINE = 10;
const QUOTE = 34;
const EVTX_HEAD_BYTES = 4_096;
const EVTX_CHUNK_BYTES = 65_536;
/** Room is left for the row of names. */
const PIECE_BYTES = UPLOAD_LIMITS.pieceBytes / 2;

export interface FilePiece {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Bytes of the file, as it lies on disk, that have been read up to here. */
  readonly read: number;
}

/** What the name of a file says of its format. */
export function formatOf(name: string): UploadFormat {
  const plain = name.toLowerCase().replace(/\.gz$/, '');
  if (plain.endsWith('.evtx')) return 'evtx';
  return plain.endsWith('.csv') || plain.endsWith('.tsv') ? 'csv' : 'lines';
}

function joined(left: Uint8Array, right: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(left.length + right.length);
  both.set(left);
  both.set(right, left.length);
  return both;
}

/** Where the last complete record ends: behind a newline that stands in no quotes. 0 when there is none. */
function endOfRows(bytes: Uint8Array): number {
  let isQuoted = false;
  let end = 0;
  for (const [at, byte] of bytes.entries()) {
    if (byte === QUOTE) isQuoted = !isQuoted;
    else if (byte === NEWLINE && !isQuoted) end = at + 1;
  }
  return end;
}

function endOfFirstRow(bytes: Uint8Array): number {
  let isQuoted = false;
  for (const [at, byte] of bytes.entries()) {
    if (byte === QUOTE) isQuoted = !isQuoted;
    else if (byte === NEWLINE && !isQuoted) return at + 1;
  }
  return bytes.length;
}

/** How much of what was read makes a piece. */
function cutAt(bytes: Uint8Array, format: UploadFormat, isFirst: boolean): number {
  if (format === 'evtx') {
    const head = isFirst ? EVTX_HEAD_BYTES : 0;
    return head + Math.floor((bytes.length - head) / EVTX_CHUNK_BYTES) * EVTX_CHUNK_BYTES;
  }
  const end = format === 'csv' ? endOfRows(bytes) : bytes.lastIndexOf(NEWLINE) + 1;
  // A record that is longer than a piece is cut: the server says so of it.
  return end > 0 ? end : bytes.length >= UPLOAD_LIMITS.pieceBytes - PIECE_BYTES ? bytes.length : 0;
}

/** Reads a file (also one packed with gzip) as pieces. */
export async function* cutFile(file: File, format: UploadFormat): AsyncGenerator<FilePiece> {
  let read = 0;
  const counted = file.stream().pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform: (part, out) => {
        read += part.length;
        out.enqueue(part);
      },
    }),
  );
  const isPacked = file.name.toLowerCase().endsWith('.gz');
  const reader = (isPacked ? counted.pipeThrough(new DecompressionStream('gzip')) : counted).getReader();
  let kept: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  let names: Uint8Array<ArrayBuffer> | undefined;
  let isFirst = true;
  const pieceOf = (end: number): FilePiece => {
    const bytes = kept.slice(0, end);
    kept = kept.slice(end);
    const withNames = names === undefined ? bytes : joined(names, bytes);
    if (format === 'csv') names ??= bytes.slice(0, endOfFirstRow(bytes));
    isFirst = false;
    return { bytes: withNames, read };
  };
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    kept = joined(kept, next.value);
    while (kept.length >= PIECE_BYTES) {
      // A part of a stream may be large: no piece is larger than the limit, with its row of names.
      const within = kept.subarray(0, PIECE_BYTES);
      const end = cutAt(within, format, isFirst);
      if (end === 0) break;
      yield pieceOf(end);
    }
  }
  if (kept.length > 0) yield pieceOf(kept.length);
}
