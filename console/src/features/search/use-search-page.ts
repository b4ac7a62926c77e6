import { isTimezone } from '@tyrian/contract';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { resolveZone } from '../../lib/format-time.ts';
import { useScope } from '../../lib/session-store.ts';
import { changeSettings, readSettings, useSettings } from '../../lib/settings.ts';
import { resolveRange, type TimeRange } from '../../lib/time-range.ts';
import { useAddress } from '../../lib/use-address.ts';
import { branchesIn, branchesOf } from '../../query-kit/editor/kql-branches.ts';
import {
  type Part,
  partAt,
  partsOf,
  positionInText,
  type TextRange,
} from '../../query-kit/editor/kql-statements.ts';
import { addCondition, type ConditionPosition, withoutStage } from '../../query-kit/editor/kql-text-edit.ts';
import { conditionOf, type ValueTarget } from '../../query-kit/results/value-target.ts';
import {
  readSearchLink,
  type SearchLink,
  type SortBy,
  writeSearchLink,
} from '../../query-kit/runs/search-link.ts';
import {
  NO_RUN,
  type SearchRun,
  type SearchRuns,
  useSearchRuns,
  type Wanted,
} from '../../query-kit/runs/use-search-runs.ts';
import { chosenColumns, shapeOf } from './result-shape.ts';

// The state of Find. What is shown stands in the link, and the link runs: submitting writes a link, back and
// forward bring older ones, and each link whose query, range or zone is new starts its search.

/** What stands in the editor before anything is written. */
export const STARTING_QUERY = 'Events';
export const ROW_LIMITS = [1000, 10_000, 30_000, 50_000] as const;

export interface SearchPageState {
  readonly clusterId: string;
  readonly scopeId: string;
  readonly link: SearchLink;
  readonly zone: string;
  readonly draft: string;
  /** Every query that was started, in their order. */
  readonly runs: readonly SearchRun[];
  /** The one that is shown. */
  readonly run: SearchRun;
  readonly stop: () => void;
  /** Columns that were chosen for such a result; empty: those that the query gives. */
  readonly chosen: readonly string[];
  /** The range can't be read, or ends before it starts. */
  readonly isRangeWrong: boolean;
  readonly setDraft: (text: string) => void;
  /** Orders the result; null: as the query gives it. Where rows are missing, the search runs again. */
  readonly sort: (by: SortBy | null) => void;
  /** Shows these columns of such results; none: those that the query gives. */
  readonly choose: (columns: readonly string[]) => void;
  /** Changes what is shown of the same search; nothing runs again. */
  readonly show: (part: Partial<SearchLink>, mode?: 'push' | 'replace') => void;
  /** Runs a text from elsewhere: all of its queries. */
  readonly open: (text: string, part?: Partial<SearchLink>) => void;
  readonly submit: (query?: string, range?: TimeRange) => void;
  /** Runs one of the queries of a text; the text stays in the editor. */
  readonly runPart: (query: string, text: string, range?: TimeRange) => void;
  /** Runs every query of a text and shows the result of one of them, the first unless said otherwise. */
  readonly runAll: (text: string, shown?: number) => void;
  /** Runs what was run before in another range. */
  readonly runAgain: (range: TimeRange) => void;
  readonly filter: (target: ValueTarget, keep: boolean, position: ConditionPosition) => void;
  /** Runs the query that is shown without one of its steps; the place is one of the query as it ran. */
  readonly withoutStep: (span: TextRange) => void;
}

export function useSearchPage(): SearchPageState {
  const { clusterId, scopeId } = useScope();
  const { link, write, changed } = useLink();
  const zone = useLinkedZone(link, (part) => write(changed(part), 'replace'));
  const { draft, setDraft, linked } = useDraft(link.script || link.query);
  const [again, setAgain] = useState(0);
  const search = useSearchRuns(clusterId);
  const range = { from: link.from, to: link.to };
  const isRangeWrong = resolveRange(range, Date.now(), zone) === null;
  const show = useCallback(
    (part: Partial<SearchLink>, mode: 'push' | 'replace' = 'replace') => write(changed(part), mode),
    [write, changed],
  );
  const go: Go = (wanted, text, keep = {}) => {
    const next = textOf(wanted) === textOf(link) ? wanted : { ...wanted, ...OF_ONE_QUERY, ...keep };
    setDraft(text);
    linked.current = text;
    if (sameSearch(next, link)) {
      setAgain((count) => count + 1);
      write(next, 'replace');
    } else write(next, 'push');
  };
  useRunLink({ link, zone, again, scopeId, search });
  const run = search.runs[link.tab] ?? search.runs[0] ?? NO_RUN;
  const { columns } = run.snapshot;
  const chosen = useMemo(() => chosenColumns(link, columns), [link, columns]);
  // Rows that come in another order are others where the result is cut.
  const sort = (by: SortBy | null) => show({ sort: by, ...(run.snapshot.truncated ? { row: null } : {}) });
  const choose = (names: readonly string[]) =>
    show({ columns: names, shape: names.length > 0 ? shapeOf(columns) : '' });
  const starts = startsOf({ link, zone, range, draft, go });
  const changes = changesOf({ link, range, draft, starts, ran: run.asked?.query ?? link.query });
  const { runs, stop } = search;
  const shown = { link, zone, draft, runs, run, chosen, isRangeWrong };
  return { clusterId, scopeId, ...shown, stop, setDraft, sort, choose, show, ...starts, ...changes };
}

/** Writes a link and puts a text into the editor; another query takes over no more than `keep`. */
type Go = (wanted: SearchLink, text: string, keep?: Partial<SearchLink>) => void;

interface StartInput {
  readonly link: SearchLink;
  readonly zone: string;
  readonly range: TimeRange;
  readonly draft: string;
  readonly go: Go;
}

type Starts = ReturnType<typeof startsOf>;

/** The ways to start a search. */
function startsOf({ link, zone, range, draft, go }: StartInput) {
  const runPart = (
    query: string,
    text: string,
    wanted: TimeRange = range,
    keep: Partial<SearchLink> = {},
  ) => {
    const script = text === query ? '' : text;
    go({ ...link, ...wanted, query, script, all: false, tab: 0, zone, row: null }, text, keep);
  };
  const submit = (query = draft, wanted: TimeRange = range) => runPart(query, query, wanted);
  const runAll = (text: string, shown = 0, keep: Partial<SearchLink> = {}) => {
    const [first, second] = partsOf(text);
    const query = first?.text ?? text;
    if (!second) runPart(query, text, range, keep);
    else go({ ...link, query, script: text, all: true, tab: shown, zone, row: null }, text, keep);
  };
  const open = (text: string, part: Partial<SearchLink> = {}) => {
    const parts = partsOf(text);
    const all = parts.length > 1;
    const query = (all && parts[0]?.text) || text;
    go({ ...link, ...SHOWN_ANEW, ...part, query, script: all ? text : '', all, zone }, text);
  };
  const runAgain = (wanted: TimeRange) => go({ ...link, ...wanted, zone, row: null }, draft);
  return { runPart, submit, runAll, open, runAgain };
}

interface ChangeInput {
  readonly link: SearchLink;
  readonly range: TimeRange;
  readonly draft: string;
  readonly starts: Starts;
  /** The query that is shown, as it ran. */
  readonly ran: string;
}

/** What is changed in the query that ran, wherever it stands in the text; then that runs again, in the same order. */
function changesOf({ link, range, draft, starts, ran }: ChangeInput) {
  const changePart = (change: (query: string, part: Part | null) => string): void => {
    const part = partsOf(draft).find((each) => each.text === ran);
    const { sort, view } = link;
    if (link.script === '' || !part) {
      // A branch of fork or facet becomes a query of its own.
      const query = change(ran === link.query ? draft : ran, null);
      starts.runPart(query, query, range, { sort, view });
      return;
    }
    const { start, end } = part.query;
    const text = draft.slice(0, start) + change(draft.slice(start, end), part) + draft.slice(end);
    if (link.all) starts.runAll(text, link.tab, { sort, view });
    else starts.runPart(partAt(text, start).text, text, range, { sort, view });
  };
  const filter = (target: ValueTarget, keep: boolean, position: ConditionPosition) =>
    changePart((query) => addCondition(query, conditionOf(target, keep), position));
  const withoutStep = (span: TextRange) => {
    if (link.script === '') return starts.submit(withoutStage(ran, span));
    changePart((query, part) => {
      const at = (offset: number) => (part ? positionInText(part, offset) - part.query.start : offset);
      return withoutStage(query, { start: at(span.start), end: at(span.end) });
    });
  };
  return { filter, withoutStep };
}

/**
 * The link as the page shows it. What was written last may still be on its way there: a change adds to that, or it
 * would bring the search before back; a row that is opened meanwhile is one of the result that goes.
 */
function useLink() {
  const [params, changeAddress] = useAddress();
  const link = useMemo(() => readSearchLink(params), [params]);
  const newest = useRef(link);
  useEffect(() => {
    newest.current = link;
  }, [link]);
  const write = useCallback(
    (next: SearchLink, mode: 'push' | 'replace') => {
      newest.current = next;
      changeAddress(() => writeSearchLink(next), { replace: mode === 'replace' });
    },
    [changeAddress],
  );
  const changed = useCallback(
    (part: Partial<SearchLink>): SearchLink => {
      const { row } = newest.current;
      return { ...newest.current, ...part, ...(sameSearch(newest.current, link) ? {} : { row }) };
    },
    [link],
  );
  return { link, write, changed };
}

/** What was chosen for the result of another query. */
const SHOWN_ANEW = { tab: 0, row: null, columns: [], shape: '', widths: {} } as const;

/** What another query does not take over. */
const OF_ONE_QUERY = { limit: null, sort: null, view: '' } as const;

const sameSearch = (a: SearchLink, b: SearchLink): boolean =>
  textOf(a) === textOf(b) && a.all === b.all && a.from === b.from && a.to === b.to && a.zone === b.zone;

/** What runs: one query, or all of the text. */
const textOf = ({ query, script, all }: SearchLink): string => (all && script !== '' ? script : query);

interface RunLink {
  readonly link: SearchLink;
  readonly zone: string;
  readonly again: number;
  readonly scopeId: string;
  readonly search: SearchRuns;
}

/**
 * The text in the editor. A link with another query brings its text along; the page's own link (`linked`), a new
 * range, zone or limit leave what is being typed alone.
 */
function useDraft(query: string) {
  const [draft, setDraft] = useState(query || STARTING_QUERY);
  const linked = useRef(query);
  useEffect(() => {
    if (linked.current === query) return;
    linked.current = query;
    setDraft(query || STARTING_QUERY);
  }, [query]);
  return { draft, setDraft, linked };
}

/** Runs the search of the link whenever it is a new one. Relative ranges are fixed at this moment. */
function useRunLink({ link, zone, again, scopeId, search }: RunLink): void {
  const { from, to, all, tab, limit } = link;
  const column = link.sort?.column ?? '';
  const descending = link.sort?.descending ?? false;
  const text = textOf(link);
  const { start, refine, clear } = search;
  const started = useRef('');
  const wanted = `${JSON.stringify([text, all, from, to, zone, scopeId])} ${again}`;
  useEffect(() => {
    const rows: Wanted = {
      ...(column === '' ? {} : { sort: { column, descending } }),
      ...(limit === null ? {} : { row_limit: limit }),
    };
    if (started.current === wanted) return refine(tab, rows);
    started.current = wanted;
    const range = resolveRange({ from, to }, Date.now(), zone);
    if (text.trim() === '') return clear();
    if (!range) return;
    const texts = new Set((all ? branchesIn(text) : branchesOf(text)).map((each) => each.text));
    const asked = { job_type: 'kql', scope_id: scopeId, ...range, query_timezone: zone } as const;
    start([...texts].map((query, index) => ({ ...asked, query, ...(index === tab ? rows : {}) })));
  }, [wanted, text, all, from, to, zone, scopeId, tab, column, descending, limit, start, refine, clear]);
  useEffect(
    () => () => {
      started.current = '';
    },
    [],
  );
}

/** The zone of the console; a link that names another one brings it along, and the link follows the console. */
function useLinkedZone(link: SearchLink, change: (part: Partial<SearchLink>) => void): string {
  const { timeZone } = useSettings();
  const zone = resolveZone(timeZone);
  const shown = useRef(zone);
  const linked = link.zone;
  useEffect(() => {
    if (linked === '' || linked === resolveZone(readSettings().timeZone) || !isTimezone(linked)) return;
    shown.current = linked;
    changeSettings({ timeZone: linked });
  }, [linked]);
  useEffect(() => {
    if (shown.current === zone) return;
    shown.current = zone;
    if (linked !== '' && linked !== zone) change({ zone });
  });
  return zone;
}
