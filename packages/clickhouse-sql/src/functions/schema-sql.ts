import { ownText, type Sql, type SqlText, sql } from '../sql.ts';
import type { SqlValue } from '../sql-value.ts';

// `buildschema`: the smallest schema that admits every value. A value of one type is that type, several are a list of
// types; a bag is a bag of schemas, an array a bag with the one key `indexer`. Types stand in the order of the alphabet,
// what has parts of its own last. Each level of values is one step of the SQL; values nested deeper than that fail.

const MAX_LEVELS = 10;

/** The schema of all values of a group; null over nothing. */
export function schemaOf(value: SqlValue): Sql {
  const values = sql`groupUniqArray(${value.sql})`;
  return sql`if(count(${value.sql}) = 0, NULL, arrayMap(v0 -> ${levelSql(0)}, [arrayMap(e -> ifNull(e, 'null'), ${values})])[1])`;
}

/** The schema of the values in `v<level>`, an array of JSON texts. */
function levelSql(level: number): SqlText {
  const [values, pairs, keys] = [`v${level}`, `p${level}`, `k${level}`];
  const types = `arraySort(arrayDistinct(arrayMap(s -> multiIf(startsWith(s, '"'), '"string"', s IN ('true', 'false'), '"bool"', s = 'null', '"null"', match(s, '^-?[0-9]+$'), '"long"', '"double"'), arrayFilter(s -> NOT match(s, '^[\\\\[{]'), ${values}))))`;
  const named = `arrayFlatten(arrayMap(s -> JSONExtractKeysAndValuesRaw(s), arrayFilter(s -> startsWith(s, '{'), ${values})))`;
  const numbered = `arrayFlatten(arrayMap(s -> arrayMap(i -> ('\`indexer\`', i), JSONExtractArrayRaw(s)), arrayFilter(s -> startsWith(s, '['), ${values})))`;
  const has = `arrayExists(s -> match(s, '^[\\\\[{]'), ${values})`;
  if (level === MAX_LEVELS)
    return ownText(
      `if(throwIf(${has}, 'buildschema() takes values of ten levels at most') = 0, if(length(${types}) = 1, ${types}[1], concat('[', arrayStringConcat(${types}, ','), ']')), '')`,
    );
  const inner = levelSql(level + 1).parts.join('');
  const of = `arrayMap(v${level + 1} -> ${inner}, [arrayDistinct(arrayMap(q -> q.2, arrayFilter(q -> q.1 = ${keys}, ${pairs})))])[1]`;
  const bag = `concat('{', arrayStringConcat(arrayMap(${keys} -> concat(toJSONString(${keys}), ':', ${of}), arrayDistinct(arrayMap(q -> q.1, ${pairs}))), ','), '}')`;
  const container = `arrayMap(${pairs} -> ${bag}, [arrayConcat(${named}, ${numbered})])`;
  const all = `arrayConcat(${types}, if(${has}, ${container}, []))`;
  return ownText(
    `arrayMap(t${level} -> if(length(t${level}) = 1, t${level}[1], concat('[', arrayStringConcat(t${level}, ','), ']')), [${all}])[1]`,
  );
}
