import {
  type LedgerWindow,
  type OutputOf,
  type previewDetection,
  type RuleHealth,
  type Schedule,
  say,
  type WorkbookDraft,
} from '@tyrian/contract';
import { AppError, notFound } from '../../platform/app-error.ts';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Postgres, TenantTransaction } from '../../platform/postgres/postgres.ts';
import { readFailure } from '../../platform/said-of-failure.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import type { QueryService } from '../search/query-service.ts';
import { readEntry } from '../search/read-entry.ts';
import { USES_NOW } from './compile-rule-query.ts';
import { findGaps, LEDGER_KEPT_MS, listWindows, type WindowFilter, writeTogether } from './ledger-store.ts';
import { createDetectionPreview, type PreviewedDetection } from './preview-detection.ts';
import { detectionsIn, type RuleDefinition } from './rule-definition.ts';
import { ruleStateOf } from './rule-state.ts';
import { lockRule, type RuleKey, rulesInScope, type StoredRule } from './rule-store.ts';
import { boundariesOf, cronProblem, nextBoundaries } from './schedule-boundaries.ts';
import type { Window } from './scheduler-machine.ts';
import { streamActivity } from './stream-activity.ts';

// What people see of the scheduler: how rules keep up, what they have evaluated, what a draft would have found.

export interface DetectionsDeps {
  readonly postgres: Postgres;
  readonly queries: QueryService;
  readonly events: EventStore;
  readonly audit: AuditService;
  /** Workbooks of a scope that are detections, by id. */
  readonly definitionsIn: (
    clusterId: string,
    scopeId: string,
  ) => Promise<ReadonlyMap<string, Pick<RuleDefinition, 'name' | 'schedule'>>>;
  readonly clock: Clock;
}

export type Preview = OutputOf<typeof previewDetection>;
type PreviewSample = Preview['samples'][number];

export interface DetectionsService {
  /** Health of the rules of a scope, or of those named; unknown ids are left out. */
  health(clusterId: string, scopeId: string, ids?: readonly string[]): Promise<RuleHealth[]>;
  /** Throws `not-found` when the workbook has no rule in the scope. */
  ledger(
    key: RuleKey,
    page: { readonly pageno: number; readonly pagesize: number } & WindowFilter,
  ): Promise<{ data: LedgerWindow[]; total_count: number }>;
  /** Throws `bad-input` when the draft does not compile or holds no detection. The read is in the audit trail. */
  preview(
    scope: { readonly clusterId: string; readonly scopeId: string; readonly userId: string },
    draft: WorkbookDraft,
    range: Window,
    signal?: AbortSignal,
  ): Promise<Preview>;
  /** Throws `bad-input` with the reason when the expression is wrong. */
  nextRuns(schedule: Schedule): number[];
}

const PREVIEW_SAMPLES = 50;

interface DetectionsServiceParts extends DetectionsDeps {
  readonly preview: ReturnType<typeof createDetectionPreview>;
}

export function createDetectionsService(deps: DetectionsDeps): DetectionsService {
  const preview = createDetectionPreview(deps.queries, (clusterId) => streamActivity(deps.events, clusterId));
  const parts: DetectionsServiceParts = { ...deps, preview };
  return bindDeps(parts, { health, ledger, preview: previewDetections, nextRuns });
}

async function healthOf(
  { clock }: DetectionsServiceParts,
  trx: TenantTransaction,
  rule: StoredRule,
  definition: Pick<RuleDefinition, 'name' | 'schedule'>,
): Promise<RuleHealth> {
  const { state } = rule;
  const { mode } = definition.schedule;
  const nowMs = clock.now();
  const runs = state.coveredFrom !== null;
  const { message: last_error, ...code } = readFailure(rule.lastError);
  return {
    ID: rule.workbookId,
    name: definition.name,
    scope_id: rule.scopeId,
    mode,
    enabled: rule.enabled,
    state: ruleStateOf(rule, mode, nowMs),
    covered_from: state.coveredFrom,
    covered_until: runs ? state.coveredUntil : null,
    lag_ms: runs ? Math.max(0, nowMs - state.coveredUntil) : null,
    next_run: runs && rule.quarantinedMs === null ? Math.max(rule.dueMs, state.retryAt) : null,
    windows_done: rule.windowsDone,
    windows_rerun: rule.windowsRerun,
    rows_total: rule.rowsTotal,
    signals_total: rule.signalsTotal,
    last_run: rule.lastRunMs,
    last_duration_ms: rule.lastDurationMs,
    failures_in_a_row: state.failuresInARow,
    last_error,
    ...code,
    gaps:
      state.coveredFrom === null
        ? []
        : await findGaps(trx, rule, {
            from: Math.max(state.coveredFrom, nowMs - LEDGER_KEPT_MS),
            // What lies beyond was covered together with the group.
            to: rule.ledgerUntil,
          }),
  };
}

async function health(
  parts: DetectionsServiceParts,
  clusterId: string,
  scopeId: string,
  ids?: readonly string[],
): Promise<RuleHealth[]> {
  const definitions = await parts.definitionsIn(clusterId, scopeId);
  return parts.postgres.inTenant(clusterId, async (trx) => {
    const found: RuleHealth[] = [];
    for (const rule of await rulesInScope(trx, clusterId, scopeId, ids)) {
      const definition = definitions.get(rule.workbookId);
      if (definition) found.push(await healthOf(parts, trx, rule, definition));
    }
    return found.sort((a, b) => a.name.localeCompare(b.name));
  });
}

function ledger(
  { postgres, clock }: DetectionsServiceParts,
  key: RuleKey,
  page: { readonly pageno: number; readonly pagesize: number } & WindowFilter,
): Promise<{ data: LedgerWindow[]; total_count: number }> {
  return postgres.inTenant(key.clusterId, async (trx) => {
    const rule = await lockRule(trx, key);
    if (!rule) throw notFound();
    await writeTogether(trx, rule, clock.now());
    return listWindows(trx, key, page);
  });
}

async function previewDetections(
  parts: DetectionsServiceParts,
  {
    clusterId,
    scopeId,
    userId,
  }: { readonly clusterId: string; readonly scopeId: string; readonly userId: string },
  draft: WorkbookDraft,
  range: Window,
  signal?: AbortSignal,
): Promise<Preview> {
  const detections = detectionsIn(draft.blocks);
  if (detections.length === 0) {
    throw new AppError('bad-input', say('rules.noSignalBlock'));
  }
  const rule = { clusterId, scopeId, workbookId: 'preview', schedule: draft.schedule };
  const result = emptyPreview(range);
  for (const detection of detections) {
    const ask = { rule, userId, range, ...(signal ? { signal } : {}) };
    addPreview(result, await parts.preview(ask, detection));
  }
  result.uses_now = detections.some(({ kql }) => USES_NOW.test(kql.body.query));
  const queries = detections.map(({ kql }) => kql.body.query);
  const [only = ''] = queries;
  const read = { clusterId, scopeId, query: queries.length === 1 ? only : queries, range };
  const { rows, signals } = result;
  await parts.audit.record(readEntry('workbook.preview', read, { name: draft.name, rows, signals }));
  return result;
}

function nextRuns({ clock }: DetectionsServiceParts, schedule: Schedule): number[] {
  try {
    const boundaries = boundariesOf(schedule);
    return boundaries ? nextBoundaries(boundaries, clock.now(), 5) : [];
  } catch (error) {
    throw new AppError('bad-input', cronProblem(error));
  }
}

function emptyPreview(range: Window): Preview {
  const figures = { rows: 0, signals: 0, windows: 0, capped: false, cut: false, uses_now: false };
  return { ...figures, covered: { ...range }, samples: [] };
}

function addPreview(result: Preview, found: PreviewedDetection): void {
  const { windows, cut } = found.windows;
  result.rows += found.rows;
  result.signals += found.signals.size;
  result.capped ||= found.capped;
  result.cut ||= cut;
  result.windows = Math.max(result.windows, windows.length);
  const [first, last] = [windows[0], windows.at(-1)];
  if (first && last) result.covered = { from: first.from, to: last.to };
  for (const { signal, finding } of found.signals.all().slice(0, PREVIEW_SAMPLES - result.samples.length)) {
    const sample: PreviewSample = {
      name: finding.name,
      occurrences: signal.occurrences,
      first_time: signal.firstMs,
      last_time: signal.lastMs,
      suspects: [...finding.suspects],
      targets: [...finding.targets],
    };
    result.samples.push(sample);
  }
}
