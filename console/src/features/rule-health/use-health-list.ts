import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import {
  HEALTH_RANGES,
  type HealthRange,
  listRuleHealth,
  type OutputOf,
  RULE_HEALTH_SORTS,
  RUNNING_STATES,
  type RuleHealthSort,
} from '@tyrian/contract';
import { type CallError, call } from '../../lib/call.ts';
import { useScope } from '../../lib/session-store.ts';
import { useAddress, withParams } from '../../lib/use-address.ts';
import type { TableSort } from '../../ui/table-model.ts';

type HealthPage = OutputOf<typeof listRuleHealth>;

/** Rows of one answer; the list grows by so many when its end is reached. */
const PAGE = 200;
const AGAIN_MS = 30_000;

const oneOf = <T extends string>(value: string | null, all: readonly T[]): T | undefined =>
  all.find((one) => one === value);

export interface HealthLink {
  readonly text: string;
  readonly range: HealthRange;
  readonly state: (typeof RUNNING_STATES)[number] | undefined;
  readonly sort: TableSort;
}

/** What the address says of a list of rules, and how to change it. */
export function useHealthLink(first: { readonly id: RuleHealthSort; readonly desc: boolean }) {
  const [params, changeAddress] = useAddress();
  const [name, order] = (params.get('sort') ?? '').split('.');
  const sort = oneOf(name ?? null, RULE_HEALTH_SORTS);
  const link: HealthLink = {
    text: params.get('q') ?? '',
    range: oneOf(params.get('range'), HEALTH_RANGES) ?? 'day',
    state: oneOf(params.get('state'), RUNNING_STATES),
    sort: sort ? { id: sort, desc: order === 'desc' } : first,
  };
  const change = (part: Readonly<Record<string, string>>) =>
    changeAddress((now) => withParams(now, part), { replace: true });
  return { link, change };
}

/** The rules of the scope that are on, page by page, as they are sorted. */
export function useHealthList({ text, range, state, sort }: HealthLink) {
  const { clusterId, scopeId } = useScope();
  const input = {
    scope_id: scopeId,
    text,
    range,
    ...(state ? { state } : {}),
    sort: oneOf(sort.id, RULE_HEALTH_SORTS) ?? 'state',
    desc: sort.desc,
    pagesize: PAGE,
  };
  return useInfiniteQuery<HealthPage, CallError, { pages: HealthPage[] }, unknown[], number>({
    queryKey: [listRuleHealth.name, clusterId, input],
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) =>
      call(listRuleHealth, { params: { clusterId }, input: { ...input, pageno: pageParam }, signal }),
    getNextPageParam: (last, all) => (all.length * PAGE < last.total_count ? all.length + 1 : undefined),
    placeholderData: keepPreviousData,
    refetchInterval: AGAIN_MS,
    meta: { quiet: true },
  });
}
