import { parentPort } from 'node:worker_threads';
import { ownTask } from '../../platform/thread-priority.ts';
import { decodeBatch } from './decode-batch.ts';
import { BodyFaultError } from './decode-line.ts';
import type { DecodeAnswer, DecodeJob } from './ingest-batch.ts';

// A decoding thread: takes bodies, answers rows. Row bytes are moved, not copied. Whatever goes wrong with a body is
// answered to the job that it belongs to; the thread and its other jobs go on.

const port = parentPort;
if (port === null) throw new Error('decode-worker.ts runs as a worker thread only');

const post = (answer: DecodeAnswer, move: ArrayBuffer[] = []) => port.postMessage(answer, move);

port.on('message', (job: DecodeJob) => {
  const beganMs = performance.now();
  const end = () => ({ id: job.id, ms: performance.now() - beganMs });
  try {
    const report = decodeBatch(job, (chunk) =>
      post({ id: job.id, kind: 'rows', chunk }, [chunk.body.buffer as ArrayBuffer]),
    );
    post({ ...end(), kind: 'done', report });
  } catch (error) {
    if (error instanceof BodyFaultError) post({ ...end(), kind: 'fault', fault: error.fault });
    else post({ ...end(), kind: 'failed', reason: (error as Error).message });
  }
});

post({ kind: 'ready', task: ownTask() });
