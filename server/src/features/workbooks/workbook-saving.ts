import { say, sayAgain, storedText, type WorkbookDraft } from '@tyrian/contract';
import { AppError, notFound } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import { newId } from '../../platform/new-id.ts';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import type { RuleControl } from '../detections/rule-control.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import type { QueryService } from '../search/query-service.ts';
import { checkDraft, type DraftCheck } from './check-draft.ts';
import { addMissingDirectories } from './directory-store.ts';
import type { WorkbookListingDeps } from './workbook-listing.ts';
import { assertMayChange, type Place } from './workbook-rights.ts';
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

/** The refusal for a draft with errors; `details.problems` names every place. */
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
  place: Place,
  work: (trx: TenantTransaction) => Promise<T>,
) {
  return postgres.inTenant(place.clusterId, work);
}

export function check(parts: WorkbooksParts, place: Place, draft: WorkbookDraft): Promise<DraftCheck> {
  return checkDraft(draft, (kql, unknownColumns) =>
    parts.queries.compile({
      clusterId: place.clusterId,
      userId: place.caller.userId,
      scopes: [place.scopeId],
      kql,
      unknownColumns,
    }),
  );
}

async function checked(parts: WorkbooksParts, place: Place, draft: WorkbookDraft): Promise<WorkbookFacts> {
  const result = await check(parts, place, draft);
  if (result.problems.some((each) => each.severity === 'error')) throw draftRefusal(result);
  return result.facts;
}

export async function find(trx: TenantTransaction, place: Place, id: string, lock = false) {
  const row = await findWorkbook(trx, place.clusterId, place.scopeId, id, { lock });
  if (!row) throw notFound();
  return row;
}

function authorOf(place: Place) {
  return { id: place.caller.userId, name: place.caller.name };
}

export function keyOf(place: Place, workbookId: string) {
  return {
    clusterId: place.clusterId,
    scopeId: place.scopeId,
    workbookId,
  };
}

export async function insert(
  parts: WorkbooksParts,
  place: Place,
  draft: WorkbookDraft,
  message: string,
  told: (trx: TenantTransaction, workbookId: string) => Promise<void>,
  more: Pick<NewWorkbook, 'original'> & { readonly enabled?: boolean } = {},
): Promise<Saved> {
  const { enabled = true, ...made } = more;
  const facts = await checked(parts, place, draft);
  const workbookId = newId();
  await inTenant(parts, place, async (trx) => {
    const nowMs = parts.clock.now();
    await insertWorkbook(trx, {
      clusterId: place.clusterId,
      workbookId,
      scopeId: place.scopeId,
      draft,
      facts,
      author: authorOf(place),
      message: message || storedText(say('workbooks.firstVersion')),
      nowMs,
      nativeHash: null,
      ...made,
    });
    await addMissingDirectories(trx, place, draft.directory, nowMs);
    await parts.rules.configure(trx, keyOf(place, workbookId), {
      enabled,
      schedule: draft.schedule,
      isDetection: facts.detection,
    });
    await told(trx, workbookId);
  });
  return { ID: workbookId, version: 1 };
}

export async function save(
  parts: WorkbooksParts,
  action: string,
  place: Place,
  workbookId: string,
  expected: number | null,
  draft: WorkbookDraft,
  message: string,
): Promise<Saved> {
  const { clock, rules, trail } = parts;
  await inTenant(parts, place, async (trx) => assertMayChange(place, await find(trx, place, workbookId)));
  const facts = await checked(parts, place, draft);
  return inTenant(parts, place, async (trx) => {
    const row = await find(trx, place, workbookId, true);
    assertMayChange(place, row);
    if (expected !== null && row.version !== expected) {
      throw new AppError('conflict', say('workbooks.savedMeanwhile', { version: row.version, expected }), {
        version: row.version,
      });
    }
    const version = row.version + 1;
    const nowMs = clock.now();
    await updateWorkbook(trx, {
      clusterId: place.clusterId,
      workbookId,
      draft,
      facts,
      author: authorOf(place),
      message,
      nowMs,
      nativeHash: null,
      version,
    });
    await addMissingDirectories(trx, place, draft.directory, nowMs);
    await rules.configure(trx, keyOf(place, workbookId), {
      schedule: draft.schedule,
      isDetection: facts.detection,
    });
    const { name } = draft;
    await trail.note(trx, place, action, workbookId, { name, version });
    await trail.noteSchedule(trx, place, { id: workbookId, name }, row.mode, draft.schedule.mode);
    return { ID: workbookId, version };
  });
}
