import { setTimeout as sleep } from 'node:timers/promises';
import {
  accessDetails,
  type Endpoint,
  type InputOf,
  invokeJob,
  isSignedIn,
  login,
  SECURITY,
  taskResult,
  taskState,
  type UserAccess,
} from '@tyrian/contract';
import type { ScopeRef } from '../platform/scope-ref.ts';
import { callServer } from './call-server.ts';
import { UsageError } from './command.ts';
import type { QueryTarget } from './query-target.ts';

// A running server, asked through the same calls that the console uses.

export interface RemoteOptions {
  readonly url: string;
  readonly ssid: string | undefined;
  readonly email: string | undefined;
  readonly password: string | undefined;
  /** The first tenant and scope with the right to search when absent. */
  readonly clusterId: string | undefined;
  readonly scopeId: string | undefined;
  readonly from: string;
  readonly to: string;
  readonly timezone: string;
  readonly rowLimit: number;
}

const PAGE_ROWS = 5000;
/** The server answers at once when the task has ended. */
const WAIT_MS = 5_000;
const PAUSE_MS = 50;

/** Signs in when no session is given, and finds where to search. */
export async function openRemoteTarget(options: RemoteOptions): Promise<QueryTarget> {
  const access = await signIn(options);
  const scope = scopeOf(access, options);
  const asked = <E extends Endpoint>(endpoint: E, params: Record<string, string>, input: InputOf<E>) =>
    callServer(options.url, endpoint, { clusterId: scope.clusterId, ...params }, input, access.SSID);
  return {
    run: async (kql) => {
      const [task] = await asked(
        invokeJob,
        {},
        {
          job_type: 'kql',
          scope_id: scope.scopeId,
          query: kql,
          from: options.from,
          to: options.to,
          query_timezone: options.timezone,
          row_limit: options.rowLimit,
        },
      );
      const taskid = task?.id ?? '';
      while (task?.task_stage !== 'EXECUTED') {
        const state = await asked(taskState, { taskid }, { wait_ms: WAIT_MS, rows_seen: 1 });
        if (state.task_stage === 'FAILURE') throw new Error(state.message);
        if (state.task_stage === 'EXECUTED') break;
        await sleep(PAUSE_MS);
      }
      const rows: unknown[][] = [];
      for (let pageno = 1; ; pageno += 1) {
        const page = await asked(taskResult, { taskid }, { pageno, pagesize: PAGE_ROWS, form: 'rows' });
        rows.push(...page.rows);
        if (page.rows.length < PAGE_ROWS) return { columns: page.columns, rows };
      }
    },
    close: async () => undefined,
  };
}

async function signIn(options: RemoteOptions): Promise<UserAccess> {
  const { ssid, email, password } = options;
  if (ssid !== undefined) return callServer(options.url, accessDetails, {}, {}, ssid);
  if (email === undefined || password === undefined) {
    throw new UsageError('With --url give --ssid, or --email and --password.');
  }
  const answer = await callServer(options.url, login, {}, { emailId: email, password });
  if (isSignedIn(answer)) return answer;
  throw new UsageError('This account asks for a second factor: sign in with a browser, and give --ssid.');
}

function scopeOf(access: UserAccess, options: RemoteOptions): ScopeRef {
  const roles: readonly string[] = SECURITY.map((tag) =>
    tag === 'engineer' ? 'Security Engineer' : 'Security Analyst',
  );
  for (const entry of access.access) {
    if (options.clusterId !== undefined && entry.clusterId !== options.clusterId) continue;
    for (const scope of entry.scope_access) {
      if (options.scopeId !== undefined && scope.scope_id !== options.scopeId) continue;
      if (scope.is_enabled && roles.includes(scope.role)) {
        return { clusterId: entry.clusterId, scopeId: scope.scope_id };
      }
    }
  }
  throw new UsageError('This user may not search there: an analyst or engineer role in a scope is needed.');
}
