import { printQuery } from '@tyrian/clickhouse-sql';
import {
  type explainSearch,
  type explainZeroRows,
  type fieldValues,
  type OutputOf,
  say,
  type searchHistogram,
} from '@tyrian/contract';
import {
  type AggregateItem,
  call,
  columnReference,
  constant,
  type Plan,
  scopesRead,
  scopeToTenant,
} from '@tyrian/plan';
import { AppError } from '../../platform/app-error.ts';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import type { AskedSearch } from './asked-search.ts';
import { compileRefusal } from './compile-refusal.ts';
import { asText, type EventPart, eventPartOf, fieldIn, keepsEvents } from './event-part.ts';
import { type BucketCount, bucketWidthMs, histogramOf } from './histogram.ts';
import { countFromFigures, figureHistogramOf } from './histogram-figures.ts';
import type { Compiled, QueryService } from './query-service.ts';
import { explainZero } from './zero-rows.ts';

// What Find shows beside the rows: counts over time, top values, the reason for an empty answer. All of it is
// derived from the plan of the same query, so it never disagrees with the rows about what matches.

export interface SearchAidsService {
  histogram(
    asked: AskedSearch,
    options: { stackBy: string; buckets: number },
  ): Promise<OutputOf<typeof searchHistogram>>;
  fieldValues(
    asked: AskedSearch,
    options: { field: string; limit: number },
  ): Promise<OutputOf<typeof fieldValues>>;
  zeroRows(asked: AskedSearch): Promise<OutputOf<typeof explainZeroRows>>;
  explain(asked: AskedSearch): Promise<OutputOf<typeof explainSearch>>;
}

/** Most groups that one histogram reads; above it only the largest values are asked for. */
const MAX_GROUPS = 20_000;
/** As many as charts have hues; the rest is one more series. */
const STACKED_VALUES = 8;
/** Stands for all values that have no series of their own; no stored text holds it. */
const THE_REST = '\u0000rest';

interface SearchAidsServiceDeps {
  readonly queries: QueryService;
  readonly events: Pick<EventStore, 'rows' | 'tablesDatabase'>;
}

export function createSearchAidsService(deps: SearchAidsServiceDeps): SearchAidsService {
  return bindDeps(deps, { histogram, fieldValues: topValues, zeroRows, explain });
}

async function compiled({ queries }: SearchAidsServiceDeps, asked: AskedSearch): Promise<Compiled> {
  const result = await queries.compile(asked);
  if (!result.ok) throw compileRefusal(result.diagnostics);
  return result;
}

function runPlan(
  { queries }: SearchAidsServiceDeps,
  asked: AskedSearch,
  { filtersTime }: Compiled,
  plan: Plan,
  maxRows: number,
) {
  return queries.runPlan(plan, {
    clusterId: asked.clusterId,
    scopes: asked.scopes,
    reach: asked.reach,
    ...(filtersTime ? {} : { timeRange: asked.range }),
    maxRows,
    queue: 'interactive',
    signal: asked.signal,
    onScopes: asked.onScopes,
  });
}

/** A query that filters time itself is charted over the times of its own events. */
async function chartRange(
  deps: SearchAidsServiceDeps,
  asked: AskedSearch,
  query: Compiled,
  part: EventPart,
): Promise<AskedSearch['range'] | null> {
  if (!query.filtersTime) return asked.range;
  const time = columnReference(part.timeColumn, 'datetime');
  const items = ['min', 'max'].map((fn, index): AggregateItem => {
    return { id: query.plan.nextId + index, type: 'datetime', fn, args: [time] };
  });
  const { rows } = await runPlan(deps, asked, query, grouped(query.plan, part, [], items), 1);
  const [from, to] = (rows[0] ?? []).map((value) => (typeof value === 'string' ? Date.parse(value) : null));
  return from === null || from === undefined || !to ? null : { from, to: to + 1 };
}

/** Counts of a query without filters, which inserts have made already; null where they do not fit. */
async function fromFigures(
  deps: SearchAidsServiceDeps,
  asked: AskedSearch,
  query: Compiled,
  part: EventPart,
  { stackBy, widthMs }: { readonly stackBy: string; readonly widthMs: number },
): Promise<BucketCount[] | null> {
  const fitting = figureHistogramOf(part, stackBy, widthMs, asked.range);
  if (!fitting) return null;
  const field = asText(fieldOrRefusal(query, part, stackBy));
  const plan = bucketPlan(query.plan, part, widthMs, field);
  const [inner, ...ends] = await Promise.all([
    countFromFigures(deps.events, asked, fitting, widthMs, MAX_GROUPS),
    ...fitting.ends.map((range) => runPlan(deps, { ...asked, range }, query, plan, MAX_GROUPS)),
  ]);
  if (inner === null || ends.some(({ truncated }) => truncated)) return null;
  return [...inner, ...ends.flatMap(({ rows }) => rows.map(bucketCount))];
}

/** Rows of a histogram; with more groups than are read, the frequent values and the rest. */
async function bucketsOf(
  deps: SearchAidsServiceDeps,
  asked: AskedSearch,
  query: Compiled,
  part: EventPart,
  { field, widthMs }: { readonly field: ReturnType<typeof asText>; readonly widthMs: number },
): ReturnType<typeof runPlan> {
  const plan = bucketPlan(query.plan, part, widthMs, field);
  const all = await runPlan(deps, asked, query, plan, MAX_GROUPS);
  if (!all.truncated) return all;
  const top = await runPlan(deps, asked, query, topValuesPlan(query.plan, part, field), STACKED_VALUES);
  const named = top.rows.map(([value]) => constant('string', String(value)));
  const kept = call(
    'string',
    'iff',
    call('bool', 'or', call('bool', 'in', field, ...named), call('bool', 'isempty', field)),
    field,
    constant('string', THE_REST),
  );
  return runPlan(deps, asked, query, bucketPlan(query.plan, part, widthMs, kept), MAX_GROUPS);
}

async function histogram(
  deps: SearchAidsServiceDeps,
  asked: AskedSearch,
  { stackBy, buckets }: { stackBy: string; buckets: number },
): Promise<OutputOf<typeof searchHistogram>> {
  const query = await compiled(deps, asked);
  const part = eventPartOf(query.plan);
  const range = part ? await chartRange(deps, asked, query, part) : null;
  if (!part || !range) {
    const counts_rows = part !== null && keepsEvents(query.plan);
    return {
      ...EMPTY_CHART,
      applicable: part !== null,
      range: asked.range,
      stack_by: stackBy,
      counts_rows,
    };
  }
  const widthMs = bucketWidthMs(range, buckets);
  const told = query.filtersTime ? null : await fromFigures(deps, asked, query, part, { stackBy, widthMs });
  if (told) {
    const chart = histogramOf(range, widthMs, told, STACKED_VALUES);
    return { ...chart, stack_by: stackBy, counts_rows: keepsEvents(query.plan) };
  }
  const found = fieldIn(query.plan, part, stackBy);
  const field = asText(found ?? fieldOrRefusal(query, part, 'Stream'));
  const { rows, truncated } = await bucketsOf(deps, asked, query, part, { field, widthMs });
  return {
    ...histogramOf(range, widthMs, rows.map(bucketCount), STACKED_VALUES),
    stack_by: found ? stackBy : 'Stream',
    counts_rows: keepsEvents(query.plan) && !truncated,
  };
}

async function topValues(
  deps: SearchAidsServiceDeps,
  asked: AskedSearch,
  { field, limit }: { field: string; limit: number },
): Promise<OutputOf<typeof fieldValues>> {
  const query = await compiled(deps, asked);
  const part = eventPartOf(query.plan);
  if (!part) return { applicable: false, total: 0, with_value: 0, distinct: 0, values: [] };
  const text = asText(fieldOrRefusal(query, part, field));
  const top = await runPlan(deps, asked, query, topValuesPlan(query.plan, part, text), limit);
  const totals = await runPlan(deps, asked, query, totalsPlan(query.plan, part, text), 1);
  const [total, withValue, distinct] = (totals.rows[0] ?? []).map(Number);
  return {
    applicable: true,
    total: total ?? 0,
    with_value: withValue ?? 0,
    distinct: distinct ?? 0,
    values: top.rows.map(([value, count]) => ({ value, count: Number(count) })),
  };
}

function zeroRows(
  { queries }: SearchAidsServiceDeps,
  asked: AskedSearch,
): Promise<OutputOf<typeof explainZeroRows>> {
  return explainZero(queries, asked);
}

async function explain(
  deps: SearchAidsServiceDeps,
  asked: AskedSearch,
): Promise<OutputOf<typeof explainSearch>> {
  const query = await compiled(deps, asked);
  const scoped = scopeToTenant(query.plan, {
    database: await deps.events.tablesDatabase(asked.clusterId),
    scopes: asked.scopes,
    reach: asked.reach.scopes.map(({ id }) => id),
    ...(query.filtersTime ? {} : { timeRange: asked.range }),
  });
  const { sql, params, settings } = printQuery(scoped);
  const statement = { sql: `EXPLAIN indexes = 1 ${sql}`, params, settings };
  const { rows } = await deps.queries.explain(statement, {
    clusterId: asked.clusterId,
    scopes: scopesRead(scoped),
    queue: 'interactive',
    signal: asked.signal,
  });
  return {
    sql,
    params: { ...params },
    columns: query.columns.map(({ name, type }) => ({ name, type })),
    unscoped_plan: query.plan.root,
    plan: scoped.root,
    engine_plan: rows.map(([line]) => line).join('\n'),
  };
}

/** Where `bin` counts from: 0001-01-01, in ticks since 1970. */
const YEAR_ONE = constant('datetime', '-621355968000000000');

const EMPTY_CHART = { applicable: false, bucket_ms: 0, times: [], series: [], total: 0 };

function fieldOrRefusal(query: Compiled, part: EventPart, field: string) {
  const found = fieldIn(query.plan, part, field);
  if (!found) throw new AppError('bad-input', say('search.noQueryField', { field }));
  return found;
}

type Key = { readonly id: number; readonly expression: Parameters<typeof asText>[0] };

/** The events of the part, grouped: the keys first, then the aggregates. */
function grouped(plan: Plan, part: EventPart, keys: readonly Key[], items: readonly AggregateItem[]): Plan {
  const columns = [
    ...keys.map(({ id, expression }) => ({ id, type: expression.type, name: `key${id}` })),
    ...items.map(({ id, type }) => ({ id, type, name: `value${id}` })),
  ];
  return {
    root: { kind: 'aggregate', input: part.node, keys, items },
    columns,
    nextId: plan.nextId + keys.length + items.length,
  };
}

function bucketPlan(plan: Plan, part: EventPart, widthMs: number, field: Key['expression']): Plan {
  const width = constant('timespan', (BigInt(widthMs) * 10_000n).toString());
  const bin = call('datetime', 'bin_datetime', columnReference(part.timeColumn, 'datetime'), width, YEAR_ONE);
  const keys = [
    { id: plan.nextId, expression: bin },
    { id: plan.nextId + 1, expression: field },
  ];
  return grouped(plan, part, keys, [{ id: plan.nextId + 2, type: 'long', fn: 'count', args: [] }]);
}

/** Values with their counts, most frequent first, empty ones left out. */
function topValuesPlan(plan: Plan, part: EventPart, field: Key['expression']): Plan {
  const node = { kind: 'filter', input: part.node, predicate: call('bool', 'isnotempty', field) } as const;
  const count = plan.nextId + 1;
  const counted = grouped(
    plan,
    { ...part, node },
    [{ id: plan.nextId, expression: field }],
    [{ id: count, type: 'long', fn: 'count', args: [] }],
  );
  const keys = [
    { expression: columnReference(count, 'long'), descending: true, nullsFirst: false },
    { expression: columnReference(plan.nextId, 'string'), descending: false, nullsFirst: true },
  ];
  return { ...counted, root: { kind: 'sort', input: counted.root, keys } };
}

function totalsPlan(plan: Plan, part: EventPart, field: Key['expression']): Plan {
  const present = call('bool', 'isnotempty', field);
  return grouped(
    plan,
    part,
    [],
    [
      { id: plan.nextId, type: 'long', fn: 'count', args: [] },
      { id: plan.nextId + 1, type: 'long', fn: 'countif', args: [present] },
      { id: plan.nextId + 2, type: 'long', fn: 'dcountif', args: [field, present] },
    ],
  );
}

function bucketCount([time, value, count]: readonly unknown[]): BucketCount {
  const text = String(value ?? '');
  return { time: Date.parse(String(time)), value: text === THE_REST ? null : text, count: Number(count) };
}
