import { getPriority, setPriority } from 'node:os';
import { register } from 'tsx/esm/api';

/** As thread-priority.ts has it, which cannot be read before the loader is there. */
const GIVES_WAY = 15;

/**
 * What the script of a worker thread does before all else. The thread that makes one may go before all others
 * (thread-priority.ts), and a new thread begins with its priority: it is given up. One that `givesWay` goes behind
 * everything else. Threads that it makes have its priority. A worker thread does not inherit the loader that reads
 * TypeScript, so its own is registered; what is built (built-program.mjs) needs none.
 */
export function beginThread(givesWay = false) {
  // On Linux the number 0 is this thread.
  if (getPriority() < 0) setPriority(0, 0);
  if (givesWay) setPriority(0, Math.max(GIVES_WAY, getPriority()));
  process.setSourceMapsEnabled(true);
  register();
}
