import { fork } from 'node:child_process';
import { openTenant, RefusedCall, type TenantCalls } from './neighbour-attacks.ts';
import type { BenchServer } from './neighbours-server.ts';

// Somebody of tenant A who runs queries as Find does, in a process of their own, so that what is measured beside them
// does not wait for what their answers cost to read.

/** As the console waits between two looks at a search. */
const PAUSES_OF_FIND_MS = [60, 100, 150, 250, 400, 500];

/** What became of A's calls. */
export interface Outcomes {
  readonly ms: number[];
  searches: number;
  readonly forTime: string[];
  /** Codes or words of other refusals: of what Tyrian does not know. */
  readonly other: string[];
}

/** The code of a refusal for lack of time or of a slot; null for any other. */
function timeRefusal(http: number, told: string): string | null {
  if (told.includes('TYR104')) return 'TYR104';
  if (http === 429) return 'too many';
  if (http >= 500 || /the server is busy|does not answer|ended; run it again/.test(told)) return 'busy';
  if (/took too long to compile|wait for the compiler|search engine is busy|you have \d+ searches/.test(told))
    return 'too many';
  return /stopped after \d+ seconds/.test(told) ? 'time limit' : null;
}

function noteRefusal(into: Outcomes, call: string, http: number, told: string): void {
  const forTime = timeRefusal(http, told);
  if (forTime) {
    into.forTime.push(`${call}: ${forTime}`);
    return;
  }
  // The code of a mistake, else the message.
  const code = /"code":"([A-Z]+\d+)"/.exec(told)?.[1] ?? /"message":"([^"]{0,80})/.exec(told)?.[1] ?? told;
  into.other.push(`${call}: ${code}`);
}

async function runOfFind(a: TenantCalls, query: string, into: Outcomes): Promise<void> {
  const beside = async (name: string, work: Promise<unknown>): Promise<void> => {
    await work.catch((error: unknown) => {
      if (error instanceof RefusedCall) noteRefusal(into, name, error.http, error.body);
      else into.forTime.push(`${name}: ${String(error)}`);
    });
  };
  const search = async (): Promise<void> => {
    const began = performance.now();
    const state = await a.ended(query, PAUSES_OF_FIND_MS);
    into.ms.push(performance.now() - began);
    into.searches += state.task_state === 'SUCCESS' ? 1 : 0;
    if (state.task_state === 'SUCCESS') return;
    const http = state.task_state === 'QUERY_WORKERS_DOWN' ? 503 : 422;
    const { message, diagnostics } = state;
    noteRefusal(into, 'search', http, JSON.stringify({ diagnostics, message }));
  };
  await Promise.all([
    beside('cost', a.cost(query)),
    beside('search', search()),
    beside('histogram', a.histogram(query)),
  ]);
}

type Asked =
  | { readonly server: BenchServer }
  | { readonly events: string }
  | { readonly queries: readonly string[] };

export interface FindUser {
  ingest(lines: string): Promise<void>;
  /** One query after the other, each with its cost and its histogram beside it. */
  run(queries: readonly string[]): Promise<Outcomes>;
  stop(): void;
}

/** Rejects when the process ends before it has answered. */
export async function startFindUser(server: BenchServer): Promise<FindUser> {
  const child = fork(import.meta.filename, [], { execArgv: ['--import', 'tsx'] });
  const ask = (message: Asked): Promise<Outcomes> =>
    new Promise((resolve, reject) => {
      const ended = (code: number | null) => reject(new Error(`the process of Find ended with ${code}`));
      child.once('exit', ended);
      child.once('message', (outcomes: Outcomes) => {
        child.off('exit', ended);
        resolve(outcomes);
      });
      child.send(message);
    });
  await ask({ server });
  return {
    ingest: async (events) => void (await ask({ events })),
    run: (queries) => ask({ queries }),
    stop: () => child.disconnect(),
  };
}

let calls: TenantCalls | null = null;

async function answer(message: Asked): Promise<void> {
  const outcomes: Outcomes = { ms: [], searches: 0, forTime: [], other: [] };
  if ('server' in message) calls = openTenant(message.server, message.server.a, '127.0.0.2');
  else if (!calls) throw new Error('no server is known');
  else if ('events' in message) await calls.ingest(message.events);
  else for (const query of message.queries) await runOfFind(calls, query, outcomes);
  process.send?.(outcomes);
}

if (process.argv[1] === import.meta.filename) {
  process.on('message', (message: Asked) => void answer(message));
  process.once('disconnect', () => process.exit(0));
}
