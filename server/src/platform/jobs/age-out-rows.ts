import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Clock } from '../clock.ts';
import type { PlatformTables } from '../postgres/platform-tables.ts';
import type { Postgres } from '../postgres/postgres.ts';
import { type AnyJob, inRounds, scheduledJob } from './job.ts';

interface AgeOutOptions {
  readonly postgres: Postgres;
  readonly clock: Clock;
  /** The job's name; with `_` for `-` also that of the sweep by which row-level security lets it through. */
  readonly kind: string;
  /** When it runs, as a cron expression in UTC. */
  readonly schedule: string;
  /** Rows of a statement. */
  readonly atOnce: number;
  readonly mostRounds: number;
  /** Statements that delete at most `atOnce` old rows each. */
  readonly statements: (nowMs: number, atOnce: number) => readonly RawBuilder<unknown>[];
}

/** A job that removes old rows of all tenants by age, in rounds of one transaction each. */
export function ageOutRows(options: AgeOutOptions): AnyJob {
  const { postgres, clock, kind, schedule, atOnce, mostRounds, statements } = options;
  const round = () =>
    postgres.platform.transaction().execute(async (trx: Transaction<PlatformTables>) => {
      await sql`select set_config('tyrian.sweep', ${kind.replaceAll('-', '_')}, true)`.execute(trx);
      let removed = 0;
      for (const statement of statements(clock.now(), atOnce)) {
        const { numAffectedRows } = await statement.execute(trx);
        removed += Number(numAffectedRows ?? 0n);
      }
      return removed;
    });
  return scheduledJob(kind, schedule, (_nothing, { signal }) => inRounds(atOnce, mostRounds, round, signal));
}
