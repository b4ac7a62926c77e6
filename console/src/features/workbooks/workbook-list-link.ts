import type { AddFilter } from '@tyrian/contract';

// What the list of workbooks shows, as its link says it.

export interface WorkbookListLink {
  readonly search: string;
  readonly folder: string;
  readonly mode: string;
  readonly enabled: '' | 'true' | 'false';
  readonly state: string;
  readonly tactic: string;
  readonly sort: 'name' | 'updated' | 'signals_30d' | 'last_signal' | 'score';
  readonly order: 'asc' | 'desc';
}

const SORTS = ['name', 'updated', 'signals_30d', 'last_signal', 'score'] as const;

export function readWorkbookListLink(params: URLSearchParams): WorkbookListLink {
  const enabled = params.get('enabled');
  return {
    search: params.get('search') ?? '',
    folder: params.get('folder') ?? '',
    mode: params.get('mode') ?? '',
    enabled: enabled === 'true' || enabled === 'false' ? enabled : '',
    state: params.get('state') ?? '',
    tactic: params.get('tactic') ?? '',
    sort: SORTS.find((each) => each === params.get('sort')) ?? 'name',
    order: params.get('order') === 'desc' ? 'desc' : 'asc',
  };
}

export function writeWorkbookListLink(link: WorkbookListLink): URLSearchParams {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(link)) {
    const isDefault =
      value === '' || (key === 'sort' && value === 'name') || (key === 'order' && value === 'asc');
    if (!isDefault) params.set(key, value);
  }
  return params;
}

/** The filters that the server understands. */
export function workbookFilters(link: WorkbookListLink): AddFilter[] {
  const filter = (
    key: string,
    operand: AddFilter['filter_operand'],
    value: AddFilter['filter_value'],
  ): AddFilter => ({
    filter_condition: 'AND',
    filter_key: key,
    filter_operand: operand,
    filter_value: value,
  });
  const exact = (['mode', 'tactic'] as const)
    .filter((key) => link[key] !== '')
    .map((key) => filter(key, 'exact', link[key]));
  return [
    ...exact,
    ...(link.search.trim() === '' ? [] : [filter('text', 'fuzzy', link.search.trim())]),
    ...(link.folder === '' ? [] : [filter('directory', 'fuzzy', link.folder)]),
    ...(link.enabled === '' ? [] : [filter('enabled', 'exact', link.enabled === 'true')]),
    ...(link.state === '' ? [] : [filter('rule_state', 'exact', link.state)]),
  ];
}

/** Whether anything narrows the list. */
export function isFiltered(link: WorkbookListLink): boolean {
  return workbookFilters(link).length > 0;
}
