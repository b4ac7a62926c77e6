import type { ContentUpdate, ContentUpdateDetail } from '@tyrian/contract';
import { notFound } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Postgres, TenantTransaction } from '../../platform/postgres/postgres.ts';
import type { RuleControl } from '../detections/rule-control.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import type { ImportedSamples } from '../samples/imported-samples.ts';
import { dropRules, hashed, writeRules } from './pack-rule-store.ts';
import { judgedFor } from './rule-about.ts';
import type { CallerInScope } from './rules-service.ts';
import type { ReachOf } from './tenant-reach.ts';
import {
  countUpdates,
  declineUpdates,
  dropUpdates,
  findUpdate,
  lockUpdates,
  pageUpdates,
  type UpdateRow,
} from './update-rows.ts';

// Updates of rules that an import for review has offered. What a scope has changed about a rule stands apart from the rule,
// so taking an update cannot touch it.

export interface RuleUpdatesDeps {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly rules: RuleControl;
  readonly audit: AuditService;
  readonly reachOf: ReachOf;
  readonly samples: ImportedSamples;
}

/** So long taking updates waits for their samples. */
const SAMPLES_MS = 30_000;

interface Page {
  readonly state: ContentUpdate['state'];
  readonly offset: number;
  readonly limit: number;
}

/** Updates of rules. */
export interface RuleUpdates {
  page(
    scope: CallerInScope,
    page: Page,
  ): Promise<{ readonly updates: readonly ContentUpdate[]; readonly total: number }>;
  /** Throws AppError `not-found`. */
  read(scope: CallerInScope, ruleId: string): Promise<ContentUpdateDetail>;
  /** Takes or declines all of these in one transaction. Throws AppError `not-found`. */
  decide(scope: CallerInScope, ruleIds: readonly string[], take: boolean): Promise<void>;
}

export function createRuleUpdates(deps: RuleUpdatesDeps): RuleUpdates {
  return {
    page: (scope, page) => pageOf(deps, scope, page),
    read: (scope, ruleId) => read(deps, scope, ruleId),
    decide: (scope, ruleIds, take) => decide(deps, scope, ruleIds, take),
  };
}

function pageOf({ postgres }: RuleUpdatesDeps, { clusterId, scopeId }: CallerInScope, page: Page) {
  return postgres.inTenant(clusterId, async (trx) => ({
    updates: page.limit === 0 ? [] : await pageUpdates(trx, clusterId, scopeId, page),
    total: await countUpdates(trx, clusterId, page.state),
  }));
}

async function read(
  { postgres }: RuleUpdatesDeps,
  { clusterId, scopeId }: CallerInScope,
  ruleId: string,
): Promise<ContentUpdateDetail> {
  const found = await postgres.inTenant(clusterId, (trx) => findUpdate(trx, clusterId, scopeId, ruleId));
  if (!found) throw notFound();
  const { update, content, text, kql } = found;
  return {
    ...update,
    text: { before: text, after: content?.text ?? null },
    query: { before: kql, after: content?.kql ?? null },
    own: null,
  };
}

async function decide(
  deps: RuleUpdatesDeps,
  { caller, clusterId, scopeId }: CallerInScope,
  ruleIds: readonly string[],
  take: boolean,
): Promise<void> {
  const { postgres, clock, audit, reachOf } = deps;
  const reach = take ? await reachOf(clusterId) : null;
  const taken = await postgres.inTenant(clusterId, async (trx) => {
    const updates = await lockUpdates(trx, clusterId, ruleIds);
    if (updates.length < new Set(ruleIds).size) throw notFound();
    if (reach === null) await declineUpdates(trx, clusterId, ruleIds, clock.now());
    else await takeAll(deps, trx, { clusterId, author: caller.name }, updates, reach);
    const details = { kind: 'rule', updates: updates.length, IDs: ruleIds.slice(0, 50) };
    const action = take ? 'content.update.take' : 'content.update.decline';
    await audit.record({ action, who: caller, clusterId, scopeId, entity: 'rules of packs', details }, trx);
    return take ? updates : [];
  });
  const rules = taken.flatMap(({ content }) =>
    content === null ? [] : [{ ...content, keepsOlder: content.samples.length === 0 }],
  );
  // The rules are there, whatever becomes of this: samples that did not run are shown as such and can be run from their page.
  await deps
    .samples({ clusterId, scopeId }, caller.name, rules, AbortSignal.timeout(SAMPLES_MS))
    .catch(() => undefined);
}

async function takeAll(
  { clock, rules }: RuleUpdatesDeps,
  trx: TenantTransaction,
  { clusterId, author }: { readonly clusterId: string; readonly author: string },
  updates: readonly UpdateRow[],
  reach: Awaited<ReturnType<ReachOf>>,
): Promise<void> {
  const nowMs = clock.now();
  for (const packId of new Set(updates.map((update) => update.packId))) {
    const ofPack = updates.filter((update) => update.packId === packId);
    const judged = ofPack.flatMap(({ content, fingerprint }) =>
      content === null ? [] : [{ ...hashed({ ...content, ...judgedFor(content, reach) }), fingerprint }],
    );
    await writeRules(trx, { clusterId, packId, nowMs, author }, judged);
    const gone = ofPack.filter(({ content }) => content === null).map(({ ruleId }) => ruleId);
    for (const ruleId of await dropRules(trx, clusterId, gone, nowMs))
      await rules.remove(trx, clusterId, ruleId);
    // What was set aside may work now.
    await rules.releaseChanged(
      trx,
      clusterId,
      judged.map(({ ruleId }) => ruleId),
    );
    await dropUpdates(trx, clusterId, packId, { only: ofPack.map(({ ruleId }) => ruleId) });
  }
}
