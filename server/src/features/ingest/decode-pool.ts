import { Worker } from 'node:worker_threads';
import { bindDeps } from '../../platform/bind-deps.ts';
import { threadScript } from '../../platform/built-program.mjs';
import type { Logger } from '../../platform/log.ts';
import { createRecentTenants, type RecentTenants } from '../../platform/recent-tenants.ts';
import { lowerPriority, mayRestorePriority, restorePriority } from '../../platform/thread-priority.ts';
import { type ActiveExtractors, RecentVersions, sentExtractors } from './extractor-versions.ts';
import type {
  BatchReport,
  BodyFault,
  DecodeAnswer,
  DecodeJob,
  DecodeOrder,
  RowChunk,
} from './ingest-batch.ts';

// Decoding threads. Bodies are shared out to the thread with the least to do; rows come back while a body is still being
// read. A start takes seconds: while there is another thread no body waits for one, and it goes behind everything else on
// the machine. A large body is read behind everything else, so that a flood of them holds up neither searches nor the small
// bodies of others; so is one of a tenant that has kept the threads busy lately; unless one that is neither waits for the
// thread. Content must not end a thread (the decoders are bounded and caught, record by record); should one end or hang all
// the same, nobody pays for a neighbour: each of its bodies is read again in a thread of its own, and the one that ends
// that too is stored as text, record by record.

type DecodeResult = { readonly report: BatchReport } | { readonly fault: BodyFault };
type PoolJob = Omit<DecodeJob, 'id' | 'extractors'> & {
  readonly extractors?: ActiveExtractors;
  /** Whose body it is: a tenant that keeps the threads busy gives way to others. */
  readonly clusterId?: string;
};
type Attempt = DecodeResult | { readonly failed: string };
type OnRows = (chunk: RowChunk) => void;

export interface DecodePool {
  /** `onRows` gets the chunks in order, each row once. Rejects only when the pool is closed. */
  decode(job: PoolJob, onRows: OnRows): Promise<DecodeResult>;
  close(): Promise<void>;
}

interface Running {
  readonly clusterId: string | undefined;
  readonly scopeId: string;
  /** Whether everything else on the machine goes first. */
  readonly givesWay: boolean;
  readonly onRows: OnRows;
  readonly resolve: (result: Attempt) => void;
}

interface Member {
  readonly worker: Worker;
  readonly running: Map<number, Running>;
  /** Sets of extractors that the thread has. */
  readonly versions: RecentVersions<true>;
  /** When the thread last answered, or got something to do; of `performance.now()`. */
  heardMs: number;
  /** Its folder below /proc once it can take bodies, '' without one; null while it starts. */
  task: string | null;
  /** Whether everything else on the machine goes first. */
  isBehind: boolean;
}

/** The fields of a body die together soon after it was read; with memory for them few are copied before they do. */
const YOUNG_MB = 96;
/** From so many bytes on a body is large: some tens of milliseconds of work. */
const LARGE_BYTES = 64 * 1024;
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

interface DecodePoolParts {
  readonly shared: Member[];
  readonly all: Set<Member>;
  readonly recent: RecentTenants;
  isClosed: boolean;
  readonly log: Logger;
  readonly silentMs: number;
  readonly script: URL;
  watch: NodeJS.Timeout | null;
  readonly size: number;
  nextId: number;
  alone: Promise<unknown>;
}

/** Threads start when they are first needed. */
export function createDecodePool(options: DecodePoolOptions): DecodePool {
  const { log, size = 2, script = SCRIPT, silentMs = SILENT_MS } = options;
  const shared: Member[] = [];
  const all = new Set<Member>();
  const parts: DecodePoolParts = {
    shared,
    all,
    recent: createRecentTenants(() => performance.now()),
    isClosed: false,
    log,
    silentMs,
    script,
    watch: null,
    size,
    nextId: 1,
    alone: Promise.resolve(),
  };
  return bindDeps(parts, { decode, close });
}

function lose(parts: DecodePoolParts, member: Member, reason: string): void {
  const { shared, all, log } = parts;
  const at = shared.indexOf(member);
  if (at >= 0) shared.splice(at, 1);
  all.delete(member);
  if (member.running.size > 0 && !parts.isClosed) log.error({ err: reason }, 'a decoding thread ended');
  for (const running of member.running.values()) running.resolve({ failed: reason });
  member.running.clear();
}

function endSilentOnes(parts: DecodePoolParts): void {
  for (const member of parts.all) {
    if (member.running.size === 0 || performance.now() - member.heardMs < parts.silentMs) continue;
    lose(parts, member, `a decoding thread said nothing for ${parts.silentMs / 1000} s`);
    void member.worker.terminate();
  }
}

/** Rows in memory that the thread shares say how it gets that back. */
function withWayBack(chunk: RowChunk, scopeId: string, worker: Worker): RowChunk {
  const { buffer } = chunk.body;
  if (!(buffer instanceof SharedArrayBuffer)) return chunk;
  const giveBack = () => worker.postMessage({ scopeId, givenBack: buffer } satisfies DecodeOrder);
  return { ...chunk, giveBack };
}

function answer({ recent }: DecodePoolParts, member: Member, message: DecodeAnswer): void {
  member.heardMs = performance.now();
  if (message.kind === 'ready') {
    member.task = message.task;
    setPace(member);
    return;
  }
  const running = member.running.get(message.id);
  if (running === undefined) return;
  if (message.kind === 'rows') {
    running.onRows(withWayBack(message.chunk, running.scopeId, member.worker));
    return;
  }
  member.running.delete(message.id);
  if (member.running.size === 0) member.worker.unref();
  setPace(member);
  if (running.clusterId !== undefined) recent.used(running.clusterId, message.ms);
  if (message.kind === 'failed') running.resolve({ failed: message.reason });
  else running.resolve(message.kind === 'done' ? { report: message.report } : { fault: message.fault });
}

/** Everything else on the machine goes before a thread while all of its bodies give way. */
function setPace(member: Member): void {
  const { task, running, isBehind } = member;
  const giveWay = running.size > 0 && [...running.values()].every((one) => one.givesWay);
  if (!task || giveWay === isBehind || !mayRestorePriority()) return;
  if (giveWay) member.isBehind = lowerPriority(task);
  else member.isBehind = !restorePriority(task);
}

function start(parts: DecodePoolParts, isSpare = false): Member {
  const isBehind = isSpare && mayRestorePriority();
  const worker = new Worker(threadScript(parts.script), {
    execArgv: [],
    workerData: { givesWay: isBehind },
    resourceLimits: { maxOldGenerationSizeMb: 2048, maxYoungGenerationSizeMb: YOUNG_MB },
  });
  const member: Member = {
    worker,
    running: new Map(),
    versions: new RecentVersions(),
    heardMs: performance.now(),
    task: null,
    isBehind,
  };
  worker.unref();
  worker.on('message', (message: DecodeAnswer) => answer(parts, member, message));
  worker.on('error', (error: Error) => lose(parts, member, error.message));
  worker.on('exit', () => lose(parts, member, 'a decoding thread ended'));
  parts.all.add(member);
  parts.watch ??= setInterval(() => endSilentOnes(parts), Math.min(WATCH_MS, parts.silentMs)).unref();
  return member;
}

/** Of the threads that can take bodies at once; of those that start while there are none. */
function leastBusy(parts: DecodePoolParts): Member {
  const { shared, size } = parts;
  if (shared.length === 0) shared.push(start(parts));
  const ready = shared.filter(({ task }) => task !== null);
  const isSpareMissing = ready.length === shared.length && ready.every(({ running }) => running.size > 0);
  if (isSpareMissing && shared.length < size) shared.push(start(parts, true));
  const from = ready.length > 0 ? ready : shared;
  return from.reduce((best, member) => (member.running.size < best.running.size ? member : best));
}

function run(parts: DecodePoolParts, member: Member, body: PoolJob, onRows: OnRows): Promise<Attempt> {
  const { clusterId, extractors, ...job } = body;
  const isOften = clusterId !== undefined && parts.recent.hasUsedMuch(clusterId);
  const givesWay = isOften || job.body.byteLength >= LARGE_BYTES;
  return new Promise((resolve) => {
    const id = parts.nextId;
    parts.nextId += 1;
    if (member.running.size === 0) member.heardMs = performance.now();
    member.running.set(id, { clusterId, scopeId: job.scopeId, givesWay, onRows, resolve });
    setPace(member);
    member.worker.ref();
    const sent = extractors && { extractors: sentExtractors(extractors, member.versions) };
    member.worker.postMessage({ ...job, ...sent, id } satisfies DecodeOrder);
  });
}

/** Runs in a thread that has nothing else to do and ends afterwards; one such thread at a time. */
function runAlone(parts: DecodePoolParts, job: () => PoolJob, onRows: OnRows): Promise<Attempt> {
  const turn = parts.alone.then(async (): Promise<Attempt> => {
    if (parts.isClosed) return { failed: 'the decoding threads are closed' };
    const member = start(parts);
    const result = await run(parts, member, job(), onRows);
    parts.all.delete(member);
    await member.worker.terminate();
    return result;
  });
  parts.alone = turn;
  return turn;
}

async function decode(parts: DecodePoolParts, job: PoolJob, onRows: OnRows): Promise<DecodeResult> {
  let upTo = 0;
  const keep: OnRows = (chunk) => {
    upTo = chunk.upTo;
    onRows(chunk);
  };
  const rest = () => ({ ...job, stored: storedUpTo(job.stored, upTo) });
  const attempts = [
    () => run(parts, leastBusy(parts), job, keep),
    () => runAlone(parts, rest, keep),
    () => runAlone(parts, () => ({ ...rest(), isTextOnly: true }), keep),
  ];
  for (const attempt of attempts) {
    if (parts.isClosed) throw new Error('the decoding threads are closed');
    const result = await attempt();
    if (!('failed' in result)) return result;
    if (parts.isClosed) break;
    parts.log.warn(
      { err: result.failed, batch: job.batchId },
      'a batch could not be decoded; it is read otherwise',
    );
  }
  if (parts.isClosed) throw new Error('the decoding threads are closed');
  return { fault: { fault: 'undecodable', message: 'the body could not be read, not even as text' } };
}

async function close(parts: DecodePoolParts): Promise<void> {
  parts.isClosed = true;
  if (parts.watch !== null) clearInterval(parts.watch);
  await Promise.all([...parts.all].map((member) => member.worker.terminate()));
}
