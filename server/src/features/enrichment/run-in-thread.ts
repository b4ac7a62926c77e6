import { Worker } from 'node:worker_threads';
import { threadScript } from '../../platform/built-program.mjs';
import { type ContentToPack, type PackedContent, packContent } from './pack-content.ts';

const SCRIPT = new URL('./start-enrichment-worker.mjs', import.meta.url);
/** Up to here an upload is read where it came in: starting a thread takes longer. */
const SMALL = 100_000;

/** A thread that takes longer is ended. */
const LONGEST_MS = 120_000;

function inThread<T>(workerData: unknown): Promise<T> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(threadScript(SCRIPT), {
      workerData,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 1024 },
    });
    const end = setTimeout(() => void worker.terminate(), LONGEST_MS);
    worker.once('message', (answer: T) => resolve(answer));
    worker.once('error', reject);
    worker.once('exit', (code) => {
      clearTimeout(end);
      reject(new Error(`a thread of enrichment ended with ${code}`));
    });
  });
}

let geo: Promise<Uint8Array> | null = null;

/** The databases of addresses in memory that all threads of the process share; made once, in about a second. */
export function geoImage(): Promise<Uint8Array> {
  geo ??= inThread<Uint8Array>({ kind: 'geo' });
  // A failure is tried again with the next event that needs it.
  geo.catch(() => {
    geo = null;
  });
  return geo;
}

let turn: Promise<unknown> = Promise.resolve();

/** Reads and packs an upload, a large one in a thread of its own. */
export async function packInThread(content: ContentToPack): Promise<PackedContent> {
  const { text, before } = content;
  if (text.length + (before?.length ?? 0) <= SMALL) return packContent(content);
  // One after the other: each takes some hundred MB while it reads.
  const packed = turn.then(() => inThread<PackedContent>({ kind: 'content', content }));
  turn = packed.catch(() => undefined);
  return packed;
}
