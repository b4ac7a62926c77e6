import { readFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

// A thread that works for one person alone gives way to everything else on the machine, by the scheduler of Linux, which
// knows priorities of threads. Elsewhere, and where threads have no number, nothing is changed.

/**
 * The nice value of a thread that gives way: beside a thread of ordinary priority it has a tenth of a processor. With the
 * lowest value it would have a hundredth, and a long text would stand still on a busy machine.
 */
const GIVES_WAY = 10;
/** Position of CAP_SYS_NICE, without which a priority that was lowered stays so. */
const SYS_NICE = 23n;

/** `task` is the thread's folder below /proc, as `/proc/thread-self` names it there; '' where there is none. */
export function lowerPriority(task: string): boolean {
  return change(task, Math.max(GIVES_WAY, getPriority()));
}

/** False when the thread stays low: the process may not raise priorities. */
export function restorePriority(task: string): boolean {
  return change(task, getPriority());
}

/** Whether this process may raise a priority that it lowered. */
export function mayRestorePriority(): boolean {
  try {
    const status = readFileSync('/proc/self/status', 'utf8');
    const rights = /^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0';
    return ((BigInt(`0x${rights}`) >> SYS_NICE) & 1n) === 1n;
  } catch {
    return false;
  }
}

function change(task: string, priority: number): boolean {
  const thread = Number(/\/task\/(\d+)$/.exec(task)?.[1] ?? 0);
  if (thread === 0) return false;
  try {
    setPriority(thread, priority);
    return true;
  } catch {
    return false;
  }
}
