import { say, storedText, type WorkbookDraft, type WorkbookVersion } from '@tyrian/contract';
import { AppError, notFound } from '../../platform/app-error.ts';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { detectionsIn } from '../detections/rule-definition.ts';
import { notProven } from '../samples/sample-gate.ts';
import { addMissingDirectories } from './directory-store.ts';
import { importNote, readWorkbookFile } from './workbook-file.ts';
import { createWorkbookListing } from './workbook-listing.ts';
import {
  assertEngineer,
  assertMayChange,
  type CallScope,
  type LockState,
  lockOf,
} from './workbook-rights.ts';
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

interface RevertInput {
  readonly ID: string;
  readonly version: number;
  readonly commit_message: string;
  /** Else the schedule stays: bringing back an old text must not start or stop a detection. */
  readonly with_schedule: boolean;
}

export interface CloneInput {
  readonly ID: string;
  readonly name: string;
  readonly directory: string;
  readonly disable_original: boolean;
  readonly retain_schedule: boolean;
}

export interface ImportInput {
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
  { rules, trail, samples }: WorkbooksParts,
  trx: TenantTransaction,
  scope: CallScope,
  row: WorkbookRow,
  enabled: boolean,
  backfillFrom?: number,
): Promise<void> {
  if (row.native) assertEngineer(scope);
  else assertMayChange(scope, row);
  const isOwnInProd = !row.native && row.detection && row.stage === 'prod';
  if (enabled && isOwnInProd && (await samples.unproven(trx, scope.clusterId, [row.workbook_id])).size > 0)
    throw notProven();
  const backfill = backfillFrom === undefined ? {} : { backfillFrom };
  await rules.configure(trx, keyOf(scope, row.workbook_id), {
    enabled,
    schedule: draftOf(row).schedule,
    isDetection: row.detection,
    ...backfill,
  });
  const details = { name: row.name, detection: row.detection, ...backfill };
  await trail.note(trx, scope, switchAction(enabled), row.workbook_id, details);
}

/** The original that a clone switched off, unless it is gone. */
async function replacedBy(trx: TenantTransaction, scope: CallScope, clone: WorkbookRow) {
  return clone.cloned_from !== null && clone.replaced_original
    ? findWorkbook(trx, scope.clusterId, scope.scopeId, clone.cloned_from, { lock: true })
    : undefined;
}

/** The draft of a workbook that is taken away as a file. */
function draft(parts: WorkbooksParts, scope: CallScope, workbookId: string): Promise<WorkbookDraft> {
  return inTenant(parts, scope, async (trx) => {
    const row = await find(trx, scope, workbookId);
    await parts.trail.note(trx, scope, 'workbook.export', workbookId, {
      name: row.name,
      version: row.version,
    });
    return withShipped(parts, row);
  });
}

/** The draft of a workbook; a shipped one has the samples that came with it. */
function withShipped({ samples }: WorkbooksParts, row: WorkbookRow): WorkbookDraft {
  const shipped = samples.shippedOf(row.workbook_id);
  if (!shipped) return draftOf(row);
  return { ...draftOf(row), samples: shipped.map((one) => ({ ...one, events: [...one.events] })) };
}

/** The streams that its queries read. */
function streams(parts: WorkbooksParts, scope: CallScope, workbookId: string): Promise<readonly string[]> {
  return inTenant(parts, scope, async (trx) => (await find(trx, scope, workbookId)).streams);
}

function add(parts: WorkbooksParts, scope: CallScope, draft: WorkbookDraft, message: string) {
  return insert(parts, scope, draft, message, (trx, id) =>
    parts.trail.note(trx, scope, 'workbook.add', id, { name: draft.name, schedule: draft.schedule.mode }),
  );
}

/** Saves what a file holds; it runs when somebody switches it on. Throws `conflict` naming the namesake. */
async function importFile(parts: WorkbooksParts, scope: CallScope, input: ImportInput): Promise<Saved> {
  const draft = readWorkbookFile(input.file);
  const message = importNote(input.file_name);
  const { ID, version } = input;
  if (input.as === 'version' && ID !== undefined && version !== undefined) {
    return save(parts, 'workbook.import', scope, ID, version, draft, message);
  }
  const name = await inTenant(parts, scope, (trx) => freeName(trx, scope, draft.name, input.as === 'copy'));
  const told = (trx: TenantTransaction, id: string) =>
    parts.trail.note(trx, scope, 'workbook.import', id, { name, file: input.file_name, version: 1 });
  return insert(parts, scope, { ...draft, name }, message, told, { enabled: false });
}

function edit(
  parts: WorkbooksParts,
  scope: CallScope,
  workbookId: string,
  version: number,
  draft: WorkbookDraft,
  message: string,
) {
  return save(parts, 'workbook.edit', scope, workbookId, version, draft, message);
}

async function clone(parts: WorkbooksParts, scope: CallScope, input: CloneInput): Promise<Saved> {
  const source = await inTenant(parts, scope, (trx) => find(trx, scope, input.ID));
  if (input.disable_original && source.native) assertEngineer(scope);
  if (input.disable_original && !source.native) assertMayChange(scope, source);
  const draft = withShipped(parts, source);
  const copy: WorkbookDraft = {
    ...draft,
    name: input.name,
    directory: input.directory,
    schedule: input.retain_schedule ? draft.schedule : { ...draft.schedule, mode: 'off', cron: null },
  };
  const { ID, name, disable_original } = input;
  const told = async (trx: TenantTransaction, id: string) => {
    const details = { name, original: ID, disable_original, schedule: copy.schedule.mode };
    if (disable_original) {
      const { detection: isDetection } = source;
      await parts.rules.configure(trx, keyOf(scope, ID), {
        enabled: false,
        schedule: draft.schedule,
        isDetection,
      });
    }
    await parts.trail.note(trx, scope, 'workbook.clone', id, details);
    if (disable_original) await parts.trail.note(trx, scope, switchAction(false), ID, { name: source.name });
  };
  const message = storedText(say('workbooks.copyOf', { name: source.name, version: source.version }));
  const original = { id: ID, isReplaced: disable_original && source.detection };
  return insert(parts, scope, copy, message, told, { original });
}

/** Deletes it; `enableOriginal` lets what it was cloned from run again. Answers with the original that does. */
function remove(
  parts: WorkbooksParts,
  scope: CallScope,
  workbookId: string,
  enableOriginal: boolean,
): Promise<Original | null> {
  return inTenant(parts, scope, async (trx) => {
    const row = await find(trx, scope, workbookId, true);
    assertMayChange(scope, row);
    await parts.rules.remove(trx, scope.clusterId, workbookId);
    await parts.samples.remove(trx, scope.clusterId, [workbookId]);
    await patchWorkbook(trx, scope.clusterId, workbookId, { deleted_at: parts.clock.now() });
    const { name, detection, version } = row;
    await parts.trail.note(trx, scope, 'workbook.delete', workbookId, { name, detection, version });
    const original = enableOriginal ? await replacedBy(trx, scope, row) : undefined;
    if (!original) return null;
    await setEnabled(parts, trx, scope, original, true);
    return { ID: original.workbook_id, name: original.name };
  });
}

function move(parts: WorkbooksParts, scope: CallScope, workbookId: string, directory: string): Promise<void> {
  return inTenant(parts, scope, async (trx) => {
    const row = await find(trx, scope, workbookId, true);
    assertMayChange(scope, row);
    await addMissingDirectories(trx, scope, directory, parts.clock.now());
    await patchWorkbook(trx, scope.clusterId, workbookId, { directory });
    const details = { name: row.name, from: row.directory, to: directory };
    await parts.trail.note(trx, scope, 'workbook.move', workbookId, details);
  });
}

function switchOn(
  parts: WorkbooksParts,
  scope: CallScope,
  workbookId: string,
  enabled: boolean,
  backfillFrom?: number,
): Promise<void> {
  return inTenant(parts, scope, async (trx) => {
    const row = await find(trx, scope, workbookId, true);
    await setEnabled(parts, trx, scope, row, enabled, backfillFrom);
  });
}

function lock(
  parts: WorkbooksParts,
  scope: CallScope,
  workbookId: string,
  lock: boolean,
): Promise<LockState> {
  return inTenant(parts, scope, async (trx) => {
    const row = await find(trx, scope, workbookId, true);
    const tags = scope.caller.tagsAt(scope.clusterId, scope.scopeId);
    // An engineer may also take away the lock of somebody who is away.
    if (lock || !tags.includes('engineer')) assertMayChange(scope, row);
    if (row.native) assertMayChange(scope, row);
    const patch = lock
      ? {
          locked_by: scope.caller.name,
          locked_by_id: scope.caller.userId,
          locked_at: row.locked_at ?? parts.clock.now(),
        }
      : { locked_by: null, locked_by_id: null, locked_at: null };
    await patchWorkbook(trx, scope.clusterId, workbookId, patch);
    const details = { name: row.name, locked_before_by: row.locked_by };
    await parts.trail.note(trx, scope, lock ? 'workbook.lock' : 'workbook.unlock', workbookId, details);
    return lockOf({ ...row, ...patch });
  });
}

function lockState(parts: WorkbooksParts, scope: CallScope, workbookId: string): Promise<LockState> {
  return inTenant(parts, scope, async (trx) => lockOf(await find(trx, scope, workbookId)));
}

function versions(parts: WorkbooksParts, scope: CallScope, workbookId: string): Promise<WorkbookVersion[]> {
  return inTenant(parts, scope, async (trx) => {
    await find(trx, scope, workbookId);
    return versionsOf(trx, scope.clusterId, workbookId);
  });
}

function version(parts: WorkbooksParts, scope: CallScope, workbookId: string, version: number) {
  return inTenant(parts, scope, async (trx) => {
    await find(trx, scope, workbookId);
    const found = await findVersion(trx, scope.clusterId, workbookId, version);
    if (!found) throw notFound();
    return found;
  });
}

async function revert(parts: WorkbooksParts, scope: CallScope, input: RevertInput): Promise<Saved> {
  const { ID, version, commit_message } = input;
  const { row, old } = await inTenant(parts, scope, async (trx) => {
    const now = await find(trx, scope, ID);
    assertMayChange(scope, now);
    return { row: now, old: await findVersion(trx, scope.clusterId, ID, version) };
  });
  if (!old) throw notFound();
  const draft = restoredDraft(draftOf(row), old.draft, input.with_schedule);
  const message = commit_message || storedText(say('workbooks.backToVersion', { version }));
  return save(parts, 'workbook.revert', scope, ID, null, draft, message);
}

/** A name that nothing else in the scope has: the one wanted, or for a copy the next one that is free. */
async function freeName(
  trx: TenantTransaction,
  scope: CallScope,
  wanted: string,
  isCopy: boolean,
): Promise<string> {
  const { clusterId, scopeId, caller } = scope;
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

/** An old version as the newest. One without a detection has nothing to run on a schedule. */
function restoredDraft(now: WorkbookDraft, old: WorkbookDraft, withSchedule: boolean): WorkbookDraft {
  const wanted = withSchedule ? old.schedule : now.schedule;
  const schedule: WorkbookDraft['schedule'] =
    detectionsIn(old.blocks).length > 0 ? wanted : { ...wanted, mode: 'off', cron: null };
  return { ...old, directory: now.directory, schedule };
}
