import { MAX_ROW_LIMIT } from '@tyrian/contract';

// What a colleague should see from a link to Find: query, time range, zone, columns, order, open row, stacking.
// Parameters are plain, so that other tools can write such links too.

export interface SortBy {
  readonly column: string;
  readonly descending: boolean;
}

/** Widths in pixels by the name of the column. */
export type ColumnWidths = Readonly<Record<string, number>>;

export const LIBRARY_PANELS = ['history', 'saved', 'snippets', 'functions'] as const;
export type LibraryPanel = (typeof LIBRARY_PANELS)[number];

export interface SearchLink {
  readonly query: string;
  /** The whole text of the editor when the query is one of several in it; else empty. */
  readonly script: string;
  /** Every query of the text runs. */
  readonly all: boolean;
  /** Which of several results is shown, from 0. */
  readonly tab: number;
  /** Id of the saved query that the text comes from; empty: none. */
  readonly saved: string;
  /** What stands open at the right beside the results. */
  readonly panel: LibraryPanel | '';
  /** Relative (`now-15m`) or absolute (ISO 8601); the grammar of the time range picker. */
  readonly from: string;
  readonly to: string;
  /** IANA name; empty: the zone of the user's profile. */
  readonly zone: string;
  /** Chosen columns in order; empty: those that the query gives. */
  readonly columns: readonly string[];
  /** The shape of the result that the columns were chosen for; empty in links that were written by hand. */
  readonly shape: string;
  /** Only those that somebody chose. */
  readonly widths: ColumnWidths;
  readonly sort: SortBy | null;
  /** Rows that were asked for; null: what the query itself suggests. */
  readonly limit: number | null;
  /** Index of the opened row in the result as it came, or null. */
  readonly row: number | null;
  /** Field that the histogram is stacked by; empty: none. */
  readonly stack: string;
  readonly view: 'table' | 'chart' | '';
}

export const EMPTY_LINK: SearchLink = {
  query: '',
  script: '',
  all: false,
  tab: 0,
  saved: '',
  panel: '',
  from: 'now-1h',
  to: 'now',
  zone: '',
  columns: [],
  shape: '',
  widths: {},
  sort: null,
  limit: null,
  row: null,
  stack: '',
  view: '',
};

/** Column names may hold commas; they are written as `\,`. */
const joinNames = (names: readonly string[]): string =>
  names.map((name) => name.replace(/[\\,]/g, '\\$&')).join(',');

function splitNames(text: string): string[] {
  const names: string[] = [];
  let current = '';
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '\\' && i + 1 < text.length) current += text[++i];
    else if (text[i] === ',') {
      names.push(current);
      current = '';
    } else current += text[i];
  }
  names.push(current);
  return names.filter((name) => name !== '');
}

/** `Name:120,Other:300`. */
const writeWidths = (widths: ColumnWidths): string =>
  joinNames(Object.entries(widths).map(([name, width]) => `${name}:${width}`));

function readWidths(text: string): ColumnWidths {
  const widths: Record<string, number> = {};
  for (const part of splitNames(text)) {
    const [, name, width] = /^(.+):(\d{2,4})$/s.exec(part) ?? [];
    if (name !== undefined) widths[name] = Number(width);
  }
  return widths;
}

function readSort(text: string | null): SortBy | null {
  if (!text) return null;
  const descending = text.startsWith('-');
  const column = descending ? text.slice(1) : text;
  return column === '' ? null : { column, descending };
}

function readLimit(text: string | null): number | null {
  const limit = text !== null && /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return limit > 0 && limit <= MAX_ROW_LIMIT ? limit : null;
}

/** Reads the link; what is missing or unreadable falls back to the default. */
export function readSearchLink(params: URLSearchParams): SearchLink {
  const row = params.get('row');
  const view = params.get('view');
  return {
    query: params.get('query') ?? '',
    script: params.get('script') ?? '',
    all: params.get('all') === '1',
    tab: Number(/^\d{1,3}$/.exec(params.get('tab') ?? '')?.[0] ?? 0),
    saved: /^[\w-]{1,64}$/.exec(params.get('saved') ?? '')?.[0] ?? '',
    panel: LIBRARY_PANELS.find((each) => each === params.get('panel')) ?? '',
    from: params.get('from') || EMPTY_LINK.from,
    to: params.get('to') || EMPTY_LINK.to,
    zone: params.get('zone') ?? '',
    columns: splitNames(params.get('columns') ?? ''),
    shape: /^[0-9a-z]{1,8}$/.exec(params.get('shape') ?? '')?.[0] ?? '',
    widths: readWidths(params.get('widths') ?? ''),
    sort: readSort(params.get('sort')),
    limit: readLimit(params.get('limit')),
    row: row !== null && /^\d{1,9}$/.test(row) ? Number(row) : null,
    stack: params.get('stack') ?? '',
    view: view === 'table' || view === 'chart' ? view : '',
  };
}

/** Writes the link; defaults are left out, so that short searches have short links. */
export function writeSearchLink(link: SearchLink): URLSearchParams {
  const params = new URLSearchParams();
  if (link.query !== '') params.set('query', link.query);
  if (link.script !== '') params.set('script', link.script);
  if (link.all && link.script !== '') params.set('all', '1');
  if (link.tab > 0) params.set('tab', String(link.tab));
  if (link.saved !== '') params.set('saved', link.saved);
  if (link.panel !== '') params.set('panel', link.panel);
  params.set('from', link.from);
  params.set('to', link.to);
  if (link.zone !== '') params.set('zone', link.zone);
  if (link.columns.length > 0) params.set('columns', joinNames(link.columns));
  if (link.columns.length > 0 && link.shape !== '') params.set('shape', link.shape);
  if (Object.keys(link.widths).length > 0) params.set('widths', writeWidths(link.widths));
  if (link.sort) params.set('sort', `${link.sort.descending ? '-' : ''}${link.sort.column}`);
  if (link.limit !== null) params.set('limit', String(link.limit));
  if (link.row !== null) params.set('row', String(link.row));
  if (link.stack !== '') params.set('stack', link.stack);
  if (link.view !== '') params.set('view', link.view);
  return params;
}
