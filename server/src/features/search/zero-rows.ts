import type { explainZeroRows, OutputOf } from '@tyrian/contract';
import { columnReference, type Plan } from '@tyrian/plan';
import type { AskedSearch } from './asked-search.ts';
import { compileRefusal } from './compile-refusal.ts';
import { columnNamed, streamsRead } from './event-part.ts';
import { pipelineSteps } from './pipeline-steps.ts';
import type { QueryService } from './query-service.ts';

// Why a query found nothing: the pipeline is cut after every step, each beginning is counted, and the first step
// that leaves no row is the answer. An empty table is told apart from an empty time range.

type Explanation = OutputOf<typeof explainZeroRows>;

const MAX_STEPS = 20;

export async function explainZero(queries: QueryService, asked: AskedSearch): Promise<Explanation> {
  const whole = await queries.compile(asked);
  if (!whole.ok) throw compileRefusal(whole.diagnostics);
  const steps: Explanation['steps'] = [];
  for (const { start, end } of pipelineSteps(asked.kql).slice(0, MAX_STEPS)) {
    const rows = await countBeginning(queries, asked, end);
    if (rows === null) continue;
    steps.push({ text: asked.kql.slice(start, end), span: { start, end }, rows });
    if (rows === 0) break;
  }
  const emptied = steps.findIndex((step) => step.rows === 0);
  const readsEvents = streamsRead(whole.plan).length > 0;
  const newest = readsEvents ? await newestEvent(queries, asked, whole.plan) : null;
  const emptiedBy = emptied < 0 ? null : emptied;
  return {
    ...reasonOf(steps, emptiedBy, newest, readsEvents),
    emptied_by: emptiedBy,
    steps,
    newest_event: newest,
  };
}

function reasonOf(
  steps: Explanation['steps'],
  emptiedBy: number | null,
  newest: number | null,
  readsEvents: boolean,
): Pick<Explanation, 'reason' | 'message'> {
  if (!readsEvents) return { reason: 'not-applicable', message: 'The query reads no stored events.' };
  if (emptiedBy === null) return { reason: 'not-empty', message: 'Every step of the query leaves rows.' };
  const step = steps[emptiedBy];
  const table = steps[0]?.text ?? '';
  if (newest === null)
    return { reason: 'stream-empty', message: `${table} has no events in this scope at all.` };
  if (emptiedBy === 0) {
    const when = new Date(newest).toISOString();
    return {
      reason: 'range-empty',
      message: `${table} has no events in the chosen time range; the newest is of ${when}.`,
    };
  }
  const before = steps[emptiedBy - 1]?.rows ?? 0;
  const events = before === 1 ? 'the one row' : `all ${before.toLocaleString('en-US')} rows`;
  return { reason: 'filtered', message: `"${step?.text ?? ''}" leaves none of ${events} before it.` };
}

/** Rows after the steps that end at `end`; null when that beginning is no query of its own. */
async function countBeginning(
  queries: QueryService,
  asked: AskedSearch,
  end: number,
): Promise<number | null> {
  const compiled = await queries.compile({ ...asked, kql: asked.kql.slice(0, end) });
  if (!compiled.ok) return null;
  const { plan, filtersTime } = compiled;
  const counted: Plan = {
    root: {
      kind: 'aggregate',
      input: plan.root,
      keys: [],
      items: [{ id: plan.nextId, type: 'long', fn: 'count', args: [] }],
    },
    columns: [{ id: plan.nextId, type: 'long', name: 'rows' }],
    nextId: plan.nextId + 1,
  };
  const { rows } = await queries.runPlan(counted, {
    clusterId: asked.clusterId,
    scopes: asked.scopes,
    reach: asked.reach,
    ...(filtersTime ? {} : { timeRange: asked.range }),
    maxRows: 1,
    queue: 'interactive',
    signal: asked.signal,
    onScopes: asked.onScopes,
  });
  return Number(rows[0]?.[0] ?? 0);
}

/** Newest event of the first table, whatever its time; null when it has none. */
async function newestEvent(queries: QueryService, asked: AskedSearch, plan: Plan): Promise<number | null> {
  let node = plan.root;
  while (node.kind !== 'scan' && node.kind !== 'union') {
    if (node.kind === 'values' || node.kind === 'range') return null;
    node = node.kind === 'join' ? node.left : node.input;
  }
  const time = columnNamed(node, 'TimeGenerated');
  if (time === null) return null;
  const newest: Plan = {
    root: {
      kind: 'aggregate',
      input: node,
      keys: [],
      items: [{ id: plan.nextId, type: 'datetime', fn: 'max', args: [columnReference(time, 'datetime')] }],
    },
    columns: [{ id: plan.nextId, type: 'datetime', name: 'newest' }],
    nextId: plan.nextId + 1,
  };
  const { rows } = await queries.runPlan(newest, {
    clusterId: asked.clusterId,
    scopes: asked.scopes,
    reach: asked.reach,
    maxRows: 1,
    queue: 'interactive',
    signal: asked.signal,
    onScopes: asked.onScopes,
  });
  const text = rows[0]?.[0];
  const ms = typeof text === 'string' ? Date.parse(text) : 0;
  return ms > 0 ? ms : null;
}
