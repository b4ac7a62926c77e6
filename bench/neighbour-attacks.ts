import { Agent, request } from 'node:http';
import {
  cancelTask,
  type Endpoint,
  estimateCost,
  explainSearch,
  type InputOf,
  invokeJob,
  type OutputOf,
  searchHistogram,
  taskResult,
  taskState,
} from '@tyrian/contract';
import { endlessText } from '../server/src/features/search/testing/endless-text.ts';
import type { BenchServer, BenchTenant } from './neighbours-server.ts';

// What the people of one tenant can ask of a server, in order and out of order: the calls of bench/neighbours.ts.

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

interface Posted {
  readonly http: number;
  readonly body: string;
}

/** An answer that is not a success. */
export class RefusedCall extends Error {
  readonly http: number;
  readonly body: string;

  constructor(id: string, { http, body }: Posted) {
    super(`${id}: ${http} ${body.slice(0, 200)}`);
    this.http = http;
    this.body = body;
  }
}

/** The calls of one tenant, from an address of its own: calls are counted by address. */
export function openTenant(server: BenchServer, tenant: BenchTenant, localAddress: string) {
  const agent = new Agent({ keepAlive: true, localAddress });

  const send = (
    url: string,
    method: string,
    headers: Record<string, string>,
    body: string,
    signal?: AbortSignal,
  ) =>
    new Promise<Posted>((resolve, reject) => {
      const options = { method, agent, headers, ...(signal ? { signal } : {}) };
      const call = request(url, options, (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('error', reject);
        answer.on('end', () =>
          resolve({ http: answer.statusCode ?? 0, body: Buffer.concat(parts).toString('utf8') }),
        );
      });
      call.on('error', reject);
      call.end(method === 'GET' ? undefined : body);
    });

  async function call<E extends Endpoint>(
    endpoint: E,
    input: InputOf<E> | undefined,
    params: Readonly<Record<string, string>> = {},
    signal?: AbortSignal,
  ): Promise<OutputOf<E>> {
    const all: Record<string, string> = { clusterId: tenant.clusterId, ...params };
    const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => all[name] ?? '');
    const isGet = endpoint.method === 'GET';
    const query = isGet && input ? `?${new URLSearchParams(input as Record<string, string>)}` : '';
    const headers = { ssid: tenant.ssid, ...(isGet ? {} : { 'content-type': 'application/json' }) };
    const answer = await send(
      `${server.address}${path}${query}`,
      endpoint.method,
      headers,
      JSON.stringify(input ?? {}),
      signal,
    );
    if (answer.http >= 400) throw new RefusedCall(endpoint.name, answer);
    const body = JSON.parse(answer.body) as { data?: OutputOf<E> } & OutputOf<E>;
    return endpoint.answer === 'flat' ? body : (body.data as OutputOf<E>);
  }

  const invoke = async (query: string): Promise<string> => {
    const input = { job_type: 'kql', scope_id: tenant.scope, query } as InputOf<typeof invokeJob>;
    const [task] = await call(invokeJob, input);
    return task?.id ?? '';
  };

  /** Invokes a search, waits for its end, reads its rows. After each look at its state it pauses, at last always as long. */
  const ended = async (query: string, pausesMs: readonly number[]): Promise<OutputOf<typeof taskState>> => {
    const taskid = await invoke(query);
    for (let look = 0; ; look += 1) {
      const state = await call(taskState, undefined, { taskid });
      if (state.task_stage === 'EXECUTED' || state.task_stage === 'FAILURE') {
        await call(taskResult, { form: 'rows' } as unknown as InputOf<typeof taskResult>, { taskid });
        return state;
      }
      await pause(pausesMs[look] ?? pausesMs.at(-1) ?? 0);
    }
  };

  return {
    invoke,
    cancel: (taskid: string) => call(cancelTask, undefined, { taskid }),
    plan: (query: string) =>
      call(explainSearch, { scope_id: tenant.scope, query } as InputOf<typeof explainSearch>),
    cost: (query: string) =>
      call(estimateCost, { scope_id: tenant.scope, query } as InputOf<typeof estimateCost>),
    histogram: (query: string) =>
      call(searchHistogram, { scope_id: tenant.scope, query } as InputOf<typeof searchHistogram>),
    ended,
    search: async (query: string, pollMs = 10): Promise<string> => (await ended(query, [pollMs])).task_state,
    ingest: (lines: string, signal?: AbortSignal) =>
      send(
        `${server.ingestAddress}/ingest/ndjson`,
        'POST',
        { authorization: `Bearer ${tenant.token}` },
        lines,
        signal,
      ),
    close: () => agent.destroy(),
  };
}

export type TenantCalls = ReturnType<typeof openTenant>;

/** Starts an attack; the answer stops it and resolves when it is over. */
type Attack = (calls: TenantCalls) => () => Promise<void>;

/** Does one thing over and over on several connections; what the server refuses is what is hoped for. */
function overAndOver(
  connections: number,
  pauseMs: number,
  work: (calls: TenantCalls, n: number, signal: AbortSignal) => Promise<unknown>,
): Attack {
  return (calls) => {
    const ended = new AbortController();
    let n = 0;
    const connection = async (): Promise<void> => {
      while (!ended.signal.aborted) {
        await work(calls, n++, ended.signal).catch(() => undefined);
        await pause(pauseMs);
      }
    };
    const all = Array.from({ length: connections }, connection);
    return async () => {
      ended.abort();
      await Promise.all(all);
    };
  };
}

const deepRecord = `{"message":"x","a":${'['.repeat(20_000)}${']'.repeat(20_000)}}\n`;

const hostileTexts = [
  (n: number) => `.show tables // ${n}`,
  (n: number) => `print x${n} = ${'('.repeat(1000)}1${')'.repeat(1000)}`,
  (n: number) => `${Array.from({ length: 2000 }, (_, i) => `let a${i} = ${n};`).join('')} print a0`,
  (n: number) => endlessText(`x${n}`),
];

const manyDays = (): string =>
  Array.from(
    { length: 9000 },
    (_, day) =>
      `{"@timestamp":"${new Date(Date.now() - day * 86_400_000).toISOString()}","message":"old ${day}"}\n`,
  ).join('');

/** Twenty searches that would run for years; begun again as they are stopped by their limits. */
const endless: Attack = (calls) => {
  const begun = Array.from({ length: 20 }, (_, n) =>
    calls
      .invoke(
        n % 2 === 0
          ? `range x from 1 to 9999999999999999 step ${n + 1} | summarize sum(x % 7)`
          : `range x from 1 to 1000000000000 step ${n + 1} | summarize count()`,
      )
      .catch(() => ''),
  );
  return async () => {
    for (const id of await Promise.all(begun)) if (id !== '') await calls.cancel(id).catch(() => undefined);
  };
};

const attacks: Readonly<Record<string, Attack>> = {
  'S06 deep records': overAndOver(2, 100, (calls, _, signal) => calls.ingest(deepRecord, signal)),
  'S07 hostile texts': overAndOver(6, 50, (calls, n) =>
    calls.plan(hostileTexts[n % hostileTexts.length]?.(n) ?? ''),
  ),
  'S08 huge rows': overAndOver(4, 50, (calls, n) =>
    calls.search(
      `range x from 1 to ${300_000 + n} step 1 | summarize l = make_list(strcat(tostring(x), strrep("abcdefghij", 100)))`,
      100,
    ),
  ),
  'S09 9,000 days': overAndOver(1, 1000, (calls, _, signal) => calls.ingest(manyDays(), signal)),
  'endless searches': endless,
};

const allAtOnce: Attack = (calls) => {
  const stops = Object.values(attacks).map((attack) => attack(calls));
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
};

/** Every attack by its name, and all of them together. */
export const ATTACKS: Readonly<Record<string, Attack>> = { ...attacks, 'all together': allAtOnce };
