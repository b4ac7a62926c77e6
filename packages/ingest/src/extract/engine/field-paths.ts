import type { Fields } from '../../event-row.ts';
import { isJsonObject } from '../../normalise/parse-json-record.ts';

// Fields of records by path: `a.b` leads into objects, `a[].b` into each object of a list. A name that holds dots
// itself is found under the whole name first.

const MOST_OF_A_LIST = 100;

/** The value at a path; of a list the values of its items. Undefined where there is none. */
export function valueAt(record: Fields, path: string): unknown {
  return Object.hasOwn(record, path)
    ? record[path]
    : path.includes('.') || path.endsWith('[]')
      ? innerValue(record, path)
      : undefined;
}

function innerValue(record: Fields, path: string): unknown {
  let value: unknown = record;
  let at = 0;
  while (at <= path.length) {
    if (!isJsonObject(value)) return undefined;
    const dot = path.indexOf('.', at);
    const part = dot < 0 ? path.slice(at) : path.slice(at, dot);
    if (part.endsWith('[]')) return listValues(value[part.slice(0, -2)], dot < 0 ? '' : path.slice(dot + 1));
    if (!Object.hasOwn(value, part)) return undefined;
    value = value[part];
    if (dot < 0) return value;
    at = dot + 1;
  }
  return undefined;
}

function listValues(list: unknown, rest: string): unknown {
  if (!Array.isArray(list)) return undefined;
  const items = list.slice(0, MOST_OF_A_LIST);
  if (rest === '') return items;
  const values = items.flatMap((item) => {
    const value = isJsonObject(item) ? valueAt(item, rest) : undefined;
    return value === undefined || value === null ? [] : [value];
  });
  return values.length === 0 ? undefined : values;
}

/** The record without the values at these paths; what lies beside them is not copied. */
export function withoutPaths(record: Fields, paths: readonly string[]): Fields {
  const rest: Fields = {};
  for (const name in record) if (!paths.includes(name)) rest[name] = record[name];
  for (const path of paths) if (path.includes('.')) removePath(rest, path);
  return rest;
}

/** `record` is a copy already; each object on the way is copied before it loses a field. */
function removePath(record: Fields, path: string): void {
  if (Object.hasOwn(record, path)) {
    delete record[path];
    return;
  }
  const dot = path.indexOf('.');
  if (dot < 0) return;
  const head = path.slice(0, dot);
  const inner = record[head];
  if (!isJsonObject(inner)) return;
  const copy = Object.assign({}, inner);
  removePath(copy, path.slice(dot + 1));
  if (Object.keys(copy).length === 0) delete record[head];
  else record[head] = copy;
}

/** The text of a value as a column takes it: lists of plain values joined by commas. */
export function plainValue(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const isPlain = value.every((item) => typeof item === 'string' || typeof item === 'number');
  return isPlain ? value.join(',') : value;
}
