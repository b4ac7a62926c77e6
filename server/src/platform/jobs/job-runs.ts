import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { bindDeps } from '../bind-deps.ts';
import type { PlatformTables } from '../postgres/platform-tables.ts';
import type { Postgres } from '../postgres/postgres.ts';

// The runs of jobs in PostgreSQL: who may run one, and what became of it. An attempt is known by its number: what an
// attempt says that another has overtaken changes nothing.

/** A process that is silent for so long has died. */
export const SILENT_MS = 45_000;
/** Whoever waits for word of a cancellation listens here; the payload is the id of the run. */
export const CANCEL_CHANNEL = 'tyrian_job_cancel';

export interface ClaimedRun {
  readonly runId: number;
  readonly clusterId: string | null;
  readonly payload: unknown;
  readonly isScheduled: boolean;
  readonly attempt: number;
  /** Somebody cancelled it while nobody ran it. */
  readonly isCanceled: boolean;
}

export interface JobRuns {
  /** Takes the run of a queue entry; null when there is nothing to do for it. `own`: what this process is running. */
  claim(queueId: number, poolId: string, own: readonly number[]): Promise<ClaimedRun | null>;
  /** Takes a run that the clock asks for; null when one of its kind waits or runs. */
  claimScheduled(kind: string, queueId: number, poolId: string): Promise<ClaimedRun | null>;
  /** Whether a process that lives has the run of a queue entry. */
  isRunning(queueId: number): Promise<boolean>;
  /** `error`: as `storedText` writes it. False when another attempt has overtaken this one. */
  end(
    run: ClaimedRun,
    state: 'done' | 'failed' | 'canceled',
    done: number | null,
    error?: string,
  ): Promise<boolean>;
  /** Lets a run wait for another attempt; `attempt` is how many count so far. */
  putBack(run: ClaimedRun, attempt: number, waitMs: number, error: string | null): Promise<boolean>;
  progress(run: ClaimedRun, done: number, total: number | null): Promise<void>;
  register(poolId: string): Promise<void>;
  unregister(poolId: string): Promise<void>;
  /** Says that the process lives; answers which of its runs are to stop, null for all of them. */
  heartbeat(poolId: string): Promise<readonly number[] | null>;
}

const CLAIMED = sql`run_id as "runId", cluster_id as "clusterId", payload, is_scheduled as "isScheduled", attempt,
  cancel_at is not null as "isCanceled"`;

interface JobRunsParts {
  readonly silentMs: number;
  readonly db: Kysely<PlatformTables>;
}

export function createJobRuns(postgres: Postgres, silentMs = SILENT_MS): JobRuns {
  const db = postgres.platform;
  const parts: JobRunsParts = { silentMs, db };
  return bindDeps(parts, {
    claim,
    claimScheduled,
    isRunning,
    end,
    putBack,
    progress,
    register,
    unregister,
    heartbeat,
  });
}

async function claim(
  { silentMs, db }: JobRunsParts,
  queueId: number,
  poolId: string,
  own: readonly number[],
): Promise<ClaimedRun | null> {
  const { rows } = await sql<ClaimedRun>`
        update job_run set state = 'running', attempt = attempt + 1, pool_id = ${poolId}, started_at = now(),
          progress_done = null, progress_total = null
        where queue_id = ${queueId} and (state = 'waiting' or state = 'running' and case
          when pool_id = ${poolId} then run_id <> all(${own}::bigint[])
          else pool_id not in (select pool_id from job_runner
            where seen_at > now() - ${silentMs} * interval '1 millisecond') end)
        returning ${CLAIMED}`.execute(db);
  return rows[0] ?? null;
}

async function claimScheduled(
  { db }: JobRunsParts,
  kind: string,
  queueId: number,
  poolId: string,
): Promise<ClaimedRun | null> {
  const { rows } = await sql<ClaimedRun>`
        insert into job_run (queue_id, kind, state, is_scheduled, attempt, pool_id, started_at)
        select ${queueId}, ${kind}, 'running', true, 1, ${poolId}, now()
        where not exists (select from job_run where kind = ${kind} and coalesce(cluster_id, '') = ''
          and ended_at is null)
        on conflict (queue_id) do nothing returning ${CLAIMED}`.execute(db);
  return rows[0] ?? null;
}

async function isRunning({ db }: JobRunsParts, queueId: number): Promise<boolean> {
  const { rows } = await sql`select from job_run where queue_id = ${queueId} and state = 'running'`.execute(
    db,
  );
  return rows.length > 0;
}

async function end(
  { db }: JobRunsParts,
  { runId, attempt }: ClaimedRun,
  state: 'done' | 'failed' | 'canceled',
  done: number | null,
  error?: string,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
        update job_run set state = ${state}, ended_at = now(), pool_id = null,
          progress_done = coalesce(${done}, progress_done),
          error = ${error ?? null}
        where run_id = ${runId} and attempt = ${attempt} and state = 'running'`.execute(db);
  return numAffectedRows === 1n;
}

async function putBack(
  { db }: JobRunsParts,
  { runId, attempt }: ClaimedRun,
  next: number,
  waitMs: number,
  error: string | null,
): Promise<boolean> {
  const { rows } = await sql<{ done: boolean }>`
        select put_job_back(${runId}, '{running}', ${attempt}, ${next}, ${Math.round(waitMs)}, ${error}) as done`.execute(
    db,
  );
  return rows[0]?.done === true;
}

async function progress(
  { db }: JobRunsParts,
  { runId, attempt }: ClaimedRun,
  done: number,
  total: number | null,
): Promise<void> {
  await sql`update job_run set progress_done = ${done}, progress_total = ${total}
        where run_id = ${runId} and attempt = ${attempt} and state = 'running'`.execute(db);
}

async function register({ db }: JobRunsParts, poolId: string): Promise<void> {
  await sql`insert into job_runner (pool_id) values (${poolId})
        on conflict (pool_id) do update set seen_at = now()`.execute(db);
}

async function unregister({ db }: JobRunsParts, poolId: string): Promise<void> {
  await sql`delete from job_runner where pool_id = ${poolId}`.execute(db);
}

async function heartbeat({ silentMs, db }: JobRunsParts, poolId: string): Promise<readonly number[] | null> {
  // An array of bigint arrives as texts.
  const { rows } = await sql<{ stop: readonly string[] | null }>`
        select beat_job_runner(${poolId}, ${silentMs}) as stop`.execute(db);
  return rows[0]?.stop?.map(Number) ?? null;
}
