import type { SignalBody, SignalEntity } from '@tyrian/contract';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';

export interface WorkbookSignal {
  readonly name: string;
  readonly workbook_name: string;
  readonly stage: string;
  readonly score: number;
  readonly confidence: SignalBody['confidence'];
  readonly suspects: readonly SignalEntity[];
  readonly targets: readonly SignalEntity[];
  readonly first_at: Date;
  readonly last_at: Date;
}

/** The newest signals of a workbook in a scope since a time, at most `limit`. */
export async function signalsOfWorkbook(
  trx: TenantTransaction,
  where: { readonly clusterId: string; readonly scopeId: string; readonly workbookId: string },
  sinceMs: number,
  limit: number,
): Promise<readonly WorkbookSignal[]> {
  const { rows } = await sql<WorkbookSignal>`
    select name, workbook_name, stage, score, confidence, suspects, targets, first_at, last_at from signal
    where cluster_id = ${where.clusterId} and workbook_id = ${where.workbookId} and scope_id = ${where.scopeId}
      and last_at >= ${timestamp(sinceMs)}
    order by last_at desc limit ${limit}`.execute(trx);
  return rows;
}
