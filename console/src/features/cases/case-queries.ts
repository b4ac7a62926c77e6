import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  addCaseSignals,
  assignCase,
  type Case,
  caseGraph,
  caseHistory,
  caseInfo,
  caseListStats,
  changeCaseStatus,
  createCase,
  editCase,
  type InputOf,
  listCaseEntities,
  listCaseNotes,
  listCaseSignals,
  listCases,
  listScopeUsers,
  listSignals,
  type UserItem,
} from '@tyrian/contract';
import { useScope } from '../../lib/session-store.ts';
import { callQuery, markStale, useCallMutation } from '../../lib/use-call.ts';

// Queries and changes of cases, and what each change makes stale.

const FIRST_CASES = 200;
const MOST_CASES = 10_000;
const FIRST_USERS = 10;
const MOST_USERS = 10_000;

export type CaseSelection = Omit<InputOf<typeof listCases>, 'scope_id' | 'pageno' | 'pagesize'>;

/** The cases of a selection: the first 200, then all of them when there are more. Rows stay until they are asked for. */
export function useCaseList(selection: CaseSelection) {
  const { clusterId, scopeId } = useScope();
  const page = (pagesize: number, enabled = true) =>
    callQuery(
      listCases,
      { ...selection, scope_id: scopeId, pageno: 1, pagesize },
      { params: { clusterId }, keep: true, enabled, quiet: true },
    );
  const first = useQuery(page(FIRST_CASES));
  const total = first.data?.total_count ?? 0;
  const isMore = total > FIRST_CASES && !first.isPlaceholderData;
  const full = useQuery(page(Math.min(MOST_CASES, total), isMore));
  const answer = isMore && full.data ? full.data : first.data;
  return { ...first, rows: answer?.data as readonly Case[] | undefined, total };
}

/** Figures over the same selection. */
export function useCaseStats(selection: CaseSelection) {
  const { clusterId, scopeId } = useScope();
  const { search, addfilters, start, end } = selection;
  return useQuery(
    callQuery(
      caseListStats,
      { scope_id: scopeId, search, addfilters, start, end },
      { params: { clusterId }, keep: true, quiet: true },
    ),
  );
}

/** Reads list and figures anew. */
export function useCaseListReload(): () => Promise<void> {
  const client = useQueryClient();
  return () => markStale(client, [listCases, caseListStats]);
}

/** Who may handle a case: the first 10, then all. */
export function useScopeUsers(): readonly UserItem[] {
  const { clusterId, scopeId } = useScope();
  const page = (pagesize: number, enabled = true) =>
    callQuery(
      listScopeUsers,
      { scope_id: scopeId, pageno: 1, pagesize, query: '' },
      { params: { clusterId }, enabled, quiet: true },
    );
  const first = useQuery(page(FIRST_USERS));
  const total = first.data?.total_count ?? 0;
  const full = useQuery(page(Math.min(MOST_USERS, total), total > FIRST_USERS));
  return full.data?.data ?? first.data?.data ?? NOBODY;
}

const NOBODY: readonly UserItem[] = [];

/** One case and what belongs to it. */
export function useCase(caseId: string) {
  const { clusterId, scopeId } = useScope();
  const one = { scope_id: scopeId, case_id: caseId };
  const extras = { params: { clusterId }, quiet: true } as const;
  const info = useQuery(callQuery(caseInfo, one, extras));
  // Of a case that is not there nothing else is asked.
  const parts = { ...extras, enabled: info.data !== undefined };
  return {
    info,
    signals: useQuery(callQuery(listCaseSignals, { ...one, pageno: 1, pagesize: 1000 }, parts)),
    entities: useQuery(callQuery(listCaseEntities, one, parts)),
    graph: useQuery(callQuery(caseGraph, one, parts)),
    history: useQuery(callQuery(caseHistory, { ...one, pageno: 1, pagesize: 1000 }, parts)),
  };
}

const WHOLE_CASE = [caseInfo, caseHistory, listCases, caseListStats, listCaseNotes];
const WITH_SIGNALS = [...WHOLE_CASE, listCaseSignals, listCaseEntities, caseGraph, listSignals];

export function useStatusChange() {
  return useCallMutation(changeCaseStatus, { stale: WHOLE_CASE });
}

export function useAssignment() {
  return useCallMutation(assignCase, { stale: WHOLE_CASE });
}

/** Editing name and severity; a stale revision is for the caller to show. */
export function useCaseEdit() {
  return useCallMutation(editCase, { stale: WHOLE_CASE, quiet: true });
}

export function useCaseCreation() {
  return useCallMutation(createCase, { stale: WITH_SIGNALS });
}

export function useSignalAddition() {
  return useCallMutation(addCaseSignals, { stale: WITH_SIGNALS });
}

/** Reads a case anew, for instance after somebody else has changed it. */
export function useCaseReload(): () => Promise<void> {
  const client = useQueryClient();
  return () => markStale(client, WITH_SIGNALS);
}
