import {
  type Case,
  type CaseEntity,
  type CaseGraph,
  type CaseHistoryEntry,
  type CaseNote,
  type CaseSignal,
  type caseFigures,
  type caseListStats,
  type changeCaseStatus,
  codedText,
  type OutputOf,
  SEVERITIES,
  say,
  sayOfField,
} from '@tyrian/contract';
import { AppError } from '../../platform/app-error.ts';
import {
  addNote,
  assignCase,
  type CaseEdit,
  type CaseToCreate,
  changeStatus,
  changeStatuses,
  createCase,
  editCase,
  type StatusChange,
} from './case-changes.ts';
import { type CaseDeps, readCase } from './case-context.ts';
import { buildCaseGraph, caseEntities, caseSignal, figuresOf } from './case-evidence.ts';
import { addEntities, addEntity, addSignals, removeSignal, signalsOf } from './case-evidence-changes.ts';
import { casesAsCsv, casesAsNdjson } from './case-export.ts';
import { insertHistory, selectHistory, selectNotes } from './case-journal-store.ts';
import {
  type CaseListPage,
  type CaseSelection,
  selectCaseDays,
  selectCases,
  selectCaseTotals,
  selectOldestOpen,
  selectTopHandlers,
} from './case-list-store.ts';
import { findCases, selectAddedEntities, selectSignals } from './case-store.ts';
import { type CaseActor, type CasePlace, type CaseTables, caseDb } from './case-tables.ts';
import { caseKey, caseView } from './case-view.ts';

// The story of cases: what can be asked of them and done to them. The place (tenant and scope) comes first
// everywhere; whoever calls has been checked for it.

type Page = { readonly limit: number; readonly offset: number };
type Paged<T> = { data: T[]; total_count: number };
type CaseListStats = OutputOf<typeof caseListStats>;
type CaseFigures = OutputOf<typeof caseFigures>;
/** The longest range of days that is counted at once. */
const MAX_DAYS = 400;

interface ExportWish {
  readonly caseIds: readonly string[];
  readonly format: 'csv' | 'ndjson';
  readonly timezone: string;
}

export interface CaseService {
  list(place: CasePlace, wanted: CaseSelection, page: CaseListPage): Promise<Paged<Case>>;
  listStats(place: CasePlace, wanted: CaseSelection): Promise<CaseListStats>;
  days(
    place: CasePlace,
    start: number,
    end: number,
  ): Promise<{ day: string; created: number; closed: number }[]>;
  info(place: CasePlace, caseId: string): Promise<Case>;
  /** The cases of the scope among these ids. */
  getMany(place: CasePlace, caseIds: readonly string[]): Promise<Case[]>;
  signalList(place: CasePlace, caseId: string, page: Page): Promise<Paged<CaseSignal>>;
  entities(place: CasePlace, caseId: string): Promise<CaseEntity[]>;
  graph(place: CasePlace, caseId: string): Promise<CaseGraph>;
  figures(place: CasePlace, caseId: string): Promise<CaseFigures>;
  history(place: CasePlace, caseId: string, page: Page): Promise<Paged<CaseHistoryEntry>>;
  notes(place: CasePlace, caseIds: readonly string[]): Promise<Record<string, CaseNote[]>[]>;
  create(place: CasePlace, actor: CaseActor, input: CaseToCreate): Promise<Case>;
  edit(place: CasePlace, actor: CaseActor, edit: CaseEdit): Promise<Case>;
  assign(
    place: CasePlace,
    actor: CaseActor,
    input: { readonly caseId: string; readonly userId: string | null },
  ): Promise<Case>;
  changeStatus(place: CasePlace, actor: CaseActor, caseId: string, change: StatusChange): Promise<Case>;
  /** What is refused does not keep the others from changing. */
  changeManyStatuses(
    place: CasePlace,
    actor: CaseActor,
    caseIds: readonly string[],
    change: StatusChange,
  ): Promise<{ changed: Case[]; refused: OutputOf<typeof changeCaseStatus>['refused'] }>;
  addSignals(
    place: CasePlace,
    actor: CaseActor,
    input: {
      readonly caseId: string;
      readonly signalIds: readonly string[];
      readonly includeSimilar: boolean;
    },
  ): Promise<{ case: Case; added: number }>;
  removeSignal(
    place: CasePlace,
    actor: CaseActor,
    input: { readonly caseId: string; readonly signalId: string },
  ): Promise<Case>;
  addEntity(
    place: CasePlace,
    actor: CaseActor,
    input: { readonly caseId: string } & Pick<CaseTables['case_entity'], 'type' | 'value' | 'role'>,
  ): Promise<CaseEntity>;
  addEntities(
    place: CasePlace,
    actor: CaseActor,
    input: {
      readonly caseId: string;
      readonly role: CaseTables['case_entity']['role'];
      readonly entities: readonly Pick<CaseTables['case_entity'], 'type' | 'value'>[];
    },
  ): Promise<{ added: number; unchanged: number }>;
  addNote(
    place: CasePlace,
    actor: CaseActor,
    input: { readonly caseId: string; readonly notes: string; readonly tags: readonly string[] },
  ): Promise<CaseNote>;
  /** The text of the file. Cases of elsewhere among the ids make the whole export `not-found`. */
  exportCases(place: CasePlace, actor: CaseActor, wish: ExportWish): Promise<string>;
}

export function createCaseService(deps: CaseDeps): CaseService {
  const { postgres, clock } = deps;
  const view = (row: Parameters<typeof caseView>[0]) => caseView(row, clock.now());
  const within = <T>(place: CasePlace, work: (db: ReturnType<typeof caseDb>) => Promise<T>) =>
    postgres.inTenant(place.clusterId, (trx) => work(caseDb(trx)));

  const evidence = <T>(
    place: CasePlace,
    caseId: string,
    work: (signals: Awaited<ReturnType<typeof signalsOf>>, entities: CaseEntity[]) => T,
  ) =>
    readCase(deps, place, caseId, async ({ db, trx, row }) => {
      const signals = await signalsOf(deps, trx, row, await selectSignals(db, row));
      return work(signals, caseEntities(signals, await selectAddedEntities(db, row)));
    });

  return {
    list: (place, wanted, page) =>
      within(place, async (db) => {
        const { rows, total } = await selectCases(db, place, wanted, page);
        return { data: rows.map(view), total_count: total };
      }),
    listStats: (place, wanted) =>
      within(place, async (db) => {
        const { total, severity, mtta, mttr, open_age, ...status } = await selectCaseTotals(
          db,
          place,
          wanted,
          clock.now(),
        );
        const oldest = await selectOldestOpen(db, place, wanted);
        return {
          total,
          severity: Object.fromEntries(
            SEVERITIES.map((name) => [name, severity[name] ?? 0]),
          ) as CaseListStats['severity'],
          status,
          top_handlers: await selectTopHandlers(db, place, wanted),
          oldest: oldest
            ? {
                case_id: oldest.case_id,
                case_key: caseKey(oldest.number),
                case_name: oldest.case_name,
                created: oldest.created_ms,
              }
            : null,
          mtta,
          mttr,
          open_age,
        };
      }),
    days: (place, start, end) => {
      if (end - start > MAX_DAYS * 86_400_000) {
        throw new AppError('bad-input', sayOfField('end', say('cases.tooManyDays', { most: MAX_DAYS })));
      }
      return within(place, (db) => selectCaseDays(db, place, start, end));
    },
    info: (place, caseId) => readCase(deps, place, caseId, async ({ row }) => view(row)),
    getMany: (place, caseIds) => within(place, async (db) => (await findCases(db, place, caseIds)).map(view)),
    signalList: (place, caseId, { limit, offset }) =>
      readCase(deps, place, caseId, async ({ db, trx, row }) => {
        const links = await selectSignals(db, row);
        const byId = new Map(links.map((link) => [link.signal_id, link]));
        const all = (await signalsOf(deps, trx, row, links))
          .flatMap((signal) => {
            const link = byId.get(signal.signal_id);
            return link ? [caseSignal(signal, link)] : [];
          })
          .sort((a, b) => b.last_time - a.last_time);
        return { data: all.slice(offset, offset + limit), total_count: all.length };
      }),
    entities: (place, caseId) => evidence(place, caseId, (_signals, entities) => entities),
    graph: (place, caseId) => evidence(place, caseId, buildCaseGraph),
    figures: (place, caseId) => evidence(place, caseId, figuresOf),
    history: (place, caseId, page) =>
      readCase(deps, place, caseId, ({ db, row }) => selectHistory(db, row, page)),
    notes: (place, caseIds) =>
      within(place, async (db) => {
        const notes = await selectNotes(db, await findCases(db, place, caseIds));
        return caseIds.flatMap((caseId) => {
          const found = notes.get(caseId);
          return found ? [{ [caseId]: found }] : [];
        });
      }),
    create: async (place, actor, input) => view(await createCase(deps, place, actor, input)),
    edit: async (place, actor, edit) => view(await editCase(deps, place, actor, edit)),
    assign: async (place, actor, input) => view(await assignCase(deps, place, actor, input)),
    changeStatus: async (place, actor, caseId, change) =>
      view(await changeStatus(deps, place, actor, caseId, change)),
    changeManyStatuses: async (place, actor, caseIds, change) => {
      const { changed, refused } = await changeStatuses(deps, place, actor, caseIds, change);
      return {
        changed: changed.map(view),
        refused: refused.map(({ caseId, said }) => ({ case_id: caseId, ...codedText(said) })),
      };
    },
    addSignals: async (place, actor, input) => {
      const { row, added } = await addSignals(deps, place, actor, input);
      return { case: view(row), added };
    },
    removeSignal: async (place, actor, input) => view(await removeSignal(deps, place, actor, input)),
    addEntity: (place, actor, input) => addEntity(deps, place, actor, input),
    addEntities: (place, actor, input) => addEntities(deps, place, actor, input),
    addNote: (place, actor, input) => addNote(deps, place, actor, input),
    exportCases: (place, actor, wish) => exportText(deps, place, actor, wish),
  };
}

async function exportText(
  deps: CaseDeps,
  place: CasePlace,
  actor: CaseActor,
  wish: ExportWish,
): Promise<string> {
  const now = deps.clock.now();
  return deps.postgres.inTenant(place.clusterId, async (trx) => {
    const db = caseDb(trx);
    const wanted = new Set(wish.caseIds);
    const rows = await findCases(db, place, [...wanted]);
    if (rows.length < wanted.size) throw new AppError('not-found', say('session.notFound'));
    const notes = await selectNotes(db, rows);
    const cases = rows.map((row) => ({ record: caseView(row, now), notes: notes.get(row.case_id) ?? [] }));
    for (const row of rows) await insertHistory(db, row, actor, { action: 'export', to: wish.format }, now);
    const { source, ...who } = actor;
    const details = { cases: [...wanted], format: wish.format, rows: rows.length };
    await deps.audit.record({ action: 'case.export', who, source, ...place, details }, trx);
    return wish.format === 'csv' ? casesAsCsv(cases, wish.timezone) : casesAsNdjson(cases);
  });
}
