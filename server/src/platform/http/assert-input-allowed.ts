import { type ServerMessage, say } from '@tyrian/contract';
import { AppError } from '../app-error.ts';
import { INPUT_LIMITS } from './input-limits.ts';
import { inputRefusal } from './input-refusal.ts';

// What every call's input must be before anything looks at it: bounded, and made of text that every store behind
// the calls takes. PostgreSQL and its jsonb refuse U+0000 and half of a surrogate pair, each in its own way and
// some only at the audit entry; so both are refused here, with the path of the field.

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

function refuse(visit: Visit, reason: ServerMessage): never {
  throw inputRefusal([{ path: pathOf(visit), reason }]);
}

/** Whether every store takes this text: no U+0000 and no half of a surrogate pair. */
const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

function checkText(visit: Visit, text: string): void {
  if (text.length > INPUT_LIMITS.textLength) {
    refuse(visit, say('reasons.longText', { length: text.length, most: INPUT_LIMITS.textLength }));
  }
  if (!isStorable(text)) refuse(visit, say('reasons.notStorable'));
}

function checkName(visit: Visit, name: string): void {
  if (name.length > INPUT_LIMITS.nameLength) {
    refuse(visit, say('reasons.longName', { most: INPUT_LIMITS.nameLength }));
  }
  if (!isStorable(name)) refuse(visit, say('reasons.nameNotStorable'));
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
    if (depth > INPUT_LIMITS.depth) refuse(visit, say('reasons.tooDeep', { most: INPUT_LIMITS.depth }));
    // An array knows its size before its entries are made.
    values += Array.isArray(value) ? value.length : 0;
    const entries = values > INPUT_LIMITS.values ? [] : entriesOf(value);
    values += Array.isArray(value) ? 0 : entries.length;
    if (values > INPUT_LIMITS.values) {
      refuse(visit, say('reasons.tooManyValues', { most: INPUT_LIMITS.values }));
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
    throw new AppError('bad-input', say('input.tooManyParameters', { most: INPUT_LIMITS.queryParameters }));
  }
  assertInputAllowed(query);
}
