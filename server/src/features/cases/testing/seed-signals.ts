import type { Party } from '@tyrian/contract';
import { sql } from 'kysely';
import type { Postgres } from '../../../platform/postgres/postgres.ts';
import { timestamp } from '../../../platform/postgres/timestamp.ts';
import type { ScopeRef } from '../../../platform/scope-ref.ts';

export interface SeedSignal {
  readonly id: string;
  readonly name?: string;
  readonly score?: number;
  readonly tactic?: string;
  readonly technique?: string;
  readonly suspects?: readonly Party[];
  readonly targets?: readonly Party[];
  readonly firstMs: number;
  readonly lastMs?: number;
}

/** Puts pending signals into a scope, as a detection would have raised them. */
export async function seedSignals(
  postgres: Postgres,
  scope: ScopeRef,
  signals: readonly SeedSignal[],
): Promise<void> {
  await postgres.inTenant(scope.clusterId, async (trx) => {
    for (const signal of signals) {
      const { id, firstMs, lastMs = firstMs, score = 5, name = 'Credential dump' } = signal;
      await sql`insert into signal (cluster_id, signal_id, scope_id, workbook_id, workbook_name, version,
          finding_key, name, stream, stage, tactic, technique, sub_technique, score, confidence, suspects, targets,
          first_at, last_at, created_at, occurrences)
        values (${scope.clusterId}, ${id}, ${scope.scopeId}, 'wb1', 'Workbook', 1, ${id}, ${name}, 'ProcessEvent',
          'prod', ${signal.tactic ?? 'Credential Access'}, ${signal.technique ?? 'T1003'}, '', ${score}, 'High',
          ${JSON.stringify(signal.suspects ?? [])}, ${JSON.stringify(signal.targets ?? [])},
          ${timestamp(firstMs)}, ${timestamp(lastMs)}, ${timestamp(lastMs)}, 1)`.execute(trx);
    }
  });
}
