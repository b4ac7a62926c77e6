import type { AttackMatrix, AttackState, attackHistory, OutputOf } from '@tyrian/contract';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import { ageOutRows } from '../../platform/jobs/age-out-rows.ts';
import type { AnyJob } from '../../platform/jobs/job.ts';
import type { Postgres, TenantTransaction } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import type { ScopeRef } from '../../platform/scope-ref.ts';
import { tenantSweep } from '../identity/tenants/tenant-sweep.ts';
import type { AttackService } from './attack-service.ts';

// The coverage of earlier days: once a day the states of each scope are kept when they differ from those kept last.

const DAY_MS = 86_400_000;
const KEPT_DAYS = 730;
const AT_ONCE = 1_000;
const MOST_ROUNDS = 100;

export type TechniqueStates = Readonly<Record<string, AttackState>>;

/** The state of every technique and sub-technique that has a rule. */
export const statesOf = (matrix: AttackMatrix): TechniqueStates =>
  Object.fromEntries(
    matrix.tactics
      .flatMap(({ techniques }) => techniques)
      .flatMap(({ sub, ...cell }) => [cell, ...sub])
      .filter(({ state }) => state !== 'none')
      .map(({ id, state }) => [id, state] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

export async function selectDays(
  trx: TenantTransaction,
  { clusterId, scopeId }: ScopeRef,
): Promise<OutputOf<typeof attackHistory>> {
  const { rows } = await sql<OutputOf<typeof attackHistory>[number]>`
    select to_char(day, 'YYYY-MM-DD') as day, covered, active, total from attack_day
    where cluster_id = ${clusterId} and scope_id = ${scopeId} order by attack_day.day desc limit ${KEPT_DAYS}`.execute(
    trx,
  );
  return rows;
}

/** The states as they were at the end of a day: kept then, or on the last day before on which they changed. */
export async function findDay(
  trx: TenantTransaction,
  { clusterId, scopeId }: ScopeRef,
  day: string,
): Promise<{ readonly day: string; readonly states: TechniqueStates } | undefined> {
  const { rows } = await sql<{ day: string; states: TechniqueStates }>`
    select to_char(day, 'YYYY-MM-DD') as day, states from attack_day
    where cluster_id = ${clusterId} and scope_id = ${scopeId} and attack_day.day <= ${day}::date
    order by attack_day.day desc limit 1`.execute(trx);
  return rows[0];
}

/** Keeps the states of a day unless they are those kept last; answers whether it did. */
async function keepDay(
  postgres: Postgres,
  { clusterId, scopeId }: ScopeRef,
  nowMs: number,
  matrix: AttackMatrix,
): Promise<boolean> {
  const { covered, active, total } = matrix.coverage;
  return postgres.inTenant(clusterId, async (trx) => {
    const { rows } = await sql`
      insert into attack_day as old (cluster_id, scope_id, day, states, covered, active, total)
      select ${clusterId}, ${scopeId}, (${timestamp(nowMs)} at time zone 'UTC')::date, given.states,
        ${covered}::integer, ${active}::integer, ${total}::integer
      from (select ${JSON.stringify(statesOf(matrix))}::jsonb as states) as given
      where given.states is distinct from (
        select states from attack_day where cluster_id = ${clusterId} and scope_id = ${scopeId}
        order by day desc limit 1)
      on conflict (cluster_id, scope_id, day) do update set states = excluded.states, covered = excluded.covered,
        active = excluded.active, total = excluded.total
      returning 1 as kept`.execute(trx);
    return rows.length > 0;
  });
}

interface DayDeps {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly service: Pick<AttackService, 'matrix'>;
  readonly tenants: () => Promise<
    readonly { readonly clusterId: string; readonly scopeIds: readonly string[] }[]
  >;
  /** Those in which a rule is on or was: the coverage of the others does not change. */
  readonly tenantsWithRules: () => Promise<readonly { readonly clusterId: string }[]>;
}

/** Keeps the day of each scope, a job for each tenant, and removes days that are older than two years. */
export function attackDays(deps: DayDeps): readonly AnyJob[] {
  const { postgres, clock, service } = deps;
  return [
    ...tenantSweep({
      postgres,
      kind: 'attack-snapshots',
      schedule: '40 23 * * *',
      tenantsWithWork: deps.tenantsWithRules,
      sweep: async (clusterId) => {
        const tenant = (await deps.tenants()).find((one) => one.clusterId === clusterId);
        let kept = 0;
        for (const scopeId of tenant?.scopeIds ?? []) {
          const scope = { clusterId, scopeId };
          const matrix = await service.matrix(scope, { days: 1, addfilters: [] });
          if (await keepDay(postgres, scope, clock.now(), matrix)) kept += 1;
        }
        return kept;
      },
    }),
    ageOutRows({
      postgres,
      clock,
      kind: 'attack-upkeep',
      schedule: '55 3 * * *',
      atOnce: AT_ONCE,
      mostRounds: MOST_ROUNDS,
      statements: (nowMs, atOnce) => [
        sql`delete from attack_day where ctid in (
          select ctid from attack_day
          where day < (${timestamp(nowMs - KEPT_DAYS * DAY_MS)} at time zone 'UTC')::date
          limit ${atOnce})`,
      ],
    }),
  ];
}
