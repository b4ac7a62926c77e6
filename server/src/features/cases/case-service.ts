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
import { bindDeps } from '../../platform/bind-deps.ts';
import type { ScopeRef } from '../../platform/scope-ref.ts';
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
import { type CaseActor, type CaseTables, caseDb } from './case-tables.ts';
import { caseKey, caseView } from './case-view.ts';

// What can be asked of cases and done to them. The scope (with its tenant) comes first
// everywhere; whoever calls has been checked for it.

type Page = { readonly limit: number; readonly offset: number };
type Paged<T> = { data: T[]; total_count: number };
type CaseListStats = OutputOf<typeof caseListStats>;
type CaseFigures = OutputOf<typeof caseFigures>;
/** The longest range of days that is counted at once. */
const MAX_DAYS = 400;

interface CaseExportRequest {
  readonly caseIds: readonly string[];
  readonly format: 'csv' | 'ndjson';
  readonly timezone: string;
}

export interface CaseService {
  list(scope: ScopeRef, wanted: CaseSelection, page: CaseListPage): Promise<Paged<Case>>;
  listStats(scope: ScopeRef, wanted: CaseSelection): Promise<CaseListStats>;
  days(
    scope: ScopeRef,
    start: number,
    end: number,
  ): Promise<{ day: string; created: number; closed: number }[]>;
  info(scope: ScopeRef, caseId: string): Promise<Case>;
  /** The cases of the scope among these ids. */
  getMany(scope: ScopeRef, caseIds: readonly string[]): Promise<Case[]>;
  signalList(scope: ScopeRef, caseId: string, page: Page): Promise<Paged<CaseSignal>>;
  entities(scope: ScopeRef, caseId: string): Promise<CaseEntity[]>;
  graph(scope: ScopeRef, caseId: string): Promise<CaseGraph>;
  figures(scope: ScopeRef, caseId: string): Promise<CaseFigures>;
  history(scope: ScopeRef, caseId: string, page: Page): Promise<Paged<CaseHistoryEntry>>;
  notes(scope: ScopeRef, caseIds: readonly string[]): Promise<Record<string, CaseNote[]>[]>;
  create(scope: ScopeRef, actor: CaseActor, input: CaseToCreate): Promise<Case>;
  edit(scope: ScopeRef, actor: CaseActor, edit: CaseEdit): Promise<Case>;
  assign(
    scope: ScopeRef,
    actor: CaseActor,
    input: { readonly caseId: string; readonly userId: string | null },
  ): Promise<Case>;
  changeStatus(scope: ScopeRef, actor: CaseActor, caseId: string, change: StatusChange): Promise<Case>;
  /** What is refused does not keep the others from changing. */
  changeManyStatuses(
    scope: ScopeRef,
    actor: CaseActor,
    caseIds: readonly string[],
    change: StatusChange,
  ): Promise<{ changed: Case[]; refused: OutputOf<typeof changeCaseStatus>['refused'] }>;
  addSignals(
    scope: ScopeRef,
    actor: CaseActor,
    input: {
      readonly caseId: string;
      readonly signalIds: readonly string[];
      readonly includeSimilar: boolean;
    },
  ): Promise<{ case: Case; added: number }>;
  removeSignal(
    scope: ScopeRef,
    actor: CaseActor,
    input: { readonly caseId: string; readonly signalId: string },
  ): Promise<Case>;
  addEntity(
    scope: ScopeRef,
    actor: CaseActor,
    input: { readonly caseId: string } & Pick<CaseTables['case_entity'], 'type' | 'value' | 'role'>,
  ): Promise<CaseEntity>;
  addEntities(
    scope: ScopeRef,
    actor: CaseActor,
    input: {
      readonly caseId: string;
      readonly role: CaseTables['case_entity']['role'];
      readonly entities: readonly Pick<CaseTables['case_entity'], 'type' | 'value'>[];
    },
  ): Promise<{ added: number; unchanged: number }>;
  addNote(
    scope: ScopeRef,
    actor: CaseActor,
    input: { readonly caseId: string; readonly notes: string; readonly tags: readonly string[] },
  ): Promise<CaseNote>;
  /** The text of the file. Cases of elsewhere among the ids make the whole export `not-found`. */
  exportCases(scope: ScopeRef, actor: CaseActor, request: CaseExportRequest): Promise<string>;
}

export function createCaseService(deps: CaseDeps): CaseService {
  return bindDeps(deps, {
    list,
    listStats,
    days,
    info,
    getMany,
    signalList,
    entities,
    graph,
    figures,
    history,
    notes,
    create,
    edit,
    assign,
    changeStatus: changeOneStatus,
    changeManyStatuses,
    addSignals: addSignalsTo,
    removeSignal: removeSignalFrom,
    addEntity,
    addEntities,
    addNote,
    exportCases,
  });
}

function view({ clock }: CaseDeps, row: Parameters<typeof caseView>[0]) {
  return caseView(row, clock.now());
}

function within<T>(
  { postgres }: CaseDeps,
  scope: ScopeRef,
  work: (db: ReturnType<typeof caseDb>) => Promise<T>,
) {
  return postgres.inTenant(scope.clusterId, (trx) => work(caseDb(trx)));
}

function evidence<T>(
  deps: CaseDeps,
  scope: ScopeRef,
  caseId: string,
  work: (signals: Awaited<ReturnType<typeof signalsOf>>, entities: CaseEntity[]) => T,
) {
  return readCase(deps, scope, caseId, async ({ db, trx, row }) => {
    const signals = await signalsOf(deps, trx, row, await selectSignals(db, row));
    return work(signals, caseEntities(signals, await selectAddedEntities(db, row)));
  });
}

function list(
  deps: CaseDeps,
  scope: ScopeRef,
  wanted: CaseSelection,
  page: CaseListPage,
): Promise<Paged<Case>> {
  return within(deps, scope, async (db) => {
    const { rows, total } = await selectCases(db, scope, wanted, page);
    return { data: rows.map((row) => view(deps, row)), total_count: total };
  });
}

function listStats(deps: CaseDeps, scope: ScopeRef, wanted: CaseSelection): Promise<CaseListStats> {
  return within(deps, scope, async (db) => {
    const { total, severity, mtta, mttr, open_age, ...status } = await selectCaseTotals(
      db,
      scope,
      wanted,
      deps.clock.now(),
    );
    const oldest = await selectOldestOpen(db, scope, wanted);
    return {
      total,
      severity: Object.fromEntries(
        SEVERITIES.map((name) => [name, severity[name] ?? 0]),
      ) as CaseListStats['severity'],
      status,
      top_handlers: await selectTopHandlers(db, scope, wanted),
      oldest: oldest
        ? {
            case_id: oldest.case_id,
            case_key: caseKey(oldest.number),
            case_name: oldest.case_name,
            created: oldest.created_at,
          }
        : null,
      mtta,
      mttr,
      open_age,
    };
  });
}

function days(
  deps: CaseDeps,
  scope: ScopeRef,
  start: number,
  end: number,
): Promise<{ day: string; created: number; closed: number }[]> {
  if (end - start > MAX_DAYS * 86_400_000) {
    throw new AppError('bad-input', sayOfField('end', say('cases.tooManyDays', { most: MAX_DAYS })));
  }
  return within(deps, scope, (db) => selectCaseDays(db, scope, start, end));
}

function info(deps: CaseDeps, scope: ScopeRef, caseId: string): Promise<Case> {
  return readCase(deps, scope, caseId, async ({ row }) => view(deps, row));
}

function getMany(deps: CaseDeps, scope: ScopeRef, caseIds: readonly string[]): Promise<Case[]> {
  return within(deps, scope, async (db) =>
    (await findCases(db, scope, caseIds)).map((row) => view(deps, row)),
  );
}

function signalList(
  deps: CaseDeps,
  scope: ScopeRef,
  caseId: string,
  { limit, offset }: Page,
): Promise<Paged<CaseSignal>> {
  return readCase(deps, scope, caseId, async ({ db, trx, row }) => {
    const links = await selectSignals(db, row);
    const byId = new Map(links.map((link) => [link.signal_id, link]));
    const all = (await signalsOf(deps, trx, row, links))
      .flatMap((signal) => {
        const link = byId.get(signal.signal_id);
        return link ? [caseSignal(signal, link)] : [];
      })
      .sort((a, b) => b.last_time - a.last_time);
    return { data: all.slice(offset, offset + limit), total_count: all.length };
  });
}

function entities(deps: CaseDeps, scope: ScopeRef, caseId: string): Promise<CaseEntity[]> {
  return evidence(deps, scope, caseId, (_signals, entities) => entities);
}

function graph(deps: CaseDeps, scope: ScopeRef, caseId: string): Promise<CaseGraph> {
  return evidence(deps, scope, caseId, buildCaseGraph);
}

function figures(deps: CaseDeps, scope: ScopeRef, caseId: string): Promise<CaseFigures> {
  return evidence(deps, scope, caseId, figuresOf);
}

function history(
  deps: CaseDeps,
  scope: ScopeRef,
  caseId: string,
  page: Page,
): Promise<Paged<CaseHistoryEntry>> {
  return readCase(deps, scope, caseId, ({ db, row }) => selectHistory(db, row, page));
}

function notes(
  deps: CaseDeps,
  scope: ScopeRef,
  caseIds: readonly string[],
): Promise<Record<string, CaseNote[]>[]> {
  return within(deps, scope, async (db) => {
    const notes = await selectNotes(db, await findCases(db, scope, caseIds));
    return caseIds.flatMap((caseId) => {
      const found = notes.get(caseId);
      return found ? [{ [caseId]: found }] : [];
    });
  });
}

async function create(deps: CaseDeps, scope: ScopeRef, actor: CaseActor, input: CaseToCreate): Promise<Case> {
  return view(deps, await createCase(deps, scope, actor, input));
}

async function edit(deps: CaseDeps, scope: ScopeRef, actor: CaseActor, edit: CaseEdit): Promise<Case> {
  return view(deps, await editCase(deps, scope, actor, edit));
}

async function assign(
  deps: CaseDeps,
  scope: ScopeRef,
  actor: CaseActor,
  input: { readonly caseId: string; readonly userId: string | null },
): Promise<Case> {
  return view(deps, await assignCase(deps, scope, actor, input));
}

async function changeOneStatus(
  deps: CaseDeps,
  scope: ScopeRef,
  actor: CaseActor,
  caseId: string,
  change: StatusChange,
): Promise<Case> {
  return view(deps, await changeStatus(deps, scope, actor, caseId, change));
}

async function changeManyStatuses(
  deps: CaseDeps,
  scope: ScopeRef,
  actor: CaseActor,
  caseIds: readonly string[],
  change: StatusChange,
): Promise<{ changed: Case[]; refused: OutputOf<typeof changeCaseStatus>['refused'] }> {
  const { changed, refused } = await changeStatuses(deps, scope, actor, caseIds, change);
  return {
    changed: changed.map((row) => view(deps, row)),
    refused: refused.map(({ caseId, said }) => ({ case_id: caseId, ...codedText(said) })),
  };
}

async function addSignalsTo(
  deps: CaseDeps,
  scope: ScopeRef,
  actor: CaseActor,
  input: {
    readonly caseId: string;
    readonly signalIds: readonly string[];
    readonly includeSimilar: boolean;
  },
): Promise<{ case: Case; added: number }> {
  const { row, added } = await addSignals(deps, scope, actor, input);
  return { case: view(deps, row), added };
}

async function removeSignalFrom(
  deps: CaseDeps,
  scope: ScopeRef,
  actor: CaseActor,
  input: { readonly caseId: string; readonly signalId: string },
): Promise<Case> {
  return view(deps, await removeSignal(deps, scope, actor, input));
}

async function exportCases(
  deps: CaseDeps,
  scope: ScopeRef,
  actor: CaseActor,
  request: CaseExportRequest,
): Promise<string> {
  const now = deps.clock.now();
  return deps.postgres.inTenant(scope.clusterId, async (trx) => {
    const db = caseDb(trx);
    const wanted = new Set(request.caseIds);
    const rows = await findCases(db, scope, [...wanted]);
    if (rows.length < wanted.size) throw new AppError('not-found', say('session.notFound'));
    const notes = await selectNotes(db, rows);
    const cases = rows.map((row) => ({ record: caseView(row, now), notes: notes.get(row.case_id) ?? [] }));
    for (const row of rows)
      await insertHistory(db, row, actor, { action: 'export', to: request.format }, now);
    const { source, ...who } = actor;
    const details = { cases: [...wanted], format: request.format, rows: rows.length };
    await deps.audit.record({ action: 'case.export', who, source, ...scope, details }, trx);
    return request.format === 'csv' ? casesAsCsv(cases, request.timezone) : casesAsNdjson(cases);
  });
}
