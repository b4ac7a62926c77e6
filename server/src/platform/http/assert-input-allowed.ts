import { AppError } from '../app-error.ts';
import { INPUT_LIMITS } from './input-limits.ts';

// What every call's input must be before anything looks at it: bounded, and made of text that every store behind
// the calls takes. PostgreSQL and its jsonb refuse U+0000 and half of a surrogate pair, each in its own way and
// some only at the audit entry; so both are refused here, with the place.

/** A value that waits to be looked at, and how it is reached. */
interface Visit {
  readonly value: unknown;
  readonly name: string;
  readonly parent: Visit | null;
  readonly depth: number;
}

const LONGEST_PATH = 200;

function pathOf(visit: Visit): string {
  const names: string[] = [];
  for (let at: Visit | null = visit; at !== null; at = at.parent) if (at.name !== '') names.push(at.name);
  const path = names.reverse().join('.').toWellFormed().replaceAll('\0', '\u{FFFD}');
  return path.length > LONGEST_PATH ? `${path.slice(0, LONGEST_PATH).toWellFormed()}…` : path;
}

function refuse(visit: Visit, message: string): never {
  const path = pathOf(visit);
  throw new AppError('bad-input', `${path || 'body'}: ${message}`, [{ path, message }]);
}

/** Whether every store takes this text: no U+0000 and no half of a surrogate pair. */
const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

const NOT_STORABLE =
  'has a character that cannot be stored (U+0000 or half of a surrogate pair); remove it and send it again';

function checkText(visit: Visit, text: string): void {
  if (text.length > INPUT_LIMITS.textLength) {
    refuse(visit, `has ${text.length} characters; at most ${INPUT_LIMITS.textLength} are taken`);
  }
  if (!isStorable(text)) refuse(visit, NOT_STORABLE);
}

function checkName(visit: Visit, name: string): void {
  if (name.length > INPUT_LIMITS.nameLength) {
    refuse(visit, `the name of a field in it is longer than ${INPUT_LIMITS.nameLength} characters`);
  }
  if (!isStorable(name)) refuse(visit, `the name of a field in it ${NOT_STORABLE}`);
}

/** Pairs of names and values, for what has any: plain objects, arrays, and the fields of a form. */
function entriesOf(value: object): [string, unknown][] {
  if (value instanceof URLSearchParams) return [...value];
  if (ArrayBuffer.isView(value)) return [];
  return Object.entries(value);
}

/**
 * Throws AppError `bad-input` with the path of what is wrong when `input` is deeper, longer or has more values than
 * INPUT_LIMITS allow, or has a text that cannot be stored. Walks without recursion, whatever the depth.
 */
export function assertInputAllowed(input: unknown): void {
  const waiting: Visit[] = [{ value: input, name: '', parent: null, depth: 1 }];
  let values = 0;
  for (let visit = waiting.pop(); visit !== undefined; visit = waiting.pop()) {
    const { value, depth } = visit;
    if (typeof value === 'string') checkText(visit, value);
    if (typeof value !== 'object' || value === null) continue;
    if (depth > INPUT_LIMITS.depth) refuse(visit, `is nested deeper than ${INPUT_LIMITS.depth} levels`);
    // An array knows its size before its entries are made.
    values += Array.isArray(value) ? value.length : 0;
    const entries = values > INPUT_LIMITS.values ? [] : entriesOf(value);
    values += Array.isArray(value) ? 0 : entries.length;
    if (values > INPUT_LIMITS.values) {
      refuse(visit, `the input has more than ${INPUT_LIMITS.values} values in all; send fewer at a time`);
    }
    for (const [name, one] of entries) {
      checkName(visit, name);
      waiting.push({ value: one, name, parent: visit, depth: depth + 1 });
    }
  }
}

/** Throws AppError `bad-input` when a query string has too many parameters, or one that cannot be stored. */
export function assertQueryAllowed(query: unknown): void {
  const all = Object.values((query ?? {}) as Record<string, unknown>).flat();
  if (all.length > INPUT_LIMITS.queryParameters) {
    throw new AppError('bad-input', `at most ${INPUT_LIMITS.queryParameters} query parameters are taken`);
  }
  assertInputAllowed(query);
}
