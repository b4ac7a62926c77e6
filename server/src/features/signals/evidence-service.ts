import type { Signal, SignalDetail } from '@tyrian/contract';
import { notFound } from '../../platform/app-error.ts';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import type { QueryService } from '../search/query-service.ts';
import { valueText } from './finding.ts';
import { evidenceOf, findSignal, type PageRequest, type StoredEvidence } from './signal-store.ts';

// The events behind a signal. Rules that look at single events, and those that collect `EventUids`, name them; for
// other counting rules the events of the same time that name the same suspects and targets are shown, and said so.

export interface EvidencePage {
  fields_list: string[];
  data: Record<string, unknown>[];
  total_count: number;
  matched_by: 'events' | 'entities';
  more_events: number;
}

/** The way to the events of a signal: a query, and the time that they lie in. */
export interface EvidenceQuery {
  kql: string;
  start: number;
  end: number;
  matched_by: 'events' | 'entities';
  total_count: number;
  more_events: number;
}

/** What was read for an answer, for the audit trail. */
export interface EvidenceRead {
  readonly scopeId: string;
  /** '' where the rows that counted were kept with the signal. */
  readonly query: string;
  /** Epoch milliseconds, half-open. */
  readonly range: { readonly from: number; readonly to: number };
  readonly rows: number;
  readonly matchedBy: EvidencePage['matched_by'];
}

export interface EvidenceService {
  /** Raw events of a signal, newest first. Throws `not-found`. */
  page(
    clusterId: string,
    scopeId: string,
    signalId: string,
    page: PageRequest,
  ): Promise<{ readonly page: EvidencePage; readonly read: EvidenceRead }>;
  /** The query that finds the events of a signal. Throws `not-found`. */
  query(
    clusterId: string,
    scopeId: string,
    signalId: string,
  ): Promise<{ readonly found: EvidenceQuery; readonly read: EvidenceRead }>;
  /** Each field with its distinct values: of the rows that counted, else of the newest events. */
  fields(
    clusterId: string,
    signal: Signal,
  ): Promise<{ readonly fields: SignalDetail['fields']; readonly read: EvidenceRead }>;
}

/** Occurrences that are read for one signal. */
const OCCURRENCES = 1000;
const OVERVIEW_EVENTS = 200;
const OVERVIEW_VALUES = 20;
/** A row that counts over a bin carries the start of the bin: its events lie after it. */
const MARGIN_MS = 24 * 3_600_000;
const ENTITY_ROWS = 10_000;
/** Events that one query names by their ids. */
const NAMED_EVENTS = 500;
/** Around a signal whose events are gone. */
const NO_EVENTS_MARGIN_MS = 5 * 60_000;
const UID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const ENTITY_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  host: ['DvcHostname', 'SrcHostname', 'DstHostname'],
  user: ['ActorUsername', 'TargetUsername', 'ActorUserId'],
  ip: ['SrcIpAddr', 'DstIpAddr', 'DvcIpAddr'],
  process: ['ProcessName', 'ParentProcessName', 'TargetProcessName'],
  url: ['Url', 'DnsQuery'],
  hash: ['FileHashMd5', 'FileHashSha1', 'FileHashSha256'],
};

/** A KQL string literal. */
const literal = (text: string): string => JSON.stringify(text);

/** KQL for the events of these ids. */
function eventsById(uids: readonly string[]): string {
  return `Events\n| where EventUid in (${uids.map((uid) => `guid(${uid})`).join(', ')})\n| sort by TimeGenerated desc`;
}

/** KQL for the events that name all suspects and targets of a signal. */
function eventsByEntities(signal: Pick<Signal, 'suspects' | 'targets' | 'stream'>): string {
  const streams = signal.stream
    .split(', ')
    .filter((stream) => /^[A-Za-z]\w*$/.test(stream))
    .join(', ');
  const conditions = [...signal.suspects, ...signal.targets].map(({ type, value }) => {
    const columns = ENTITY_COLUMNS[type];
    return columns
      ? `(${columns.map((column) => `${column} =~ ${literal(value)}`).join(' or ')})`
      : `Raw contains ${literal(value)}`;
  });
  const source = streams === '' ? 'Events' : streams.includes(',') ? `union ${streams}` : streams;
  return [source, ...conditions.map((each) => `where ${each}`), 'sort by TimeGenerated desc'].join('\n| ');
}

function namedRows(
  columns: readonly { readonly name: string }[],
  rows: readonly (readonly unknown[])[],
): Record<string, unknown>[] {
  return rows.map((row) =>
    Object.fromEntries(
      columns.flatMap(({ name }, index) => {
        const value = row[index];
        return value === null || value === '' || value === undefined ? [] : [[name, value]];
      }),
    ),
  );
}

function overview(
  rows: readonly { readonly values: Readonly<Record<string, unknown>>; readonly weight: number }[],
) {
  const counts = new Map<string, Map<string, number>>();
  for (const { values, weight } of rows) {
    for (const [field, value] of Object.entries(values)) {
      const text = valueText(value).slice(0, 1000);
      if (text === '') continue;
      const known = counts.get(field) ?? new Map<string, number>();
      known.set(text, (known.get(text) ?? 0) + weight);
      counts.set(field, known);
    }
  }
  return [...counts].map(([field, values]) => ({
    field,
    distinct: values.size,
    values: [...values]
      .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
      .slice(0, OVERVIEW_VALUES)
      .map(([value, count]) => ({ value, count })),
  }));
}

const rangeOf = (signal: Signal) => ({
  from: signal.first_time - MARGIN_MS,
  to: signal.last_time + MARGIN_MS,
});

/** Ids of the newest occurrences first. */
const idsOf = (evidence: readonly StoredEvidence[]): string[] => [
  ...new Set(evidence.flatMap((each) => each.eventUids)),
];

const readOf = (signal: Signal, query: string, page: EvidencePage): EvidenceRead => ({
  scopeId: signal.scope_id,
  query,
  range: rangeOf(signal),
  rows: page.data.length,
  matchedBy: page.matched_by,
});

interface EvidenceServiceDeps {
  readonly postgres: Postgres;
  readonly queries: QueryService;
}

interface EvidenceServiceParts extends EvidenceServiceDeps {
  readonly page: EvidenceService['page'];
}

export function createEvidenceService(deps: EvidenceServiceDeps): EvidenceService {
  const page: EvidenceService['page'] = async (clusterId, scopeId, signalId, pageRequest) => {
    const { signal, stored } = await evidence(parts, clusterId, scopeId, signalId);
    return stored.some((each) => each.eventUids.length > 0)
      ? byEvents(parts, clusterId, signal, stored, pageRequest)
      : byEntities(parts, clusterId, signal, pageRequest);
  };
  const query: EvidenceService['query'] = async (clusterId, scopeId, signalId) => {
    const { signal, stored } = await evidence(parts, clusterId, scopeId, signalId);
    const uids = idsOf(stored).filter((uid) => UID.test(uid));
    const named = uids.slice(0, NAMED_EVENTS);
    const kql = named.length > 0 ? eventsById(named) : eventsByEntities(signal);
    const times = await timesOf(parts, clusterId, signal, kql);
    const found: EvidenceQuery = {
      kql,
      start: times?.from ?? signal.first_time - NO_EVENTS_MARGIN_MS,
      end: times ? times.to + 1 : signal.last_time + NO_EVENTS_MARGIN_MS,
      matched_by: named.length > 0 ? 'events' : 'entities',
      total_count: times?.count ?? 0,
      more_events:
        named.length > 0
          ? uids.length - named.length + stored.reduce((sum, each) => sum + each.moreEvents, 0)
          : 0,
    };
    const { start: from, end: to, matched_by: matchedBy } = found;
    return { found, read: { scopeId, query: kql, range: { from, to }, rows: 1, matchedBy } };
  };
  const parts: EvidenceServiceParts = { ...deps, page };
  return { page, query, ...bindDeps(parts, { fields }) };
}

function ask(
  { queries }: EvidenceServiceParts,
  clusterId: string,
  signal: Signal,
  kql: string,
  maxRows: number,
) {
  return queries.run({
    clusterId,
    scopes: [signal.scope_id],
    kql,
    timeRange: rangeOf(signal),
    maxRows,
    queue: 'interactive',
  });
}

async function byEvents(
  parts: EvidenceServiceParts,
  clusterId: string,
  signal: Signal,
  evidence: readonly StoredEvidence[],
  page: PageRequest,
) {
  const uids = idsOf(evidence);
  const some = uids.slice((page.pageno - 1) * page.pagesize, page.pageno * page.pagesize);
  const query = eventsById(some);
  const answer =
    some.length === 0 ? { columns: [], rows: [] } : await ask(parts, clusterId, signal, query, page.pagesize);
  const data = namedRows(answer.columns, answer.rows);
  const found: EvidencePage = {
    fields_list: answer.columns.map(({ name }) => name).filter((name) => data.some((row) => name in row)),
    data,
    total_count: uids.length,
    matched_by: 'events',
    more_events: evidence.reduce((sum, each) => sum + each.moreEvents, 0),
  };
  return { page: found, read: readOf(signal, query, found) };
}

async function byEntities(parts: EvidenceServiceParts, clusterId: string, signal: Signal, page: PageRequest) {
  const query = eventsByEntities(signal);
  const answer = await ask(parts, clusterId, signal, query, ENTITY_ROWS);
  const from = (page.pageno - 1) * page.pagesize;
  const data = namedRows(answer.columns, answer.rows.slice(from, from + page.pagesize));
  const found: EvidencePage = {
    fields_list: answer.columns.map(({ name }) => name).filter((name) => data.some((row) => name in row)),
    data,
    total_count: answer.rows.length,
    matched_by: 'entities',
    more_events: 0,
  };
  return { page: found, read: readOf(signal, query, found) };
}

function evidence({ postgres }: EvidenceServiceParts, clusterId: string, scopeId: string, signalId: string) {
  return postgres.inTenant(clusterId, async (trx) => {
    const signal = await findSignal(trx, clusterId, scopeId, signalId);
    if (!signal) throw notFound();
    return { signal, stored: await evidenceOf(trx, clusterId, signalId, OCCURRENCES) };
  });
}

/** First and last time of the events that a query finds; null where there are none. */
async function timesOf(parts: EvidenceServiceParts, clusterId: string, signal: Signal, kql: string) {
  const figures = 'summarize First = min(TimeGenerated), Last = max(TimeGenerated), Count = count()';
  const { rows } = await ask(parts, clusterId, signal, `${kql}\n| ${figures}`, 1);
  const [first, last, count] = rows[0] ?? [];
  const [from, to] = [Date.parse(String(first)), Date.parse(String(last))];
  return Number.isNaN(from) || Number.isNaN(to) ? null : { from, to, count: Number(count) };
}

async function fields(
  parts: EvidenceServiceParts,
  clusterId: string,
  signal: Signal,
): Promise<{ readonly fields: SignalDetail['fields']; readonly read: EvidenceRead }> {
  const { stored } = await evidence(parts, clusterId, signal.scope_id, signal.signal_id);
  const counted = stored.filter((each) => Object.keys(each.fields).length > 0);
  if (counted.length > 0) {
    const fields = overview(counted.map((each) => ({ values: each.fields, weight: each.rowCount })));
    const read = { scopeId: signal.scope_id, query: '', range: rangeOf(signal), rows: counted.length };
    return { fields, read: { ...read, matchedBy: 'events' } };
  }
  const newest = await parts.page(clusterId, signal.scope_id, signal.signal_id, {
    pageno: 1,
    pagesize: OVERVIEW_EVENTS,
  });
  const quiet = new Set(['Raw', 'EventUid', 'IngestedTime', 'Scope', 'Ext']);
  const fields = overview(
    newest.page.data.map((row) => ({
      values: Object.fromEntries(Object.entries(row).filter(([name]) => !quiet.has(name))),
      weight: 1,
    })),
  );
  return { fields, read: newest.read };
}
