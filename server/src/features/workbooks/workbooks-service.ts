import { say, sayAgain, storedText, type WorkbookDraft, type WorkbookVersion } from '@tyrian/contract';
import { AppError, notFound } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import { newId } from '../../platform/new-id.ts';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import type { AuditService } from '../audit/audit-service.ts';
import type { RuleControl } from '../detections/rule-control.ts';
import { detectionsIn } from '../detections/rule-definition.ts';
import type { QueryService } from '../search/query-service.ts';
import { checkDraft, type DraftCheck } from './check-draft.ts';
import { addMissingDirectories } from './directory-store.ts';
import { importNote, readWorkbookFile } from './workbook-file.ts';
import { createWorkbookListing, type WorkbookListingDeps } from './workbook-listing.ts';
import { assertEngineer, assertMayChange, type LockState, lockOf, type Place } from './workbook-rights.ts';
import {
  draftOf,
  findVersion,
  findWorkbook,
  findWorkbookNamed,
  insertWorkbook,
  type NewWorkbook,
  patchWorkbook,
  updateWorkbook,
  versionsOf,
  type WorkbookFacts,
  type WorkbookRow,
} from './workbook-store.ts';
import { createWorkbookTrail, switchAction } from './workbook-trail.ts';
import { isEditable } from './workbook-view.ts';

// Workbooks: who may change which, what may be saved, and which rules run because of it. A change and the rule that
// follows from it are one transaction.

export interface WorkbooksDeps extends WorkbookListingDeps {
  readonly queries: Pick<QueryService, 'compile'>;
  readonly rules: RuleControl;
  readonly audit: AuditService;
  readonly clock: Clock;
}

interface RevertWish {
  readonly ID: string;
  readonly version: number;
  readonly commit_message: string;
  /** Else the schedule stays: bringing back an old text must not start or stop a detection. */
  readonly with_schedule: boolean;
}

export interface CloneWish {
  readonly ID: string;
  readonly name: string;
  readonly directory: string;
  readonly disable_original: boolean;
  readonly retain_schedule: boolean;
}

export interface ImportWish {
  readonly file: string;
  readonly file_name: string;
  /** A workbook of the same name is a conflict for `new`; `copy` takes another name, `version` goes on top of it. */
  readonly as: 'new' | 'copy' | 'version';
  readonly ID?: string | undefined;
  readonly version?: number | undefined;
}

/** What a clone was made of. */
interface Original {
  readonly ID: string;
  readonly name: string;
}

interface Saved {
  readonly ID: string;
  readonly version: number;
}

const MAX_NAME = 200;

export type WorkbooksService = ReturnType<typeof createWorkbooksService>;

/** The refusal for a draft with errors; `details.problems` names every place. */
function draftRefusal(check: DraftCheck): AppError {
  const first = check.problems.find((each) => each.severity === 'error');
  const said = first ? sayAgain(first) : say('workbooks.hasErrors');
  return new AppError('bad-input', said, { problems: check.problems });
}

export function createWorkbooksService(deps: WorkbooksDeps) {
  const { postgres, rules, clock } = deps;
  const trail = createWorkbookTrail(deps.audit);

  const inTenant = <T>(place: Place, work: (trx: TenantTransaction) => Promise<T>) =>
    postgres.inTenant(place.clusterId, work);

  const check = (place: Place, draft: WorkbookDraft): Promise<DraftCheck> =>
    checkDraft(draft, (kql, unknownColumns) =>
      deps.queries.compile({
        clusterId: place.clusterId,
        userId: place.caller.userId,
        scopes: [place.scopeId],
        kql,
        unknownColumns,
      }),
    );

  const checked = async (place: Place, draft: WorkbookDraft): Promise<WorkbookFacts> => {
    const result = await check(place, draft);
    if (result.problems.some((each) => each.severity === 'error')) throw draftRefusal(result);
    return result.facts;
  };

  const find = async (trx: TenantTransaction, place: Place, id: string, lock = false) => {
    const row = await findWorkbook(trx, place.clusterId, place.scopeId, id, { lock });
    if (!row) throw notFound();
    return row;
  };

  const authorOf = (place: Place) => ({ id: place.caller.userId, name: place.caller.name });

  const keyOf = (place: Place, workbookId: string) => ({
    clusterId: place.clusterId,
    scopeId: place.scopeId,
    workbookId,
  });

  const setEnabled = async (
    trx: TenantTransaction,
    place: Place,
    row: WorkbookRow,
    enabled: boolean,
    backfillFrom?: number,
  ): Promise<void> => {
    if (row.native) assertEngineer(place);
    else assertMayChange(place, row);
    const backfill = backfillFrom === undefined ? {} : { backfillFrom };
    await rules.configure(trx, keyOf(place, row.workbook_id), {
      enabled,
      schedule: draftOf(row).schedule,
      isDetection: row.detection,
      ...backfill,
    });
    const details = { name: row.name, detection: row.detection, ...backfill };
    await trail.note(trx, place, switchAction(enabled), row.workbook_id, details);
  };

  /** The original that a clone switched off, unless it is gone. */
  const replacedBy = async (trx: TenantTransaction, place: Place, clone: WorkbookRow) =>
    clone.cloned_from !== null && clone.replaced_original
      ? findWorkbook(trx, place.clusterId, place.scopeId, clone.cloned_from, { lock: true })
      : undefined;

  const insert = async (
    place: Place,
    draft: WorkbookDraft,
    message: string,
    told: (trx: TenantTransaction, workbookId: string) => Promise<void>,
    more: Pick<NewWorkbook, 'original'> & { readonly enabled?: boolean } = {},
  ): Promise<Saved> => {
    const { enabled = true, ...made } = more;
    const facts = await checked(place, draft);
    const workbookId = newId();
    await inTenant(place, async (trx) => {
      const nowMs = clock.now();
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
      await rules.configure(trx, keyOf(place, workbookId), {
        enabled,
        schedule: draft.schedule,
        isDetection: facts.detection,
      });
      await told(trx, workbookId);
    });
    return { ID: workbookId, version: 1 };
  };

  const save = async (
    action: string,
    place: Place,
    workbookId: string,
    expected: number | null,
    draft: WorkbookDraft,
    message: string,
  ): Promise<Saved> => {
    await inTenant(place, async (trx) => assertMayChange(place, await find(trx, place, workbookId)));
    const facts = await checked(place, draft);
    return inTenant(place, async (trx) => {
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
  };

  return {
    check,
    ...createWorkbookListing(deps),
    /** The draft of a workbook that is taken away as a file. */
    draft: (place: Place, workbookId: string): Promise<WorkbookDraft> =>
      inTenant(place, async (trx) => {
        const row = await find(trx, place, workbookId);
        await trail.note(trx, place, 'workbook.export', workbookId, { name: row.name, version: row.version });
        return draftOf(row);
      }),
    /** The streams that its queries read. */
    streams: (place: Place, workbookId: string): Promise<readonly string[]> =>
      inTenant(place, async (trx) => (await find(trx, place, workbookId)).streams),
    add: (place: Place, draft: WorkbookDraft, message: string) =>
      insert(place, draft, message, (trx, id) =>
        trail.note(trx, place, 'workbook.add', id, { name: draft.name, schedule: draft.schedule.mode }),
      ),
    /** Saves what a file holds; it runs when somebody switches it on. Throws `conflict` naming the namesake. */
    importFile: async (place: Place, wish: ImportWish): Promise<Saved> => {
      const draft = readWorkbookFile(wish.file);
      const message = importNote(wish.file_name);
      const { ID, version } = wish;
      if (wish.as === 'version' && ID !== undefined && version !== undefined) {
        return save('workbook.import', place, ID, version, draft, message);
      }
      const name = await inTenant(place, (trx) => freeName(trx, place, draft.name, wish.as === 'copy'));
      const told = (trx: TenantTransaction, id: string) =>
        trail.note(trx, place, 'workbook.import', id, { name, file: wish.file_name, version: 1 });
      return insert(place, { ...draft, name }, message, told, { enabled: false });
    },
    edit: (place: Place, workbookId: string, version: number, draft: WorkbookDraft, message: string) =>
      save('workbook.edit', place, workbookId, version, draft, message),
    clone: async (place: Place, wish: CloneWish): Promise<Saved> => {
      const source = await inTenant(place, (trx) => find(trx, place, wish.ID));
      if (wish.disable_original && source.native) assertEngineer(place);
      if (wish.disable_original && !source.native) assertMayChange(place, source);
      const draft = draftOf(source);
      const copy: WorkbookDraft = {
        ...draft,
        name: wish.name,
        directory: wish.directory,
        schedule: wish.retain_schedule ? draft.schedule : { ...draft.schedule, mode: 'off', cron: null },
      };
      const { ID, name, disable_original } = wish;
      const told = async (trx: TenantTransaction, id: string) => {
        const details = { name, original: ID, disable_original, schedule: copy.schedule.mode };
        if (disable_original) {
          const { detection: isDetection } = source;
          await rules.configure(trx, keyOf(place, ID), {
            enabled: false,
            schedule: draft.schedule,
            isDetection,
          });
        }
        await trail.note(trx, place, 'workbook.clone', id, details);
        if (disable_original) await trail.note(trx, place, switchAction(false), ID, { name: source.name });
      };
      const message = storedText(say('workbooks.copyOf', { name: source.name, version: source.version }));
      const original = { id: ID, isReplaced: disable_original && source.detection };
      return insert(place, copy, message, told, { original });
    },
    /** Deletes it; `enableOriginal` lets what it was cloned from run again. Answers with the original that does. */
    remove: (place: Place, workbookId: string, enableOriginal: boolean): Promise<Original | null> =>
      inTenant(place, async (trx) => {
        const row = await find(trx, place, workbookId, true);
        assertMayChange(place, row);
        await rules.remove(trx, place.clusterId, workbookId);
        await patchWorkbook(trx, place.clusterId, workbookId, { deleted_ms: clock.now() });
        const { name, detection, version } = row;
        await trail.note(trx, place, 'workbook.delete', workbookId, { name, detection, version });
        const original = enableOriginal ? await replacedBy(trx, place, row) : undefined;
        if (!original) return null;
        await setEnabled(trx, place, original, true);
        return { ID: original.workbook_id, name: original.name };
      }),
    move: (place: Place, workbookId: string, directory: string): Promise<void> =>
      inTenant(place, async (trx) => {
        const row = await find(trx, place, workbookId, true);
        assertMayChange(place, row);
        await addMissingDirectories(trx, place, directory, clock.now());
        await patchWorkbook(trx, place.clusterId, workbookId, { directory });
        const details = { name: row.name, from: row.directory, to: directory };
        await trail.note(trx, place, 'workbook.move', workbookId, details);
      }),
    switchOn: (place: Place, workbookId: string, enabled: boolean, backfillFrom?: number): Promise<void> =>
      inTenant(place, async (trx) => {
        const row = await find(trx, place, workbookId, true);
        await setEnabled(trx, place, row, enabled, backfillFrom);
      }),
    lock: (place: Place, workbookId: string, lock: boolean): Promise<LockState> =>
      inTenant(place, async (trx) => {
        const row = await find(trx, place, workbookId, true);
        const tags = place.caller.tagsAt(place.clusterId, place.scopeId);
        // An engineer may also take away the lock of somebody who is away.
        if (lock || !tags.includes('engineer')) assertMayChange(place, row);
        if (row.native) assertMayChange(place, row);
        const patch = lock
          ? {
              locked_by: place.caller.name,
              locked_by_id: place.caller.userId,
              locked_ms: row.locked_ms ?? clock.now(),
            }
          : { locked_by: null, locked_by_id: null, locked_ms: null };
        await patchWorkbook(trx, place.clusterId, workbookId, patch);
        const details = { name: row.name, locked_before_by: row.locked_by };
        await trail.note(trx, place, lock ? 'workbook.lock' : 'workbook.unlock', workbookId, details);
        return lockOf({ ...row, ...patch });
      }),
    lockState: (place: Place, workbookId: string): Promise<LockState> =>
      inTenant(place, async (trx) => lockOf(await find(trx, place, workbookId))),
    versions: (place: Place, workbookId: string): Promise<WorkbookVersion[]> =>
      inTenant(place, async (trx) => {
        await find(trx, place, workbookId);
        return versionsOf(trx, place.clusterId, workbookId);
      }),
    version: (place: Place, workbookId: string, version: number) =>
      inTenant(place, async (trx) => {
        await find(trx, place, workbookId);
        const found = await findVersion(trx, place.clusterId, workbookId, version);
        if (!found) throw notFound();
        return found;
      }),
    revert: async (place: Place, wish: RevertWish): Promise<Saved> => {
      const { ID, version, commit_message } = wish;
      const { row, old } = await inTenant(place, async (trx) => {
        const now = await find(trx, place, ID);
        assertMayChange(place, now);
        return { row: now, old: await findVersion(trx, place.clusterId, ID, version) };
      });
      if (!old) throw notFound();
      const draft = restoredDraft(draftOf(row), old.draft, wish.with_schedule);
      const message = commit_message || storedText(say('workbooks.backToVersion', { version }));
      return save('workbook.revert', place, ID, null, draft, message);
    },
  };
}

/** A name that nothing else in the scope has: the one wanted, or for a copy the next one that is free. */
async function freeName(
  trx: TenantTransaction,
  place: Place,
  wanted: string,
  isCopy: boolean,
): Promise<string> {
  const { clusterId, scopeId, caller } = place;
  for (let count = 1; ; count += 1) {
    const end = count === 1 ? '' : ` (${count})`;
    const name = `${wanted.slice(0, MAX_NAME - end.length)}${end}`;
    const namesake = await findWorkbookNamed(trx, clusterId, scopeId, name);
    if (!namesake) return name;
    if (isCopy) continue;
    throw new AppError('conflict', say('workbooks.nameTaken', { name: namesake.name }), {
      code: 'same-name',
      ID: namesake.workbook_id,
      name: namesake.name,
      version: namesake.version,
      editable: isEditable(caller, namesake, scopeId),
    });
  }
}

/** An old version in the place of the newest. One without a detection has nothing to run on a schedule. */
function restoredDraft(now: WorkbookDraft, old: WorkbookDraft, withSchedule: boolean): WorkbookDraft {
  const wanted = withSchedule ? old.schedule : now.schedule;
  const schedule: WorkbookDraft['schedule'] =
    detectionsIn(old.blocks).length > 0 ? wanted : { ...wanted, mode: 'off', cron: null };
  return { ...old, directory: now.directory, schedule };
}
