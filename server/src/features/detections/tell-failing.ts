import { writeEvents } from '../../platform/events/write-events.ts';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import type { RuleKey } from './rule-store.ts';
import type { RuleState } from './scheduler-machine.ts';

/** A window that fails once or twice is tried again and nobody's concern; from the third time on a rule is failing. */
const FAILURES_TOLD = 3;

/** Tells, once, that a rule is failing; after a window that succeeded it may be told again. */
export async function tellFailing(
  trx: TenantTransaction,
  { clusterId, scopeId, workbookId }: RuleKey,
  name: string,
  state: RuleState,
  atMs: number,
): Promise<void> {
  if (state.failuresInARow !== FAILURES_TOLD) return;
  const details = { name };
  await writeEvents(trx, [
    { clusterId, scopeId, kind: 'rule.failing', objectId: workbookId, actor: null, details, atMs },
  ]);
}
