import { createHash } from 'node:crypto';
import { type S3Config, type ServerMessage, say } from '@tyrian/contract';
import { z } from 'zod';
import { ConnectorError, excerptOf } from './connector-error.ts';
import type { Piece, PullCall, Puller, PullFrom } from './puller.ts';
import { recordsOf, textOfBody } from './record-texts.ts';
import { type BucketObject, listObjects, MOST_OBJECT_BYTES, readObject } from './s3-client.ts';

// Reads the objects of a bucket, each once. Where names grow with time, the last name is remembered; elsewhere the time up
// to which everything was read, and the objects that changed shortly before it.

const positionSchema = z.object({
  /** Ordered names: the last that was read. */
  after: z.string().optional(),
  /** Objects that changed before are done with, epoch milliseconds. */
  from: z.number().optional(),
  /** The latest change that the listing which goes on has met. */
  newest: z.number().default(0),
  /** Where that listing goes on: behind this name. */
  listed: z.string().optional(),
  /** [epoch milliseconds of the change, hash of name and tag] of objects that were read. */
  seen: z.array(z.tuple([z.number(), z.string()])).default([]),
  /** An object that is being read, and how many of its records are stored. */
  object: z.object({ key: z.string(), etag: z.string(), records: z.number() }).optional(),
});
type Position = z.output<typeof positionSchema>;
type Call = PullCall<S3Config>;

/** An object may become visible so long after its time of change. */
const OVERLAP_MS = 3_600_000;
const MOST_SEEN = 5_000;
const PIECE_RECORDS = 5_000;
const PIECE_CHARS = 4 * 1024 * 1024;
/** Objects that a test opens until it has a record. */
const TRIED = 5;

export const s3Puller: Puller<S3Config> = {
  check: async (call) => {
    const { objects } = await listObjects(call, { most: 1 });
    const [first] = objects;
    // The right to list is not the right to read.
    if (first && first.size < MOST_OBJECT_BYTES) await readObject(call, first.key);
  },
  sample,
  pull,
};

async function sample(call: Call, most: number) {
  const { objects } = await listObjects(call, {});
  const latest = objects
    .filter(({ size }) => size > 0)
    .sort((a, b) => b.modified - a.modified)
    .slice(0, TRIED);
  for (const object of latest) {
    const read = await recordsIn(call, object);
    if ('refused' in read) throw new ConnectorError(read.refused, { isLasting: true });
    if (read.records.length > 0)
      return { records: read.records.slice(0, most), asked: `GET ${call.config.bucket}/${object.key}` };
  }
  return { records: [], asked: `LIST ${call.config.bucket}/${call.config.prefix}` };
}

async function* pull(call: PullFrom<S3Config>): AsyncGenerator<Piece, number> {
  const { config } = call;
  const parsed = positionSchema.safeParse(call.position ?? {});
  let position = parsed.success ? parsed.data : positionSchema.parse({});
  const from = position.from ?? call.nowMs() - config.first_days * 86_400_000;
  position = { ...position, from };
  let token: string | undefined;
  for (;;) {
    const after = config.is_ordered ? position.after : position.listed;
    const page = await listObjects(call, { after, token });
    for (const object of page.objects) {
      if (!isWanted(position, object, config)) continue;
      for await (const piece of piecesOf(call, position, object)) {
        position = piece.position as Position;
        yield piece;
      }
    }
    const last = page.objects.at(-1);
    if (page.next !== null && last) {
      // The next turn goes on behind this page, also where nothing of it was to be read.
      position = { ...position, ...(config.is_ordered ? { after: last.key } : { listed: last.key }) };
      yield { records: [], position };
      token = page.next;
      continue;
    }
    yield { records: [], position: endListing(position, config) };
    return config.interval_s * 1_000;
  }
}

const hashOf = ({ key, etag }: BucketObject): string =>
  createHash('sha256').update(`${key}\n${etag}`).digest('base64url').slice(0, 16);

function isWanted(position: Position, object: BucketObject, config: S3Config): boolean {
  if (object.size === 0 || object.key.endsWith('/')) return false;
  if (config.is_ordered && position.after !== undefined) return object.key > position.after;
  if (object.modified < (position.from ?? 0)) return false;
  const hash = hashOf(object);
  return !position.seen.some(([, one]) => one === hash);
}

/** After a whole listing: what changed long before the latest change that it met is done with. */
function endListing(position: Position, config: S3Config): Position {
  const { listed: _ended, object: _read, ...rest } = position;
  if (config.is_ordered) return { ...rest, newest: 0, seen: [] };
  const from = Math.max(rest.from ?? 0, rest.newest - OVERLAP_MS);
  const kept = rest.seen.filter(([modified]) => modified >= from).sort(([a], [b]) => a - b);
  const seen = kept.slice(-MOST_SEEN);
  // What is forgotten is not read again either.
  const oldest = kept.length > MOST_SEEN ? (seen[0]?.[0] ?? from) : from;
  return { ...rest, from: Math.max(from, oldest), newest: 0, seen };
}

async function recordsIn(
  call: Call,
  object: BucketObject,
): Promise<{ readonly records: readonly string[] } | { readonly refused: ServerMessage }> {
  const { config } = call;
  const mib = (bytes: number) => Math.round(bytes / 1024 / 1024);
  if (object.size > MOST_OBJECT_BYTES) {
    const size = mib(object.size);
    return {
      refused: say('connectors.objectTooLarge', { object: object.key, size, most: mib(MOST_OBJECT_BYTES) }),
    };
  }
  const body = await readObject(call, object.key);
  try {
    return { records: recordsOf(textOfBody(body, object.key), config.format, config.records_path) };
  } catch (error) {
    const reason = error instanceof ConnectorError ? error.said : excerptOf(String(error));
    return { refused: say('connectors.objectUnreadable', { object: object.key, reason }) };
  }
}

async function* piecesOf(call: Call, before: Position, object: BucketObject): AsyncGenerator<Piece> {
  const read = await recordsIn(call, object);
  const done = readWhole(before, object, call.config);
  if ('refused' in read) {
    yield { records: [], position: done, refused: read.refused };
    return;
  }
  const { key, etag } = object;
  const begun = before.object?.key === key && before.object.etag === etag ? before.object.records : 0;
  for (let at = begun; ; ) {
    const records = nextRecords(read.records, at);
    at += records.length;
    const isLast = at >= read.records.length;
    yield { records, position: isLast ? done : { ...before, object: { key, etag, records: at } } };
    if (isLast) return;
  }
}

function nextRecords(all: readonly string[], from: number): readonly string[] {
  let chars = 0;
  let to = from;
  while (to < all.length && to - from < PIECE_RECORDS && chars < PIECE_CHARS) {
    chars += all[to]?.length ?? 0;
    to += 1;
  }
  return all.slice(from, to);
}

function readWhole(position: Position, object: BucketObject, config: S3Config): Position {
  const { object: _read, ...rest } = position;
  if (config.is_ordered) return { ...rest, after: object.key };
  return {
    ...rest,
    newest: Math.max(rest.newest, object.modified),
    seen: [...rest.seen, [object.modified, hashOf(object)]],
  };
}
