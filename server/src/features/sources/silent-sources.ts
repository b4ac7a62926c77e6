import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { NewDomainEvent } from '../../platform/events/domain-event.ts';
import { writeEvents } from '../../platform/events/write-events.ts';
import { type Job, scheduledJob } from '../../platform/jobs/job.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import type { ScopeRef } from '../../platform/scope-ref.ts';

// Sources that stopped sending. Once a minute the counts of ingest are looked at, those of all tenants in one statement:
// a source from which nothing was stored for longer than its own threshold is told of once, and again when it is back.

/** Where nothing is learned and nothing set. */
const USUAL_SILENCE_S = 3_600;
/** What has been silent for longer beyond its threshold is noted without a word: nobody hears of last year at a start. */
const OLD_MS = 23 * 3_600_000;

interface ChangedRow {
  cluster_id: string;
  scope_id: string;
  source_id: string;
  source_name: string;
  last_at: number;
  is_told: boolean;
}

const eventOf = (row: ChangedRow, kind: NewDomainEvent['kind'], atMs: number): NewDomainEvent => ({
  clusterId: row.cluster_id,
  scopeId: row.scope_id,
  kind,
  objectId: row.source_id,
  actor: null,
  details: { name: row.source_name, last_event_ms: row.last_at },
  atMs,
});

/** Notes which sources went silent or came back; answers how many silences were told. */
export function noteSilentSources(postgres: Postgres, nowMs: number): Promise<number> {
  return postgres.platform.transaction().execute(async (trx) => {
    await sql`select set_config('tyrian.sweep', 'silent_sources', true)`.execute(trx);
    const back = await sql<ChangedRow>`
      update ingest_source s set silent_since = null, silent_told = false from ingest_counter c, ingest_source o
      where s.silent_since is not null and c.cluster_id = s.cluster_id and c.source_id = s.source_id
        and o.cluster_id = s.cluster_id and o.source_id = s.source_id
        and c.name = 'stored' and c.updated_at > s.silent_since
      returning s.cluster_id, s.scope_id, s.source_id, s.source_name, c.updated_at as last_at,
        o.silent_told as is_told`.execute(trx);
    const silent = await sql<ChangedRow>`
      with due as (
        select s.cluster_id, s.source_id, c.updated_at as last_at,
          make_interval(secs => coalesce(s.silence_set_s, s.silence_learned_s, ${USUAL_SILENCE_S}::integer)) as threshold
        from ingest_source s join ingest_counter c using (cluster_id, source_id)
        where s.silent_since is null and s.revoked_at is null and s.silence_set_s is distinct from 0
          and c.name = 'stored' and c.updated_at <= ${timestamp(nowMs)}
      )
      update ingest_source s set silent_since = ${timestamp(nowMs)},
        silent_told = d.last_at > ${timestamp(nowMs - OLD_MS)} - d.threshold
      from due d where s.cluster_id = d.cluster_id and s.source_id = d.source_id and s.silent_since is null
        and d.last_at <= ${timestamp(nowMs)} - d.threshold
      returning s.cluster_id, s.scope_id, s.source_id, s.source_name, d.last_at, s.silent_told as is_told`.execute(
      trx,
    );
    const told = silent.rows.filter((row) => row.is_told);
    await sql`select set_config('tyrian.sweep', 'domain_event', true)`.execute(trx);
    await writeEvents(trx, [
      ...back.rows.filter((row) => row.is_told).map((row) => eventOf(row, 'source.back', nowMs)),
      ...told.map((row) => eventOf(row, 'source.silent', nowMs)),
    ]);
    return told.length;
  });
}

/** Looks for silent sources each minute: whoever notes a silence first tells of it. */
export function silentSources({
  postgres,
  clock,
}: {
  readonly postgres: Postgres;
  readonly clock: Clock;
}): Job<object> {
  return scheduledJob('silent-sources', '* * * * *', () => noteSilentSources(postgres, clock.now()));
}

/** Names of sources of a scope from which nothing comes any more: silent, or revoked. */
export const namesOfSilentSources =
  (postgres: Postgres) =>
  ({ clusterId, scopeId }: ScopeRef): Promise<ReadonlySet<string>> =>
    postgres.inTenant(clusterId, async (trx) => {
      const { rows } = await sql<{ name: string }>`
        select source_name as name from ingest_source where cluster_id = ${clusterId} and scope_id = ${scopeId}
        group by source_name having bool_and(silent_since is not null or revoked_at is not null)`.execute(
        trx,
      );
      return new Set(rows.map(({ name }) => name));
    });
