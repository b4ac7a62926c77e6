import type { AddFilter } from '@tyrian/contract';

// What the queue of signals shows, as its link says it: view, range, filters, entities, order, opened signal.

export const FILTER_KEYS = [
  'tactic',
  'technique',
  'confidence',
  'score',
  'stream',
  'stage',
  'tag',
  'workbook_name',
] as const;
export type FilterKey = (typeof FILTER_KEYS)[number];
export type SignalView = 'pending' | 'triaged' | 'all';
export type SignalSort = 'last_time' | 'first_time' | 'created' | 'score' | 'name' | 'occurrences';

/** An entity that signals must, or must not, name. */
export interface EntityFilter {
  readonly role: 'suspect' | 'target';
  readonly type: string;
  readonly value: string;
  readonly keep: boolean;
}

export interface SignalLink {
  readonly view: SignalView;
  readonly from: string;
  readonly to: string;
  readonly filters: Readonly<Partial<Record<FilterKey, readonly string[]>>>;
  /** Values that signals must not have. */
  readonly without: Readonly<Partial<Record<FilterKey, readonly string[]>>>;
  readonly entities: readonly EntityFilter[];
  readonly search: string;
  readonly sort: SignalSort;
  readonly descending: boolean;
  /** Id of the signal in the flyout; empty: closed. */
  readonly open: string;
  readonly show: 'table' | 'graph';
}

const SORTS: readonly SignalSort[] = ['last_time', 'first_time', 'created', 'score', 'name', 'occurrences'];
/** Before the key of a filter in a link: values to leave out. */
const WITHOUT = 'not-';
const ENTITY = /^([+-])(suspect|target)\|([^|]*)\|([\s\S]+)$/;

export function readSignalLink(params: URLSearchParams): SignalLink {
  const view = params.get('view');
  const sort = params.get('sort') ?? '';
  const named = (prefix: string) =>
    Object.fromEntries(
      FILTER_KEYS.map((key) => [key, params.getAll(prefix + key)] as const).filter(
        ([, values]) => values.length > 0,
      ),
    );
  return {
    view: view === 'triaged' || view === 'all' ? view : 'pending',
    from: params.get('from') || 'now-24h',
    to: params.get('to') || 'now',
    filters: named(''),
    without: named(WITHOUT),
    entities: params.getAll('entity').flatMap((text) => {
      const [, sign, role, type = '', value = ''] = ENTITY.exec(text) ?? [];
      return role ? [{ role: role as EntityFilter['role'], type, value, keep: sign === '+' }] : [];
    }),
    search: params.get('search') ?? '',
    sort: SORTS.find((each) => each === sort.replace(/^-/, '')) ?? 'last_time',
    descending: sort === '' || sort.startsWith('-'),
    open: params.get('signal') ?? '',
    show: params.get('show') === 'graph' ? 'graph' : 'table',
  };
}

export function writeSignalLink(link: SignalLink): URLSearchParams {
  const params = new URLSearchParams();
  if (link.view !== 'pending') params.set('view', link.view);
  params.set('from', link.from);
  params.set('to', link.to);
  for (const key of FILTER_KEYS) {
    for (const value of link.filters[key] ?? []) params.append(key, value);
    for (const value of link.without[key] ?? []) params.append(WITHOUT + key, value);
  }
  for (const { keep, role, type, value } of link.entities) {
    params.append('entity', `${keep ? '+' : '-'}${role}|${type}|${value}`);
  }
  if (link.search !== '') params.set('search', link.search);
  if (link.sort !== 'last_time' || !link.descending)
    params.set('sort', `${link.descending ? '-' : ''}${link.sort}`);
  if (link.open !== '') params.set('signal', link.open);
  if (link.show !== 'table') params.set('show', link.show);
  return params;
}

/** Puts a value into a filter, or takes it out. */
export function toggleFilter(link: SignalLink, key: FilterKey, value: string): SignalLink {
  const values = link.filters[key] ?? [];
  const next = values.includes(value) ? values.filter((each) => each !== value) : [...values, value];
  return setFilter(link, key, next);
}

export function setFilter(link: SignalLink, key: FilterKey, values: readonly string[]): SignalLink {
  const { [key]: _, ...others } = link.filters;
  return { ...link, filters: values.length === 0 ? others : { ...others, [key]: values } };
}

/** Leaves signals with a value out, or no longer; it stands in one of the two filters at most. */
export function toggleWithout(link: SignalLink, key: FilterKey, value: string): SignalLink {
  const left = link.without[key] ?? [];
  const isOn = left.includes(value);
  const kept = setFilter(
    link,
    key,
    (link.filters[key] ?? []).filter((each) => each !== value),
  );
  return setWithout(kept, key, isOn ? left.filter((each) => each !== value) : [...left, value]);
}

export function setWithout(link: SignalLink, key: FilterKey, values: readonly string[]): SignalLink {
  const { [key]: _, ...others } = link.without;
  return { ...link, without: values.length === 0 ? others : { ...others, [key]: values } };
}

/** Turns `is` into `is not` and back, with all values of the filter. */
export function flipFilter(link: SignalLink, key: FilterKey): SignalLink {
  const { filters, without } = link;
  return setWithout(setFilter(link, key, without[key] ?? []), key, filters[key] ?? []);
}

/** Adds an entity filter; a second click takes it away, the other sign replaces it. */
export function toggleEntity(link: SignalLink, entity: EntityFilter): SignalLink {
  const isSame = (each: EntityFilter) =>
    each.role === entity.role && each.type === entity.type && each.value === entity.value;
  const known = link.entities.find(isSame);
  const others = link.entities.filter((each) => !isSame(each));
  return { ...link, entities: known?.keep === entity.keep ? others : [...others, entity] };
}

/** The selection as the server understands it. */
export function signalSelection(link: SignalLink) {
  const among = (filter_operand: 'in' | 'not_in', chosen: SignalLink['filters']) =>
    FILTER_KEYS.flatMap((key): AddFilter[] => {
      const values = chosen[key];
      return values
        ? [{ filter_condition: 'AND', filter_key: key, filter_operand, filter_value: [...values] }]
        : [];
    });
  const named: AddFilter[] =
    link.search.trim() === ''
      ? []
      : [
          {
            filter_condition: 'AND',
            filter_key: 'name',
            filter_operand: 'fuzzy',
            filter_value: link.search.trim(),
          },
        ];
  const entities = (keep: boolean) =>
    link.entities
      .filter((each) => each.keep === keep)
      .map(({ role, type, value }) => ({ role, value, ...(type === '' ? {} : { type }) }));
  return {
    view: link.view,
    include: entities(true),
    exclude: entities(false),
    addfilters: [...among('in', link.filters), ...among('not_in', link.without), ...named],
  };
}

export function hasFilters(link: SignalLink): boolean {
  return (
    Object.keys(link.filters).length > 0 ||
    Object.keys(link.without).length > 0 ||
    link.entities.length > 0 ||
    link.search.trim() !== ''
  );
}

/** The same range and view without any filter. */
export function withoutFilters(link: SignalLink): SignalLink {
  return { ...link, filters: {}, without: {}, entities: [], search: '' };
}
