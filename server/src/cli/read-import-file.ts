import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { scanJsonObjects } from '@tyrian/ingest';
import { csvLines } from '../features/uploads/csv-lines.ts';
import { evtxLines, isEvtx } from '../features/uploads/evtx-lines.ts';

// A file as chunks of whole lines, each at the same position however often the file is read: that is what makes an
// import that was interrupted continue without doubling. JSON documents and CSV become lines of JSON first, event logs of Windows lines of XML.

/** A chunk holds about so many bytes; a longer line makes a chunk of its own. */
const CHUNK_BYTES = 2 * 1024 * 1024;
/** Documents that are no lines (one JSON array over many lines) are read whole, up to this size. */
const MAX_DOCUMENT_BYTES = 512 * 1024 * 1024;

export interface ImportChunk {
  /** Position of the chunk in the unpacked file, in bytes. */
  readonly offset: number;
  readonly body: Buffer;
}

const GZIP_MAGIC = [0x1f, 0x8b];
const UTF16_LE = [0xff, 0xfe];

function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, at) => bytes[at] === byte);
}

async function firstBytes(file: string): Promise<Uint8Array> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(8), 0, 8, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function openFile(file: string): Promise<Readable> {
  const stream = createReadStream(file, { highWaterMark: 1024 * 1024 });
  if (!startsWith(await firstBytes(file), GZIP_MAGIC)) return stream;
  const unpacked = createGunzip();
  stream.on('error', (error) => unpacked.destroy(error));
  return stream.pipe(unpacked);
}

/** Cuts a stream of bytes behind newlines. */
async function* lineChunks(stream: AsyncIterable<Buffer>): AsyncGenerator<ImportChunk> {
  let parts: Buffer[] = [];
  let size = 0;
  let offset = 0;
  for await (const part of stream) {
    parts.push(part);
    size += part.length;
    if (size < CHUNK_BYTES) continue;
    const bytes = Buffer.concat(parts);
    const end = bytes.lastIndexOf(10) + 1;
    if (end === 0) {
      parts = [bytes];
      continue;
    }
    yield { offset, body: bytes.subarray(0, end) };
    offset += end;
    parts = [bytes.subarray(end)];
    size = bytes.length - end;
  }
  if (size > 0) yield { offset, body: Buffer.concat(parts) };
}

async function wholeText(stream: AsyncIterable<Buffer>, file: string): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of stream) {
    parts.push(part);
    size += part.length;
    if (size > MAX_DOCUMENT_BYTES)
      throw new Error(`${file}: one JSON document of more than 512 MiB; send it as lines`);
  }
  const bytes = Buffer.concat(parts);
  return startsWith(bytes, UTF16_LE)
    ? bytes.toString('utf16le', 2)
    : bytes.toString('utf8').replace(/^\ufeff/, '');
}

/** The records of a JSON document: the items of an array or of `Records`, or the document itself. */
function documentLines(text: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const inner = (value as { Records?: unknown } | null)?.Records;
  const items = Array.isArray(value) ? value : Array.isArray(inner) ? inner : [value];
  try {
    return items.map((item) => JSON.stringify(item)).join('\n');
  } catch {
    // Nested too deep to be written again: the records are sent as they stand, and the server says which it cannot read.
    const list = Array.isArray(value) || Array.isArray(inner) ? text.slice(text.indexOf('[')) : text;
    return scanJsonObjects(list)
      .slices.map(({ start, end }) => list.slice(start, end).replaceAll(/[\r\n]+/g, ' '))
      .join('\n');
  }
}

async function* asStream(text: string): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}

/** A `.json` file may be lines or one document: the first line tells. */
function isDocument(text: string): boolean {
  const start = text.trimStart();
  if (!start.startsWith('[') && !start.startsWith('{')) return false;
  const firstLine = start.slice(0, start.indexOf('\n') < 0 ? undefined : start.indexOf('\n'));
  try {
    const value: unknown = JSON.parse(firstLine);
    return Array.isArray(value) || Array.isArray((value as { Records?: unknown } | null)?.Records);
  } catch {
    return true;
  }
}

function isTable(name: string): boolean {
  return name.endsWith('.csv') || name.endsWith('.tsv');
}

/** Reads a file (ndjson, json, csv, plain log, each also as .gz; evtx) as chunks of lines. */
export async function* readImportFile(file: string): AsyncGenerator<ImportChunk> {
  const name = path.basename(file).replace(/\.gz$/i, '').toLowerCase();
  const stream = await openFile(file);
  const first = await firstBytes(file);
  if (isEvtx(first)) {
    yield* lineChunks(evtxLines(stream));
    return;
  }
  const isUtf16 = startsWith(first, UTF16_LE);
  if (isTable(name)) {
    yield* lineChunks(csvLines(isUtf16 ? asStream(await wholeText(stream, file)) : stream));
    return;
  }
  if (!name.endsWith('.json') && !isUtf16) {
    yield* lineChunks(stream);
    return;
  }
  const text = await wholeText(stream, file);
  yield* lineChunks(asStream((isDocument(text) ? documentLines(text) : undefined) ?? text));
}
