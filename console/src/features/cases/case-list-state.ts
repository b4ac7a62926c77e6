import { type AddFilter, CASE_STATUSES, type CaseStatus, SEVERITIES, type Severity } from '@tyrian/contract';
import type { TableSort } from '../../ui/table-model.ts';
import type { CaseSelection } from './case-queries.ts';

// What the case list shows is in its address: `status=OPEN&severity=High&handler=u1&q=mail&sort=created.desc`.
// Without a status the list shows what is not closed; `status=all` shows everything.

export interface CaseListState {
  readonly statuses: readonly CaseStatus[];
  readonly severities: readonly Severity[];
  /** User ids. */
  readonly handlers: readonly string[];
  readonly search: string;
  readonly sort: TableSort;
}

export const OPEN_WORK: readonly CaseStatus[] = ['OPEN', 'IN-PROGRESS', 'ON-HOLD'];
const NEWEST: TableSort = { id: 'created', desc: true };

export function readCaseListState(params: URLSearchParams): CaseListState {
  const named = params.getAll('status');
  const known = CASE_STATUSES.filter((status) => named.includes(status));
  const [sortId, direction] = (params.get('sort') ?? '').split('.');
  return {
    statuses: named.includes('all') ? CASE_STATUSES : known.length > 0 ? known : OPEN_WORK,
    severities: SEVERITIES.filter((severity) => params.getAll('severity').includes(severity)),
    handlers: params.getAll('handler'),
    search: params.get('q') ?? '',
    sort: sortId ? { id: sortId, desc: direction !== 'asc' } : NEWEST,
  };
}

export function writeCaseListState(state: CaseListState): URLSearchParams {
  const params = new URLSearchParams();
  if (state.search) params.set('q', state.search);
  if (state.statuses.length === CASE_STATUSES.length) params.set('status', 'all');
  else if (!isOpenWork(state.statuses)) for (const status of state.statuses) params.append('status', status);
  for (const severity of state.severities) params.append('severity', severity);
  for (const handler of state.handlers) params.append('handler', handler);
  if (state.sort.id !== NEWEST.id || state.sort.desc !== NEWEST.desc) {
    params.set('sort', `${state.sort.id}.${state.sort.desc ? 'desc' : 'asc'}`);
  }
  return params;
}

/** Whether the list is the default one: everything that is not closed. */
export function isOpenWork(statuses: readonly CaseStatus[]): boolean {
  return statuses.length === OPEN_WORK.length && OPEN_WORK.every((status) => statuses.includes(status));
}

/** The state as a list request asks for it. */
export function caseSelection(state: CaseListState): CaseSelection {
  const among = (filter_key: AddFilter['filter_key'], filter_value: readonly string[]) => ({
    filter_condition: 'AND' as const,
    filter_key: filter_key as 'status',
    filter_operand: 'in' as const,
    filter_value: [...filter_value],
  });
  const filters = [];
  if (state.statuses.length < CASE_STATUSES.length) filters.push(among('status', state.statuses));
  if (state.severities.length > 0) filters.push(among('severity', state.severities));
  if (state.handlers.length > 0) filters.push(among('handler', state.handlers));
  return { search: state.search, addfilters: filters };
}

/** A list with the value added, or taken out when it was there. */
export function toggled<T>(list: readonly T[], value: T): readonly T[] {
  return list.includes(value) ? list.filter((one) => one !== value) : [...list, value];
}
