import { isTimezone } from '@tyrian/contract';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { resolveZone } from '../../lib/format-time.ts';
import { useScope } from '../../lib/session-store.ts';
import { changeSettings, readSettings, useSettings } from '../../lib/settings.ts';
import { resolveRange, type TimeRange } from '../../lib/time-range.ts';
import { partAt, partsOf } from './kql-statements.ts';
import { addCondition, type ConditionPlace } from './kql-text-edit.ts';
import { readSearchLink, type SearchLink, writeSearchLink } from './search-link.ts';
import { type SearchRun, useSearchRun } from './use-search-run.ts';
import { conditionOf, type ValueTarget } from './value-target.ts';

// The state of Find. What is shown stands in the link, and the link runs: submitting writes a link, back and
// forward bring older ones, and each link whose query, range or zone is new starts its search.

const STARTING_QUERY = 'Events';
export const ROW_LIMITS = [1000, 10_000, 50_000] as const;

export interface SearchPageState {
  readonly clusterId: string;
  readonly scopeId: string;
  readonly link: SearchLink;
  readonly zone: string;
  readonly draft: string;
  readonly run: SearchRun;
  readonly rowLimit: number;
  /** The range can't be read, or ends before it starts. */
  readonly isRangeWrong: boolean;
  readonly setDraft: (text: string) => void;
  readonly setRowLimit: (limit: number) => void;
  /** Changes what is shown of the same search; nothing runs again. */
  readonly show: (part: Partial<SearchLink>, mode?: 'push' | 'replace') => void;
  readonly submit: (query?: string, range?: TimeRange) => void;
  /** Runs one of the queries of a text; the text stays in the editor. */
  readonly runPart: (query: string, text: string, range?: TimeRange) => void;
  readonly filter: (target: ValueTarget, keep: boolean, place: ConditionPlace) => void;
}

export function useSearchPage(): SearchPageState {
  const { clusterId, scopeId } = useScope();
  const [params, setParams] = useSearchParams();
  const link = useMemo(() => readSearchLink(params), [params]);
  const zone = useLinkedZone(link, (part) =>
    setParams(writeSearchLink({ ...link, ...part }), { replace: true }),
  );
  const { draft, setDraft, linked } = useDraft(link.script || link.query);
  const [rowLimit, setRowLimit] = useState<number>(ROW_LIMITS[0]);
  const [again, setAgain] = useState(0);
  const run = useSearchRun(clusterId);
  const range = { from: link.from, to: link.to };
  const isRangeWrong = resolveRange(range, Date.now(), zone) === null;

  const show = useCallback(
    (part: Partial<SearchLink>, mode: 'push' | 'replace' = 'replace') =>
      setParams(writeSearchLink({ ...link, ...part }), { replace: mode === 'replace' }),
    [link, setParams],
  );
  const submit = (query = draft, wanted: TimeRange = range) => runPart(query, query, wanted);
  const runPart = (query: string, text: string, wanted: TimeRange = range) => {
    setDraft(text);
    linked.current = text;
    const script = text === query ? '' : text;
    const next = { ...link, ...wanted, query, script, zone, row: null };
    if (sameSearch(next, link)) setAgain((count) => count + 1);
    else setParams(writeSearchLink(next));
  };
  const filter = (target: ValueTarget, keep: boolean, place: ConditionPlace) =>
    filterPart(conditionOf(target, keep), place);

  /** The condition goes into the query that ran, wherever it stands in the text. */
  function filterPart(condition: ReturnType<typeof conditionOf>, place: ConditionPlace): void {
    const part = partsOf(draft).find((each) => each.text === link.query);
    if (link.script === '' || !part) {
      submit(addCondition(draft, condition, place));
      return;
    }
    const { start, end } = part.query;
    const text =
      draft.slice(0, start) + addCondition(draft.slice(start, end), condition, place) + draft.slice(end);
    runPart(partAt(text, start).text, text);
  }

  useRunLink({ link, zone, again, rowLimit, scopeId, run });
  return {
    clusterId,
    scopeId,
    link,
    zone,
    draft,
    run,
    rowLimit,
    isRangeWrong,
    setDraft,
    setRowLimit,
    show,
    submit,
    runPart,
    filter,
  };
}

const sameSearch = (a: SearchLink, b: SearchLink): boolean =>
  a.query === b.query && a.from === b.from && a.to === b.to && a.zone === b.zone;

interface RunLink {
  readonly link: SearchLink;
  readonly zone: string;
  readonly again: number;
  readonly rowLimit: number;
  readonly scopeId: string;
  readonly run: SearchRun;
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
function useRunLink({ link, zone, again, rowLimit, scopeId, run }: RunLink): void {
  const { query, from, to } = link;
  const { start, clear } = run;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `again` asks for the same search once more
  useEffect(() => {
    const range = resolveRange({ from, to }, Date.now(), zone);
    if (query.trim() === '') return clear();
    if (!range) return;
    start({
      job_type: 'kql',
      scope_id: scopeId,
      query,
      from: range.from,
      to: range.to,
      query_timezone: zone,
      row_limit: rowLimit,
    });
  }, [query, from, to, zone, again, rowLimit, scopeId, start, clear]);
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
