import { type AddedField, type Column, EVENT_COLUMNS } from '@tyrian/catalog';
import { printQuery } from '@tyrian/clickhouse-sql';
import type {
  estimateCost,
  listSourceNames,
  listTimezones,
  OutputOf,
  SearchField,
  SearchRange,
} from '@tyrian/contract';
import { isTimezone, zoneOffsetMs } from '@tyrian/contract';
import { type ScopedPlan, scopeToTenant, visitPlan } from '@tyrian/plan';
import { minutesWithin } from '../../platform/clickhouse/event-figures.ts';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import { compileRefusal } from './compile-refusal.ts';
import { streamsRead } from './event-part.ts';
import { queueSettings } from './query-queues.ts';
import type { QueryService } from './query-service.ts';
import { recommendedFields } from './recommended-fields.ts';
import type { SeenField } from './seen-field-store.ts';
import { COLUMN_TYPE, kqlTypeOf, type SeenFields } from './seen-fields.ts';
import { formatOffset } from './write-csv.ts';

// What can be asked for before a search: fields, sources, zones, and what a query would read.

export interface FieldService {
  fields(clusterId: string, scopeId: string, streams: readonly string[]): Promise<SearchField[]>;
  sources(clusterId: string, scopeId: string, range: SearchRange): Promise<OutputOf<typeof listSourceNames>>;
  cost(
    asked: { clusterId: string; userId: string; scopeId: string; kql: string; range: SearchRange },
    signal: AbortSignal,
  ): Promise<OutputOf<typeof estimateCost>>;
  timezones(nowMs: number): OutputOf<typeof listTimezones>;
}

const MAX_SOURCES = 1000;
const SIZE_SAMPLE = 2000;

export function createFieldService(deps: {
  readonly queries: QueryService;
  readonly seenFields: SeenFields;
  readonly events: EventStore;
}): FieldService {
  const { queries, seenFields, events } = deps;
  return {
    fields: async (clusterId, scopeId, streams) => {
      const { fields } = await seenFields.sampledFieldsOf(clusterId, [scopeId]);
      const asked = fields.filter((field) => streams.length === 0 || streams.includes(field.stream));
      const recommended = recommendedFields(streams);
      const columns = EVENT_COLUMNS.map((column) => columnField(column, asked, recommended));
      const { catalog } = await queries.catalogOf(clusterId, [scopeId]);
      const added = addedFields(catalog.fields, streams);
      return [...columns, ...added, ...extFields(asked)];
    },
    sources: async (clusterId, scopeId, range) => {
      const { where, params } = minutesWithin(range);
      const { rows } = await events.rows(clusterId, {
        sql: `SELECT SourceName, SourceType, arraySort(groupUniqArray(toString(Stream))), sum(Events) AS events,
            toUnixTimestamp64Milli(max(LastEvent))
          FROM event_figures WHERE Scope = {scope:String} AND ${where}
          GROUP BY SourceName, SourceType HAVING events > 0 ORDER BY events DESC, SourceName LIMIT ${MAX_SOURCES}`,
        params: { ...params, scope: scopeId },
        settings: queueSettings('interactive'),
        scopes: [scopeId],
      });
      return rows.map(([name, type, streams, count, last]) => ({
        source_name: String(name),
        source_type: String(type),
        streams: streams as string[],
        events: Number(count),
        last_event: Number(last),
      }));
    },
    cost: (asked, signal) => estimate(deps, asked, signal),
    timezones: (nowMs) =>
      zoneNames().map((name) => {
        const offsetMs = zoneOffsetMs(name, nowMs);
        return { name, offset: formatOffset(offsetMs), offset_minutes: Math.round(offsetMs / 60_000) };
      }),
  };
}

/** Present names of zones that this runtime still lists under an older one, or knows without listing them. */
const PRESENT_NAMES = [
  'UTC',
  'Asia/Ho_Chi_Minh',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Asia/Yangon',
  'Europe/Kyiv',
  'America/Nuuk',
  'Atlantic/Faroe',
];

function zoneNames(): string[] {
  return [...new Set([...PRESENT_NAMES.filter(isTimezone), ...Intl.supportedValuesOf('timeZone')])];
}

function columnField(
  { name, type, description, aliases }: Column,
  seen: readonly SeenField[],
  recommended: ReadonlySet<string>,
): SearchField {
  const own = seen.filter((field) => field.type === COLUMN_TYPE && field.path === name);
  return {
    name,
    type,
    kind: 'column',
    path: null,
    streams: [...new Set(own.map((field) => field.stream))].sort(),
    example: own.find((field) => field.example !== '')?.example ?? null,
    recommended: recommended.has(name),
    description,
    aliases: [...new Set(Object.values(aliases).flat())],
  };
}

/** Fields that content managers added, each once: a name has one type in all streams. */
function addedFields(added: readonly AddedField[], asked: readonly string[]): SearchField[] {
  const byName = new Map<string, AddedField[]>();
  for (const field of added)
    if (asked.length === 0 || asked.includes(field.stream))
      byName.set(field.name, [...(byName.get(field.name) ?? []), field]);
  return [...byName].flatMap(([name, fields]): SearchField[] => {
    const [first] = fields;
    if (!first) return [];
    return [
      {
        ...{ name, type: first.type, kind: 'column', path: null, recommended: asked.length > 0 },
        streams: fields.map(({ stream }) => stream).sort(),
        example: fields.find(({ example }) => example !== '')?.example ?? null,
        description: first.description,
        aliases: [...new Set(fields.flatMap(({ aliases }) => aliases))],
      },
    ];
  });
}

function extFields(seen: readonly SeenField[]): SearchField[] {
  const byPath = new Map<string, SeenField[]>();
  for (const field of seen) {
    if (field.type === COLUMN_TYPE) continue;
    byPath.set(field.path, [...(byPath.get(field.path) ?? []), field]);
  }
  return [...byPath].map(([path, fields]) => {
    const types = new Set(fields.map((field) => kqlTypeOf(field.type)));
    const [only] = types;
    return {
      name: `Ext.${path}`,
      type: types.size === 1 && only ? only : 'dynamic',
      kind: 'ext' as const,
      path,
      streams: [...new Set(fields.map((field) => field.stream))].sort(),
      example: fields.find((field) => field.example !== '')?.example ?? null,
      recommended: false,
      description: '',
      aliases: [],
    };
  });
}

async function estimate(
  { queries, events }: { readonly queries: QueryService; readonly events: EventStore },
  asked: { clusterId: string; userId: string; scopeId: string; kql: string; range: SearchRange },
  signal: AbortSignal,
): Promise<OutputOf<typeof estimateCost>> {
  const { clusterId, userId, scopeId, kql, range } = asked;
  const scopes = [scopeId];
  const compiled = await queries.compile({ clusterId, userId, scopes, kql });
  if (!compiled.ok) throw compileRefusal(compiled.diagnostics);
  const scoped = scopeToTenant(compiled.plan, {
    database: await events.tablesDatabase(clusterId),
    scopes,
    ...(compiled.filtersTime ? {} : { timeRange: range }),
  });
  const { sql, params, settings } = printQuery(scoped);
  const statement = { sql: `EXPLAIN ESTIMATE ${sql}`, params, settings };
  const read = await queries.explain(statement, { clusterId, scopes, queue: 'interactive', signal });
  const position = read.columns.findIndex((column) => column.name === 'rows');
  const scanRows = read.rows.reduce((sum, row) => sum + Number(row[position] ?? 0), 0);
  const rowBytes = scanRows === 0 ? 0 : await averageRowBytes(events, clusterId, scopeId, scoped);
  const named = streamsRead(compiled.plan);
  return {
    scan_rows: scanRows,
    scan_bytes: Math.round(scanRows * rowBytes),
    streams: named.includes(null) ? [] : named.flatMap((stream) => stream ?? []),
    range,
  };
}

/** Average size of the stored columns that a plan reads, over a sample of events. */
async function averageRowBytes(
  events: EventStore,
  clusterId: string,
  scopeId: string,
  plan: ScopedPlan,
): Promise<number> {
  const read = new Set<string>();
  visitPlan(plan.root, (node) => {
    if (node.kind !== 'scan') return;
    for (const { source } of node.columns) if (source.kind === 'column') read.add(source.name);
  });
  const columns = EVENT_COLUMNS.filter((column) => read.has(column.name)).map(
    (column) => `\`${column.name}\``,
  );
  if (columns.length === 0) return 0;
  const { rows } = await events.rows(clusterId, {
    sql: `SELECT avg(byteSize(${columns.join(', ')})) FROM
      (SELECT ${columns.join(', ')} FROM events WHERE Scope = {scope:String} LIMIT ${SIZE_SAMPLE})`,
    params: { scope: scopeId },
    settings: queueSettings('interactive'),
    scopes: [scopeId],
  });
  const bytes = Number(rows[0]?.[0] ?? 0);
  return Number.isFinite(bytes) ? bytes : 0;
}
