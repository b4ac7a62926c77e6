import type { RuleOverlay, Schedule } from '@tyrian/contract';
import { sql } from 'kysely';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import { scheduleIn } from './rule-content-reader.ts';

/** What lists of runs show of a rule. */
export interface RuleOn {
  readonly name: string;
  readonly schedule: Schedule;
  /** Null: any stream. */
  readonly streams: readonly string[] | null;
  /** No event of the tenant has a field that it needs. */
  readonly missesFields: boolean;
}

interface RuleOnRow extends Pick<RuleOverlay, 'schedule' | 'threshold'> {
  readonly rule_id: string;
  readonly title: string;
  readonly streams: string[] | null;
  readonly verdict: string;
  readonly timespan_ms: number | null;
}

/** The rules of packs that are on in a scope, by id. */
export async function rulesOn(
  postgres: Postgres,
  clusterId: string,
  scopeId: string,
): Promise<ReadonlyMap<string, RuleOn>> {
  const { rows } = await postgres.inTenant(clusterId, (trx) =>
    sql<RuleOnRow>`
      select r.rule_id, r.title, r.streams, r.verdict, s.schedule, s.threshold,
        (r.about ->> 'timespanMs')::float8 as timespan_ms
      from scope_rule s join pack_rule r on r.cluster_id = s.cluster_id and r.rule_id = s.rule_id
      where s.cluster_id = ${clusterId} and s.scope_id = ${scopeId} and s.enabled`.execute(trx),
  );
  return new Map(
    rows.map((row) => [
      row.rule_id,
      {
        name: row.title,
        schedule: scheduleIn(row, row.timespan_ms),
        streams: row.streams,
        missesFields: row.verdict === 'missing field',
      },
    ]),
  );
}
