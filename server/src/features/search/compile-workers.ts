import { Worker } from 'node:worker_threads';
import { say } from '@tyrian/contract';
import { AppError } from '../../platform/app-error.ts';
import { threadScript } from '../../platform/built-program.mjs';
import { createRecentTenants, type RecentTenants } from '../../platform/recent-tenants.ts';
import { lowerPriority, mayRestorePriority, restorePriority } from '../../platform/thread-priority.ts';
import {
  type CompileTurn,
  type CompileTurnLimits,
  type CompileTurns,
  createCompileTurns,
} from './compile-turns.ts';
import { type ThreadWork, threadWork } from './thread-work.ts';

// Worker threads that compile one text at a time. A text whose own work passes the limit is ended together with its
// worker; a spare one stands ready, so that the next text does not wait for a start, which takes seconds. A text that works
// long gives way to everything else on the machine, and so do all texts of a tenant that keeps the workers busy and the
// start of a spare worker, where the system has it.

export interface CompileWork {
  /** Workers that were started, and those of them that were ended over a text. */
  readonly started: number;
  readonly ended: number;
  readonly waiting: number;
}

export interface CompileWorkersOptions {
  /** Texts that are compiled at once. */
  readonly size: number;
  /** Milliseconds of its own work that one text may take. */
  readonly limitMs: number;
  /** The spare worker is started so long after the first one is ready, or as soon as a text works long. */
  readonly spareAfterMs: number;
  readonly turnLimits: CompileTurnLimits;
}

/** What a worker sends when it begins to start: its folder below /proc, '' without one. */
interface CompileWorkerStarting {
  readonly starting: string;
}

/** What a worker sends when it can take its first text. */
export interface CompileWorkerReady {
  readonly ready: true;
}

interface Numbered {
  readonly id: number;
}

interface Job<Request, Answer> {
  readonly request: Request;
  readonly resolve: (answer: Answer | typeof TOOK_TOO_LONG) => void;
  readonly reject: (error: unknown) => void;
}

interface Member<Request, Answer> {
  readonly worker: Worker;
  work: ThreadWork | null;
  job: Job<Request, Answer> | null;
  turn: CompileTurn | null;
  /** Tells that the text is done. */
  ended: (() => void) | null;
  timer: NodeJS.Timeout | null;
  /** Its folder below /proc; '' until it is known, or without one. */
  task: string;
  /** Whether everything else on the machine goes first. */
  givesWay: boolean;
}

export interface CompileWorkers<Request, Answer> {
  /** Rejects with AppError `too-many` when the user has to wait. However busy the machine is, no text is refused for it. */
  ask(turn: CompileTurn, request: Request): Promise<Answer | typeof TOOK_TOO_LONG>;
  work(): CompileWork;
  close(): Promise<void>;
}

const SCRIPT = new URL('./start-compile-worker.mjs', import.meta.url);

export const TOOK_TOO_LONG = Symbol('the text took too long');

/**
 * A text that takes so many times the limit on the wall has waited for the machine: it gives way no longer. Only where
 * its own work cannot be told from others' is it ended then.
 */
const MAX_STRETCHED = 10;
/** A text that has worked so much of the limit, which few texts do, lets everything else go first. */
const LONG_SHARE = 0.05;
/** A text that has worked so much of the limit may soon need a new worker. */
const SUSPICIOUS_SHARE = 0.3;

interface Pool<Q extends Numbered, A extends Numbered> {
  readonly size: number;
  readonly limitMs: number;
  readonly spareAfterMs: number;
  readonly members: Member<Q, A>[];
  readonly turns: CompileTurns<Job<Q, A>>;
  /** Texts that are being compiled, by tenant. */
  readonly running: Map<string, number>;
  /** Tenants whose texts have kept workers busy lately give way from the beginning. */
  readonly recent: RecentTenants;
  readonly counted: { started: number; ended: number };
  keepsSpare: boolean;
  spareTimer: NodeJS.Timeout | null;
  isClosed: boolean;
}

/** Workers are started when the first text comes. */
export function createCompileWorkers<Request extends Numbered, Answer extends Numbered>({
  size,
  limitMs,
  spareAfterMs,
  turnLimits,
}: CompileWorkersOptions): CompileWorkers<Request, Answer> {
  const pool: Pool<Request, Answer> = {
    size,
    limitMs,
    spareAfterMs,
    members: [],
    turns: createCompileTurns(turnLimits),
    running: new Map(),
    recent: createRecentTenants(() => performance.now()),
    counted: { started: 0, ended: 0 },
    keepsSpare: false,
    spareTimer: null,
    isClosed: false,
  };
  return {
    ask: (turn, request) => {
      if (pool.isClosed) return Promise.reject(closed());
      return new Promise((resolve, reject) => {
        pool.turns.add(turn, { request, resolve, reject });
        serve(pool);
      });
    },
    work: () => ({ ...pool.counted, waiting: pool.turns.waiting() }),
    close: () => close(pool),
  };
}

function start<Q extends Numbered, A extends Numbered>(pool: Pool<Q, A>): Member<Q, A> {
  pool.counted.started += 1;
  const givesWay = !isNeeded(pool) && mayRestorePriority();
  const worker = new Worker(threadScript(SCRIPT), {
    execArgv: [],
    workerData: { givesWay },
    resourceLimits: { maxOldGenerationSizeMb: 1024 },
  });
  const member: Member<Q, A> = {
    worker,
    work: null,
    job: null,
    turn: null,
    ended: null,
    timer: null,
    task: '',
    givesWay,
  };
  worker.unref();
  worker.on('message', (message: CompileWorkerStarting | CompileWorkerReady | A) => {
    if ('starting' in message) member.task = message.starting;
    else if ('ready' in message) {
      member.work = threadWork(worker, member.task);
      if (member.givesWay) hurry(member);
      pool.spareTimer ??= setTimeout(() => wantSpare(pool), pool.spareAfterMs).unref();
    } else finish(pool, member, message);
    serve(pool);
  });
  worker.on('error', (error) => lose(pool, member, error));
  worker.on('exit', () => lose(pool, member, new Error('the compiler ended')));
  pool.members.push(member);
  return member;
}

function finish<Q extends Numbered, A extends Numbered>(
  pool: Pool<Q, A>,
  member: Member<Q, A>,
  answer: A,
): void {
  const { job } = member;
  if (!job || job.request.id !== answer.id) return;
  release(pool, member);
  job.resolve(answer);
  if (!member.givesWay || hurry(member)) return;
  // It would stay behind everything else for good.
  pool.members.splice(pool.members.indexOf(member), 1);
  void member.worker.terminate();
}

/** Whether a text of another tenant waits until this one is done: then it must not take longer than it needs. */
function keepsOthers<Q extends Numbered, A extends Numbered>(
  pool: Pool<Q, A>,
  { turn }: Member<Q, A>,
): boolean {
  const busy = pool.members.filter((one) => one.job).length;
  return busy >= pool.size && pool.turns.waitsFor((other) => other !== turn?.clusterId);
}

function giveWay<Q extends Numbered, A extends Numbered>(pool: Pool<Q, A>, member: Member<Q, A>): void {
  if (!keepsOthers(pool, member)) member.givesWay = lowerPriority(member.task);
}

/** False when the system does not let the worker have its priority back. */
function hurry(member: { readonly task: string; givesWay: boolean }): boolean {
  member.givesWay = !restorePriority(member.task);
  return !member.givesWay;
}

function count<Q extends Numbered, A extends Numbered>(
  pool: Pool<Q, A>,
  clusterId: string,
  change: 1 | -1,
): void {
  const held = (pool.running.get(clusterId) ?? 0) + change;
  if (held > 0) pool.running.set(clusterId, held);
  else pool.running.delete(clusterId);
}

function release<Q extends Numbered, A extends Numbered>(pool: Pool<Q, A>, member: Member<Q, A>): void {
  if (member.timer) clearTimeout(member.timer);
  if (member.turn) count(pool, member.turn.clusterId, -1);
  member.ended?.();
  member.ended = null;
  member.timer = null;
  member.job = null;
  member.turn = null;
  member.worker.unref();
}

function lose<Q extends Numbered, A extends Numbered>(
  pool: Pool<Q, A>,
  member: Member<Q, A>,
  error: unknown,
): void {
  const index = pool.members.indexOf(member);
  if (index < 0) return;
  pool.members.splice(index, 1);
  const { job } = member;
  release(pool, member);
  job?.reject(error);
  // A worker that ends before it was ready would end again: whoever waits hears why.
  if (!member.work && pool.members.length === 0) for (const other of pool.turns.drain()) other.reject(error);
  else serve(pool);
}

function stop<Q extends Numbered, A extends Numbered>(
  pool: Pool<Q, A>,
  member: Member<Q, A>,
): Member<Q, A>['job'] {
  const { job } = member;
  pool.members.splice(pool.members.indexOf(member), 1);
  release(pool, member);
  void member.worker.terminate();
  pool.counted.ended += 1;
  return job;
}

async function watch<Q extends Numbered, A extends Numbered>(
  pool: Pool<Q, A>,
  member: Member<Q, A>,
  job: Member<Q, A>['job'],
  work: ThreadWork,
): Promise<void> {
  const beganMs = performance.now();
  const before = await work.spentMs();
  const lateMs = pool.limitMs * MAX_STRETCHED;
  const look = async (): Promise<void> => {
    const spent = (await work.spentMs()) - before;
    if (member.job !== job) return;
    const isLate = performance.now() - beganMs >= lateMs;
    if (isLate && member.givesWay) hurry(member);
    if (spent >= pool.limitMs * LONG_SHARE && !isLate && !member.givesWay) giveWay(pool, member);
    if (spent >= pool.limitMs * SUSPICIOUS_SHARE) wantSpare(pool);
    if (spent < pool.limitMs && (work.isOwn || !isLate)) {
      const next = [LONG_SHARE, SUSPICIOUS_SHARE, 1].find((share) => spent < pool.limitMs * share) ?? 1;
      member.timer = setTimeout(look, Math.max(10, pool.limitMs * next - spent));
      return;
    }
    const { turn } = member;
    stop(pool, member);
    if (turn) pool.turns.ended(turn);
    job?.resolve(TOOK_TOO_LONG);
    serve(pool);
  };
  await look();
}

function wantSpare<Q extends Numbered, A extends Numbered>(pool: Pool<Q, A>): void {
  if (pool.keepsSpare) return;
  pool.keepsSpare = true;
  serve(pool);
}

/** A tenant whose texts were ended of late leaves one worker to the others. */
function mayRun<Q extends Numbered, A extends Numbered>(pool: Pool<Q, A>, clusterId: string): boolean {
  if (clusterId === '' || !pool.turns.isSuspect(clusterId)) return true;
  return (pool.running.get(clusterId) ?? 0) < Math.max(1, pool.size - 1);
}

/** Whether somebody waits for one more worker who does not keep the others busy with long texts. */
function isNeeded<Q extends Numbered, A extends Numbered>(pool: Pool<Q, A>): boolean {
  const keepsBusy = (id: string) =>
    pool.turns.isSuspect(id) || pool.members.some(({ turn, givesWay }) => givesWay && turn?.clusterId === id);
  return pool.turns.waitsFor((clusterId) => clusterId === '' || !keepsBusy(clusterId));
}

function startWhatIsMissing<Q extends Numbered, A extends Numbered>(pool: Pool<Q, A>): void {
  const starting = pool.members.find((member) => !member.work);
  if (starting?.givesWay && isNeeded(pool)) hurry(starting);
  if (pool.isClosed || starting) return;
  const idle = pool.members.filter((member) => member.work && !member.job).length;
  const isShort = pool.turns.waiting() > 0 && idle === 0 && pool.members.length < pool.size;
  const lacksSpare = pool.keepsSpare && idle === 0 && pool.members.length <= pool.size;
  if (isShort || lacksSpare) {
    const { worker } = start(pool);
    if (pool.turns.waiting() > 0) worker.ref();
  }
}

function serve<Q extends Numbered, A extends Numbered>(pool: Pool<Q, A>): void {
  for (;;) {
    const busy = pool.members.filter((member) => member.job).length;
    const free = pool.members.find((member) => member.work && !member.job);
    if (!free?.work || busy >= pool.size) break;
    const next = pool.turns.next(
      (clusterId) => mayRun(pool, clusterId),
      (job, error) => job.reject(error),
    );
    if (!next) break;
    free.job = next.job;
    free.turn = next.turn;
    const { clusterId } = next.turn;
    count(pool, clusterId, 1);
    free.worker.ref();
    const { work } = free;
    const isOften = clusterId !== '' && pool.recent.hasUsedMuch(clusterId);
    if (isOften || pool.turns.isSuspect(clusterId)) giveWay(pool, free);
    free.ended = pool.recent.began(clusterId);
    void watch(pool, free, next.job, work);
    free.worker.postMessage(next.job.request);
  }
  for (const member of pool.members)
    if (member.job && member.givesWay && keepsOthers(pool, member)) hurry(member);
  startWhatIsMissing(pool);
}

async function close<Q extends Numbered, A extends Numbered>(pool: Pool<Q, A>): Promise<void> {
  pool.isClosed = true;
  if (pool.spareTimer) clearTimeout(pool.spareTimer);
  const all = pool.members.splice(0);
  const left = [...all.flatMap((member) => member.job ?? []), ...pool.turns.drain()];
  for (const member of all) release(pool, member);
  for (const job of left) job.reject(closed());
  await Promise.all(all.map((member) => member.worker.terminate()));
}

/** Whoever waits for the compiler hears that it is gone; a stop must not wait for an answer that never comes. */
const closed = () => new AppError('unavailable', say('search.serverStopping'));
