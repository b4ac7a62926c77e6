import { Worker } from 'node:worker_threads';
import { say } from '@tyrian/contract';
import { AppError } from '../../platform/app-error.ts';
import {
  type CompileTurn,
  type CompileTurnLimits,
  type CompileTurns,
  createCompileTurns,
} from './compile-turns.ts';
import { lowerPriority, mayRestorePriority, restorePriority } from './thread-priority.ts';
import { type ThreadWork, threadWork } from './thread-work.ts';

// Worker threads that compile one text at a time. A text whose own work passes the limit is ended together with its
// worker; a spare one stands ready, so that the next text does not wait for a start, which takes seconds. A text that works
// long gives way to everything else on the machine, and so does the start of a spare worker, where the system has it.

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

export const TOOK_TOO_LONG = Symbol('the text took too long');

/**
 * A text that takes so many times the limit on the wall has waited for the machine: it gives way no longer. Only where
 * its own work cannot be told from others' is it ended then.
 */
const MAX_STRETCHED = 10;
/** A text that has worked so much of the limit, which few texts do, lets everything else go first. */
const LONG_SHARE = 0.1;
/** A text that has worked so much of the limit may soon need a new worker. */
const SUSPICIOUS_SHARE = 0.3;

/** Workers are started when the first text comes. */
export function createCompileWorkers<Request extends Numbered, Answer extends Numbered>({
  size,
  limitMs,
  spareAfterMs,
  turnLimits,
}: CompileWorkersOptions): CompileWorkers<Request, Answer> {
  type OwnMember = Member<Request, Answer>;
  const members: OwnMember[] = [];
  const turns: CompileTurns<Job<Request, Answer>> = createCompileTurns(turnLimits);
  const running = new Map<string, number>();
  const counted = { started: 0, ended: 0 };
  let keepsSpare = false;
  let spareTimer: NodeJS.Timeout | null = null;
  let isClosed = false;

  const start = (): OwnMember => {
    counted.started += 1;
    const givesWay = !isNeeded() && mayRestorePriority();
    const worker = new Worker(new URL('./start-compile-worker.mjs', import.meta.url), {
      execArgv: [],
      workerData: { givesWay },
      resourceLimits: { maxOldGenerationSizeMb: 1024 },
    });
    const member: OwnMember = {
      worker,
      work: null,
      job: null,
      turn: null,
      timer: null,
      task: '',
      givesWay,
    };
    worker.unref();
    worker.on('message', (message: CompileWorkerStarting | CompileWorkerReady | Answer) => {
      if ('starting' in message) member.task = message.starting;
      else if ('ready' in message) {
        member.work = threadWork(worker, member.task);
        if (member.givesWay) hurry(member);
        spareTimer ??= setTimeout(wantSpare, spareAfterMs).unref();
      } else finish(member, message);
      serve();
    });
    worker.on('error', (error) => lose(member, error));
    worker.on('exit', () => lose(member, new Error('the compiler ended')));
    members.push(member);
    return member;
  };

  const finish = (member: OwnMember, answer: Answer): void => {
    const { job } = member;
    if (!job || job.request.id !== answer.id) return;
    release(member);
    job.resolve(answer);
    if (!member.givesWay || hurry(member)) return;
    // It would stay behind everything else for good.
    members.splice(members.indexOf(member), 1);
    void member.worker.terminate();
  };

  /** Whether a text of another tenant waits until this one is done: then it must not take longer than it needs. */
  const keepsOthers = ({ turn }: OwnMember): boolean =>
    members.filter((one) => one.job).length >= size && turns.waitsFor((other) => other !== turn?.clusterId);

  const giveWay = (member: OwnMember): void => {
    if (!keepsOthers(member)) member.givesWay = lowerPriority(member.task);
  };

  /** False when the system does not let the worker have its priority back. */
  const hurry = (member: OwnMember): boolean => {
    member.givesWay = !restorePriority(member.task);
    return !member.givesWay;
  };

  const count = (clusterId: string, change: 1 | -1): void => {
    const held = (running.get(clusterId) ?? 0) + change;
    if (held > 0) running.set(clusterId, held);
    else running.delete(clusterId);
  };

  const release = (member: OwnMember): void => {
    if (member.timer) clearTimeout(member.timer);
    if (member.turn) count(member.turn.clusterId, -1);
    member.timer = null;
    member.job = null;
    member.turn = null;
    member.worker.unref();
  };

  const lose = (member: OwnMember, error: unknown): void => {
    const index = members.indexOf(member);
    if (index < 0) return;
    members.splice(index, 1);
    const { job } = member;
    release(member);
    job?.reject(error);
    // A worker that ends before it was ready would end again: whoever waits hears why.
    if (!member.work && members.length === 0) for (const other of turns.drain()) other.reject(error);
    else serve();
  };

  const stop = (member: OwnMember): OwnMember['job'] => {
    const { job } = member;
    members.splice(members.indexOf(member), 1);
    release(member);
    void member.worker.terminate();
    counted.ended += 1;
    return job;
  };

  const watch = async (member: OwnMember, job: OwnMember['job'], work: ThreadWork): Promise<void> => {
    const beganMs = performance.now();
    const before = await work.spentMs();
    const lateMs = limitMs * MAX_STRETCHED;
    const look = async (): Promise<void> => {
      const spent = (await work.spentMs()) - before;
      if (member.job !== job) return;
      const isLate = performance.now() - beganMs >= lateMs;
      if (isLate && member.givesWay) hurry(member);
      if (spent >= limitMs * LONG_SHARE && !isLate && !member.givesWay) giveWay(member);
      if (spent >= limitMs * SUSPICIOUS_SHARE) wantSpare();
      if (spent < limitMs && (work.isOwn || !isLate)) {
        const next = [LONG_SHARE, SUSPICIOUS_SHARE, 1].find((share) => spent < limitMs * share) ?? 1;
        member.timer = setTimeout(look, Math.max(10, limitMs * next - spent));
        return;
      }
      const { turn } = member;
      stop(member);
      if (turn) turns.ended(turn);
      job?.resolve(TOOK_TOO_LONG);
      serve();
    };
    await look();
  };

  const wantSpare = (): void => {
    if (keepsSpare) return;
    keepsSpare = true;
    serve();
  };

  /** A tenant whose texts were ended of late leaves one worker to the others. */
  const mayRun = (clusterId: string): boolean =>
    clusterId === '' || !turns.isSuspect(clusterId) || (running.get(clusterId) ?? 0) < Math.max(1, size - 1);

  /** Whether somebody waits for one more worker who does not keep the others busy with long texts. */
  const isNeeded = (): boolean => {
    const keepsBusy = (id: string) =>
      turns.isSuspect(id) || members.some(({ turn, givesWay }) => givesWay && turn?.clusterId === id);
    return turns.waitsFor((clusterId) => clusterId === '' || !keepsBusy(clusterId));
  };

  const startWhatIsMissing = (): void => {
    const starting = members.find((member) => !member.work);
    if (starting?.givesWay && isNeeded()) hurry(starting);
    if (isClosed || starting) return;
    const idle = members.filter((member) => member.work && !member.job).length;
    const isShort = turns.waiting() > 0 && idle === 0 && members.length < size;
    const lacksSpare = keepsSpare && idle === 0 && members.length <= size;
    if (isShort || lacksSpare) {
      const { worker } = start();
      if (turns.waiting() > 0) worker.ref();
    }
  };

  const serve = (): void => {
    for (;;) {
      const busy = members.filter((member) => member.job).length;
      const free = members.find((member) => member.work && !member.job);
      if (!free?.work || busy >= size) break;
      const next = turns.next(mayRun, (job, error) => job.reject(error));
      if (!next) break;
      free.job = next.job;
      free.turn = next.turn;
      count(next.turn.clusterId, 1);
      free.worker.ref();
      const { work } = free;
      if (turns.isSuspect(next.turn.clusterId)) giveWay(free);
      void watch(free, next.job, work);
      free.worker.postMessage(next.job.request);
    }
    for (const member of members) if (member.job && member.givesWay && keepsOthers(member)) hurry(member);
    startWhatIsMissing();
  };

  return {
    ask: (turn, request) => {
      if (isClosed) return Promise.reject(closed());
      return new Promise((resolve, reject) => {
        turns.add(turn, { request, resolve, reject });
        serve();
      });
    },
    work: () => ({ ...counted, waiting: turns.waiting() }),
    close: async () => {
      isClosed = true;
      if (spareTimer) clearTimeout(spareTimer);
      const all = members.splice(0);
      const left = [...all.flatMap((member) => member.job ?? []), ...turns.drain()];
      for (const member of all) release(member);
      for (const job of left) job.reject(closed());
      await Promise.all(all.map((member) => member.worker.terminate()));
    },
  };
}

/** Whoever waits for the compiler hears that it is gone; a stop must not wait for an answer that never comes. */
const closed = () => new AppError('unavailable', say('search.serverStopping'));
