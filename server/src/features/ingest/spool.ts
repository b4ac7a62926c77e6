import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { say } from '@tyrian/contract';
import { AppError } from '../../platform/app-error.ts';
import { type EventStore, EventStoreError } from '../../platform/clickhouse/event-store.ts';
import type { Logger } from '../../platform/log.ts';

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

/** Files of earlier versions hold lines of JSON. */
const NAME = /^(\d{12})~([A-Za-z0-9_-]{1,64})~([0-9a-f]{32})\.(native|ndjson)$/;

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

export function createSpool({
  folder,
  eventStore,
  log,
  limitBytes = SPOOL_LIMIT_BYTES,
}: SpoolOptions): Spool {
  const files: SpoolFile[] = [];
  let bytes = 0;
  let reserved = 0;
  let sequence = 0;
  let isStopped = false;
  let replaying: Promise<void> | null = null;
  let wake: (() => void) | null = null;

  const scan = async (): Promise<void> => {
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
      bytes += size;
      sequence = Math.max(sequence, Number(match[1]));
    }
    if (files.length > 0) log.info({ files: files.length, bytes }, 'rows in the spool are being replayed');
  };

  const pause = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, RETRY_MS);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const replayOne = async (file: SpoolFile): Promise<void> => {
    const full = path.join(folder, file.name);
    await eventStore.insertRows(file.clusterId, createReadStream(full), {
      dedupToken: file.dedupToken,
      format: file.name.endsWith('.native') ? 'Native' : 'JSONEachRow',
    });
    await unlink(full);
    files.splice(files.indexOf(file), 1);
    bytes -= file.bytes;
  };

  const replay = async (): Promise<void> => {
    while (!isStopped && files.length > 0) {
      const file = files[0] as SpoolFile;
      try {
        await replayOne(file);
        if (files.length === 0) log.info('the spool is empty again');
      } catch (error) {
        const isRefused = error instanceof EventStoreError && error.code !== 0;
        log.warn({ err: (error as Error).message, file: file.name }, 'replay of the spool waits');
        // What the engine refuses would block everything behind it: it goes to the end and is tried again later.
        if (isRefused && files.length > 1) files.push(files.shift() as SpoolFile);
        await pause();
      }
    }
  };

  const wakeReplay = (): void => {
    if (isStopped || replaying !== null || files.length === 0) return;
    replaying = replay().finally(() => {
      replaying = null;
      wakeReplay();
    });
  };

  const write = async (
    clusterId: string,
    dedupToken: string,
    bodies: readonly Uint8Array[],
    size: number,
  ) => {
    sequence += 1;
    const name = `${String(sequence).padStart(12, '0')}~${clusterId}~${dedupToken}.native`;
    const full = path.join(folder, name);
    const handle = await open(`${full}.part`, 'wx', 0o600);
    try {
      for (const body of bodies) await handle.writeFile(body);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(`${full}.part`, full);
    await syncFolder(folder);
    files.push({ name, clusterId, dedupToken, bytes: size });
    bytes += size;
  };

  return {
    add: async (clusterId, dedupToken, bodies) => {
      const size = bodies.reduce((sum, body) => sum + body.length, 0);
      if (bytes + reserved + size > limitBytes) {
        throw new AppError('unavailable', say('ingest.spoolFull'));
      }
      reserved += size;
      try {
        await write(clusterId, dedupToken, bodies, size);
      } finally {
        reserved -= size;
      }
      wakeReplay();
    },
    isEmpty: (clusterId) => !files.some((file) => file.clusterId === clusterId),
    status: () => ({ files: files.length, bytes, limitBytes }),
    start: async () => {
      await scan();
      wakeReplay();
    },
    stop: async () => {
      isStopped = true;
      wake?.();
      await replaying;
    },
  };
}
