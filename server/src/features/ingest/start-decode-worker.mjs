import { constants, getPriority, setPriority } from 'node:os';
import { workerData } from 'node:worker_threads';
// A worker thread does not inherit the loader that reads TypeScript, so it registers its own.
import { register } from 'tsx/esm/api';

// The thread that makes this one may go before all others; this one does not. On Linux the number 0 is this thread.
if (getPriority() < 0) setPriority(0, 0);
// One that is not needed yet starts behind everything else.
if (workerData?.givesWay) setPriority(0, Math.max(constants.priority.PRIORITY_BELOW_NORMAL, getPriority()));
register();
await import('./decode-worker.ts');
