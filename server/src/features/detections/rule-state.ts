import type { RuleHealth, Schedule } from '@tyrian/contract';
import type { StoredRule } from './rule-store.ts';
import { MINUTE_MS } from './schedule-boundaries.ts';

/** A rule whose next window ended this long ago is late. */
const LATE_MS = 5 * MINUTE_MS;

/** How a rule is doing, in one word. */
export function ruleStateOf(
  rule: Pick<StoredRule, 'enabled' | 'state' | 'dueMs' | 'lastRunMs' | 'quarantinedMs'>,
  mode: Schedule['mode'],
  nowMs: number,
): RuleHealth['state'] {
  if (!rule.enabled || mode === 'off' || rule.state.coveredFrom === null) return 'off';
  if (rule.quarantinedMs !== null) return 'quarantined';
  if (rule.state.failuresInARow > 0) return 'failing';
  if (rule.lastRunMs === null && nowMs - rule.dueMs < LATE_MS) return 'waiting';
  return nowMs - rule.dueMs > LATE_MS ? 'late' : 'ok';
}
