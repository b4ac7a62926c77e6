import { Worker } from 'node:worker_threads';
import type { Logger } from '../../platform/log.ts';
import type { BatchReport, BodyFault, DecodeAnswer, DecodeJob, RowChunk } from './ingest-batch.ts';

// Decoding threads. Bodies are shared out to the thread with the least to do; rows come back while a body is
// still being read. Content must not end a thread (the decoders are bounded and caught, record by record); should one
// end or hang all the same, nobody pays for a neighbour: each of its bodies is read again in a thread of its own, and
// the one that ends that too is stored as text, record by record.

type DecodeResult = { readonly report: BatchReport } | { readonly fault: BodyFault };
type PoolJob = Omit<DecodeJob, 'id'>;
type Attempt = DecodeResult | { readonly failed: string };
type OnRows = (chunk: RowChunk) => void;

export interface DecodePool {
  /** `onRows` gets the chunks in order, each row once. Rejects only when the pool is closed. */
  decode(job: PoolJob, onRows: OnRows): Promise<DecodeResult>;
  close(): Promise<void>;
}

interface Running {
  readonly onRows: OnRows;
  readonly resolve: (result: Attempt) => void;
}

interface Member {
  readonly worker: Worker;
  readonly running: Map<number, Running>;
  /** When the thread last answered, or got something to do; of `performance.now()`. */
  heardMs: number;
}

/** The fields of a body die together soon after it was read; with room for them few are copied before they do. */
const YOUNG_MB = 96;
/** A thread that has work and says nothing for so long hangs. */
const SILENT_MS = 120_000;
const WATCH_MS = 5_000;
const SCRIPT = new URL('./start-decode-worker.mjs', import.meta.url);

/** The positions of a batch that are in the store: those known before, and all up to where reading had come. */
function storedUpTo(stored: ReadonlySet<number> | undefined, upTo: number): ReadonlySet<number> {
  const all = new Set(stored);
  for (let at = 0; at < upTo; at += 1) all.add(at);
  return all;
}

export interface DecodePoolOptions {
  readonly log: Logger;
  readonly size?: number;
  /** The program of a thread; tests put in one that dies. */
  readonly script?: URL;
  readonly silentMs?: number;
}

/** Threads start when they are first needed. */
export function createDecodePool(options: DecodePoolOptions): DecodePool {
  const { log, size = 2, script = SCRIPT, silentMs = SILENT_MS } = options;
  const shared: Member[] = [];
  const all = new Set<Member>();
  let nextId = 1;
  let isClosed = false;
  let alone: Promise<unknown> = Promise.resolve();
  let watch: NodeJS.Timeout | null = null;

  const lose = (member: Member, reason: string): void => {
    const at = shared.indexOf(member);
    if (at >= 0) shared.splice(at, 1);
    all.delete(member);
    if (member.running.size > 0 && !isClosed) log.error({ err: reason }, 'a decoding thread ended');
    for (const running of member.running.values()) running.resolve({ failed: reason });
    member.running.clear();
  };

  const endSilentOnes = (): void => {
    for (const member of all) {
      if (member.running.size === 0 || performance.now() - member.heardMs < silentMs) continue;
      lose(member, `a decoding thread said nothing for ${silentMs / 1000} s`);
      void member.worker.terminate();
    }
  };

  const answer = (member: Member, message: DecodeAnswer): void => {
    member.heardMs = performance.now();
    const running = member.running.get(message.id);
    if (running === undefined) return;
    if (message.kind === 'rows') {
      running.onRows(message.chunk);
      return;
    }
    member.running.delete(message.id);
    if (member.running.size === 0) member.worker.unref();
    if (message.kind === 'failed') running.resolve({ failed: message.reason });
    else running.resolve(message.kind === 'done' ? { report: message.report } : { fault: message.fault });
  };

  const start = (): Member => {
    const worker = new Worker(script, {
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 2048, maxYoungGenerationSizeMb: YOUNG_MB },
    });
    const member: Member = { worker, running: new Map(), heardMs: performance.now() };
    worker.unref();
    worker.on('message', (message: DecodeAnswer) => answer(member, message));
    worker.on('error', (error: Error) => lose(member, error.message));
    worker.on('exit', () => lose(member, 'a decoding thread ended'));
    all.add(member);
    watch ??= setInterval(endSilentOnes, Math.min(WATCH_MS, silentMs)).unref();
    return member;
  };

  const leastBusy = (): Member => {
    const idle = shared.find((member) => member.running.size === 0);
    if (idle !== undefined) return idle;
    if (shared.length < size) {
      const member = start();
      shared.push(member);
      return member;
    }
    return shared.reduce((best, member) => (member.running.size < best.running.size ? member : best));
  };

  const run = (member: Member, job: PoolJob, onRows: OnRows): Promise<Attempt> =>
    new Promise((resolve) => {
      const id = nextId;
      nextId += 1;
      if (member.running.size === 0) member.heardMs = performance.now();
      member.running.set(id, { onRows, resolve });
      member.worker.ref();
      member.worker.postMessage({ ...job, id } satisfies DecodeJob);
    });

  /** Runs in a thread that has nothing else to do and ends afterwards; one such thread at a time. */
  const runAlone = (job: () => PoolJob, onRows: OnRows): Promise<Attempt> => {
    const turn = alone.then(async (): Promise<Attempt> => {
      if (isClosed) return { failed: 'the decoding threads are closed' };
      const member = start();
      const result = await run(member, job(), onRows);
      all.delete(member);
      await member.worker.terminate();
      return result;
    });
    alone = turn;
    return turn;
  };

  const decode = async (job: PoolJob, onRows: OnRows): Promise<DecodeResult> => {
    let upTo = 0;
    const keep: OnRows = (chunk) => {
      upTo = chunk.upTo;
      onRows(chunk);
    };
    const rest = () => ({ ...job, stored: storedUpTo(job.stored, upTo) });
    const attempts = [
      () => run(leastBusy(), job, keep),
      () => runAlone(rest, keep),
      () => runAlone(() => ({ ...rest(), isTextOnly: true }), keep),
    ];
    for (const attempt of attempts) {
      if (isClosed) throw new Error('the decoding threads are closed');
      const result = await attempt();
      if (!('failed' in result)) return result;
      if (isClosed) break;
      log.warn(
        { err: result.failed, batch: job.batchId },
        'a batch could not be decoded; it is read otherwise',
      );
    }
    if (isClosed) throw new Error('the decoding threads are closed');
    return { fault: { fault: 'undecodable', message: 'the body could not be read, not even as text' } };
  };

  return {
    decode,
    close: async () => {
      isClosed = true;
      if (watch !== null) clearInterval(watch);
      await Promise.all([...all].map((member) => member.worker.terminate()));
    },
  };
}
