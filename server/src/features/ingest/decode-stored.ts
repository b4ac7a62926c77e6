import { type DecodedEvent, uidWords } from '@tyrian/ingest';
import type { BatchReport, DecodeJob } from './ingest-batch.ts';
import type { RowCollector } from './row-collector.ts';

// Events that are stored already, read again from their text. Each keeps its identity, its time of arrival, its source and
// its partition. What did not stand in the text, such as the host in the envelope of a collector, is taken from the row.

/** One line of the body: a stored event as a list, in this order. */
export type StoredLine = readonly [
  uid: string,
  /** Epoch milliseconds. */
  ingested: number,
  time: number,
  stream: string,
  status: string,
  sourceName: string,
  sourceAddress: string,
  host: string,
  retentionDays: number,
  /** JSON. */
  ext: string,
  raw: string,
];

type Counts = Record<number, Record<string, number>>;
type Ext = Record<string, unknown>;

const MINUTE_MS = 60_000;

function count(counts: Counts, ingestedMs: number, stream: string): void {
  const minute = Math.floor(ingestedMs / MINUTE_MS) * MINUTE_MS;
  const streams = counts[minute] ?? {};
  counts[minute] = streams;
  streams[stream] = (streams[stream] ?? 0) + 1;
}

function extOf(text: string): Ext {
  try {
    const ext: unknown = JSON.parse(text);
    return typeof ext === 'object' && ext !== null ? (ext as Ext) : {};
  } catch {
    return {};
  }
}

/** Its text was cut when it came in: there is nothing to be read anew. */
const isCut = ({ IngestMarks: marks }: Ext): boolean => Array.isArray(marks) && marks.includes('truncated');

/** What Tyrian itself writes below Ext. */
const OURS = new Set(['IngestMarks', 'DeviceTime', 'IngestedOfChars', 'Enrichment']);

/** Keeps what came beside the text: fields of the envelope stand nowhere in it. */
function keepEnvelope(event: DecodedEvent, before: Ext, host: string, raw: string): void {
  if (host !== '') event.columns.DvcHostname ??= host;
  for (const [name, value] of Object.entries(before))
    if (!OURS.has(name) && !raw.includes(name)) event.ext[name] ??= value;
}

/** Reads stored events; those that are understood no better than before are left as they are. */
export function decodeStored(
  text: string,
  job: DecodeJob,
  rows: RowCollector,
  decodeLine: (raw: string, receivedMs: number) => DecodedEvent,
): BatchReport {
  const added: Counts = {};
  const gone: Counts = {};
  const counts = { read: 0, changed: 0, unparsed: 0 };
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [uid, ingested, time, stream, status, sourceName, sourceAddress, host, retentionDays, ext, raw] =
      JSON.parse(line) as StoredLine;
    counts.read += 1;
    const before = extOf(ext);
    const event = isCut(before) || job.isTextOnly ? undefined : decodeLine(raw, ingested);
    if (event === undefined || event.status !== 'PAD') counts.unparsed += 1;
    if (event === undefined || (event.status !== 'PAD' && event.status === status)) continue;
    keepEnvelope(event, before, host, raw);
    event.time ??= time;
    count(added, ingested, event.stream);
    count(gone, ingested, stream);
    counts.changed += 1;
    rows.addStored({
      ...{ event, raw, sourceName },
      identity: { uid: uidWords(uid), retentionDays, reading: job.reading ?? 0 },
      place: { receivedMs: ingested, sourceAddress },
    });
  }
  return { counts: {}, reread: { ...counts, added, gone } };
}
