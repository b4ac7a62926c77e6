import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

// Who goes first where processors are few, by the scheduler of Linux, which knows priorities of threads: the thread that
// answers calls does a little for everybody, so it goes before all others; a thread that works long for one person alone
// gives way. Elsewhere, and where threads have no number, nothing is changed. Priorities are weighed within one session
// (autogroups of sched(7)), so engines stay in ours (server/src/engines/spawn-engine.ts).

/**
 * The nice value of a thread that gives way: beside a thread of ordinary priority it has a thirtieth of a processor, so that
 * a dozen of them have less than half of one. With the lowest value it would have a seventieth, and a long text would
 * stand still on a busy machine. begin-thread.mjs has the same value.
 */
export const GIVES_WAY = 15;
/** The nice value of the thread that answers calls: ten times the weight of an ordinary one. */
const GOES_FIRST = -10;
/**
 * The nice value of the threads that compile JavaScript and collect garbage for others: behind whatever somebody waits for,
 * before what gives way. A sleeper of ordinary priority hardly waits for such a thread.
 */
const HELPS = 10;
/** Threads that Node makes before it reads a program: V8's pool and the one that hands out its delayed tasks. */
const HELPERS = 5;
/** Position of CAP_SYS_NICE, without which a priority that was lowered stays so. */
const SYS_NICE = 23n;

/** What this process was started with. */
const ordinary = getPriority();

/** The calling thread's folder below /proc; '' where there is none. */
export function ownTask(): string {
  try {
    return readlinkSync('/proc/thread-self');
  } catch {
    return '';
  }
}

/** `task` is the thread's folder below /proc, as `/proc/thread-self` names it there; '' where there is none. */
export function lowerPriority(task: string): boolean {
  return change(threadOf(task), Math.max(GIVES_WAY, ordinary));
}

/** False when the thread stays low: the process may not raise priorities. */
export function restorePriority(task: string): boolean {
  return change(threadOf(task), ordinary);
}

/**
 * Puts the main thread before all others; false where the process may not. Threads and processes that it makes from then
 * on begin with the same priority: worker threads (begin-thread.mjs) and engines give it up first.
 */
export function goFirst(): boolean {
  return process.platform === 'linux' && mayRestorePriority() && change(process.pid, GOES_FIRST);
}

/**
 * Lets V8's helpers go behind: with hostile texts and bodies they collect the garbage of those who read them, for a twelfth of
 * two processors. Answers how many there are; 0 where they can't be told from others, or priorities mean nothing.
 */
export function lowerHelpers(): number {
  if (process.platform !== 'linux' || !mayRestorePriority()) return 0;
  const helpers = helperThreads();
  for (const helper of helpers) change(helper, Math.max(HELPS, ordinary));
  return helpers.length;
}

/** Numbers of V8's helpers, by the order in which Node makes its threads: only later versions name them, and not alike. */
function helperThreads(): readonly number[] {
  if (/v8-pool-size/.test(`${process.execArgv.join(' ')} ${process.env.NODE_OPTIONS}`)) return [];
  const threads = readdirSync('/proc/self/task').map(Number);
  return threads.sort((a, b) => a - b).slice(1, 1 + HELPERS);
}

let mayRestore: boolean | undefined;

/** Whether this process may raise a priority that it lowered. */
export function mayRestorePriority(): boolean {
  mayRestore ??= hasRight();
  return mayRestore;
}

function hasRight(): boolean {
  try {
    const status = readFileSync('/proc/self/status', 'utf8');
    const rights = /^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0';
    return ((BigInt(`0x${rights}`) >> SYS_NICE) & 1n) === 1n;
  } catch {
    return false;
  }
}

/** The number of a thread; null where it has none. */
const threadOf = (task: string): number | null => {
  const thread = Number(/\/task\/(\d+)$/.exec(task)?.[1] ?? 0);
  return thread === 0 ? null : thread;
};

function change(thread: number | null, priority: number): boolean {
  if (thread === null) return false;
  try {
    setPriority(thread, priority);
    return true;
  } catch {
    return false;
  }
}
