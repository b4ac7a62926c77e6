import { decodeRow, type PrintedQuery } from '@tyrian/clickhouse-sql';
import type { ResultColumn, ResultSort, SearchNotice, SearchRange } from '@tyrian/contract';
import type { FunctionCheck, QueryReach, SavedFunction } from '@tyrian/kql';
import type { Plan, TimeRange, ValuePath } from '@tyrian/plan';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { EventQuery, EventStore } from '../../platform/clickhouse/event-store.ts';
import type { Clock } from '../../platform/clock.ts';
import { newId } from '../../platform/new-id.ts';
import { collectResult, collectRows } from './collect-rows.ts';
import type { CompileTurn } from './compile-turns.ts';
import { compileWithFields, type QueryFunctions } from './compile-with-fields.ts';
import { engineRefusal } from './engine-refusal.ts';
import { streamsRead } from './event-part.ts';
import type { EventsStored } from './events-stored.ts';
import { type FieldsRequest, fieldsInRange } from './fields-in-range.ts';
import type { CompileResult, KqlCompiler } from './kql-compiler.ts';
import { type NamedCatalog, NOTHING_ADDED, type QueryCatalog } from './named-catalog.ts';
import { newestFirstOf, newestTopOf, sortedNewestFirst } from './newest-first.ts';
import { PICKER_OVERRIDDEN } from './picker-overridden.ts';
import { piecesOfPlan } from './pieces-of-plan.ts';
import { printForTenant, type Within } from './print-for-tenant.ts';
import { type EngineTerms, engineTerms, MADE_ROWS_SETTINGS, type QueryQueue } from './query-queues.ts';
import type { QuerySlots } from './query-slots.ts';
import { sortedAsChosen } from './result-order.ts';
import { type QueryStats, type ResultRow, runPieces } from './run-pieces.ts';
import type { ExtFields, SeenFields } from './seen-fields.ts';
import { settlePlugins } from './settle-plugins.ts';
import { smallestLimit } from './smallest-limit.ts';

// The one way from KQL text to rows, for whatever asks. It compiles in a worker, ties the plan to the tenant and its
// scopes, waits for a slot of its queue, and runs.

export interface QueryRequest {
  readonly clusterId: string;
  /** The scopes that may be read; the caller has checked that they may be. */
  readonly scopes: readonly string[];
  /** Further scopes of the tenant that the query may name with workspace(); the caller may search in each. */
  readonly reach?: QueryReach;
  readonly kql: string;
  /** By TimeGenerated, epoch milliseconds, half-open. Ignored when the query itself filters TimeGenerated. */
  readonly timeRange?: TimeRange;
  /** By IngestedTime, epoch milliseconds, half-open; always holds. */
  readonly ingestRange?: TimeRange;
  /** The paths below Ext of all values in the range, as `fieldsInRange` tells them: reading them costs less then. */
  readonly values?: readonly ValuePath[];
  /** Rows to return at most; `truncated` says whether there were more. No limit when absent. */
  readonly maxRows?: number;
  readonly queue: QueryQueue;
  /** Who asks: users of a tenant take turns. Absent for work of the platform itself. */
  readonly userId?: string;
  readonly signal?: AbortSignal;
  /** Takes what there is when a shard of the engine does not answer; `stats().missingShards` tells. Else it fails. */
  readonly takesPart?: boolean;
  /** `newest-first` sorts rows that the query leaves unsorted and reads backwards in time; default as written. */
  readonly order?: 'newest-first' | 'as-written';
  readonly unknownColumns?: 'warn' | 'error';
  /** Called once, when the query leaves its queue. */
  readonly onStarted?: () => void;
  readonly onProgress?: (stats: QueryStats) => void;
  /** With the scopes that are read, before anything is. */
  readonly onScopes?: (scopes: readonly string[]) => void;
  /** Names the query on the engine; a new one when absent. */
  readonly queryId?: string;
}

/** A query whose rows are shown to somebody as they come. */
export interface StreamRequest extends Omit<QueryRequest, 'maxRows'> {
  /** A number, or what the plan suggests. */
  readonly maxRows?: number | ((plan: Plan) => number);
  /** Sorts the whole answer before it is cut. */
  readonly sort?: ResultSort;
}

export type Compiled = Extract<CompileResult, { ok: true }>;
type Diagnostics = CompileResult['diagnostics'];

export interface QueryRows {
  readonly columns: readonly ResultColumn[];
  readonly diagnostics: Diagnostics;
  readonly notices: readonly SearchNotice[];
  /** Streams that are read; null among them stands for all. */
  readonly streams: readonly (string | null)[];
  /** What was searched; null when the query filters time itself. */
  readonly range: SearchRange | null;
  /** Rows that are wanted; one more may come and tells that there are more. */
  readonly maxRows: number | undefined;
  readonly batches: AsyncIterable<readonly ResultRow[]>;
  /** Figures so far. */
  stats(): QueryStats;
}

export interface QueryResult {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly ResultRow[];
  readonly truncated: boolean;
  readonly stats: QueryStats;
  readonly diagnostics: Diagnostics;
}

export interface NamedResult extends QueryResult {
  /** '' for the only table of a query. */
  readonly name: string;
}

export interface QueryService {
  /** Mistakes in the text are diagnostics of the answer. */
  compile(
    request: Pick<QueryRequest, 'clusterId' | 'scopes' | 'reach' | 'kql' | 'unknownColumns' | 'userId'> &
      Partial<Pick<QueryRequest, 'queue'>> & {
        /** Without the fields of the tenant: what is compiled so without a remark is the same in every tenant. */
        readonly knowsNoFields?: boolean;
      },
  ): Promise<CompileResult>;
  /** The fields inside Ext that texts of these scopes are compiled with, for rules; a sample some minutes old will do. */
  fieldsOf(clusterId: string, scopes: readonly string[]): Promise<ExtFields>;
  /** What the tenant added to what texts of these scopes may name. */
  catalogOf(clusterId: string, scopes: readonly string[]): Promise<NamedCatalog>;
  /** The paths below Ext that events of a range hold. */
  fieldsInRange(request: FieldsRequest): Promise<readonly ValuePath[]>;
  /** Whether a function can be saved beside those of the tenant. */
  checkFunction(clusterId: string, userId: string, wanted: SavedFunction): Promise<FunctionCheck>;
  /** Rows as they come. Throws AppError `bad-input` with `details.diagnostics` when the text has mistakes. */
  stream(request: StreamRequest): Promise<QueryRows>;
  /** All rows at once. */
  run(request: QueryRequest): Promise<QueryResult>;
  /** The tables of a query that gives several; one without a name for any other. */
  runTables(request: QueryRequest): Promise<readonly NamedResult[]>;
  /**
   * Runs a statement about a plan over the database of the tenant's tables, e.g. EXPLAIN, on each engine of a cluster,
   * with the limits of a query: the engine evaluates scalar subqueries while it plans.
   */
  explain(
    statement: { readonly sql: string } & Required<Pick<EventQuery, 'params' | 'settings'>>,
    request: Pick<QueryRequest, 'clusterId' | 'scopes' | 'queue' | 'signal'>,
  ): Promise<Awaited<ReturnType<EventStore['rowsOfEach']>>>;
  /** Runs a plan that was derived from a compiled one; same limits and the same isolation. */
  runPlan(plan: Plan, request: Omit<QueryRequest, 'kql' | 'order'>): Promise<QueryResult>;
}

export interface QueryServiceDeps {
  readonly events: EventStore;
  readonly compiler: KqlCompiler;
  readonly seenFields: SeenFields;
  readonly functions?: QueryFunctions | undefined;
  readonly catalog?: QueryCatalog | undefined;
  readonly slots: QuerySlots;
  readonly stored: EventsStored;
  readonly clock: Clock;
}

interface QueryServiceParts extends QueryServiceDeps {
  readonly compileWith: ReturnType<typeof compileWithFields>;
  readonly stream: QueryService['stream'];
}

export function createQueryService(deps: QueryServiceDeps): QueryService {
  const compileWith = compileWithFields(deps);
  const compile: QueryService['compile'] = (request) =>
    compileWith({ ...request, turn: turnOf(request) }, []);
  const stream: QueryService['stream'] = async (request) => {
    const compiled = await settle(parts, request);
    const { sort, maxRows: wanted } = request;
    const maxRows = typeof wanted === 'function' ? wanted(compiled.plan) : wanted;
    const plan = sort ? sortedAsChosen(compiled.plan, sort) : compiled.plan;
    const isOverridden = compiled.filtersTime && request.timeRange !== undefined;
    return {
      columns: compiled.columns,
      diagnostics: compiled.diagnostics,
      notices: isOverridden ? [PICKER_OVERRIDDEN] : [],
      streams: streamsRead(compiled.plan),
      range: compiled.filtersTime ? null : (request.timeRange ?? null),
      maxRows,
      ...streamPlan(parts, plan, withRows(request, maxRows), compiled.filtersTime),
    };
  };
  const parts: QueryServiceParts = { ...deps, compileWith, stream };
  const fieldsOf: QueryService['fieldsOf'] = (clusterId, scopes) =>
    deps.seenFields.fieldsOf(clusterId, scopes, true);
  return {
    compile,
    fieldsOf,
    catalogOf: async (clusterId, scopes) =>
      (await deps.catalog?.catalogOf(clusterId, scopes)) ?? NOTHING_ADDED,
    stream,
    ...bindDeps(parts, { checkFunction, explain, fieldsInRange: fieldsOfRange, run, runTables, runPlan }),
  };
}

/** The query that asks holds its slot already. */
function termsOf(
  { slots }: QueryServiceParts,
  { queue, clusterId }: Pick<QueryRequest, 'queue' | 'clusterId'>,
  isStepped: boolean,
): EngineTerms {
  const { own, ...load } = slots.load(clusterId);
  return engineTerms(queue, { ...load, isStepped, own: Math.max(0, own - 1) });
}

function streamPlan(
  parts: QueryServiceParts,
  plan: Plan,
  request: Omit<QueryRequest, 'kql'>,
  filtersTime: boolean,
): Pick<QueryRows, 'batches' | 'stats'> {
  const stepped = request.order === 'newest-first' ? newestFirstOf(plan) : newestTopOf(plan);
  const range = filtersTime ? undefined : request.timeRange;
  const ordered = request.order === 'newest-first' ? sortedNewestFirst(plan) : plan;
  const queryId = request.queryId ?? newId();
  const rowLimit = smallestLimit(stepped?.limit ?? null, request.maxRows);
  const printed = (asked: Plan, within: Within) => printForTenant(asked, request, within);
  const terms = () => termsOf(parts, request, Boolean(stepped));
  const query = async (asked: Plan) => {
    const tables = await parts.events.tablesDatabase(request.clusterId);
    const { read: scopes, ...statement } = printed(asked, {
      timeRange: range,
      maxRows: rowLimit,
      database: tables,
    });
    return { ...statement, scopes, settings: { ...statement.settings, ...terms().settings } };
  };
  const { clusterId, signal, scopes } = request;
  const [of, nowMs] = [JSON.stringify([scopes, streamsRead(plan)]), parts.clock.now()];
  const run = runPieces({
    pieces: piecesOfPlan(parts.stored, { clusterId, stepped, range, rowLimit, nowMs, of, query, signal }),
    rowLimit,
    signal,
    onProgress: request.onProgress,
    start: (timeRange, maxRows, onProgress, piece) => {
      const { read, ...query } = printed(stepped?.plan ?? ordered, { timeRange, maxRows });
      request.onScopes?.(read);
      const onEngine = { ...request, ...terms(), queryId: `${queryId}-${piece}` };
      return startQuery(parts, query, read, onEngine, onProgress);
    },
  });
  return { stats: run.stats, batches: withSlot(parts, run.batches, request) };
}

async function startQuery(
  { events }: QueryServiceParts,
  printed: PrintedQuery,
  scopes: readonly string[],
  request: Pick<QueryRequest, 'clusterId' | 'signal' | 'takesPart'> &
    EngineTerms & { readonly queryId: string },
  onProgress: Parameters<EventStore['query']>[1]['onProgress'],
) {
  const answer = await events.query(request.clusterId, {
    sql: printed.sql,
    params: printed.params,
    settings: { ...printed.settings, ...(scopes.length === 0 && MADE_ROWS_SETTINGS), ...request.settings },
    scopes,
    givesWay: request.givesWay,
    queryId: request.queryId,
    ...(request.takesPart ? { takesPart: true } : {}),
    ...(request.signal ? { signal: request.signal } : {}),
    ...(onProgress ? { onProgress } : {}),
  });
  const { batches, receivedBytes, missingShards } = answer;
  return {
    batches,
    receivedBytes,
    missingShards,
    decode: (row: readonly unknown[]) => decodeRow(printed.columns, row),
  };
}

async function* withSlot<T>(
  parts: QueryServiceParts,
  batches: AsyncIterable<T>,
  request: Omit<QueryRequest, 'kql'>,
) {
  const release = await parts.slots.acquire(request.clusterId, request.queue, request.signal);
  try {
    request.onStarted?.();
    yield* batches;
  } catch (error) {
    throw engineRefusal(error, request.queue);
  } finally {
    release();
  }
}

/** Compiles and, where the data decides on columns, asks it first: within the same boundary, in the same queue. */
async function settle(
  parts: QueryServiceParts,
  request: Omit<QueryRequest, 'maxRows'>,
  several = false,
): Promise<Compiled> {
  const { clusterId, scopes, reach, timeRange, ingestRange, queue, signal } = request;
  const turn = turnOf(request);
  return settlePlugins({
    compile: (pluginSchemas) => parts.compileWith({ ...request, several, turn }, pluginSchemas),
    ask: async (plan, filtersTime) => {
      const own = {
        clusterId,
        scopes,
        queue,
        ...(reach ? { reach } : {}),
        ...(timeRange ? { timeRange } : {}),
        ...(ingestRange ? { ingestRange } : {}),
        ...(signal ? { signal } : {}),
      };
      return collectRows(streamPlan(parts, plan, own, filtersTime), clusterId);
    },
    columnsOf: (question, rows) => parts.compiler.columnsOf(question, rows, turn),
  });
}

async function checkFunction(
  parts: QueryServiceParts,
  clusterId: string,
  userId: string,
  wanted: SavedFunction,
): Promise<FunctionCheck> {
  const saved = await parts.functions?.functionsOf(clusterId);
  const functions = saved?.functions ?? [];
  // A function belongs to all scopes of the tenant: tables, which belong to one, are no names that it can count on.
  const added = (await parts.catalog?.catalogOf(clusterId, [])) ?? NOTHING_ADDED;
  const schemaVersion = `functions ${saved?.version ?? ''} ${added.version}`;
  const turn = turnOf({ clusterId, userId });
  return parts.compiler.check(wanted, {
    schemaVersion,
    extFields: [],
    functions,
    catalog: added.catalog,
    nowMs: parts.clock.now(),
    turn,
  });
}

async function explain(
  parts: QueryServiceParts,
  { sql, params, settings }: { readonly sql: string } & Required<Pick<EventQuery, 'params' | 'settings'>>,
  { clusterId, scopes, queue, signal }: Pick<QueryRequest, 'clusterId' | 'scopes' | 'queue' | 'signal'>,
): Promise<Awaited<ReturnType<EventStore['rowsOfEach']>>> {
  const work = () =>
    parts.events.rowsOfEach(clusterId, {
      sql,
      params,
      settings: { ...settings, ...termsOf(parts, { queue, clusterId }, false).settings },
      scopes,
      ...(signal ? { signal } : {}),
    });
  try {
    return await parts.slots.runInSlot(clusterId, queue, work, signal);
  } catch (error) {
    throw engineRefusal(error, queue);
  }
}

/** Fields are asked for by detections alone. */
async function fieldsOfRange(parts: QueryServiceParts, request: FieldsRequest) {
  const { clusterId, signal } = request;
  const { settings } = termsOf(parts, { queue: 'detections', clusterId }, false);
  const work = () => fieldsInRange(parts.events, request, settings);
  return parts.slots.runInSlot(clusterId, 'detections', work, signal);
}

async function run({ stream }: QueryServiceParts, request: QueryRequest): Promise<QueryResult> {
  return collectResult(await stream(request), request);
}

async function runTables(parts: QueryServiceParts, request: QueryRequest): Promise<readonly NamedResult[]> {
  const compiled = await settle(parts, request, true);
  const whole = { name: '', plan: compiled.plan, filtersTime: compiled.filtersTime };
  const { tables, diagnostics } = compiled;
  const results: NamedResult[] = [];
  for (const { name, plan, filtersTime } of tables.length > 0 ? tables : [whole]) {
    const rows = streamPlan(parts, plan, request, filtersTime);
    const result = await collectResult({ ...rows, columns: plan.columns, diagnostics }, request);
    results.push({ ...result, name });
  }
  return results;
}

async function runPlan(
  parts: QueryServiceParts,
  plan: Plan,
  request: Omit<QueryRequest, 'kql' | 'order'>,
): Promise<QueryResult> {
  const rows = streamPlan(parts, plan, request, false);
  return collectResult({ ...rows, columns: plan.columns, diagnostics: [] }, request);
}

const turnOf = ({
  clusterId,
  userId = '',
  queue,
}: Pick<QueryRequest, 'clusterId' | 'userId'> & { readonly queue?: QueryQueue }): CompileTurn => ({
  lane: queue === 'detections' ? 'detections' : 'people',
  clusterId,
  userId,
});

const withRows = (
  { maxRows: _, ...request }: StreamRequest,
  maxRows: number | undefined,
): Omit<QueryRequest, 'kql'> => ({ ...request, ...(maxRows === undefined ? {} : { maxRows }) });
