import type {
  SigmaAnswers,
  SigmaWorkerAnswer,
  SigmaWorkerMessage,
  SigmaWorkerRequest,
} from './sigma-worker-protocol.ts';

// One worker for all editors of rules of the page. When it dies, each question fails, the editor goes on without its help,
// and the next question starts a new one.

interface Waiting {
  readonly resolve: (answer: SigmaAnswers[keyof SigmaAnswers]) => void;
  readonly reject: (reason: Error) => void;
}

let worker: Worker | null = null;
let names: readonly (readonly [string, string])[] = [];
let lastId = 0;
const waiting = new Map<number, Waiting>();

function startWorker(): Worker {
  const started = new Worker(new URL('./sigma-worker.ts', import.meta.url), {
    type: 'module',
    name: 'sigma',
  });
  started.addEventListener('message', (event: MessageEvent<SigmaWorkerAnswer>) => {
    const asked = waiting.get(event.data.id);
    waiting.delete(event.data.id);
    if (event.data.ok) asked?.resolve(event.data.answer);
    else asked?.reject(new Error(event.data.message));
  });
  started.addEventListener('error', (event) => {
    started.terminate();
    if (worker === started) worker = null;
    for (const asked of waiting.values())
      asked.reject(new Error(event.message || 'the Sigma worker stopped'));
    waiting.clear();
  });
  return started;
}

function send(to: Worker, request: SigmaWorkerRequest): number {
  lastId += 1;
  const message: SigmaWorkerMessage = { id: lastId, request };
  to.postMessage(message);
  return lastId;
}

/** Asks the worker; rejects when it can't answer. */
export function askSigmaWorker<R extends SigmaWorkerRequest>(request: R): Promise<SigmaAnswers[R['kind']]> {
  if (!worker) {
    worker = startWorker();
    if (names.length > 0) send(worker, { kind: 'attack', names });
  }
  const id = send(worker, request);
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve: (answer) => resolve(answer as SigmaAnswers[R['kind']]), reject });
  });
}

/** Tells the worker techniques and tactics by what tags call them; kept for a later worker. */
export function teachSigmaAttack(known: readonly (readonly [string, string])[]): void {
  if (known.length === names.length) return;
  names = known;
  if (worker) send(worker, { kind: 'attack', names });
}
