import { parentPort, workerData } from 'node:worker_threads';
import { beginThread } from '../../platform/begin-thread.mjs';

// Starting takes seconds of work: a spare worker lets everything else go first.
beginThread(workerData.givesWay);
const { ownTask } = await import('../../platform/thread-priority.ts');
parentPort.postMessage({ starting: ownTask() });
await import('./compile-worker.ts');
