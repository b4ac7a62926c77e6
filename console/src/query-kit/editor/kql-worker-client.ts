import { NO_CATALOG } from '@tyrian/catalog';
import type { EditorWords } from '@tyrian/kql';
import type {
  KqlAnswers,
  KqlWorkerAnswer,
  KqlWorkerMessage,
  KqlWorkerRequest,
  TaughtNames,
} from './kql-worker-protocol.ts';

// One worker for all editors of the page; it loads the language service once and keeps it. When it dies, each
// question fails, the editor goes on without its help, and the next question starts a new worker.

type Answer<R extends KqlWorkerRequest> = KqlAnswers[R['kind']];

interface Waiting {
  readonly resolve: (answer: KqlAnswers[keyof KqlAnswers]) => void;
  readonly reject: (reason: Error) => void;
}

let worker: Worker | null = null;
const NOTHING: TaughtNames = { extFields: [], facts: [], functions: [], catalog: NO_CATALOG };
let taught = NOTHING;
let spoken: EditorWords | null = null;
let lastId = 0;
const waiting = new Map<number, Waiting>();

function startWorker(): Worker {
  const started = new Worker(new URL('./kql-worker.ts', import.meta.url), { type: 'module', name: 'kql' });
  started.addEventListener('message', (event: MessageEvent<KqlWorkerAnswer>) => {
    const asked = waiting.get(event.data.id);
    waiting.delete(event.data.id);
    if (event.data.ok) asked?.resolve(event.data.answer);
    else asked?.reject(new Error(event.data.message));
  });
  started.addEventListener('error', (event) => {
    started.terminate();
    if (worker === started) worker = null;
    for (const asked of waiting.values()) asked.reject(new Error(event.message || 'language worker stopped'));
    waiting.clear();
  });
  return started;
}

function send(to: Worker, request: KqlWorkerRequest): number {
  lastId += 1;
  const message: KqlWorkerMessage = { id: lastId, request };
  to.postMessage(message);
  return lastId;
}

/** Asks the language worker; rejects when the worker can't answer. */
export function askKqlWorker<R extends KqlWorkerRequest>(request: R): Promise<Answer<R>> {
  if (!worker) {
    worker = startWorker();
    if (taught !== NOTHING) send(worker, { kind: 'schema', ...taught });
    if (spoken) send(worker, { kind: 'words', words: spoken });
  }
  const id = send(worker, request);
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve: (answer) => resolve(answer as Answer<R>), reject });
  });
}

/** Tells the worker which fields the tenant's events have and which functions it saved; kept for a later worker. */
export function teachKqlWorker(known: TaughtNames): void {
  if (JSON.stringify(known) === JSON.stringify(taught)) return;
  taught = known;
  if (worker) send(worker, { kind: 'schema', ...known });
}

/** Tells the worker the words of the reader's language, null for English; kept for a later worker. */
export function teachKqlWords(words: EditorWords | null): void {
  if (words === spoken) return;
  spoken = words;
  if (worker) send(worker, { kind: 'words', words });
}
