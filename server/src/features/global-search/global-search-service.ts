import { GLOBAL_SEARCH_LIMIT, type globalSearch, type OutputOf } from '@tyrian/contract';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { CaseService } from '../cases/case-service.ts';
import type { EntitySearch } from '../signals/entity-search.ts';
import type { SignalsService } from '../signals/signals-service.ts';
import type { WorkbooksService } from '../workbooks/workbooks-service.ts';

// Asks each feature by its own service, so that tenant, scope and right hold here as they do in its lists.

type Found = OutputOf<typeof globalSearch>;

export interface GlobalSearchDeps {
  readonly cases: Pick<CaseService, 'list'>;
  readonly signals: Pick<SignalsService, 'list'>;
  readonly workbooks: Pick<WorkbooksService, 'list'>;
  readonly entities: EntitySearch;
}

interface Asked {
  readonly caller: Caller;
  readonly clusterId: string;
  readonly scopeId: string;
  readonly query: string;
}

export interface GlobalSearchService {
  find(asked: Asked): Promise<Found>;
}

const holds = (key: 'name' | 'text', query: string) => [
  {
    filter_condition: 'AND' as const,
    filter_key: key,
    filter_operand: 'fuzzy' as const,
    filter_value: query,
  },
];

export function createGlobalSearchService(deps: GlobalSearchDeps): GlobalSearchService {
  return bindDeps(deps, { find });
}

async function findCases(
  deps: GlobalSearchDeps,
  { clusterId, scopeId, query }: Asked,
): Promise<Found['cases']> {
  const page = { sortBy: 'updated', sortOrder: 'desc', limit: GLOBAL_SEARCH_LIMIT, offset: 0 } as const;
  const found = await deps.cases.list({ clusterId, scopeId }, { search: query, filters: [] }, page);
  return found.data.map(({ case_id, case_key, case_name, status, severity }) => ({
    case_id,
    case_key,
    case_name,
    status,
    severity,
  }));
}

async function findSignals(
  deps: GlobalSearchDeps,
  { caller, clusterId, scopeId, query }: Asked,
): Promise<Found['signals']> {
  const selection = {
    scope_id: scopeId,
    view: 'all' as const,
    include: [],
    exclude: [],
    addfilters: holds('name', query),
  };
  const page = {
    pageno: 1,
    pagesize: GLOBAL_SEARCH_LIMIT,
    sort: 'last_time',
    order: 'desc',
  } as const;
  const found = await deps.signals.list({ clusterId, caller }, selection, page);
  return found.data.map(({ signal_id, name, score, last_time }) => ({ signal_id, name, score, last_time }));
}

/** Those whose name holds it come first, then those that hold it anywhere. */
async function findWorkbooks(
  deps: GlobalSearchDeps,
  { caller, clusterId, scopeId, query }: Asked,
): Promise<Found['workbooks']> {
  const scope = { caller, clusterId, scopeId };
  const page = { pageno: 1, pagesize: GLOBAL_SEARCH_LIMIT, sort: 'updated', order: 'desc' } as const;
  const named = await deps.workbooks.list(scope, { ...page, addfilters: holds('name', query) });
  const others =
    named.data.length < GLOBAL_SEARCH_LIMIT
      ? await deps.workbooks.list(scope, { ...page, addfilters: holds('text', query) })
      : { data: [] };
  const found = new Map([...named.data, ...others.data].map((item) => [item.ID, item.properties]));
  return [...found]
    .slice(0, GLOBAL_SEARCH_LIMIT)
    .map(([ID, { name, directory }]) => ({ ID, name, directory }));
}

async function find(deps: GlobalSearchDeps, asked: Asked): Promise<Found> {
  const [cases, signals, workbooks, entities] = await Promise.all([
    findCases(deps, asked),
    findSignals(deps, asked),
    findWorkbooks(deps, asked),
    deps.entities(asked, asked.query, GLOBAL_SEARCH_LIMIT),
  ]);
  return { cases, signals, workbooks, entities };
}
