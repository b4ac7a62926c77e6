import { readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
// A worker thread does not inherit the loader that reads TypeScript, so it registers its own.
import { register } from 'tsx/esm/api';

// Starting takes seconds of work: a spare worker lets everything else go first. On Linux the number 0 is this thread, and
// threads that it makes have its priority.
// The thread that makes this one may go before all others; this one does not.
if (getPriority() < 0) setPriority(0, 0);
if (workerData.givesWay) setPriority(0, Math.max(constants.priority.PRIORITY_BELOW_NORMAL, getPriority()));
parentPort.postMessage({ starting: readTask() });
register();
await import('./compile-worker.ts');

/** This thread's folder below /proc; '' where there is none. */
function readTask() {
  try {
    return readlinkSync('/proc/thread-self');
  } catch {
    return '';
  }
}
