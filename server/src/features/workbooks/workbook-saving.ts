import { say, sayAgain, storedText, type WorkbookDraft } from '@tyrian/contract';
import { AppError, notFound } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import { newId } from '../../platform/new-id.ts';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import type { RuleControl } from '../detections/rule-control.ts';
import { detectionsIn } from '../detections/rule-definition.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import type { TestedDraft } from '../samples/sample-gate.ts';
import type { QueryService } from '../search/query-service.ts';
import { checkDraft, type DraftCheck } from './check-draft.ts';
import { addMissingDirectories } from './directory-store.ts';
import type { WorkbookListingDeps } from './workbook-listing.ts';
import { assertMayChange, type CallScope } from './workbook-rights.ts';
import {
  findWorkbook,
  insertWorkbook,
  type NewWorkbook,
  updateWorkbook,
  type WorkbookFacts,
} from './workbook-store.ts';
import type { createWorkbookTrail } from './workbook-trail.ts';

// Saving a workbook: what may be saved, and the rule that follows from it, in one transaction.

// follows from it are one transaction.

export interface WorkbooksDeps extends WorkbookListingDeps {
  readonly queries: Pick<QueryService, 'compile'>;
  readonly rules: RuleControl;
  readonly audit: AuditService;
  readonly clock: Clock;
}

export interface Saved {
  readonly ID: string;
  readonly version: number;
}

/** The refusal for a draft with errors; `details.problems` names the path of each. */
function draftRefusal(check: DraftCheck): AppError {
  const first = check.problems.find((each) => each.severity === 'error');
  const said = first ? sayAgain(first) : say('workbooks.hasErrors');
  return new AppError('bad-input', said, { problems: check.problems });
}

export interface WorkbooksParts extends WorkbooksDeps {
  readonly trail: ReturnType<typeof createWorkbookTrail>;
}

export function inTenant<T>(
  { postgres }: WorkbooksParts,
  scope: CallScope,
  work: (trx: TenantTransaction) => Promise<T>,
) {
  return postgres.inTenant(scope.clusterId, work);
}

export function check(parts: WorkbooksParts, scope: CallScope, draft: WorkbookDraft): Promise<DraftCheck> {
  return checkDraft(draft, (kql, unknownColumns) =>
    parts.queries.compile({
      clusterId: scope.clusterId,
      userId: scope.caller.userId,
      scopes: [scope.scopeId],
      kql,
      unknownColumns,
    }),
  );
}

async function checked(
  parts: WorkbooksParts,
  scope: CallScope,
  draft: WorkbookDraft,
): Promise<WorkbookFacts> {
  const result = await check(parts, scope, draft);
  if (result.problems.some((each) => each.severity === 'error')) throw draftRefusal(result);
  return result.facts;
}

/** Runs the samples of a draft that is to be saved. Throws AppError `conflict` when it may not be in its stage with them. */
function tested(
  { samples }: WorkbooksParts,
  { clusterId, scopeId, caller }: CallScope,
  ruleId: string | null,
  draft: WorkbookDraft,
): Promise<TestedDraft | null> {
  const queries = detectionsIn(draft.blocks).map(({ kql }) => kql.body.query);
  const place = { clusterId, scopeId, userId: caller.userId };
  return samples.testDraft(place, { ruleId, stage: draft.stage, queries, samples: draft.samples ?? [] });
}

export async function find(trx: TenantTransaction, scope: CallScope, id: string, lock = false) {
  const row = await findWorkbook(trx, scope.clusterId, scope.scopeId, id, { lock });
  if (!row) throw notFound();
  return row;
}

function authorOf(scope: CallScope) {
  return { id: scope.caller.userId, name: scope.caller.name };
}

export function keyOf(scope: CallScope, workbookId: string) {
  return {
    clusterId: scope.clusterId,
    scopeId: scope.scopeId,
    workbookId,
  };
}

export async function insert(
  parts: WorkbooksParts,
  scope: CallScope,
  draft: WorkbookDraft,
  message: string,
  told: (trx: TenantTransaction, workbookId: string) => Promise<void>,
  more: Pick<NewWorkbook, 'original'> & { readonly enabled?: boolean } = {},
): Promise<Saved> {
  const { enabled = true, ...made } = more;
  const facts = await checked(parts, scope, draft);
  const workbookId = newId();
  const samples = await tested(parts, scope, null, draft);
  await inTenant(parts, scope, async (trx) => {
    const nowMs = parts.clock.now();
    await insertWorkbook(trx, {
      clusterId: scope.clusterId,
      workbookId,
      scopeId: scope.scopeId,
      draft,
      facts,
      author: authorOf(scope),
      message: message || storedText(say('workbooks.firstVersion')),
      nowMs,
      nativeHash: null,
      ...made,
    });
    await addMissingDirectories(trx, scope, draft.directory, nowMs);
    await parts.rules.configure(trx, keyOf(scope, workbookId), {
      enabled,
      schedule: draft.schedule,
      isDetection: facts.detection,
    });
    const { clusterId, caller } = scope;
    await parts.samples.keepTested(trx, { clusterId, nowMs, author: caller.name }, workbookId, samples);
    await told(trx, workbookId);
  });
  return { ID: workbookId, version: 1 };
}

export async function save(
  parts: WorkbooksParts,
  action: string,
  scope: CallScope,
  workbookId: string,
  expected: number | null,
  draft: WorkbookDraft,
  message: string,
): Promise<Saved> {
  const { clock, rules, trail } = parts;
  await inTenant(parts, scope, async (trx) => assertMayChange(scope, await find(trx, scope, workbookId)));
  const facts = await checked(parts, scope, draft);
  const samples = await tested(parts, scope, workbookId, draft);
  return inTenant(parts, scope, async (trx) => {
    const row = await find(trx, scope, workbookId, true);
    assertMayChange(scope, row);
    if (expected !== null && row.version !== expected) {
      throw new AppError('conflict', say('workbooks.savedMeanwhile', { version: row.version, expected }), {
        version: row.version,
      });
    }
    const version = row.version + 1;
    const nowMs = clock.now();
    await updateWorkbook(trx, {
      clusterId: scope.clusterId,
      workbookId,
      draft,
      facts,
      author: authorOf(scope),
      message,
      nowMs,
      nativeHash: null,
      version,
    });
    await addMissingDirectories(trx, scope, draft.directory, nowMs);
    await rules.configure(trx, keyOf(scope, workbookId), {
      schedule: draft.schedule,
      isDetection: facts.detection,
    });
    const writer = { clusterId: scope.clusterId, nowMs, author: scope.caller.name };
    await parts.samples.keepTested(trx, writer, workbookId, samples);
    const { name } = draft;
    await trail.note(trx, scope, action, workbookId, { name, version });
    await trail.noteSchedule(trx, scope, { id: workbookId, name }, row.mode, draft.schedule.mode);
    return { ID: workbookId, version };
  });
}
