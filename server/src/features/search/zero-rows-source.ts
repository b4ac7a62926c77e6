import { WELL_KNOWN_TABLES } from '@tyrian/catalog';
import type { explainZeroRows, OutputOf } from '@tyrian/contract';
import { columnReference, type Plan, type PlanNode, visitPlan } from '@tyrian/plan';
import type { AskedSearch } from './asked-search.ts';
import { columnNamed } from './event-part.ts';
import type { Compiled, QueryService } from './query-service.ts';

// Figures about the source of a query that found nothing. They are counted over the sort key of the events, or within
// a bounded time: what explains a search must not cost more than the search.

type Scan = Extract<PlanNode, { kind: 'scan' }>;

/** So far back the newest row of a table is looked for that is no stream: finding none reads a column of everything. */
const LOOK_BACK_MS = 30 * 86_400_000;
const FOREVER_MS = Date.UTC(2299, 11, 31);
const MAX_SCANS = 20;

const optionsOf = (asked: AskedSearch) => ({
  clusterId: asked.clusterId,
  scopes: asked.scopes,
  reach: asked.reach,
  maxRows: 1,
  queue: 'interactive' as const,
  signal: asked.signal,
  onScopes: asked.onScopes,
});

/** Events of the time range in the streams below a query, each stream once, whatever the query asks of them. */
export async function eventsBelow(
  queries: QueryService,
  asked: AskedSearch,
  { plan, filtersTime }: Compiled,
): Promise<number> {
  const scans = new Map<string, Scan>();
  visitPlan(plan.root, (node) => {
    if (node.kind === 'scan') scans.set(`${node.stream} ${node.scope ?? ''}`, node);
  });
  let events = 0;
  for (const scan of [...scans.values()].slice(0, MAX_SCANS)) {
    const timeRange = filtersTime ? {} : { timeRange: asked.range };
    events += await countScan(queries, { ...optionsOf(asked), ...timeRange }, scan, plan.nextId);
  }
  return events;
}

async function countScan(
  queries: QueryService,
  options: Parameters<QueryService['runPlan']>[1],
  scan: Scan,
  id: number,
): Promise<number> {
  const counted: Plan = {
    root: { kind: 'aggregate', input: scan, keys: [], items: [{ id, type: 'long', fn: 'count', args: [] }] },
    columns: [{ id, type: 'long', name: 'events' }],
    nextId: id + 1,
  };
  const { rows } = await queries.runPlan(counted, options);
  return Number(rows[0]?.[0] ?? 0);
}

/**
 * Newest row of the first table, epoch milliseconds; null when it has none. Streams are looked at for all time, views
 * over events, which are found by a condition, for thirty days.
 */
export async function newestOf(
  queries: QueryService,
  asked: AskedSearch,
  { plan }: Compiled,
): Promise<number | null> {
  const time = columnNamed(plan.root, 'TimeGenerated');
  if (time === null) return null;
  const isStored = plan.root.kind === 'scan' || plan.root.kind === 'union' || computesOnly(plan.root);
  const newest: Plan = {
    root: {
      kind: 'aggregate',
      input: plan.root,
      keys: [],
      items: [{ id: plan.nextId, type: 'datetime', fn: 'max', args: [columnReference(time, 'datetime')] }],
    },
    columns: [{ id: plan.nextId, type: 'datetime', name: 'newest' }],
    nextId: plan.nextId + 1,
  };
  const since = Math.min(asked.range.from, asked.range.to - LOOK_BACK_MS);
  const { rows } = await queries.runPlan(newest, {
    ...optionsOf(asked),
    ...(isStored ? {} : { timeRange: { from: since, to: FOREVER_MS } }),
  });
  const text = rows[0]?.[0];
  const ms = typeof text === 'string' ? Date.parse(text) : 0;
  return ms > 0 ? ms : null;
}

/** A stream with columns added, and no condition on its rows. */
const computesOnly = (node: PlanNode): boolean =>
  node.kind === 'scan' || (node.kind === 'compute' && computesOnly(node.input));

/** Where events of the kind of a well-known table are, when there are some in the time range. */
export async function streamInstead(
  queries: QueryService,
  asked: AskedSearch,
  table: string,
): Promise<OutputOf<typeof explainZeroRows>['instead']> {
  const stream = WELL_KNOWN_TABLES.find(({ name }) => name === table)?.stream;
  if (stream === undefined || stream === 'Generic') return null;
  const compiled = await queries.compile({ ...asked, kql: stream });
  if (!compiled.ok) return null;
  const events = await eventsBelow(queries, asked, compiled);
  return events === 0 ? null : { stream, events };
}
