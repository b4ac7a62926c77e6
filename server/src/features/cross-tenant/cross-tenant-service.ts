import type { Case, Signal } from '@tyrian/contract';
import { SECURITY } from '@tyrian/contract';
import { AppError } from '../../platform/app-error.ts';
import { bindDeps } from '../../platform/bind-deps.ts';
import { fewAtATime } from '../../platform/few-at-a-time.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Logger } from '../../platform/log.ts';
import type { CaseService } from '../cases/case-service.ts';
import { asAccessCaller } from '../identity/sign-in/authorizer.ts';
import type { SignalsService } from '../signals/signals-service.ts';

// Asks every cluster of the caller by the service of the list, a few at a time, and puts the answers into one order.

/** Asked at a time; more would only wait for each other in the database, and keep others waiting. */
const AT_ONCE = 6;

interface CrossTenantQuery {
  readonly query: string;
  readonly pagesize: number;
}
interface Where {
  readonly clusterId: string;
  readonly scopeIds: readonly string[];
}
interface AcrossTenants<T> {
  data: { cluster_id: string; scope_id: string; item: T }[];
  tenants: { cluster_id: string; scope_ids: string[]; total_count: number; problem: string | null }[];
}

export interface CrossTenantDeps {
  readonly signals: Pick<SignalsService, 'list'>;
  readonly cases: Pick<CaseService, 'list'>;
  readonly log: Logger;
}

export interface CrossTenantService {
  signals(caller: Caller, query: CrossTenantQuery): Promise<AcrossTenants<Signal>>;
  cases(caller: Caller, query: CrossTenantQuery): Promise<AcrossTenants<Case>>;
}

/** The scopes in which the caller is an analyst or an engineer, by cluster. */
function clustersOf(caller: Caller): Where[] {
  return asAccessCaller(caller)
    .record.access.map(({ clusterId }) => ({ clusterId, scopeIds: caller.scopesWith(clusterId, SECURITY) }))
    .filter(({ scopeIds }) => scopeIds.length > 0);
}

export function createCrossTenantService(deps: CrossTenantDeps): CrossTenantService {
  return bindDeps(deps, { signals: signalsAcrossTenants, cases: casesAcrossTenants });
}

async function ask<T extends { readonly scope_id: string }>(
  deps: CrossTenantDeps,
  tenants: readonly Where[],
  { pagesize }: CrossTenantQuery,
  newest: (item: T) => number,
  list: (tenant: Where) => Promise<{ data: readonly T[]; total_count: number }>,
): Promise<AcrossTenants<T>> {
  const found: AcrossTenants<T>['data'] = [];
  const askOne = async (tenant: Where) => {
    const ids = { cluster_id: tenant.clusterId, scope_ids: [...tenant.scopeIds] };
    try {
      const { data, total_count } = await list(tenant);
      for (const item of data) found.push({ cluster_id: tenant.clusterId, scope_id: item.scope_id, item });
      return { ...ids, total_count, problem: null };
    } catch (error) {
      deps.log.warn(
        { ...ids, err: (error as Error).message },
        'a scope did not answer a list over all scopes',
      );
      const problem = error instanceof AppError ? error.message : 'it does not answer right now';
      return { ...ids, total_count: 0, problem };
    }
  };
  const answers = await fewAtATime(tenants, AT_ONCE, askOne);
  found.sort((a, b) => newest(b.item) - newest(a.item));
  return { data: found.slice(0, pagesize), tenants: answers };
}

function signalsAcrossTenants(
  deps: CrossTenantDeps,
  caller: Caller,
  query: CrossTenantQuery,
): Promise<AcrossTenants<Signal>> {
  return ask(
    deps,
    clustersOf(caller),
    query,
    (signal: Signal) => signal.last_time,
    ({ clusterId, scopeIds }) => {
      const named = {
        filter_condition: 'AND',
        filter_key: 'name',
        filter_operand: 'fuzzy',
        filter_value: query.query,
      } as const;
      const selection = {
        scope_id: scopeIds[0] ?? '',
        scope_ids: scopeIds,
        view: 'all' as const,
        include: [],
        exclude: [],
        addfilters: query.query === '' ? [] : [named],
      };
      const page = { pageno: 1, pagesize: query.pagesize, sort: 'last_time', order: 'desc' } as const;
      return deps.signals.list({ clusterId, caller }, selection, page);
    },
  );
}

function casesAcrossTenants(
  deps: CrossTenantDeps,
  caller: Caller,
  query: CrossTenantQuery,
): Promise<AcrossTenants<Case>> {
  return ask(
    deps,
    clustersOf(caller),
    query,
    (one: Case) => one.updated,
    ({ clusterId, scopeIds }) =>
      deps.cases.list(
        { clusterId, scopeId: scopeIds[0] ?? '' },
        { search: query.query, filters: [], scopeIds },
        { sortBy: 'updated', sortOrder: 'desc', limit: query.pagesize, offset: 0 },
      ),
  );
}
