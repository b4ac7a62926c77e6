import { randomUUID } from 'node:crypto';
import {
  type listSuppressedSignals,
  type OutputOf,
  type previewSuppression,
  SUPPRESSION_LIMITS,
  type SuppressedSignal,
  type SuppressionRule,
  type saveSuppressionRule,
  say,
} from '@tyrian/contract';
import type { z } from 'zod';
import { AppError, notFound } from '../../platform/app-error.ts';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Postgres, TenantTransaction } from '../../platform/postgres/postgres.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import { recordOccurrences } from '../signals/signal-recorder.ts';
import { signalsOfWorkbook, type WorkbookSignal } from '../signals/signals-of-workbook.ts';
import { conditionsHold } from './suppress-occurrences.ts';
import { pageSuppressed, type SuppressedRow, suppressedSignal, takeSuppressed } from './suppressed-store.ts';
import { countRules, deleteRule, listRules, lockRule, switchRule, writeRule } from './suppression-store.ts';

// What people do with suppression rules: list, save, switch and delete them, try conditions on past signals, look at what
// was suppressed, and put it back.

export interface ScopeCaller {
  readonly caller: Caller;
  readonly clusterId: string;
  readonly scopeId: string;
}

interface SuppressionDeps {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly audit: AuditService;
  /** The name of a workbook or of a rule of a pack in a scope; null when there is none such. */
  readonly nameOf: (clusterId: string, scopeId: string, workbookId: string) => Promise<string | null>;
}

type Parsed<E extends { readonly input: z.ZodType }> = z.output<E['input']>;

export interface SuppressionService {
  list(scope: ScopeCaller): Promise<{ data: SuppressionRule[]; total_count: number }>;
  /** Throws `not-found`, `bad-input`, `conflict` for another revision. */
  save(
    scope: ScopeCaller,
    input: Parsed<typeof saveSuppressionRule>,
  ): Promise<OutputOf<typeof saveSuppressionRule>>;
  /** Throws `not-found`. */
  setEnabled(scope: ScopeCaller, ruleId: string, enabled: boolean): Promise<{ revision: number }>;
  /** Throws `not-found`. */
  remove(scope: ScopeCaller, ruleId: string): Promise<{ rule_id: string }>;
  preview(
    scope: ScopeCaller,
    input: Parsed<typeof previewSuppression>,
  ): Promise<OutputOf<typeof previewSuppression>>;
  suppressed(
    scope: ScopeCaller,
    input: Parsed<typeof listSuppressedSignals>,
  ): Promise<OutputOf<typeof listSuppressedSignals>>;
  restore(scope: ScopeCaller, ruleId: string): Promise<{ restored: number; left: number }>;
}

const DAY_MS = 86_400_000;
/** Signals that a preview looks at, the newest first, and those that it shows. */
const PREVIEWED = 5_000;
const SAMPLES = 20;
/** Suppressed occurrences that one call puts back. */
const RESTORED_AT_ONCE = 500;

export function createSuppressionService(deps: SuppressionDeps): SuppressionService {
  return bindDeps(deps, { list, save, setEnabled, remove, preview, suppressed, restore });
}

const sinceMs = (clock: Clock): number => clock.now() - SUPPRESSION_LIMITS.days * DAY_MS;

async function list({ postgres, clock }: SuppressionDeps, { clusterId, scopeId }: ScopeCaller) {
  const rules = await postgres.inTenant(clusterId, (trx) =>
    listRules(trx, { clusterId, scopeId }, sinceMs(clock)),
  );
  return { data: [...rules], total_count: rules.length };
}

async function save(
  deps: SuppressionDeps,
  scope: ScopeCaller,
  input: Parsed<typeof saveSuppressionRule>,
): Promise<OutputOf<typeof saveSuppressionRule>> {
  const { postgres, clock, audit, nameOf } = deps;
  const { clusterId, scopeId, caller } = scope;
  const { workbook_id: workbookId, conditions, reason, enabled, expires: expiresMs } = input;
  const nowMs = clock.now();
  if (enabled && expiresMs !== null && expiresMs <= nowMs)
    throw new AppError('bad-input', say('suppression.expired'));
  const workbookName = await nameOf(clusterId, scopeId, workbookId);
  if (workbookName === null) throw new AppError('bad-input', say('suppression.noWorkbook'));
  return postgres.inTenant(clusterId, async (trx) => {
    const ruleId = input.rule_id ?? randomUUID();
    if (input.rule_id === undefined) await assertRoom(trx, scope);
    else await assertRevision(trx, scope, ruleId, input.revision);
    const content = { workbookId, workbookName, conditions, reason, enabled, expiresMs };
    const revision = await writeRule(trx, scope, ruleId, content, { author: caller.name, nowMs });
    const details = { workbook: workbookName, conditions: conditions.length, reason, enabled };
    const action = input.rule_id === undefined ? 'suppression.create' : 'suppression.change';
    await audit.record({ action, who: caller, clusterId, scopeId, entity: ruleId, details }, trx);
    return { rule_id: ruleId, revision };
  });
}

async function assertRoom(trx: TenantTransaction, scope: ScopeCaller): Promise<void> {
  const most = SUPPRESSION_LIMITS.rulesOfScope;
  if ((await countRules(trx, scope)) >= most)
    throw new AppError('conflict', say('suppression.tooMany', { most }));
}

async function assertRevision(
  trx: TenantTransaction,
  scope: ScopeCaller,
  ruleId: string,
  revision: number,
): Promise<void> {
  const stored = await lockRule(trx, scope, ruleId);
  if (!stored) throw notFound();
  if (stored.revision !== revision)
    throw new AppError('conflict', say('suppression.changedMeanwhile'), { revision: stored.revision });
}

function setEnabled(
  { postgres, clock, audit }: SuppressionDeps,
  scope: ScopeCaller,
  ruleId: string,
  enabled: boolean,
): Promise<{ revision: number }> {
  const { clusterId, scopeId, caller } = scope;
  return postgres.inTenant(clusterId, async (trx) => {
    const by = { author: caller.name, nowMs: clock.now() };
    const switched = await switchRule(trx, scope, ruleId, enabled, by);
    if (!switched) throw notFound();
    const details = { workbook: switched.workbook_name, enabled };
    await audit.record(
      { action: 'suppression.switch', who: caller, clusterId, scopeId, entity: ruleId, details },
      trx,
    );
    return { revision: switched.revision };
  });
}

function remove({ postgres, audit }: SuppressionDeps, scope: ScopeCaller, ruleId: string) {
  const { clusterId, scopeId, caller } = scope;
  return postgres.inTenant(clusterId, async (trx) => {
    const deleted = await deleteRule(trx, scope, ruleId);
    if (!deleted) throw notFound();
    const details = { workbook: deleted.workbook_name };
    await audit.record(
      { action: 'suppression.delete', who: caller, clusterId, scopeId, entity: ruleId, details },
      trx,
    );
    return { rule_id: ruleId };
  });
}

async function preview(
  { postgres, clock }: SuppressionDeps,
  { clusterId, scopeId }: ScopeCaller,
  input: Parsed<typeof previewSuppression>,
): Promise<OutputOf<typeof previewSuppression>> {
  const where = { clusterId, scopeId, workbookId: input.workbook_id };
  const signals = await postgres.inTenant(clusterId, (trx) =>
    signalsOfWorkbook(trx, where, sinceMs(clock), PREVIEWED + 1),
  );
  const looked = signals.slice(0, PREVIEWED);
  const matching = looked.filter((signal) => conditionsHold(input.conditions, signal));
  return {
    suppressed: matching.length,
    signals: looked.length,
    is_cut: signals.length > PREVIEWED,
    samples: matching.slice(0, SAMPLES).map((signal) => sampleOf(signal, input.workbook_id)),
  };
}

const sampleOf = (
  { first_at, last_at, stage, ...signal }: WorkbookSignal,
  workbook_id: string,
): SuppressedSignal => ({
  ...signal,
  stage: stage as SuppressedSignal['stage'],
  workbook_id,
  suspects: [...signal.suspects],
  targets: [...signal.targets],
  first_time: new Date(first_at).getTime(),
  last_time: new Date(last_at).getTime(),
});

async function suppressed(
  { postgres }: SuppressionDeps,
  { clusterId, scopeId }: ScopeCaller,
  input: Parsed<typeof listSuppressedSignals>,
): Promise<OutputOf<typeof listSuppressedSignals>> {
  const { rows, total } = await postgres.inTenant(clusterId, (trx) =>
    pageSuppressed(
      trx,
      { clusterId, scopeId },
      {
        ruleId: input.rule_id ?? null,
        startMs: input.start,
        endMs: input.end,
        offset: (input.pageno - 1) * input.pagesize,
        limit: input.pagesize,
      },
    ),
  );
  const data = rows.map((row) => ({
    ...suppressedSignal(row),
    rule_id: row.rule_id,
    reason: row.reason,
    suppressed: new Date(row.suppressed_at).getTime(),
  }));
  return { data, total_count: total };
}

function restore(
  { postgres, clock, audit }: SuppressionDeps,
  scope: ScopeCaller,
  ruleId: string,
): Promise<{ restored: number; left: number }> {
  const { clusterId, scopeId, caller } = scope;
  return postgres.inTenant(clusterId, async (trx) => {
    const { rows, left } = await takeSuppressed(trx, scope, ruleId, RESTORED_AT_ONCE);
    if (rows.length === 0 && !(await lockRule(trx, scope, ruleId))) throw notFound();
    for (const some of byRule(rows).values()) {
      const [first] = some;
      const found = some.map(({ occurrence }) => occurrence);
      if (first) await recordOccurrences(trx, first.found_by, found, clock.now());
    }
    const details = { restored: rows.length, left };
    await audit.record(
      { action: 'suppression.restore', who: caller, clusterId, scopeId, entity: ruleId, details },
      trx,
    );
    return { restored: rows.length, left };
  });
}

/** Those of one version of one workbook together, as they were found. */
function byRule(rows: readonly SuppressedRow[]): ReadonlyMap<string, readonly SuppressedRow[]> {
  const groups = new Map<string, SuppressedRow[]>();
  for (const row of rows) {
    const { workbookId, version, stage } = row.found_by;
    const key = `${workbookId} ${version} ${stage}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return groups;
}
