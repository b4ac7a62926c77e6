import { Worker } from 'node:worker_threads';
import type { BatchReport, BodyFault, DecodeAnswer, DecodeJob, RowChunk } from './ingest-batch.ts';

// Decoding threads. Bodies are shared out to the thread with the least to do; rows come back while a body is
// still being read. A thread that dies takes its bodies with it: their senders get an error and send again.

type DecodeResult = { readonly report: BatchReport } | { readonly fault: BodyFault };

export interface DecodePool {
  /** `onRows` gets the chunks in order. Rejects when the thread dies. */
  decode(job: Omit<DecodeJob, 'id'>, onRows: (chunk: RowChunk) => void): Promise<DecodeResult>;
  close(): Promise<void>;
}

interface Running {
  readonly onRows: (chunk: RowChunk) => void;
  readonly resolve: (result: DecodeResult) => void;
  readonly reject: (error: Error) => void;
}

interface Member {
  readonly worker: Worker;
  readonly running: Map<number, Running>;
}

/** The fields of a body die together soon after it was read; with room for them few are copied before they do. */
const YOUNG_MB = 96;

/** Threads start when they are first needed. */
export function createDecodePool({ size = 2 } = {}): DecodePool {
  const members: Member[] = [];
  let nextId = 1;
  let isClosed = false;

  const lose = (member: Member, error: Error): void => {
    const at = members.indexOf(member);
    if (at >= 0) members.splice(at, 1);
    for (const running of member.running.values()) running.reject(error);
    member.running.clear();
  };

  const answer = (member: Member, message: DecodeAnswer): void => {
    const running = member.running.get(message.id);
    if (running === undefined) return;
    if (message.kind === 'rows') {
      running.onRows(message.chunk);
      return;
    }
    member.running.delete(message.id);
    if (member.running.size === 0) member.worker.unref();
    running.resolve(message.kind === 'done' ? { report: message.report } : { fault: message.fault });
  };

  const start = (): Member => {
    const worker = new Worker(new URL('./start-decode-worker.mjs', import.meta.url), {
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 2048, maxYoungGenerationSizeMb: YOUNG_MB },
    });
    const member: Member = { worker, running: new Map() };
    worker.unref();
    worker.on('message', (message: DecodeAnswer) => answer(member, message));
    worker.on('error', (error: Error) => lose(member, error));
    worker.on('exit', () => lose(member, new Error('a decoding thread ended')));
    members.push(member);
    return member;
  };

  const leastBusy = (): Member => {
    const idle = members.find((member) => member.running.size === 0);
    if (idle !== undefined) return idle;
    if (members.length < size) return start();
    return members.reduce((best, member) => (member.running.size < best.running.size ? member : best));
  };

  return {
    decode: (job, onRows) =>
      new Promise((resolve, reject) => {
        if (isClosed) {
          reject(new Error('the decoding threads are closed'));
          return;
        }
        const member = leastBusy();
        const id = nextId;
        nextId += 1;
        member.running.set(id, { onRows, resolve, reject });
        member.worker.ref();
        member.worker.postMessage({ ...job, id } satisfies DecodeJob);
      }),
    close: async () => {
      isClosed = true;
      await Promise.all(members.map((member) => member.worker.terminate()));
    },
  };
}
