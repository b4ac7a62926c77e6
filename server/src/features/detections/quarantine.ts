import { QUARANTINE_LIMITS, type ServerMessage, say, storedText } from '@tyrian/contract';
import type { Clock } from '../../platform/clock.ts';
import { writeEvents } from '../../platform/events/write-events.ts';
import type { Postgres, TenantTransaction } from '../../platform/postgres/postgres.ts';
import { holdGroups } from './group-store.ts';
import { writeTogether } from './ledger-store.ts';
import type { RuleFailure } from './rule-failure.ts';
import {
  lockRule,
  type RuleChange,
  type RuleKey,
  rulesInScope,
  type StoredRule,
  saveRule,
} from './rule-store.ts';
import { boundariesNamed } from './schedule-boundaries.ts';

// A rule that keeps failing by itself, or that costs more than a rule may, is set aside: it is not run, and says why. What it
// was covered up to stays, so that once it is released it goes on from there and nothing is left out. The limits stand in
// docs/rule-health.md.

type Strike = Pick<RuleChange, 'strikes' | 'quarantine'>;

/** What an evaluation changes about the strikes of a rule; null: it worked. */
export function strikeOf(
  stored: Pick<StoredRule, 'strikes'>,
  failure: RuleFailure | null,
  nowMs: number,
): Strike {
  if (failure === null) return stored.strikes === 0 ? {} : { strikes: 0 };
  if (!failure.isOwn) return {};
  const strikes = stored.strikes + 1;
  if (strikes < QUARANTINE_LIMITS.failures) return { strikes };
  const why = say('rules.setAsideFailing', { count: strikes, reason: failure.error });
  return { strikes, quarantine: { atMs: nowMs, reason: storedText(why) } };
}

/** Tells that a rule was set aside, in the transaction that does so. */
export async function tellQuarantined(
  trx: TenantTransaction,
  { clusterId, scopeId, workbookId }: RuleKey,
  name: string,
  strike: Strike,
): Promise<void> {
  const { quarantine } = strike;
  if (!quarantine || !('atMs' in quarantine)) return;
  const { atMs } = quarantine;
  const details = { name };
  await writeEvents(trx, [
    { clusterId, scopeId, kind: 'rule.quarantined', objectId: workbookId, actor: null, details, atMs },
  ]);
}

/** What a rule took of the engine in an hour. */
export interface HourCost extends RuleKey {
  readonly name: string;
  readonly hourMs: number;
  readonly cpuMs: number;
}

export const isTooExpensive = ({ cpuMs }: Pick<HourCost, 'cpuMs'>): boolean =>
  cpuMs > QUARANTINE_LIMITS.cpuMinutesPerHour * 60_000;

const tooExpensive = ({ cpuMs }: HourCost): ServerMessage =>
  say('rules.setAsideExpensive', {
    minutes: Math.round(cpuMs / 60_000),
    most: QUARANTINE_LIMITS.cpuMinutesPerHour,
  });

/** Sets a rule aside that cost too much in an hour, unless it was released or changed since that hour began. */
export function setAsideExpensive(
  { postgres, clock }: { readonly postgres: Postgres; readonly clock: Clock },
  cost: HourCost,
): Promise<boolean> {
  return postgres.inTenant(cost.clusterId, async (trx) => {
    await holdGroups(trx, cost.clusterId, cost.scopeId);
    const stored = await lockRule(trx, cost);
    if (!stored || stored.state.coveredFrom === null || stored.quarantinedMs !== null) return false;
    if (stored.costCountsFromMs > cost.hourMs) return false;
    const atMs = clock.now();
    await writeTogether(trx, stored, atMs);
    const { state, schedule } = stored;
    const quarantine = { atMs, reason: storedText(tooExpensive(cost)) };
    const dueMs = schedule === null ? stored.dueMs : boundariesNamed(schedule).after(state.coveredUntil);
    await saveRule(trx, cost, { state, dueMs, quarantine });
    await tellQuarantined(trx, cost, cost.name, { quarantine });
    return true;
  });
}

/** Lets a rule run again; false when it is not set aside. It goes on where it stopped. */
export async function releaseRule(trx: TenantTransaction, key: RuleKey, nowMs: number): Promise<boolean> {
  const stored = await lockRule(trx, key);
  if (!stored || stored.quarantinedMs === null) return false;
  const state = { ...stored.state, failuresInARow: 0, retryAt: 0 };
  await saveRule(trx, key, { state, lastError: null, quarantine: { releasedMs: nowMs } });
  return true;
}

/** Lets those of some rules of a tenant run again that are set aside, in whatever scope; for what asks something else now. */
export async function releaseChanged(
  clock: Clock,
  trx: TenantTransaction,
  clusterId: string,
  workbookIds: readonly string[],
): Promise<void> {
  for (const rule of await rulesInScope(trx, clusterId, null, workbookIds))
    if (rule.quarantinedMs !== null) await releaseRule(trx, rule, clock.now());
}
