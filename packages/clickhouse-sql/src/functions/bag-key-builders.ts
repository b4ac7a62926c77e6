import { parameter, type Sql, sql, textParameter } from '../sql.ts';
import type { SqlValue } from '../sql-value.ts';
import { arg, type Builder } from './builder.ts';
import { jsonPathParts } from './json-path.ts';
import { bagJsonSql, jsonArraySql, jsonElementSql, jsonTextSql } from './json-sql.ts';

// Properties of bags by name. A constant name that begins with $ is a path into the bag.

type Steps = readonly (string | number)[];

const isBag = (json: Sql): Sql => sql`startsWith(ifNull(${json}, ''), '{')`;
const pairsOf = (json: Sql): Sql => sql`JSONExtractKeysAndValuesRaw(ifNull(${json}, ''))`;

const stepSql = (step: string | number): Sql =>
  typeof step === 'number' ? parameter('Int64', String(step + 1)) : textParameter(step);

/** The steps of a constant path; null for a plain name or one that is known only later. */
function stepsOf(text: unknown): Steps | null {
  return typeof text === 'string' && /^\$[.[]/.test(text) ? jsonPathParts(text) : null;
}

/** The bag with a value at a path; what is no bag on the way becomes one. */
function withValue(json: Sql, [step, ...rest]: Steps, value: Sql): Sql {
  if (step === undefined) return value;
  const key = textParameter(String(step));
  const inner = rest.length === 0 ? value : withValue(sql`JSONExtractRaw(${json}, ${key})`, rest, value);
  return bagJsonSql(
    sql`arrayPushBack(arrayFilter(k -> k.1 != ${key}, ${pairsOf(json)}), (${key}, toString(${inner})))`,
  );
}

/** The bag without what is at a path. */
function without(json: Sql, [step, ...rest]: Steps): Sql {
  if (step === undefined) return json;
  const key = textParameter(String(step));
  if (rest.length === 0) return bagJsonSql(sql`arrayFilter(k -> k.1 != ${key}, ${pairsOf(json)})`);
  const inner = without(sql`JSONExtractRaw(${json}, ${key})`, rest);
  const changed = sql`if(${isBag(sql`JSONExtractRaw(${json}, ${key})`)}, ${inner}, JSONExtractRaw(${json}, ${key}))`;
  return bagJsonSql(sql`arrayMap(m -> (m.1, if(m.1 = ${key}, ${changed}, m.2)), ${pairsOf(json)})`);
}

/** The paths among a constant array of keys. */
function pathsAmong(keys: SqlValue | undefined): readonly Steps[] {
  if (typeof keys?.constant !== 'string') return [];
  const list: unknown = JSON.parse(keys.constant);
  return Array.isArray(list) ? list.map(stepsOf).filter((steps) => steps !== null) : [];
}

/** Looking up, setting and removing properties. */
export const BAG_KEY_BUILDERS: Readonly<Record<string, Builder>> = {
  bag_has_key: (args) => {
    const json = sql`ifNull(${arg(args, 0)}, '')`;
    const steps = stepsOf(args[1]?.constant) ?? null;
    const keys = steps ? steps.map(stepSql) : [arg(args, 1)];
    const path = keys.reduce((one, other): Sql => sql`${one}, ${other}`);
    return sql`if(${isBag(arg(args, 0))}, JSONHas(${json}, ${path}), NULL)`;
  },
  bag_remove_keys: (args) => {
    const keys = sql`arrayMap(x -> ${jsonTextSql(sql`x`)}, ${jsonArraySql(arg(args, 1))})`;
    const plain = bagJsonSql(sql`arrayFilter(k -> NOT has(${keys}, k.1), ${pairsOf(arg(args, 0))})`);
    const all = pathsAmong(args[1]).reduce((json: Sql, steps) => without(json, steps), plain);
    return sql`if(${isBag(arg(args, 0))}, ${all}, NULL)`;
  },
  bag_set_key: (args) => {
    const value = args[2] ? jsonElementSql(args[2]) : sql`'null'`;
    const steps = stepsOf(args[1]?.constant);
    const kept = sql`arrayFilter(k -> k.1 != ${arg(args, 1)}, ${pairsOf(arg(args, 0))})`;
    const changed = steps
      ? withValue(arg(args, 0), steps, value)
      : bagJsonSql(sql`arrayPushBack(${kept}, (${arg(args, 1)}, toString(${value})))`);
    return sql`if(${isBag(arg(args, 0))}, ${changed}, NULL)`;
  },
};
