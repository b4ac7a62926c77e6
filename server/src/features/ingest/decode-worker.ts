import { parentPort } from 'node:worker_threads';
import { ownTask } from '../../platform/thread-priority.ts';
import { decodeBatch } from './decode-batch.ts';
import { BodyFaultError } from './decode-line.ts';
import type { DecodeAnswer, DecodeOrder, RowChunk } from './ingest-batch.ts';
import { createRowMemory } from './row-memory.ts';

// A decoding thread: takes bodies, answers rows. Row bytes are moved or shared, not copied. Whatever goes wrong with a body is
// answered to the job that it belongs to; the thread and its other jobs go on.

const port = parentPort;
if (port === null) throw new Error('decode-worker.ts runs as a worker thread only');

const post = (answer: DecodeAnswer, move: ArrayBuffer[] = []) => port.postMessage(answer, move);

const memory = createRowMemory();

port.on('message', (job: DecodeOrder) => {
  if ('givenBack' in job) {
    memory.giveBack(job.scopeId, job.givenBack);
    return;
  }
  const beganMs = performance.now();
  const end = () => ({ id: job.id, ms: performance.now() - beganMs });
  try {
    const emit = (chunk: RowChunk) => {
      const { buffer } = chunk.body;
      post({ id: job.id, kind: 'rows', chunk }, buffer instanceof ArrayBuffer ? [buffer] : []);
    };
    const report = decodeBatch(job, emit, memory);
    post({ ...end(), kind: 'done', report });
  } catch (error) {
    if (error instanceof BodyFaultError) post({ ...end(), kind: 'fault', fault: error.fault });
    else post({ ...end(), kind: 'failed', reason: (error as Error).message });
  }
});

post({ kind: 'ready', task: ownTask() });
