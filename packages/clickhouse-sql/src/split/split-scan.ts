import { EVENT_COLUMNS, MOST_CLOCK_LEAD_MS } from '@tyrian/catalog';
import type { ColumnId, Scan, ScanColumn } from '@tyrian/plan';
import { name, parameter, type Sql, sql, textParameter } from '../sql.ts';
import { plainValue, type SqlValue } from '../sql-value.ts';
import { openRelation, type Relation } from './relation.ts';

// The innermost select of every stored table. Tenant, scopes, stream and time range stand here, in every scan.

const stored = new Map(EVENT_COLUMNS.map((column) => [column.name, column]));

/**
 * The events of a tenant within its boundary. Throws on a scan without one: a fault of ours. Events that are only
 * counted (`isCounted`) need no bound on their arrival: the engine takes their number from the marks of the sort key,
 * unless a condition stands on another column.
 */
export function splitScan(node: Scan, isCounted = false): Relation {
  const { boundary } = node;
  if (!boundary) throw new Error('A scan is not tied to a tenant');
  const columns = new Map<ColumnId, SqlValue>(node.columns.map((column) => [column.id, scanValue(column)]));
  const where: Sql[] = [inScopes(boundary.scopes)];
  if (node.stream !== null) where.push(sql`(${name('Stream')} = ${textParameter(node.stream)})`);
  if (boundary.timeRange) {
    where.push(...within('TimeGenerated', boundary.timeRange));
    // Always true of what is in the range: it leaves out days of arrival, and the column itself need not be read.
    if (!isCounted)
      where.push(sql`indexHint(${since('IngestedTime', boundary.timeRange.from - MOST_CLOCK_LEAD_MS)})`);
  }
  if (boundary.ingestRange) where.push(...within('IngestedTime', boundary.ingestRange));
  const relation = openRelation({ kind: 'table', name: name(boundary.database, 'events') }, columns);
  return { ...relation, where };
}

/** One scope is compared as a value: then the engine knows that what it reads is sorted by the rest of the key. */
export function inScopes(scopes: readonly string[]): Sql {
  const [only, ...more] = scopes;
  return only !== undefined && more.length === 0
    ? sql`(${name('Scope')} = ${textParameter(only)})`
    : sql`(${name('Scope')} IN ${parameter('Array(String)', [...scopes])})`;
}

const moment = (at: number): Sql =>
  sql`fromUnixTimestamp64Milli(${parameter('Int64', Math.trunc(at).toString())}, 'UTC')`;

const since = (column: string, from: number): Sql => sql`(${name(column)} >= ${moment(from)})`;

function within(column: string, range: { readonly from: number; readonly to: number }): readonly Sql[] {
  return [since(column, range.from), sql`(${name(column)} < ${moment(range.to)})`];
}

function scanValue(column: ScanColumn): SqlValue {
  const { source, type } = column;
  if (source.kind === 'path') return pathValue(type, source);
  const { stored: clickhouse = '' } = stored.get(source.name) ?? {};
  const piece = name(source.name);
  if (clickhouse.startsWith('JSON')) return plainValue('dynamic', sql`toJSONString(${piece})`, false);
  return {
    sql: piece,
    type,
    nullable: clickhouse.startsWith('Nullable'),
    form: type === 'datetime' ? 'milliseconds' : 'plain',
    ...(source.name === 'Raw' ? { indexed: true } : {}),
  };
}

/** A path holds a value, or an object below it; arrays and objects are read as JSON text. */
function pathValue(
  type: ScanColumn['type'],
  { name: column, path, isLeaf, isText }: Extract<ScanColumn['source'], { kind: 'path' }>,
): SqlValue {
  const value = name(column, ...path);
  const below = isLeaf ? sql`NULL` : sql`nullIf(toJSONString(${name(column)}.^${name(...path)}), '{}')`;
  if (type === 'string') {
    const only = sql`${value}.:\`String\``;
    if (isText) return plainValue('string', sql`ifNull(${only}, '')`, false);
    const other = sql`if(startsWith(dynamicType(${value}), 'Array'), toJSONString(${value}), CAST(${value}, 'Nullable(String)'))`;
    const any = sql`ifNull(if(isNull(${value}), ${below}, ${other}), '')`;
    // Most values are text, and the subcolumn of the texts costs least.
    const whole = sql`if(isNotNull(${only}), assumeNotNull(${only}), ${any})`;
    return { ...plainValue('string', whole, false), textOnly: { below: whole, sql: only } };
  }
  return plainValue('dynamic', sql`if(isNull(${value}), ${below}, toJSONString(${value}))`, true);
}
