import { setTimeout as pause } from 'node:timers/promises';
import {
  type countRules as countRulesCall,
  type listRules,
  type OutputOf,
  OWN_PACK,
  type PackRuleDetail,
  type RuleFilter,
  type RuleOverlay,
  type RulePack,
  type Schedule,
  type saveRuleOverlay,
  say,
  sayDiagnostic,
  type switchRules,
} from '@tyrian/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { AppError, notFound } from '../../platform/app-error.ts';
import type { AuditEntry } from '../../platform/audit-recorder.ts';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Postgres, TenantTransaction } from '../../platform/postgres/postgres.ts';
import type { RuleControl } from '../detections/rule-control.ts';
import { boundariesOf, cronProblem } from '../detections/schedule-boundaries.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import { notProven, type SampleGate } from '../samples/sample-gate.ts';
import type { QueryService } from '../search/query-service.ts';
import { findOwnRule, ownOf } from './own-rule-store.ts';
import { bumpRevision } from './pack-rule-store.ts';
import { lackedBy } from './rule-about.ts';
import { scheduleIn } from './rule-content-reader.ts';
import { isCorrelationKql, ruleKqlIn } from './rule-kql.ts';
import { countRules, findRule, listPacks, pageRules, rulesToSwitch } from './rule-list-store.ts';
import { findOverlay, rowsOfDetail, schedulesOf, writeOverlay, writeSwitched } from './scope-rule-store.ts';
import type { ReachOf } from './tenant-reach.ts';

// What people do with rules of packs: list and count them, read one, switch them, and change what a scope may change.

export interface CallerInScope {
  readonly caller: Caller;
  readonly clusterId: string;
  readonly scopeId: string;
}

export interface RulesDeps {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly rules: RuleControl;
  readonly audit: AuditService;
  readonly queries: QueryService;
  readonly reachOf: ReachOf;
  readonly gate: SampleGate;
}

type Parsed<E extends { readonly input: z.ZodType }> = z.output<E['input']>;

export interface RulesService {
  list(scope: CallerInScope, input: Parsed<typeof listRules>): Promise<OutputOf<typeof listRules>>;
  count(scope: CallerInScope, filter: RuleFilter): Promise<OutputOf<typeof countRulesCall>>;
  /** Throws AppError `not-found`. */
  read(scope: CallerInScope, ruleId: string): Promise<PackRuleDetail>;
  switchOn(scope: CallerInScope, input: Parsed<typeof switchRules>): Promise<OutputOf<typeof switchRules>>;
  /** Throws `not-found`, `conflict` for another revision, `bad-input` when the query would not compile. */
  saveOverlay(
    scope: CallerInScope,
    input: Parsed<typeof saveRuleOverlay>,
  ): Promise<OutputOf<typeof saveRuleOverlay>>;
  packs(scope: CallerInScope): Promise<RulePack[]>;
  /** Throws `not-found`, `conflict` while a rule of it is on. */
  removePack(scope: CallerInScope, packId: string): Promise<number>;
}

/** Rules that are switched in one transaction. */
const AT_ONCE = 500;
/** How often and how long a group that is being worked on is waited for. */
const TRIES = 12;
const TRY_AGAIN_MS = 250;
const TACTICS_SHOWN = 200;

export function createRulesService(deps: RulesDeps): RulesService {
  return bindDeps(deps, { list, count, read, switchOn, saveOverlay, packs, removePack });
}

function list(
  { postgres }: RulesDeps,
  { clusterId, scopeId }: CallerInScope,
  input: Parsed<typeof listRules>,
) {
  return postgres.inTenant(clusterId, (trx) => pageRules(trx, clusterId, scopeId, input, input));
}

async function count({ postgres }: RulesDeps, { clusterId, scopeId }: CallerInScope, filter: RuleFilter) {
  const rows = await postgres.inTenant(clusterId, (trx) => countRules(trx, clusterId, scopeId, filter));
  const of = (kind: string) =>
    rows
      .filter((row) => row.kind === kind)
      .slice(0, TACTICS_SHOWN)
      .map((row) => ({ name: row.name, count: row.count }));
  return {
    total: of('total')[0]?.count ?? 0,
    enabled: of('enabled')[0]?.count ?? 0,
    verdicts: of('verdicts'),
    levels: of('levels'),
    log_sources: of('log_sources'),
    tactics: of('tactics'),
    samples: of('samples'),
  };
}

async function read(
  { postgres, reachOf }: RulesDeps,
  { caller, clusterId, scopeId }: CallerInScope,
  ruleId: string,
): Promise<PackRuleDetail> {
  const found = await postgres.inTenant(clusterId, async (trx) => {
    const rule = await findRule(trx, clusterId, scopeId, ruleId);
    if (!rule) throw notFound();
    return {
      rule,
      detail: await rowsOfDetail(trx, clusterId, ruleId),
      own: await findOwnRule(trx, clusterId, ruleId),
      ...(await findOverlay(trx, clusterId, scopeId, ruleId)),
    };
  });
  const { rule, detail, own, overlay, revision } = found;
  const { about, streams, kql, text, versions, path, sigma_id } = detail;
  const reach = await reachOf(clusterId);
  const lacked = lackedBy(streams, about.fields, reach);
  const missing = new Set(lacked.fields);
  const { fields, reason, ...rest } = about;
  return {
    ...rule,
    ...rest,
    ...{ path, sigma_id, streams, text, versions, overlay, revision, reason },
    own: own && ownOf(own, caller.userId),
    references: [...about.references],
    falsepositives: [...about.falsepositives],
    tags: [...about.tags],
    missing_streams: about.reason === '' ? [...lacked.streams] : [],
    fields: fields.map(({ sources, ...field }) => ({
      ...field,
      sources: [...sources],
      is_missing: missing.has(field.field),
    })),
    kql: kql === null ? null : ruleKqlIn(kql, overlay),
  };
}

async function switchOn(deps: RulesDeps, scope: CallerInScope, input: Parsed<typeof switchRules>) {
  const { postgres, audit, gate } = deps;
  const { clusterId, scopeId } = scope;
  const which = input.rule_ids ? { ruleIds: input.rule_ids } : { filter: input.filter ?? {} };
  const found = await postgres.inTenant(clusterId, (trx) => rulesToSwitch(trx, clusterId, scopeId, which));
  if (input.rule_ids && found.length < new Set(input.rule_ids).size) throw notFound();
  const able = found.filter(({ can_run, enabled }) => enabled || can_run);
  const toProd = able.filter((rule) => input.enabled && (input.stage ?? rule.stage) === 'prod');
  const unproven = await postgres.inTenant(clusterId, (trx) =>
    gate.unproven(
      trx,
      clusterId,
      toProd.map(({ rule_id }) => rule_id),
    ),
  );
  if (unproven.size > 0 && unproven.size === able.length) throw notProven();
  const ids = able.map(({ rule_id }) => rule_id).filter((id) => !unproven.has(id));
  for (let from = 0; from < ids.length; from += AT_ONCE)
    await switchSome(deps, scope, ids.slice(from, from + AT_ONCE), input);
  if (ids.length === 0) await audit.record(switchEntry(scope, ids, input));
  const kept = unproven.size > 0 ? { unproven: unproven.size } : {};
  return { switched: ids.length, skipped: found.length - able.length, ...kept };
}

function switchEntry(
  { clusterId, scopeId, caller }: CallerInScope,
  ids: readonly string[],
  { enabled, stage }: Pick<Parsed<typeof switchRules>, 'enabled' | 'stage'>,
): AuditEntry {
  const action = enabled ? 'detection.enable' : 'detection.disable';
  const details = { rules: ids.length, ...(stage ? { stage } : {}) };
  const entity = ids.length === 1 ? (ids[0] ?? '') : `${ids.length} rules`;
  return { action, who: caller, clusterId, scopeId, entity, details };
}

async function switchSome(
  deps: RulesDeps,
  scope: CallerInScope,
  ids: readonly string[],
  { enabled, stage }: Parsed<typeof switchRules>,
): Promise<void> {
  const { postgres, clock, rules, audit } = deps;
  const { clusterId, scopeId, caller } = scope;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await postgres.inTenant(clusterId, async (trx) => {
        if (!enabled) await rules.stopMany(trx, { clusterId, scopeId, workbookIds: ids });
        else await startAll(deps, trx, scope, ids, attempt === TRIES);
        const writer = { clusterId, scopeId, nowMs: clock.now(), author: caller.name };
        await writeSwitched(trx, writer, ids, { enabled, ...(stage ? { stage } : {}) });
        await bumpRevision(trx, clusterId);
        await audit.record(switchEntry(scope, ids, { enabled, stage }), trx);
      });
    } catch (error) {
      if (!(error instanceof GroupAtWork)) throw error;
      await pause(TRY_AGAIN_MS);
    }
  }
}

/** The group of some rules is being worked on, so that it is worth another try. */
class GroupAtWork extends Error {}

async function startAll(
  { rules }: RulesDeps,
  trx: TenantTransaction,
  { clusterId, scopeId }: CallerInScope,
  ids: readonly string[],
  isLastTry: boolean,
): Promise<void> {
  const schedules = await schedulesOf(trx, clusterId, scopeId, ids);
  for (const { schedule, ruleIds } of bySchedule(ids, schedules))
    if (!(await rules.startMany(trx, { clusterId, scopeId, workbookIds: ruleIds, schedule, isLastTry })))
      throw new GroupAtWork();
}

function bySchedule(
  ids: readonly string[],
  own: ReadonlyMap<string, Pick<RuleOverlay, 'schedule' | 'threshold'>>,
): readonly { readonly schedule: Schedule; readonly ruleIds: readonly string[] }[] {
  const groups = new Map<string, { schedule: Schedule; ruleIds: string[] }>();
  for (const id of ids) {
    const schedule = scheduleIn(own.get(id) ?? { schedule: null, threshold: null });
    const key = JSON.stringify(schedule);
    const group = groups.get(key) ?? { schedule, ruleIds: [] };
    group.ruleIds.push(id);
    groups.set(key, group);
  }
  return [...groups.values()];
}

async function saveOverlay(deps: RulesDeps, scope: CallerInScope, input: Parsed<typeof saveRuleOverlay>) {
  const { postgres, clock, audit, rules } = deps;
  const { clusterId, scopeId, caller } = scope;
  const { rule_id: ruleId, overlay } = input;
  await assertRuns(deps, scope, ruleId, overlay);
  return postgres.inTenant(clusterId, async (trx) => {
    const rule = await findRule(trx, clusterId, scopeId, ruleId);
    if (!rule) throw notFound();
    const before = await findOverlay(trx, clusterId, scopeId, ruleId, true);
    if (before.revision !== input.revision)
      throw new AppError('conflict', say('packs.changedMeanwhile'), { revision: before.revision });
    if (overlay.stage === 'prod' && before.overlay.stage !== 'prod')
      await assertProven(deps, trx, clusterId, ruleId);
    const writer = { clusterId, scopeId, nowMs: clock.now(), author: caller.name };
    const revision = await writeOverlay(trx, writer, ruleId, overlay);
    await bumpRevision(trx, clusterId);
    const asked = { schedule: scheduleIn(overlay), isDetection: true };
    // It may ask something else now, or at other times.
    if (rule.enabled) await rules.configure(trx, { clusterId, scopeId, workbookId: ruleId }, asked);
    const { exceptions, threshold, stage, level } = overlay;
    const details = {
      title: rule.title,
      stage,
      level,
      exceptions: exceptions.length,
      threshold: threshold !== null,
    };
    await audit.record(
      { action: 'rule.change', who: caller, clusterId, scopeId, entity: ruleId, details },
      trx,
    );
    return { revision };
  });
}

/** Throws AppError `conflict` where the tenant asks for passing samples and the rule has none. */
async function assertProven({ gate }: RulesDeps, trx: TenantTransaction, clusterId: string, ruleId: string) {
  if ((await gate.unproven(trx, clusterId, [ruleId])).size > 0) throw notProven();
}

/** Throws AppError `bad-input` when the query of the rule with these changes does not compile. */
async function assertRuns(
  { postgres, queries }: RulesDeps,
  { clusterId, scopeId }: CallerInScope,
  ruleId: string,
  overlay: RuleOverlay,
): Promise<void> {
  try {
    if (overlay.schedule) boundariesOf(overlay.schedule);
  } catch (error) {
    throw new AppError('bad-input', cronProblem(error));
  }
  if (overlay.exceptions.length === 0 && overlay.threshold === null) return;
  const { kql } = await postgres.inTenant(clusterId, async (trx) => {
    if (!(await findRule(trx, clusterId, scopeId, ruleId))) throw notFound();
    return rowsOfDetail(trx, clusterId, ruleId);
  });
  if (kql === null) throw new AppError('conflict', say('packs.noQuery'));
  if (overlay.threshold !== null && isCorrelationKql(kql))
    throw new AppError('bad-input', say('packs.correlationCounts'));
  const result = await queries.compile({ clusterId, scopes: [scopeId], kql: ruleKqlIn(kql, overlay) });
  if (result.ok) return;
  const [first] = result.diagnostics;
  const diagnostic = first ? sayDiagnostic(first) : say('search.queryHasErrors');
  throw new AppError('bad-input', say('rules.doesNotCompile', { diagnostic }));
}

function packs({ postgres }: RulesDeps, { clusterId }: CallerInScope): Promise<RulePack[]> {
  return postgres.inTenant(clusterId, (trx) => listPacks(trx, clusterId));
}

function removePack(
  { postgres, rules, audit }: RulesDeps,
  scope: CallerInScope,
  packId: string,
): Promise<number> {
  const { clusterId, scopeId, caller } = scope;
  if (packId === OWN_PACK) throw new AppError('conflict', say('packs.ownStays'));
  return postgres.inTenant(clusterId, async (trx) => {
    const { rows } = await sql<{ name: string }>`select name from rule_pack
      where cluster_id = ${clusterId} and pack_id = ${packId} for update`.execute(trx);
    const [pack] = rows;
    if (!pack) throw notFound();
    const settings = await switchedInPack(trx, clusterId, packId);
    const on = settings.filter(({ enabled }) => enabled).length;
    if (on > 0) throw new AppError('conflict', say('packs.rulesOn', { count: on }));
    for (const { rule_id } of settings) await rules.remove(trx, clusterId, rule_id);
    const { rows: counted } = await sql<{ n: number }>`select count(*) as n from pack_rule
      where cluster_id = ${clusterId} and pack_id = ${packId}`.execute(trx);
    await sql`delete from rule_pack where cluster_id = ${clusterId} and pack_id = ${packId}`.execute(trx);
    await bumpRevision(trx, clusterId);
    const count = counted[0]?.n ?? 0;
    const details = { name: pack.name, rules: count };
    await audit.record(
      { action: 'rule.pack.remove', who: caller, clusterId, scopeId, entity: packId, details },
      trx,
    );
    return count;
  });
}

async function switchedInPack(
  trx: TenantTransaction,
  clusterId: string,
  packId: string,
): Promise<readonly { readonly rule_id: string; readonly enabled: boolean }[]> {
  const { rows } = await sql<{ rule_id: string; enabled: boolean }>`
    select s.rule_id, bool_or(s.enabled) as enabled from scope_rule s
      join pack_rule r on r.cluster_id = s.cluster_id and r.rule_id = s.rule_id
    where s.cluster_id = ${clusterId} and r.pack_id = ${packId} group by s.rule_id`.execute(trx);
  return rows;
}
