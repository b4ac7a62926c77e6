import { ALL_EVENTS } from '@tyrian/catalog';
import type { explainZeroRows, OutputOf } from '@tyrian/contract';
import type { Plan } from '@tyrian/plan';
import type { AskedSearch } from './asked-search.ts';
import { compileRefusal } from './compile-refusal.ts';
import { streamsRead } from './event-part.ts';
import { pipelineSteps } from './pipeline-steps.ts';
import type { Compiled, QueryService } from './query-service.ts';
import { eventsBelow, newestOf, streamInstead } from './zero-rows-source.ts';

// Why a query found nothing: the pipeline is cut after every step, each beginning is counted, and the first step
// that leaves no row is the answer. A text that no event has is told apart from an empty time range, and that from a
// table which no source fills.

type Explanation = OutputOf<typeof explainZeroRows>;

const MAX_STEPS = 20;
const SEARCHES = /^(?:search|find)\b/;

export async function explainZero(queries: QueryService, asked: AskedSearch): Promise<Explanation> {
  const whole = await queries.compile(asked);
  if (!whole.ok) throw compileRefusal(whole.diagnostics);
  const steps: Explanation['steps'] = [];
  let first: Compiled | null = null;
  for (const { start, end } of pipelineSteps(asked.kql).slice(0, MAX_STEPS)) {
    const compiled = await queries.compile({ ...asked, kql: asked.kql.slice(0, end) });
    if (!compiled.ok) continue;
    first ??= compiled;
    const rows = await countOf(queries, asked, compiled);
    steps.push({ text: asked.kql.slice(start, end), span: { start, end }, rows });
    if (rows === 0) break;
  }
  const emptied = steps.findIndex((step) => step.rows === 0);
  const emptiedBy = emptied < 0 ? null : emptied;
  const readsEvents = streamsRead(whole.plan).length > 0;
  const source = await sourceOf(queries, asked, readsEvents ? (first ?? whole) : null, steps, emptiedBy);
  return {
    ...reasonOf(steps, emptiedBy, source, readsEvents),
    emptied_by: emptiedBy,
    steps,
    newest_event: source.newest,
    searched: source.searched,
    table: source.table,
    instead: source.instead,
  };
}

interface Source {
  readonly newest: number | null;
  readonly searched: number | null;
  readonly table: string;
  readonly instead: Explanation['instead'];
}

const NO_SOURCE: Source = { newest: null, searched: null, table: '', instead: null };

/** What is below the first step: only then is the source looked at when it is what left no row. */
async function sourceOf(
  queries: QueryService,
  asked: AskedSearch,
  first: Compiled | null,
  steps: Explanation['steps'],
  emptiedBy: number | null,
): Promise<Source> {
  if (first === null) return NO_SOURCE;
  const text = steps[0]?.text.trim() ?? '';
  if (emptiedBy === 0 && SEARCHES.test(text)) {
    const searched = await eventsBelow(queries, asked, first);
    if (searched > 0) return { ...NO_SOURCE, searched };
    const [stream] = streamsRead(first.plan);
    const all = await queries.compile({ ...asked, kql: stream ?? ALL_EVENTS });
    return { ...NO_SOURCE, newest: all.ok ? await newestOf(queries, asked, all) : null };
  }
  const newest = await newestOf(queries, asked, first);
  const table = newest === null && /^\w+$/.test(text) ? text : '';
  return { ...NO_SOURCE, newest, table, instead: await streamInstead(queries, asked, table) };
}

function reasonOf(
  steps: Explanation['steps'],
  emptiedBy: number | null,
  { newest, searched }: Source,
  readsEvents: boolean,
): Pick<Explanation, 'reason' | 'message'> {
  if (!readsEvents) return { reason: 'not-applicable', message: 'The query reads no stored events.' };
  if (emptiedBy === null) return { reason: 'not-empty', message: 'Every step of the query leaves rows.' };
  const step = steps[emptiedBy];
  const table = steps[0]?.text.trim() ?? '';
  if (searched !== null) {
    const events = searched.toLocaleString('en-US');
    return { reason: 'not-found', message: `None of ${events} events in the time range matches ${table}.` };
  }
  if (newest === null) return { reason: 'stream-empty', message: `No source of this scope fills ${table}.` };
  if (emptiedBy === 0) {
    const when = new Date(newest).toISOString();
    return {
      reason: 'range-empty',
      message: `${table} has no events in the chosen time range; the newest is from ${when}.`,
    };
  }
  const before = steps[emptiedBy - 1]?.rows ?? 0;
  const events = before === 1 ? 'the one row' : `all ${before.toLocaleString('en-US')} rows`;
  return { reason: 'filtered', message: `"${step?.text ?? ''}" leaves none of ${events} before it.` };
}

/** Rows after the steps of a beginning. */
async function countOf(
  queries: QueryService,
  asked: AskedSearch,
  { plan, filtersTime }: Compiled,
): Promise<number> {
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
