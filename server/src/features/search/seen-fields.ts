import { createHash } from 'node:crypto';
import type { KqlType } from '@tyrian/catalog';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/log.ts';
import type { SeenField, SeenFieldStore } from './seen-field-store.ts';

// Which fields events have inside Ext. A sample of the newest events of every stream is read at most once a
// minute, less often when reading takes long, and sooner again while it finds fields that are new; what was found stays
// known for thirty days. Nobody waits for the sample who does not ask to: a search runs with what is known, and only a
// text that names something unknown waits.

export interface ExtFields {
  readonly version: string;
  readonly fields: readonly SeenField[];
  readonly extFields: readonly { stream: string; path: string; type: KqlType }[];
}

export interface SeenFields {
  /**
   * The fields of these scopes as they are known now; a sample that is due is read meanwhile. `isPatient`: nobody looks at
   * what is found, so that a sample which is a few minutes old will do.
   */
  fieldsOf(clusterId: string, scopes: readonly string[], isPatient?: boolean): Promise<ExtFields>;
  /** The same, after the first sample of the tenant when none was ever taken. */
  sampledFieldsOf(clusterId: string, scopes: readonly string[]): Promise<ExtFields>;
}

interface TenantState {
  fields: readonly SeenField[];
  nextRefreshMs: number;
  refreshing: Promise<void> | null;
  /** What earlier samples found, read once. */
  loading: Promise<void> | null;
  readonly byScopes: Map<string, ExtFields>;
}

/** Type of a seen field that is a typed column of the table. */
export const COLUMN_TYPE = 'column';

/** How soon a sample is read again at the earliest, and how many times as long as reading it took. */
const REFRESH = { ms: 60_000, times: 100 };
/** The same after a sample with new fields: a source has begun to send. */
const REFRESH_GROWING = { ms: 10_000, times: 20 };
/** So much later a sample is read again for those who are patient: the rules of a tenant compile all the time. */
const PATIENCE_MS = 9 * 60_000;
const KEPT_MS = 30 * 24 * 3_600_000;
const SAMPLE_ROWS = 4000;
const EXAMPLE_ROWS = 40;
const EXAMPLE_LENGTH = 120;
const MAX_PAIRS = 400;

/**
 * A sample goes behind everything else. Statistics and merged expressions are left out of its plan: over all columns they take a
 * quarter of the processor time of the examples, and gain nothing.
 */
const SAMPLE_SETTINGS = {
  max_execution_time: 20,
  max_memory_usage: 2 * 1024 ** 3,
  priority: 3,
  max_threads: 1,
  use_statistics: 0,
  query_plan_merge_expressions: 0,
} as const;

interface SeenFieldsDeps {
  readonly events: EventStore;
  readonly store: SeenFieldStore;
  readonly clock: Clock;
  readonly log: Logger;
}

interface SeenFieldsParts extends SeenFieldsDeps {
  readonly tenants: Map<string, TenantState>;
}

export function createSeenFields(deps: SeenFieldsDeps): SeenFields {
  const tenants = new Map<string, TenantState>();
  const parts: SeenFieldsParts = { ...deps, tenants };
  return bindDeps(parts, { fieldsOf, sampledFieldsOf });
}

async function refresh(
  { clock, store, events, log }: SeenFieldsParts,
  clusterId: string,
  state: TenantState,
): Promise<void> {
  const startMs = clock.now();
  const began = performance.now();
  try {
    await store.put(clusterId, await sampleFields(events, clusterId, startMs));
  } catch (error) {
    log.warn({ err: error, clusterId }, 'could not read which fields events have');
  }
  const before = state.fields.length;
  state.fields = await store.list(clusterId, startMs - KEPT_MS);
  state.byScopes.clear();
  const { ms, times } = state.fields.length > before ? REFRESH_GROWING : REFRESH;
  state.nextRefreshMs = startMs + Math.max(ms, times * (performance.now() - began));
}

function stateOf({ tenants }: SeenFieldsParts, clusterId: string): TenantState {
  let state = tenants.get(clusterId);
  if (!state) {
    state = { fields: [], nextRefreshMs: 0, refreshing: null, loading: null, byScopes: new Map() };
    tenants.set(clusterId, state);
  }
  return state;
}

async function load({ store, clock }: SeenFieldsParts, clusterId: string, state: TenantState): Promise<void> {
  const fields = await store.list(clusterId, clock.now() - KEPT_MS);
  if (state.fields.length > 0) return;
  state.fields = fields;
  state.byScopes.clear();
}

/** The tenant with what is known of it; starts a sample when one is due. */
async function known(parts: SeenFieldsParts, clusterId: string, patienceMs = 0): Promise<TenantState> {
  const state = stateOf(parts, clusterId);
  state.loading ??= load(parts, clusterId, state).catch((error: unknown) => {
    state.loading = null;
    throw error;
  });
  await state.loading;
  if (parts.clock.now() >= state.nextRefreshMs + patienceMs && !state.refreshing) {
    state.refreshing = refresh(parts, clusterId, state).finally(() => {
      state.refreshing = null;
    });
    state.refreshing.catch((error: unknown) =>
      parts.log.warn({ err: error, clusterId }, 'fields are not known'),
    );
  }
  return state;
}

async function fieldsOf(
  parts: SeenFieldsParts,
  clusterId: string,
  scopes: readonly string[],
  isPatient = false,
): Promise<ExtFields> {
  return inScopes(await known(parts, clusterId, isPatient ? PATIENCE_MS : 0), scopes);
}

async function sampledFieldsOf(
  parts: SeenFieldsParts,
  clusterId: string,
  scopes: readonly string[],
): Promise<ExtFields> {
  const state = await known(parts, clusterId);
  if (state.fields.length === 0 && state.refreshing) await state.refreshing;
  return inScopes(state, scopes);
}

function inScopes(state: TenantState, scopes: readonly string[]): ExtFields {
  const key = [...scopes].sort().join('\n');
  let known = state.byScopes.get(key);
  if (!known) {
    known = extFieldsOf(state.fields.filter((field) => scopes.includes(field.scopeId)));
    state.byScopes.set(key, known);
  }
  return known;
}

function extFieldsOf(fields: readonly SeenField[]): ExtFields {
  const types = new Map<string, { stream: string; path: string; type: KqlType }>();
  for (const { stream, path, type } of fields) {
    if (type === COLUMN_TYPE) continue;
    const key = `${stream}\n${path}`;
    const known = types.get(key);
    const own = kqlTypeOf(type);
    types.set(key, { stream, path, type: known && known.type !== own ? 'dynamic' : own });
  }
  const extFields = [...types.values()];
  const text = extFields.map(({ stream, path, type }) => `${stream} ${path} ${type}`).sort();
  return {
    version: createHash('sha256').update(text.join('\n')).digest('hex').slice(0, 16),
    fields,
    extFields,
  };
}

/** The KQL type of a ClickHouse type inside a JSON column. */
export function kqlTypeOf(type: string): KqlType {
  const bare = /^Nullable\((.*)\)$/.exec(type)?.[1] ?? type;
  if (bare === 'String') return 'string';
  if (/^U?Int\d+$/.test(bare)) return 'long';
  if (/^Float\d+$/.test(bare)) return 'real';
  if (bare === 'Bool') return 'bool';
  return 'dynamic';
}

async function sampleFields(events: EventStore, clusterId: string, nowMs: number): Promise<SeenField[]> {
  const { rows: pairs } = await events.rows(clusterId, {
    sql: `SELECT Scope, Stream FROM event_figures GROUP BY Scope, Stream HAVING sum(Events) > 0 ORDER BY Scope, Stream LIMIT ${MAX_PAIRS}`,
    settings: SAMPLE_SETTINGS,
    scopes: 'all',
  });
  const found: SeenField[] = [];
  for (const [scopeId, stream] of pairs as [string, string][]) {
    const params = { scope: scopeId, stream };
    const newest = (columns: string, limit: number): string =>
      `SELECT ${columns} FROM events WHERE Scope = {scope:String} AND Stream = {stream:String}
       ORDER BY Scope DESC, Stream DESC, TimeGenerated DESC LIMIT ${limit}`;
    const [types, examples] = await Promise.all([
      events.rows(clusterId, {
        sql: `SELECT distinctJSONPathsAndTypes(Ext) FROM (${newest('Ext', SAMPLE_ROWS)})`,
        params,
        settings: SAMPLE_SETTINGS,
        scopes: [scopeId],
      }),
      events.rows(clusterId, {
        sql: newest('*', EXAMPLE_ROWS),
        params,
        settings: SAMPLE_SETTINGS,
        scopes: [scopeId],
      }),
    ]);
    const position = examples.columns.findIndex((column) => column.name === 'Ext');
    const byPath = (types.rows[0]?.[0] ?? {}) as Record<string, readonly string[]>;
    const samples = examplesOf(examples.rows.map((row) => row[position]));
    for (const [index, { name }] of examples.columns.entries()) {
      const example = examples.rows.map((row) => row[index]).find((value) => value !== null && value !== '');
      if (example === undefined || name === 'Ext') continue;
      const text = String(example).slice(0, EXAMPLE_LENGTH);
      found.push({ scopeId, stream, path: name, type: COLUMN_TYPE, example: text, lastSeenMs: nowMs });
    }
    for (const [path, kinds] of Object.entries(byPath)) {
      const type = kinds.length === 1 ? (kinds[0] ?? 'Dynamic') : 'Dynamic';
      found.push({ scopeId, stream, path, type, example: samples.get(path) ?? '', lastSeenMs: nowMs });
    }
  }
  return found;
}

function examplesOf(samples: readonly unknown[]): Map<string, string> {
  const found = new Map<string, string>();
  const walk = (value: unknown, path: string): void => {
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) {
      for (const [name, inner] of Object.entries(value)) walk(inner, path === '' ? name : `${path}.${name}`);
    } else if (value !== null && value !== '' && !found.has(path)) {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      found.set(path, text.slice(0, EXAMPLE_LENGTH));
    }
  };
  for (const sample of samples) walk(typeof sample === 'string' ? JSON.parse(sample) : sample, '');
  return found;
}
