import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import { writeEvents } from '../../platform/events/write-events.ts';
import { type Job, scheduledJob } from '../../platform/jobs/job.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import type { ScopeRef } from '../../platform/scope-ref.ts';

// Sources that stopped sending. Once a minute the counts of ingest are looked at, those of all tenants in one statement:
// a source from which nothing was stored for an hour is told of once, and may be told of again after it has sent.

const SILENT_MS = 3_600_000;
/** What has been silent for longer is noted without a word: whoever starts the product does not hear of last year. */
const OLD_MS = 24 * SILENT_MS;

interface SilentRow {
  cluster_id: string;
  scope_id: string;
  source_id: string;
  source_name: string;
  last_at: number;
}

/** Notes which sources went silent or came back; answers how many silences were told. */
export function noteSilentSources(postgres: Postgres, nowMs: number): Promise<number> {
  return postgres.platform.transaction().execute(async (trx) => {
    await sql`select set_config('tyrian.sweep', 'silent_sources', true)`.execute(trx);
    await sql`update ingest_source s set silent_since = null from ingest_counter c
      where s.silent_since is not null and c.cluster_id = s.cluster_id and c.source_id = s.source_id
        and c.name = 'stored' and c.updated_at > s.silent_since`.execute(trx);
    const { rows } = await sql<SilentRow>`
      update ingest_source s set silent_since = ${timestamp(nowMs)} from ingest_counter c
      where s.silent_since is null and s.revoked_at is null and c.cluster_id = s.cluster_id
        and c.source_id = s.source_id and c.name = 'stored' and c.updated_at <= ${timestamp(nowMs - SILENT_MS)}
      returning s.cluster_id, s.scope_id, s.source_id, s.source_name, c.updated_at as last_at`.execute(trx);
    const told = rows.filter((row) => row.last_at > nowMs - OLD_MS);
    await sql`select set_config('tyrian.sweep', 'domain_event', true)`.execute(trx);
    await writeEvents(
      trx,
      told.map((row) => ({
        clusterId: row.cluster_id,
        scopeId: row.scope_id,
        kind: 'source.silent',
        objectId: row.source_id,
        actor: null,
        details: { name: row.source_name, last_event_ms: row.last_at },
        atMs: nowMs,
      })),
    );
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
