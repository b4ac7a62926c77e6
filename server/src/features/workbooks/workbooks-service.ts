import { say, storedText, type WorkbookDraft, type WorkbookVersion } from '@tyrian/contract';
import { AppError, notFound } from '../../platform/app-error.ts';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { detectionsIn } from '../detections/rule-definition.ts';
import { addMissingDirectories } from './directory-store.ts';
import { importNote, readWorkbookFile } from './workbook-file.ts';
import { createWorkbookListing } from './workbook-listing.ts';
import { assertEngineer, assertMayChange, type LockState, lockOf, type Place } from './workbook-rights.ts';
import {
  check,
  find,
  insert,
  inTenant,
  keyOf,
  type Saved,
  save,
  type WorkbooksDeps,
  type WorkbooksParts,
} from './workbook-saving.ts';
import {
  draftOf,
  findVersion,
  findWorkbook,
  findWorkbookNamed,
  patchWorkbook,
  versionsOf,
  type WorkbookRow,
} from './workbook-store.ts';
import { createWorkbookTrail, switchAction } from './workbook-trail.ts';
import { isEditable } from './workbook-view.ts';

// Workbooks: who may change which, what may be saved, and which rules run because of it. A change and the rule that

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

const MAX_NAME = 200;

export type WorkbooksService = ReturnType<typeof createWorkbooksService>;

export function createWorkbooksService(deps: WorkbooksDeps) {
  const trail = createWorkbookTrail(deps.audit);
  const parts: WorkbooksParts = { ...deps, trail };
  return {
    ...createWorkbookListing(deps),
    ...bindDeps(parts, {
      check,
      draft,
      streams,
      add,
      importFile,
      edit,
      clone,
      remove,
      move,
      switchOn,
      lock,
      lockState,
      versions,
      version,
      revert,
    }),
  };
}

async function setEnabled(
  { rules, trail }: WorkbooksParts,
  trx: TenantTransaction,
  place: Place,
  row: WorkbookRow,
  enabled: boolean,
  backfillFrom?: number,
): Promise<void> {
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
}

/** The original that a clone switched off, unless it is gone. */
async function replacedBy(trx: TenantTransaction, place: Place, clone: WorkbookRow) {
  return clone.cloned_from !== null && clone.replaced_original
    ? findWorkbook(trx, place.clusterId, place.scopeId, clone.cloned_from, { lock: true })
    : undefined;
}

/** The draft of a workbook that is taken away as a file. */
function draft(parts: WorkbooksParts, place: Place, workbookId: string): Promise<WorkbookDraft> {
  return inTenant(parts, place, async (trx) => {
    const row = await find(trx, place, workbookId);
    await parts.trail.note(trx, place, 'workbook.export', workbookId, {
      name: row.name,
      version: row.version,
    });
    return draftOf(row);
  });
}

/** The streams that its queries read. */
function streams(parts: WorkbooksParts, place: Place, workbookId: string): Promise<readonly string[]> {
  return inTenant(parts, place, async (trx) => (await find(trx, place, workbookId)).streams);
}

function add(parts: WorkbooksParts, place: Place, draft: WorkbookDraft, message: string) {
  return insert(parts, place, draft, message, (trx, id) =>
    parts.trail.note(trx, place, 'workbook.add', id, { name: draft.name, schedule: draft.schedule.mode }),
  );
}

/** Saves what a file holds; it runs when somebody switches it on. Throws `conflict` naming the namesake. */
async function importFile(parts: WorkbooksParts, place: Place, wish: ImportWish): Promise<Saved> {
  const draft = readWorkbookFile(wish.file);
  const message = importNote(wish.file_name);
  const { ID, version } = wish;
  if (wish.as === 'version' && ID !== undefined && version !== undefined) {
    return save(parts, 'workbook.import', place, ID, version, draft, message);
  }
  const name = await inTenant(parts, place, (trx) => freeName(trx, place, draft.name, wish.as === 'copy'));
  const told = (trx: TenantTransaction, id: string) =>
    parts.trail.note(trx, place, 'workbook.import', id, { name, file: wish.file_name, version: 1 });
  return insert(parts, place, { ...draft, name }, message, told, { enabled: false });
}

function edit(
  parts: WorkbooksParts,
  place: Place,
  workbookId: string,
  version: number,
  draft: WorkbookDraft,
  message: string,
) {
  return save(parts, 'workbook.edit', place, workbookId, version, draft, message);
}

async function clone(parts: WorkbooksParts, place: Place, wish: CloneWish): Promise<Saved> {
  const source = await inTenant(parts, place, (trx) => find(trx, place, wish.ID));
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
      await parts.rules.configure(trx, keyOf(place, ID), {
        enabled: false,
        schedule: draft.schedule,
        isDetection,
      });
    }
    await parts.trail.note(trx, place, 'workbook.clone', id, details);
    if (disable_original) await parts.trail.note(trx, place, switchAction(false), ID, { name: source.name });
  };
  const message = storedText(say('workbooks.copyOf', { name: source.name, version: source.version }));
  const original = { id: ID, isReplaced: disable_original && source.detection };
  return insert(parts, place, copy, message, told, { original });
}

/** Deletes it; `enableOriginal` lets what it was cloned from run again. Answers with the original that does. */
function remove(
  parts: WorkbooksParts,
  place: Place,
  workbookId: string,
  enableOriginal: boolean,
): Promise<Original | null> {
  return inTenant(parts, place, async (trx) => {
    const row = await find(trx, place, workbookId, true);
    assertMayChange(place, row);
    await parts.rules.remove(trx, place.clusterId, workbookId);
    await patchWorkbook(trx, place.clusterId, workbookId, { deleted_at: parts.clock.now() });
    const { name, detection, version } = row;
    await parts.trail.note(trx, place, 'workbook.delete', workbookId, { name, detection, version });
    const original = enableOriginal ? await replacedBy(trx, place, row) : undefined;
    if (!original) return null;
    await setEnabled(parts, trx, place, original, true);
    return { ID: original.workbook_id, name: original.name };
  });
}

function move(parts: WorkbooksParts, place: Place, workbookId: string, directory: string): Promise<void> {
  return inTenant(parts, place, async (trx) => {
    const row = await find(trx, place, workbookId, true);
    assertMayChange(place, row);
    await addMissingDirectories(trx, place, directory, parts.clock.now());
    await patchWorkbook(trx, place.clusterId, workbookId, { directory });
    const details = { name: row.name, from: row.directory, to: directory };
    await parts.trail.note(trx, place, 'workbook.move', workbookId, details);
  });
}

function switchOn(
  parts: WorkbooksParts,
  place: Place,
  workbookId: string,
  enabled: boolean,
  backfillFrom?: number,
): Promise<void> {
  return inTenant(parts, place, async (trx) => {
    const row = await find(trx, place, workbookId, true);
    await setEnabled(parts, trx, place, row, enabled, backfillFrom);
  });
}

function lock(parts: WorkbooksParts, place: Place, workbookId: string, lock: boolean): Promise<LockState> {
  return inTenant(parts, place, async (trx) => {
    const row = await find(trx, place, workbookId, true);
    const tags = place.caller.tagsAt(place.clusterId, place.scopeId);
    // An engineer may also take away the lock of somebody who is away.
    if (lock || !tags.includes('engineer')) assertMayChange(place, row);
    if (row.native) assertMayChange(place, row);
    const patch = lock
      ? {
          locked_by: place.caller.name,
          locked_by_id: place.caller.userId,
          locked_at: row.locked_at ?? parts.clock.now(),
        }
      : { locked_by: null, locked_by_id: null, locked_at: null };
    await patchWorkbook(trx, place.clusterId, workbookId, patch);
    const details = { name: row.name, locked_before_by: row.locked_by };
    await parts.trail.note(trx, place, lock ? 'workbook.lock' : 'workbook.unlock', workbookId, details);
    return lockOf({ ...row, ...patch });
  });
}

function lockState(parts: WorkbooksParts, place: Place, workbookId: string): Promise<LockState> {
  return inTenant(parts, place, async (trx) => lockOf(await find(trx, place, workbookId)));
}

function versions(parts: WorkbooksParts, place: Place, workbookId: string): Promise<WorkbookVersion[]> {
  return inTenant(parts, place, async (trx) => {
    await find(trx, place, workbookId);
    return versionsOf(trx, place.clusterId, workbookId);
  });
}

function version(parts: WorkbooksParts, place: Place, workbookId: string, version: number) {
  return inTenant(parts, place, async (trx) => {
    await find(trx, place, workbookId);
    const found = await findVersion(trx, place.clusterId, workbookId, version);
    if (!found) throw notFound();
    return found;
  });
}

async function revert(parts: WorkbooksParts, place: Place, wish: RevertWish): Promise<Saved> {
  const { ID, version, commit_message } = wish;
  const { row, old } = await inTenant(parts, place, async (trx) => {
    const now = await find(trx, place, ID);
    assertMayChange(place, now);
    return { row: now, old: await findVersion(trx, place.clusterId, ID, version) };
  });
  if (!old) throw notFound();
  const draft = restoredDraft(draftOf(row), old.draft, wish.with_schedule);
  const message = commit_message || storedText(say('workbooks.backToVersion', { version }));
  return save(parts, 'workbook.revert', place, ID, null, draft, message);
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
