import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import { writeEvents } from '../../platform/events/write-events.ts';
import { type AnyJob, inRounds, scheduledJob } from '../../platform/jobs/job.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import { createAccountStore } from './account-store.ts';
import { silentSources } from './silent-sources.ts';

// What is usual for a source, learned from its own accounts, for all tenants in one statement each: how long it pauses,
// and how much it sends in an hour of the day.

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Pauses of so many days are looked at; one counts once it happened on three of them, so that an outage teaches nothing. */
const LEARN_DAYS = 35;
const LEAST_DAYS = 3;
const FACTOR = 1.5;
const LEAST_SILENCE_S = 600;
const MOST_SILENCE_S = 14 * 86_400;
/** The same hour of so many days before; fewer than this many known: nothing is usual yet. */
const VOLUME_DAYS = 14;
const LEAST_VOLUME_DAYS = 5;
/** An hour is a jump or a drop when it is so many times what is usual, or less than that part of it, … */
const VOLUME_FACTOR = 4;
/** … and differs by so many records. */
const LEAST_DIFFERENCE = 1_000;
const AT_ONCE = 10_000;
const MOST_ROUNDS = 100;

/** Learns after how long each source is silent: half more than its third longest daily pause. Answers how many changed. */
export function learnSilence(postgres: Postgres, nowMs: number): Promise<number> {
  return postgres.platform.transaction().execute(async (trx) => {
    await sql`select set_config('tyrian.sweep', 'ingest_account', true)`.execute(trx);
    const { numAffectedRows } = await sql`
      update ingest_source s set silence_learned_s = l.learned from (
        select cluster_id, source_id, case when count(*) >= ${LEAST_DAYS} then
          least(${MOST_SILENCE_S}, greatest(${LEAST_SILENCE_S}, ceil(${FACTOR}::numeric
            * (array_agg(longest_pause_s order by longest_pause_s desc))[${LEAST_DAYS}])))::integer end as learned
        from ingest_account where span = 'day' and from_at >= ${timestamp(nowMs - LEARN_DAYS * DAY_MS)}
        group by 1, 2) l
      where s.cluster_id = l.cluster_id and s.source_id = l.source_id
        and s.silence_learned_s is distinct from l.learned`.execute(trx);
    return Number(numAffectedRows ?? 0n);
  });
}

interface VolumeRow {
  cluster_id: string;
  scope_id: string;
  source_id: string;
  source_name: string;
  volume_state: 'usual' | 'high' | 'low';
  accepted: number;
  usual: number;
}

/** Compares the last full hour of each source with the same hour of the days before; answers how many changes were told. */
export function noteVolumes(postgres: Postgres, nowMs: number): Promise<number> {
  const hourMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS - HOUR_MS;
  const days = Array.from({ length: VOLUME_DAYS }, (_, back) => hourMs - (back + 1) * DAY_MS);
  return postgres.platform.transaction().execute(async (trx) => {
    await sql`select set_config('tyrian.sweep', 'ingest_account', true)`.execute(trx);
    const { rows } = await sql<VolumeRow>`
      with usual as (
        select cluster_id, source_id, percentile_cont(0.5) within group (order by accepted) as records
        from ingest_account where span = 'hour' and from_at in (${sql.join(days.map((day) => timestamp(day)))})
        group by 1, 2 having count(*) >= ${LEAST_VOLUME_DAYS}
      ), seen as (
        select u.cluster_id, u.source_id, u.records as usual, coalesce(h.accepted, 0) as accepted,
          case when abs(coalesce(h.accepted, 0) - u.records) < ${LEAST_DIFFERENCE} then 'usual'
            when coalesce(h.accepted, 0) > ${VOLUME_FACTOR}::numeric * u.records then 'high'
            when coalesce(h.accepted, 0) < u.records / ${VOLUME_FACTOR}::numeric then 'low' else 'usual' end as state
        from usual u left join ingest_account h on h.cluster_id = u.cluster_id and h.source_id = u.source_id
          and h.span = 'hour' and h.from_at = ${timestamp(hourMs)}
      )
      update ingest_source s set volume_state = v.state from seen v
      where s.cluster_id = v.cluster_id and s.source_id = v.source_id and s.volume_state <> v.state
        and s.revoked_at is null
      returning s.cluster_id, s.scope_id, s.source_id, s.source_name, s.volume_state, v.accepted,
        round(v.usual)::bigint as usual`.execute(trx);
    const told = rows.filter((row) => row.volume_state !== 'usual');
    await sql`select set_config('tyrian.sweep', 'domain_event', true)`.execute(trx);
    await writeEvents(
      trx,
      told.map((row) => ({
        clusterId: row.cluster_id,
        scopeId: row.scope_id,
        kind: 'source.volume',
        objectId: row.source_id,
        actor: null,
        details: { name: row.source_name, state: row.volume_state, events: row.accepted, usual: row.usual },
        atMs: nowMs,
      })),
    );
    return told.length;
  });
}

/** What the clock does for sources once an hour: learn their pauses, look at their volume, remove old accounts. */
export function sourceJobs({
  postgres,
  clock,
}: {
  readonly postgres: Postgres;
  readonly clock: Clock;
}): readonly AnyJob[] {
  const accounts = createAccountStore(postgres);
  return [
    silentSources({ postgres, clock }),
    scheduledJob(
      'source-habits',
      '4 * * * *',
      async () => (await learnSilence(postgres, clock.now())) + (await noteVolumes(postgres, clock.now())),
    ),
    scheduledJob('account-upkeep', '34 * * * *', (_nothing, { signal }) =>
      inRounds(AT_ONCE, MOST_ROUNDS, () => accounts.prune(clock.now(), AT_ONCE), signal),
    ),
  ];
}
