import { sql } from 'kysely';
import pg from 'pg';
import type { Platform } from '../../../platform/platform.ts';
import { inQueue } from '../due-queue.ts';

// What a bench of the due queue reads of PostgreSQL.

export interface CountedStatements {
  /** All so far. */
  count(): number;
  /** By their text, so far. */
  byText(): ReadonlyMap<string, number>;
}

/** Counts the statements of this process from now on. */
export function countStatements(): CountedStatements {
  const texts = new Map<string, number>();
  let all = 0;
  const send = pg.Client.prototype.query;
  pg.Client.prototype.query = function counted(this: pg.Client, ...args: unknown[]) {
    const [first] = args;
    const text = typeof first === 'string' ? first : String((first as { text?: string } | null)?.text);
    all += 1;
    texts.set(text, (texts.get(text) ?? 0) + 1);
    return Reflect.apply(send, this, args);
  } as never;
  return { count: () => all, byText: () => new Map(texts) };
}

/** Commits so far, and bytes of log written ahead. */
export async function databaseWork({ postgres }: Platform): Promise<{ commits: number; walBytes: number }> {
  const { rows } = await sql<{ commits: string; wal: string }>`
    select sum(xact_commit)::text as commits, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::text as wal
    from pg_stat_database`.execute(postgres.platform);
  return { commits: Number(rows[0]?.commits), walBytes: Number(rows[0]?.wal) };
}

export interface RuleWait {
  readonly name: string;
  /** How long the next window has waited since its end, seconds. */
  readonly waited: number;
}

/** The running rules of all tenants. */
export async function ruleWaits({ postgres, clock }: Platform): Promise<RuleWait[]> {
  const { rows } = await inQueue(postgres, (trx) =>
    sql<{ name: string; due: number }>`
      select r.workbook_id as name, case when r.keeps_step then g.due_at else r.due_at end as due
      from rule r join rule_group g using (cluster_id, scope_id, schedule)
      where r.covered_from is not null`.execute(trx),
  );
  const nowMs = clock.now();
  return rows.map(({ name, due }) => ({ name, waited: Math.max(0, nowMs - due) / 1000 }));
}
