import { createHash } from 'node:crypto';
import type { HttpPollerConfig } from '@tyrian/contract';
import { jsonTextAt, parseEventTime } from '@tyrian/ingest';
import { z } from 'zod';
import { pathOf } from './record-texts.ts';

// How far a poller is: where the next poll begins, which page of a poll comes next, and which records of the range that is
// asked for again were stored already.

const pageSchema = z.object({
  /** As the service gave it. */
  url: z.string().optional(),
  cursor: z.string().optional(),
  /** Pages and records before this one. */
  page: z.number().default(0),
  offset: z.number().default(0),
});
export type PageAt = z.output<typeof pageSchema>;

const positionSchema = z.object({
  /** Of a cursor by time: epoch milliseconds; by a field: its value. */
  since: z.union([z.number(), z.string()]).optional(),
  /** The end of the poll that goes on, epoch milliseconds. */
  until: z.number().optional(),
  /** The newest that was seen: epoch milliseconds, or the greatest value. */
  newest: z.union([z.number(), z.string()]).optional(),
  /** Of a poll that goes on; with kept cursors also of one that has ended. */
  next: pageSchema.optional(),
  isOpen: z.boolean().default(false),
  /** [epoch milliseconds, hash] of records that were stored. */
  seen: z.array(z.tuple([z.number(), z.string()])).default([]),
});
export type PollPosition = z.output<typeof positionSchema>;

/** Records that are remembered; of a range with more the oldest are forgotten. */
const MOST_SEEN = 5_000;

/** A position that was kept; one of another form begins anew. */
export function readPosition(kept: unknown): PollPosition {
  const read = positionSchema.safeParse(kept ?? {});
  return read.success ? read.data : positionSchema.parse({});
}

const hashOf = (record: string): string =>
  createHash('sha256').update(record).digest('base64url').slice(0, 14);

/** The value at a way, as text without quotes. */
export function valueAt(record: string, path: string): string | undefined {
  if (path === '') return undefined;
  const written = jsonTextAt(record, pathOf(path));
  if (written === undefined || written === 'null') return undefined;
  if (!written.startsWith('"')) return written;
  try {
    return String(JSON.parse(written));
  } catch {
    return undefined;
  }
}

function timeOf(record: string, config: HttpPollerConfig, nowMs: number): number | undefined {
  const text = valueAt(record, config.cursor_path);
  if (text === undefined) return undefined;
  const number = Number(text);
  if (config.time_format === 'epoch-s' && Number.isFinite(number)) return Math.round(number * 1_000);
  if (config.time_format === 'epoch-ms' && Number.isFinite(number)) return Math.round(number);
  return parseEventTime(text, nowMs);
}

/** The greater of two values of a field that grows: as numbers when both are. */
function greater(a: string | number | undefined, b: string): string {
  if (a === undefined) return b;
  const [x, y] = [Number(a), Number(b)];
  const isNumber = Number.isFinite(x) && Number.isFinite(y) && String(a).trim() !== '' && b.trim() !== '';
  if (isNumber) {
    if (x === y) return String(a).length >= b.length && String(a) > b ? String(a) : b;
    return x > y ? String(a) : b;
  }
  return String(a) > b ? String(a) : b;
}

/** Those of the records that were not seen yet, and the position with all of them. */
export function takeNew(
  position: PollPosition,
  records: readonly string[],
  config: HttpPollerConfig,
  nowMs: number,
): { readonly fresh: readonly string[]; readonly position: PollPosition } {
  const known = new Set(position.seen.map(([, hash]) => hash));
  const seen = [...position.seen];
  const fresh: string[] = [];
  let { newest } = position;
  for (const record of records) {
    const atMs = config.cursor === 'time' ? timeOf(record, config, nowMs) : undefined;
    if (atMs !== undefined) newest = Math.max(Number(newest ?? 0), atMs);
    const value = config.cursor === 'field' ? valueAt(record, config.cursor_path) : undefined;
    if (value !== undefined) newest = greater(newest, value);
    const hash = hashOf(record);
    if (known.has(hash)) continue;
    known.add(hash);
    seen.push([atMs ?? nowMs, hash]);
    fresh.push(record);
  }
  return { fresh, position: { ...position, ...(newest === undefined ? {} : { newest }), seen: kept(seen) } };
}

function kept(seen: PollPosition['seen']): PollPosition['seen'] {
  if (seen.length <= MOST_SEEN) return seen;
  return [...seen].sort(([a], [b]) => a - b).slice(-MOST_SEEN);
}

/** Where a poll begins: the range that it asks for. */
export function beginPoll(position: PollPosition, config: HttpPollerConfig, nowMs: number): PollPosition {
  if (position.isOpen) return position;
  const { next, ...rest } = position;
  const first = nowMs - config.first_days * 86_400_000;
  const since = rest.since ?? (config.cursor === 'time' ? first : undefined);
  const end = config.window_h > 0 && typeof since === 'number' ? since + config.window_h * 3_600_000 : nowMs;
  return {
    ...rest,
    ...(since === undefined ? {} : { since }),
    until: Math.min(nowMs, end),
    ...(config.keep_cursor && next ? { next } : {}),
    isOpen: true,
  };
}

/** Where the next poll begins, after the last page of one. */
export function endPoll(position: PollPosition, config: HttpPollerConfig, nowMs: number): PollPosition {
  const { since, until = nowMs, newest, next, seen } = position;
  const kept = config.keep_cursor && next ? { next } : {};
  if (config.cursor === 'field')
    return { ...kept, ...(newest === undefined ? {} : { since: newest, newest }), isOpen: false, seen };
  if (config.cursor === 'none') return { ...kept, isOpen: false, seen };
  const overlap = config.overlap_s * 1_000;
  // A range that ended before now is done with, whether or not anything was in it.
  const isPast = config.window_h > 0 && until < nowMs - 1_000;
  const reached = Math.max(isPast ? until : 0, Number(newest ?? 0)) - overlap;
  const from = Math.max(Number(since ?? 0), reached);
  return {
    ...{ ...kept, since: from, isOpen: false, seen: seen.filter(([atMs]) => atMs >= from) },
    ...(newest === undefined ? {} : { newest }),
  };
}

/** A time as the service wants it. */
export function writtenTime(ms: number, format: HttpPollerConfig['time_format']): string {
  if (format === 'epoch-ms') return String(ms);
  if (format === 'epoch-s') return String(Math.floor(ms / 1_000));
  const iso = new Date(ms).toISOString();
  return format === 'iso-seconds' ? iso.replace(/\.\d+Z$/, 'Z') : iso;
}
