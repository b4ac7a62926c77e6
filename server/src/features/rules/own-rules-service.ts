import {
  type checkOwnRule,
  OWN_PACK,
  PACK_RULE_PREFIX,
  type RuleCheck,
  type readRuleVersion,
  type saveOwnRule,
  say,
} from '@tyrian/contract';
import type { z } from 'zod';
import { AppError, notFound } from '../../platform/app-error.ts';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { Clock } from '../../platform/clock.ts';
import { newId } from '../../platform/new-id.ts';
import type { Postgres, TenantTransaction } from '../../platform/postgres/postgres.ts';
import type { RuleControl } from '../detections/rule-control.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import type { ImportedSamples } from '../samples/imported-samples.ts';
import { type JudgedOwnRule, judgeOwnRule, judgeWithout } from './judge-own-rule.ts';
import {
  findOwnRule,
  findVersion,
  holdOwnPack,
  insertOwnRule,
  isOnAnywhere,
  type OwnRuleRow,
  writeLock,
} from './own-rule-store.ts';
import { dropRules, writeRules } from './pack-rule-store.ts';
import { lackedBy } from './rule-about.ts';
import { findRule } from './rule-list-store.ts';
import type { CallerInScope } from './rules-service.ts';
import type { ReachOf, TenantReach } from './tenant-reach.ts';

// The tenant's own rules as engineers write them: checked while they are written, saved as versions, locked, deleted. What
// is saved compiles, and so does every other own rule beside it. Saves of one tenant go one after the other.

export interface OwnRulesDeps {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly rules: RuleControl;
  readonly audit: AuditService;
  readonly reachOf: ReachOf;
  /** Keeps and runs the samples that stand in the texts. */
  readonly samples: ImportedSamples;
}

type Parsed<E extends { readonly input: z.ZodType }> = z.output<E['input']>;
type Saved = { rule_id: string; version: number };
type Locked = { locked: boolean; locked_by: string | null };

export interface OwnRulesService {
  /** Throws `not-found` for a rule that is not the tenant's own. */
  check(scope: CallerInScope, input: Parsed<typeof checkOwnRule>): Promise<RuleCheck>;
  /** Throws `not-found`, `bad-input` for what does not compile, `conflict` when locked, saved meanwhile or too many. */
  save(scope: CallerInScope, input: Parsed<typeof saveOwnRule>): Promise<Saved>;
  lock(scope: CallerInScope, input: { rule_id: string; lock: boolean }): Promise<Locked>;
  /** Throws `not-found`, `conflict` when locked, on, or named by others. */
  remove(scope: CallerInScope, ruleId: string): Promise<{ rule_id: string }>;
  version(
    scope: CallerInScope,
    input: Parsed<typeof readRuleVersion>,
  ): Promise<{ version: number; text: string }>;
}

/** So long a save waits for its samples. */
const SAMPLES_MS = 30_000;
const MOST_OWN_RULES = 2_000;
const VERSIONS_KEPT = 100;

export function createOwnRulesService(deps: OwnRulesDeps): OwnRulesService {
  return bindDeps(deps, { check, save, lock, remove, version });
}

async function check(
  { postgres, reachOf }: OwnRulesDeps,
  { clusterId }: CallerInScope,
  { text, rule_id }: Parsed<typeof checkOwnRule>,
): Promise<RuleCheck> {
  const reach = await reachOf(clusterId);
  const judged = await postgres.inTenant(clusterId, async (trx) => {
    if (rule_id !== undefined && !(await findOwnRule(trx, clusterId, rule_id))) throw notFound();
    return judgeOwnRule(trx, clusterId, rule_id ?? newRuleId(), text, reach);
  });
  return checkOf(judged, reach);
}

const newRuleId = (): string => `${PACK_RULE_PREFIX}${newId()}`;

function checkOf({ rule, refusal, breaks, sameId }: JudgedOwnRule, reach: TenantReach): RuleCheck {
  const about = rule?.about;
  const lacked = lackedBy(rule?.streams ?? null, about?.fields ?? [], reach);
  const missing = new Set(lacked.fields);
  const reason = refusal?.reason ?? about?.reason ?? '';
  return {
    kind: rule?.kind ?? 'unreadable',
    title: rule?.title ?? '',
    verdict: refusal?.verdict ?? rule?.verdict ?? 'invalid',
    reason_code: refusal?.code ?? rule?.reasonCode ?? null,
    reason,
    span: refusal ? { start: refusal.span.start, end: refusal.span.end } : (about?.span ?? null),
    mapping: about?.mapping ?? null,
    streams: rule?.streams ? [...rule.streams] : null,
    missing_streams: rule && reason === '' ? [...lacked.streams] : [],
    fields: (about?.fields ?? []).map(({ sources, ...field }) => ({
      ...field,
      sources: [...sources],
      is_missing: missing.has(field.field),
    })),
    kql: rule?.kql ?? null,
    can_run: rule?.canRun ?? false,
    breaks: [...breaks],
    same_id: sameId,
  };
}

async function save(
  deps: OwnRulesDeps,
  scope: CallerInScope,
  input: Parsed<typeof saveOwnRule>,
): Promise<Saved> {
  const { postgres, clock, reachOf, audit } = deps;
  const { clusterId, scopeId, caller } = scope;
  const ruleId = input.rule_id ?? newRuleId();
  const reach = await reachOf(clusterId);
  const { saved, changed } = await postgres.inTenant(clusterId, async (trx) => {
    const nowMs = clock.now();
    const count = await holdOwnPack(trx, clusterId, nowMs);
    if (input.rule_id !== undefined) await assertBasedOn(trx, scope, ruleId, input.version);
    else if (count >= MOST_OWN_RULES)
      throw new AppError('conflict', say('packs.ownTooMany', { most: MOST_OWN_RULES }));
    const judged = await judgeOwnRule(trx, clusterId, ruleId, input.text, reach);
    const isNew = input.rule_id === undefined;
    assertCompiles(judged, !isNew && (await isOnAnywhere(trx, clusterId, ruleId)));
    const writer = { clusterId, packId: OWN_PACK, nowMs, author: caller.name, comment: input.comment };
    await writeRules(trx, { ...writer, versionsKept: VERSIONS_KEPT }, judged.changed);
    // What was set aside may work now.
    const ids = judged.changed.map((one) => one.ruleId);
    await deps.rules.releaseChanged(trx, clusterId, ids);
    if (isNew) {
      const original = input.cloned_from;
      if (original !== undefined && !(await findRule(trx, clusterId, scopeId, original))) throw notFound();
      await insertOwnRule(trx, clusterId, ruleId, original ?? null);
    }
    const saved = await ownRule(trx, clusterId, ruleId);
    const details = { title: saved.title, version: saved.version, comment: input.comment };
    await audit.record(
      { action: 'rule.own.save', who: caller, clusterId, scopeId, entity: ruleId, details },
      trx,
    );
    return { saved: { rule_id: ruleId, version: saved.version }, changed: judged.changed };
  });
  // The rule is saved, whatever becomes of this: samples that did not run are shown as such and can be run from its page.
  await deps
    .samples({ clusterId, scopeId }, caller.name, changed, AbortSignal.timeout(SAMPLES_MS))
    .catch(() => undefined);
  return saved;
}

async function ownRule(trx: TenantTransaction, clusterId: string, ruleId: string): Promise<OwnRuleRow> {
  const found = await findOwnRule(trx, clusterId, ruleId);
  if (!found) throw notFound();
  return found;
}

/** Throws unless the rule is there, nobody else has locked it, and its newest version is the one that is changed. */
async function assertBasedOn(
  trx: TenantTransaction,
  { clusterId, caller }: CallerInScope,
  ruleId: string,
  expected: number,
): Promise<void> {
  const found = await ownRule(trx, clusterId, ruleId);
  assertFree(found, caller.userId);
  const { version } = found;
  if (version !== expected)
    throw new AppError('conflict', say('packs.ownSavedMeanwhile', { version, expected }), { version });
}

function assertFree({ locked_by, locked_by_id }: OwnRuleRow, userId: string): void {
  if (locked_by_id !== null && locked_by_id !== userId)
    throw new AppError('conflict', say('packs.ownLocked', { name: locked_by ?? '' }));
}

/** Throws for a text that does not compile, alone or beside the others; one that is on keeps a query. */
function assertCompiles({ rule, refusal, breaks, sameId }: JudgedOwnRule, isOn: boolean): void {
  const reason = refusal?.reason ?? (isOn && rule?.kql === null ? rule.about.reason : null);
  if (reason !== null)
    throw new AppError('bad-input', say('packs.ownInvalid', { reason }), { span: refusal?.span ?? null });
  if (sameId !== null) throw new AppError('conflict', say('packs.ownIdTaken', { title: sameId }));
  assertNoneBreaks(breaks);
}

function assertNoneBreaks(breaks: readonly string[]): void {
  if (breaks.length > 0)
    throw new AppError('conflict', say('packs.ownBreaks', { titles: breaks.slice(0, 5).join(', ') }));
}

function lock(
  { postgres, clock, audit }: OwnRulesDeps,
  { clusterId, scopeId, caller }: CallerInScope,
  { rule_id: ruleId, lock: isLocked }: { rule_id: string; lock: boolean },
): Promise<Locked> {
  return postgres.inTenant(clusterId, async (trx) => {
    const nowMs = clock.now();
    await holdOwnPack(trx, clusterId, nowMs);
    const found = await ownRule(trx, clusterId, ruleId);
    // An engineer may take away the lock of somebody who is away, but not lock on top of it.
    if (isLocked) assertFree(found, caller.userId);
    await writeLock(
      trx,
      clusterId,
      ruleId,
      isLocked ? { userId: caller.userId, name: caller.name, nowMs } : null,
    );
    const action = isLocked ? 'rule.own.lock' : 'rule.own.unlock';
    const details = { title: found.title };
    await audit.record({ action, who: caller, clusterId, scopeId, entity: ruleId, details }, trx);
    return { locked: isLocked, locked_by: isLocked ? caller.name : null };
  });
}

async function remove(
  { postgres, clock, rules, audit, reachOf }: OwnRulesDeps,
  { clusterId, scopeId, caller }: CallerInScope,
  ruleId: string,
): Promise<{ rule_id: string }> {
  const reach = await reachOf(clusterId);
  return postgres.inTenant(clusterId, async (trx) => {
    const nowMs = clock.now();
    await holdOwnPack(trx, clusterId, nowMs);
    const found = await ownRule(trx, clusterId, ruleId);
    assertFree(found, caller.userId);
    if (await isOnAnywhere(trx, clusterId, ruleId)) throw new AppError('conflict', say('packs.ownIsOn'));
    const { changed, breaks } = await judgeWithout(trx, clusterId, ruleId, reach);
    assertNoneBreaks(breaks);
    await writeRules(trx, { clusterId, packId: OWN_PACK, nowMs, author: caller.name }, changed);
    const dropped = await dropRules(trx, clusterId, [ruleId], nowMs);
    for (const id of dropped) await rules.remove(trx, clusterId, id);
    const details = { title: found.title };
    await audit.record(
      { action: 'rule.own.remove', who: caller, clusterId, scopeId, entity: ruleId, details },
      trx,
    );
    return { rule_id: ruleId };
  });
}

async function version(
  { postgres }: OwnRulesDeps,
  { clusterId }: CallerInScope,
  { rule_id, version: number }: Parsed<typeof readRuleVersion>,
) {
  const text = await postgres.inTenant(clusterId, (trx) => findVersion(trx, clusterId, rule_id, number));
  if (text === undefined) throw notFound();
  return { version: number, text };
}
