import {
  listSlowQueries,
  type OutputOf,
  SLOW_AFTER_S,
  SLOW_QUEUES,
  type SlowQuery,
  stopSlowQuery,
} from '@tyrian/contract';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { notFound } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import { bindEndpoint } from '../../platform/http/bind-endpoint.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import type { ScopeRef } from '../../platform/scope-ref.ts';
import type { SearchTaskService } from './search-task-service.ts';

// Searches over the limit of their queue, from the tasks that are written down: no engine is asked.

/** A process that said nothing for so long has died with its searches. */
const LOST_AFTER_MS = 60_000;
const MOST = 200;

interface SlowRow {
  readonly id: string;
  readonly user_id: string;
  readonly queue: string;
  readonly stage: string;
  readonly started_at: number;
  readonly heartbeat_at: number;
  readonly rows_read: number;
  readonly bytes_read: number;
  readonly share: number;
  readonly query: string | null;
}

export interface SlowQueryDeps {
  readonly postgres: Postgres;
  readonly clock: Clock;
  /** Names of people by id. */
  readonly namesOf: (scope: ScopeRef) => Promise<ReadonlyMap<string, string>>;
}

/** Searches of a scope that have not ended. */
function liveSearches(postgres: Postgres, { clusterId, scopeId }: ScopeRef, id?: string) {
  return postgres.inTenant(clusterId, async (trx) => {
    const { rows } = await sql<SlowRow>`
      select t.id, t.user_id, t.queue, t.stage, t.started_at, t.heartbeat_at, t.rows_read, t.bytes_read, t.share, h.query
      from search_task t left join search_history h using (cluster_id, id)
      where t.cluster_id = ${clusterId} and t.scope_id = ${scopeId} and t.stage in ('PENDING', 'EXECUTING')
        and (${id ?? null}::text is null or t.id = ${id ?? null})
      order by t.started_at limit ${MOST}`.execute(trx);
    return rows;
  });
}

async function slowQueries(
  { postgres, clock, namesOf }: SlowQueryDeps,
  scope: ScopeRef,
  caller: Pick<Caller, 'userId'>,
  queue?: string,
): Promise<OutputOf<typeof listSlowQueries>> {
  const nowMs = clock.now();
  const limits: ReadonlyMap<string, number> = new Map(Object.entries(SLOW_AFTER_S));
  const live = await liveSearches(postgres, scope);
  const slow = live.filter(
    (row) =>
      nowMs - row.heartbeat_at < LOST_AFTER_MS &&
      nowMs - row.started_at > (limits.get(row.queue) ?? SLOW_AFTER_S.interactive) * 1000 &&
      (queue === undefined || row.queue === queue),
  );
  const names = slow.length === 0 ? new Map<string, string>() : await namesOf(scope);
  return {
    limits: SLOW_QUEUES.map((name) => ({ queue: name, seconds: SLOW_AFTER_S[name] })),
    queries: slow.map(
      (row): SlowQuery => ({
        task_id: row.id,
        query: row.query ?? '',
        initiator: names.get(row.user_id) ?? row.user_id,
        is_own: row.user_id === caller.userId,
        queue: row.queue,
        is_waiting: row.stage === 'PENDING',
        started: row.started_at,
        elapsed_ms: Math.max(0, Math.round(nowMs - row.started_at)),
        rows_read: row.rows_read,
        bytes_read: row.bytes_read,
        share: row.share,
      }),
    ),
  };
}

/** Whose live search it is. Throws AppError `not-found`, also for an analyst who names another's. */
async function ownerOfLive(
  postgres: Postgres,
  scope: ScopeRef,
  id: string,
  caller: Pick<Caller, 'userId' | 'tagsAt'>,
): Promise<string> {
  const [row] = await liveSearches(postgres, scope, id);
  const mayAny = caller.tagsAt(scope.clusterId, scope.scopeId).includes('engineer');
  if (!row || (row.user_id !== caller.userId && !mayAny)) throw notFound();
  return row.user_id;
}

/** Binds the calls about slow searches. */
export function slowQueryRoutes(
  app: FastifyInstance,
  deps: SlowQueryDeps & { readonly tasks: Pick<SearchTaskService, 'cancel'> },
): void {
  bindEndpoint(app, listSlowQueries, ({ caller, clusterId, input }) =>
    slowQueries(deps, { clusterId, scopeId: input.scope_id }, caller, input.queue),
  );
  bindEndpoint(app, stopSlowQuery, async ({ caller, clusterId, input }) => {
    const { scope_id: scopeId, task_id: id } = input;
    const owner = await ownerOfLive(deps.postgres, { clusterId, scopeId }, id, caller);
    await deps.tasks.cancel(caller, clusterId, id, owner);
    return { task_id: id };
  });
}
