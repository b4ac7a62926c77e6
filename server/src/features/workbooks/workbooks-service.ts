import type { AddFilter, Workbook, WorkbookDraft, WorkbookItem, WorkbookVersion } from '@tyrian/contract';
import { AppError, notAuthorised, notFound } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { newId } from '../../platform/new-id.ts';
import type { Postgres, TenantTransaction } from '../../platform/postgres/postgres.ts';
import type { RuleControl } from '../detections/rule-control.ts';
import { detectionsIn } from '../detections/rule-definition.ts';
import type { QueryService } from '../search/query-service.ts';
import { checkDraft, type DraftCheck } from './check-draft.ts';
import { addMissingDirectories } from './directory-store.ts';
import {
  draftOf,
  findVersion,
  findWorkbook,
  insertWorkbook,
  patchWorkbook,
  updateWorkbook,
  versionsOf,
  type WorkbookFacts,
  type WorkbookRow,
  workbooksInScope,
} from './workbook-store.ts';
import {
  isEditable,
  mayChange,
  passesFilters,
  type SignalCount,
  sortItems,
  summaryOf,
  type WorkbookSort,
} from './workbook-view.ts';

// Workbooks: who may change which, what may be saved, and which rules run because of it. A change and the rule that
// follows from it are one transaction.

/** Where a call is made: the tenant, and the scope that stands in its body. */
export interface Place {
  readonly caller: Caller;
  readonly clusterId: string;
  readonly scopeId: string;
}

export interface WorkbooksDeps {
  readonly postgres: Postgres;
  readonly queries: Pick<QueryService, 'compile'>;
  readonly rules: RuleControl;
  /** Signals of the last 30 days by workbook. */
  readonly signalCounts: (clusterId: string, scopeId: string) => Promise<ReadonlyMap<string, SignalCount>>;
  readonly clock: Clock;
}

export interface ListWish {
  readonly addfilters: readonly AddFilter[];
  readonly pageno: number;
  readonly pagesize: number;
  readonly sort: WorkbookSort;
  readonly order: 'asc' | 'desc';
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

interface Saved {
  readonly ID: string;
  readonly version: number;
}

export interface LockState {
  readonly locked: boolean;
  readonly locked_by: string | null;
  readonly since: number | null;
}

export type WorkbooksService = ReturnType<typeof createWorkbooksService>;

const lockOf = (row: WorkbookRow): LockState => ({
  locked: row.locked_by_id !== null,
  locked_by: row.locked_by,
  since: row.locked_ms,
});

function assertMayChange(place: Place, row: WorkbookRow): void {
  if (row.native) {
    throw new AppError('conflict', 'This workbook is part of Tyrian and read only: clone it to change it');
  }
  if (!mayChange(place.caller, row, place.scopeId)) throw notAuthorised();
  if (row.locked_by_id !== null && row.locked_by_id !== place.caller.userId) {
    throw new AppError('conflict', `${row.locked_by} has locked this workbook`, lockOf(row));
  }
}

/** The refusal for a draft with errors; `details.problems` names every place. */
function draftRefusal(check: DraftCheck): AppError {
  const errors = check.problems.filter((each) => each.severity === 'error');
  return new AppError('bad-input', errors[0]?.message ?? 'the workbook has mistakes', {
    problems: check.problems,
  });
}

export function createWorkbooksService(deps: WorkbooksDeps) {
  const { postgres, rules, clock } = deps;

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

  const items = async (place: Place): Promise<WorkbookItem[]> => {
    const counts = await deps.signalCounts(place.clusterId, place.scopeId);
    return inTenant(place, async (trx) => {
      const rows = await workbooksInScope(trx, place.clusterId, place.scopeId);
      const modes = new Map(rows.map((row) => [row.workbook_id, row.mode]));
      const inScope = await rules.inScope(
        trx,
        place.clusterId,
        place.scopeId,
        (id) => modes.get(id) ?? 'off',
      );
      return rows.map((row) => ({
        ID: row.workbook_id,
        ConfType: 'WorkBooks' as const,
        properties: summaryOf(
          row,
          inScope.get(row.workbook_id),
          counts.get(row.workbook_id),
          isEditable(place.caller, row, place.scopeId),
        ),
      }));
    });
  };

  const insert = async (
    place: Place,
    draft: WorkbookDraft,
    message: string,
    before: (trx: TenantTransaction) => Promise<void> = async () => undefined,
  ): Promise<Saved> => {
    const facts = await checked(place, draft);
    const workbookId = newId();
    await inTenant(place, async (trx) => {
      await before(trx);
      const nowMs = clock.now();
      await insertWorkbook(trx, {
        clusterId: place.clusterId,
        workbookId,
        scopeId: place.scopeId,
        draft,
        facts,
        author: authorOf(place),
        message: message || 'First version',
        nowMs,
        nativeHash: null,
      });
      await addMissingDirectories(trx, place, draft.directory, nowMs);
      await rules.configure(trx, keyOf(place, workbookId), {
        enabled: true,
        schedule: draft.schedule,
        isDetection: facts.detection,
      });
    });
    return { ID: workbookId, version: 1 };
  };

  const save = async (
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
        throw new AppError(
          'conflict',
          `Version ${row.version} was saved meanwhile; your change is based on version ${expected}`,
          { version: row.version },
        );
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
      return { ID: workbookId, version };
    });
  };

  return {
    check,
    list: async (place: Place, wish: ListWish): Promise<{ data: WorkbookItem[]; total_count: number }> => {
      const found = (await items(place)).filter((item) => passesFilters(item, wish.addfilters));
      const from = (wish.pageno - 1) * wish.pagesize;
      return {
        data: sortItems(found, wish.sort, wish.order).slice(from, from + wish.pagesize),
        total_count: found.length,
      };
    },
    count: async (place: Place) => {
      const detections = (await items(place)).filter((item) => item.properties.detection);
      const on = detections.filter((item) => item.properties.enabled);
      const by = (mode: string) => on.filter((item) => item.properties.schedule.mode === mode).length;
      return {
        total: detections.length,
        enabled: on.length,
        streamed: by('streamed'),
        scheduled: by('scheduled'),
      };
    },
    read: async (place: Place, workbookId: string): Promise<Workbook> => {
      const blocks = await inTenant(place, async (trx) => (await find(trx, place, workbookId)).blocks);
      const item = (await items(place)).find((each) => each.ID === workbookId);
      if (!item) throw notFound();
      return { ...item, properties: { ...item.properties, blocks } };
    },
    /** The draft of a workbook, for a download. */
    draft: (place: Place, workbookId: string): Promise<WorkbookDraft> =>
      inTenant(place, async (trx) => draftOf(await find(trx, place, workbookId))),
    /** The streams that its queries read. */
    streams: (place: Place, workbookId: string): Promise<readonly string[]> =>
      inTenant(place, async (trx) => (await find(trx, place, workbookId)).streams),
    add: (place: Place, draft: WorkbookDraft, message: string) => insert(place, draft, message),
    edit: (place: Place, workbookId: string, version: number, draft: WorkbookDraft, message: string) =>
      save(place, workbookId, version, draft, message),
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
      return insert(place, copy, `Copy of ${source.name}, version ${source.version}`, async (trx) => {
        if (!wish.disable_original) return;
        await rules.configure(trx, keyOf(place, wish.ID), {
          enabled: false,
          schedule: draft.schedule,
          isDetection: source.detection,
        });
      });
    },
    remove: (place: Place, workbookId: string): Promise<void> =>
      inTenant(place, async (trx) => {
        assertMayChange(place, await find(trx, place, workbookId, true));
        await rules.remove(trx, place.clusterId, workbookId);
        await patchWorkbook(trx, place.clusterId, workbookId, { deleted_ms: clock.now() });
      }),
    move: (place: Place, workbookId: string, directory: string): Promise<void> =>
      inTenant(place, async (trx) => {
        assertMayChange(place, await find(trx, place, workbookId, true));
        await addMissingDirectories(trx, place, directory, clock.now());
        await patchWorkbook(trx, place.clusterId, workbookId, { directory });
      }),
    switchOn: (place: Place, workbookId: string, enabled: boolean, backfillFrom?: number): Promise<void> =>
      inTenant(place, async (trx) => {
        const row = await find(trx, place, workbookId, true);
        if (row.native) assertEngineer(place);
        else assertMayChange(place, row);
        await rules.configure(trx, keyOf(place, workbookId), {
          enabled,
          schedule: draftOf(row).schedule,
          isDetection: row.detection,
          ...(backfillFrom === undefined ? {} : { backfillFrom }),
        });
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
      return save(place, ID, null, draft, commit_message || `Back to version ${version}`);
    },
  };
}

/** An old version in the place of the newest. One without a detection has nothing to run on a schedule. */
function restoredDraft(now: WorkbookDraft, old: WorkbookDraft, withSchedule: boolean): WorkbookDraft {
  const wanted = withSchedule ? old.schedule : now.schedule;
  const schedule: WorkbookDraft['schedule'] =
    detectionsIn(old.blocks).length > 0 ? wanted : { ...wanted, mode: 'off', cron: null };
  return { ...old, directory: now.directory, schedule };
}

/** Native workbooks belong to everybody in a scope: only an engineer switches them. */
function assertEngineer(place: Place): void {
  if (!place.caller.tagsAt(place.clusterId, place.scopeId).includes('engineer')) throw notAuthorised();
}
