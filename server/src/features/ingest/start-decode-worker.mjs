import { workerData } from 'node:worker_threads';
import { beginThread } from '../../platform/begin-thread.mjs';

// One that is not needed yet starts behind everything else.
beginThread(workerData.givesWay);
await import('./decode-worker.ts');
