import type { Call, InSubquery, Scalar } from '@tyrian/plan';
import { withBoundArguments } from './bind-arguments.ts';
import { comparisonSql, isComparison } from './comparison-sql.ts';
import { constantValue } from './constant-value.ts';
import { SCALAR_BUILDERS } from './functions/scalar-builders.ts';
import type { ScalarContext } from './scalar-context.ts';
import { searchesTogether, searchTogetherSql } from './search-together-sql.ts';
import { joined, type Sql, sql } from './sql.ts';
import { computed, nullToEmpty, plainValue, type SqlValue } from './sql-value.ts';
import { storedBinSql } from './stored-bin-sql.ts';
import { isTextSearch, textSearchSql } from './text-search-sql.ts';

// From the scalar half of the plan to SQL. Kusto's three-valued logic is the same as SQL's for and, or, not; it differs
// for == and != (never null unless both sides are), which is settled in comparison-sql.ts.

/** An expression as a value in its computed or stored form. */
export function scalarSql(expression: Scalar, context: ScalarContext): SqlValue {
  switch (expression.kind) {
    case 'constant':
      return constantValue(expression);
    case 'column':
      return context.column(expression.id);
    case 'subquery': {
      const inner = sql`${{ kind: 'subselect', select: context.subselect(expression.plan, expression.column) }}`;
      const piece = expression.type === 'string' ? nullToEmpty(inner) : inner;
      return plainValue(expression.type, piece, true);
    }
    case 'in-subquery':
      return plainValue('bool', sql`ifNull(${inSubquery(expression, context)}, false)`, false);
    case 'call':
      return callSql(expression, context);
  }
}

/** A condition where null counts as false: WHERE, and the conditions of aggregations and of iff. */
export function predicateSql(expression: Scalar, context: ScalarContext): Sql {
  if (expression.kind === 'in-subquery') return inSubquery(expression, context);
  if (expression.kind !== 'call') return scalarSql(expression, context).sql;
  if (expression.fn === 'or') return joined(orParts(expression, context, predicateSql, same), ' OR ');
  if (expression.fn === 'and') {
    const parts = expression.args.map((arg) => predicateSql(arg, context));
    return joined(parts, ' AND ');
  }
  if (isComparison(expression.fn)) {
    const [left, right] = argumentsOf(expression, context);
    if (left && right) return comparisonSql(expression.fn, left, right, 'predicate').sql;
  }
  return scalarSql(expression, context).sql;
}

/** The parts of an `or`; of a text with an index each search asks the index by itself. */
function orParts<T>(
  { args }: Call,
  context: ScalarContext,
  ofCondition: (condition: Scalar, context: ScalarContext) => T,
  ofSearch: (piece: Sql) => T,
): readonly T[] {
  return searchesTogether(args).flatMap((part) => {
    if (part.kind === 'one') return [ofCondition(part.condition, context)];
    const text = scalarSql(part.text, context);
    if (text.indexed) return part.conditions.map((condition) => ofCondition(condition, context));
    return [ofSearch(searchTogetherSql(text, part))];
  });
}

const same = (piece: Sql): Sql => piece;

function inSubquery(expression: InSubquery, context: ScalarContext): Sql {
  const needle = computed(scalarSql(expression.needle, context));
  const select = context.subselect(expression.plan, expression.column);
  return sql`${needle.sql} IN ${{ kind: 'subselect', select }}`;
}

const argumentsOf = (call: Call, context: ScalarContext): readonly SqlValue[] =>
  call.args.map((arg) => scalarSql(arg, context));

function callSql(call: Call, context: ScalarContext): SqlValue {
  if (call.fn === 'and' || call.fn === 'or') {
    const parts =
      call.fn === 'and'
        ? argumentsOf(call, context)
        : orParts(call, context, scalarSql, (piece) => plainValue('bool', piece, false));
    const piece = joined(
      parts.map((part) => part.sql),
      call.fn === 'and' ? ' AND ' : ' OR ',
    );
    return plainValue(
      'bool',
      piece,
      parts.some((part) => part.nullable),
    );
  }
  if (call.fn === 'iff') return conditionSql(call, context);
  const args = argumentsOf(call, context);
  const [left, right] = args;
  if (left && right && isComparison(call.fn)) return comparisonSql(call.fn, left, right, 'exact');
  if (left && right && isTextSearch(call.fn))
    return plainValue('bool', textSearchSql(call.fn, left, right), false);
  const bin = call.fn === 'bin_datetime' ? storedBinSql(args) : null;
  if (bin) return bin;
  const builder = SCALAR_BUILDERS[call.fn];
  if (!builder) throw new Error(`No SQL builder for ${call.fn}`);
  const piece = withBoundArguments(args.map(computed), (bound) => builder(bound, call));
  return settled(call, piece, args);
}

/** The condition of `iff` is true or not: null takes the second branch. */
function conditionSql(call: Call, context: ScalarContext): SqlValue {
  const [test, yes, no] = call.args;
  if (!test || !yes || !no) throw new Error('iff takes three arguments');
  const condition = scalarSql(test, context);
  const branches = [yes, no].map((arg) => computed(scalarSql(arg, context)));
  const [then, otherwise] = branches;
  if (!then || !otherwise) throw new Error('iff takes three arguments');
  const chosen = condition.nullable ? sql`ifNull(${condition.sql}, false)` : condition.sql;
  const nullable = then.nullable || otherwise.nullable;
  return plainValue(call.type, sql`if(${chosen}, ${then.sql}, ${otherwise.sql})`, nullable);
}

/** Gives a built call the ClickHouse type of its KQL type. */
function settled(call: Call, piece: Sql, args: readonly SqlValue[]): SqlValue {
  switch (call.type) {
    case 'string':
      return plainValue('string', nullToEmpty(piece), false);
    case 'int':
      return plainValue('int', sql`toInt32(${piece})`, true);
    case 'long':
    case 'datetime':
    case 'timespan':
      return plainValue(call.type, sql`toInt64(${piece})`, true);
    case 'real':
      return plainValue('real', sql`toFloat64(${piece})`, true);
    default:
      return plainValue(
        call.type,
        piece,
        args.some((arg) => arg.nullable) || call.type !== 'bool' || NULLABLE.has(call.fn),
      );
  }
}

/** Boolean functions that give null for arguments that are not null. */
const NULLABLE = new Set([
  'tobool',
  'ipv4_is_private',
  'ipv4_is_match',
  'ipv4_is_in_range',
  'ipv4_is_in_any_range',
  'ipv6_is_match',
  'ipv6_is_in_range',
  'ipv6_is_in_any_range',
  'bag_has_key',
  'set_equals',
  'set_has_element',
  'geo_in_rings',
  'geo_point_in_circle',
]);
