import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { say } from '@tyrian/contract';
import { AppError } from '../../platform/app-error.ts';
import { bindDeps } from '../../platform/bind-deps.ts';
import { type EventStore, EventStoreError } from '../../platform/clickhouse/event-store.ts';
import type { Logger } from '../../platform/log.ts';
import { isBadData, storeAroundBadRows } from './store-around-bad-rows.ts';

// Rows that could not be stored because the engine is down wait here, one file for an insert, synced before the
// sender is acknowledged. The name carries order, tenant and deduplication token, so a replay needs nothing else.

/** More than this is not taken: senders get 503 and keep their events. */
const SPOOL_LIMIT_BYTES = 2 * 1024 * 1024 * 1024;
const RETRY_MS = 1_000;

export interface Spool {
  /** Resolves when the rows are synced to disk; AppError `unavailable` when the spool is full. */
  add(clusterId: string, dedupToken: string, bodies: readonly Uint8Array[]): Promise<void>;
  isEmpty(clusterId: string): boolean;
  status(): { readonly files: number; readonly bytes: number; readonly limitBytes: number };
  /** Reads what is on disk and begins to replay it. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

interface SpoolFile {
  readonly name: string;
  readonly clusterId: string;
  readonly dedupToken: string;
  readonly bytes: number;
}

const NAME = /^(\d{12})~([A-Za-z0-9_-]{1,64})~([0-9a-f]{32})\.native$/;

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

export interface SpoolOptions {
  readonly folder: string;
  readonly eventStore: EventStore;
  readonly log: Logger;
  readonly limitBytes?: number;
}

interface SpoolParts {
  readonly folder: string;
  readonly files: SpoolFile[];
  bytes: number;
  sequence: number;
  readonly log: Logger;
  wake: (() => void) | null;
  readonly eventStore: EventStore;
  isStopped: boolean;
  replaying: Promise<void> | null;
  reserved: number;
  readonly limitBytes: number;
}

export function createSpool({
  folder,
  eventStore,
  log,
  limitBytes = SPOOL_LIMIT_BYTES,
}: SpoolOptions): Spool {
  const files: SpoolFile[] = [];
  const parts: SpoolParts = {
    folder,
    files,
    bytes: 0,
    sequence: 0,
    log,
    wake: null,
    eventStore,
    isStopped: false,
    replaying: null,
    reserved: 0,
    limitBytes,
  };
  return bindDeps(parts, { add, isEmpty, status, start, stop });
}

async function scan(parts: SpoolParts): Promise<void> {
  const { folder, files, log } = parts;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of (await readdir(folder)).sort()) {
    const match = NAME.exec(name);
    if (match === null) {
      // A file without its final name was being written when the process died: never acknowledged.
      if (name.endsWith('.part')) await unlink(path.join(folder, name));
      continue;
    }
    const { size } = await stat(path.join(folder, name));
    files.push({ name, clusterId: match[2] ?? '', dedupToken: match[3] ?? '', bytes: size });
    parts.bytes += size;
    parts.sequence = Math.max(parts.sequence, Number(match[1]));
  }
  if (files.length > 0)
    log.info({ files: files.length, bytes: parts.bytes }, 'rows in the spool are being replayed');
}

function pause(parts: SpoolParts) {
  return new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, RETRY_MS);
    parts.wake = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}

async function storeFile({ eventStore, log }: SpoolParts, file: SpoolFile, full: string): Promise<void> {
  const { clusterId, dedupToken } = file;
  try {
    await eventStore.insertRows(clusterId, createReadStream(full), { dedupToken, format: 'Native' });
  } catch (error) {
    if (!isBadData(error)) throw error;
    await storeAroundBadRows(eventStore, { clusterId, dedupToken, bodies: [await readFile(full)] }, log);
  }
}

async function replayOne(parts: SpoolParts, file: SpoolFile): Promise<void> {
  const { folder, files } = parts;
  const full = path.join(folder, file.name);
  await storeFile(parts, file, full);
  await unlink(full);
  files.splice(files.indexOf(file), 1);
  parts.bytes -= file.bytes;
}

async function replay(parts: SpoolParts): Promise<void> {
  const { files, log } = parts;
  while (!parts.isStopped && files.length > 0) {
    const file = files[0] as SpoolFile;
    try {
      await replayOne(parts, file);
      if (files.length === 0) log.info('the spool is empty again');
    } catch (error) {
      const isRefused = error instanceof EventStoreError && error.code !== 0;
      log.warn({ err: (error as Error).message, file: file.name }, 'replay of the spool waits');
      // What the engine refuses would block everything behind it: it goes to the end and is tried again later.
      if (isRefused && files.length > 1) files.push(files.shift() as SpoolFile);
      await pause(parts);
    }
  }
}

function wakeReplay(parts: SpoolParts): void {
  if (parts.isStopped || parts.replaying !== null || parts.files.length === 0) return;
  parts.replaying = replay(parts).finally(() => {
    parts.replaying = null;
    wakeReplay(parts);
  });
}

async function write(
  parts: SpoolParts,
  clusterId: string,
  dedupToken: string,
  bodies: readonly Uint8Array[],
  size: number,
) {
  parts.sequence += 1;
  const name = `${String(parts.sequence).padStart(12, '0')}~${clusterId}~${dedupToken}.native`;
  const full = path.join(parts.folder, name);
  const handle = await open(`${full}.part`, 'wx', 0o600);
  try {
    for (const body of bodies) await handle.writeFile(body);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${full}.part`, full);
  await syncFolder(parts.folder);
  parts.files.push({ name, clusterId, dedupToken, bytes: size });
  parts.bytes += size;
}

async function add(
  parts: SpoolParts,
  clusterId: string,
  dedupToken: string,
  bodies: readonly Uint8Array[],
): Promise<void> {
  const size = bodies.reduce((sum, body) => sum + body.length, 0);
  if (parts.bytes + parts.reserved + size > parts.limitBytes) {
    throw new AppError('unavailable', say('ingest.spoolFull'));
  }
  parts.reserved += size;
  try {
    await write(parts, clusterId, dedupToken, bodies, size);
  } finally {
    parts.reserved -= size;
  }
  wakeReplay(parts);
}

function isEmpty({ files }: SpoolParts, clusterId: string): boolean {
  return !files.some((file) => file.clusterId === clusterId);
}

function status(parts: SpoolParts): {
  readonly files: number;
  readonly bytes: number;
  readonly limitBytes: number;
} {
  return { files: parts.files.length, bytes: parts.bytes, limitBytes: parts.limitBytes };
}

async function start(parts: SpoolParts): Promise<void> {
  await scan(parts);
  wakeReplay(parts);
}

async function stop(parts: SpoolParts): Promise<void> {
  parts.isStopped = true;
  parts.wake?.();
  await parts.replaying;
}
