import { existsSync, readFileSync } from 'node:fs';

// Queries with the answers of a real Kusto engine, kept beside the checkout and not in it: reads them, and compares
// one with what Tyrian answers. `TYRIAN_CORPORA` names the folder where it is not `../shared/corpora`.

const FOLDER = process.env.TYRIAN_CORPORA
  ? new URL(`${process.env.TYRIAN_CORPORA.replace(/\/$/, '')}/`, 'file:///')
  : new URL('../../../../../../shared/corpora/', import.meta.url);

/** A file of that folder, whether it is there or not. */
export const corpusFile = (name: string): URL => new URL(name, FOLDER);

const FILE = corpusFile('kusto-engine.jsonl');

/** One query and its answer; the types are coarse: `int` is int or long, `real` is real or decimal. */
export interface KustoAnswer {
  readonly id: string;
  readonly query: string;
  readonly error?: true;
  readonly columns?: readonly { readonly name: string; readonly type: string }[];
  readonly rows?: readonly (readonly unknown[])[];
}

/** What Tyrian gave. */
export interface GivenAnswer {
  readonly columns?: readonly { readonly name: string; readonly type: string }[];
  readonly rows?: readonly (readonly unknown[])[];
  readonly error?: string;
}

/**
 * How an answer compares: `equal`; `order`, rows or the elements of a list in another order; `refused` by Tyrian
 * alone; `answered` where Kusto refuses; `columns`, other names or types; `wrong`, other values.
 */
export type Outcome = 'equal' | 'order' | 'refused' | 'answered' | 'columns' | 'wrong';

/** The answers, in the order of the file; none where it is not there. */
export function kustoAnswers(): KustoAnswer[] {
  if (!existsSync(FILE)) return [];
  return readFileSync(FILE, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as KustoAnswer);
}

export function outcomeOf(expected: KustoAnswer, given: GivenAnswer): Outcome {
  if (expected.error) return given.error === undefined ? 'answered' : 'equal';
  if (given.error !== undefined) return 'refused';
  const columns = expected.columns ?? [];
  const rows = expected.rows ?? [];
  const got = given.rows ?? [];
  const types = columns.map((one) => one.type);
  const same = (e: readonly unknown[], g: readonly unknown[], loose: boolean): boolean =>
    e.length === g.length && e.every((value, index) => sameValue(types[index] ?? '', value, g[index], loose));
  if (!sameRows(rows, got, (e, g) => same(e, g, true))) return 'wrong';
  if (!sameColumns(columns, given.columns ?? [])) return 'columns';
  const exact = rows.every((row, index) => same(row, got[index] ?? [], false));
  return exact ? 'equal' : 'order';
}

/** The same rows, in any order. */
function sameRows<T>(expected: readonly T[], given: readonly T[], same: (e: T, g: T) => boolean): boolean {
  if (expected.length !== given.length) return false;
  const left = [...given];
  return expected.every((row) => {
    const at = left.findIndex((one) => same(row, one));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

function sameColumns(
  expected: NonNullable<KustoAnswer['columns']>,
  given: NonNullable<GivenAnswer['columns']>,
): boolean {
  return (
    expected.length === given.length &&
    expected.every(({ name, type }, index) => {
      const own = given[index];
      const coarse = own?.type === 'long' ? 'int' : own?.type === 'decimal' ? 'real' : own?.type;
      return own?.name === name && coarse === type;
    })
  );
}

function sameValue(type: string, expected: unknown, given: unknown, loose: boolean): boolean {
  if (expected === null || given === null) return expected === given;
  if (type === 'real') return near(Number(expected), Number(given));
  if (type === 'int') return Number(expected) === Number(given);
  if (type === 'datetime') return moment(expected) === moment(given);
  return sameJson(expected, given, loose);
}

/** A moment with seven digits of its second, whichever are written. */
const moment = (value: unknown): string =>
  String(value)
    .replace(/Z$/, '')
    .replace(/(\.\d*)?$/, (digits) => (digits || '.').padEnd(8, '0'));

const near = (a: number, b: number): boolean =>
  Object.is(a, b) ||
  a === b ||
  (Number.isNaN(a) && Number.isNaN(b)) ||
  Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a));

function sameJson(a: unknown, b: unknown, loose: boolean): boolean {
  if (typeof a === 'number' && typeof b === 'number') return near(a, b);
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  if (Array.isArray(a) && Array.isArray(b)) {
    if (loose) return sameRows(a as unknown[], b as unknown[], (e, g) => sameJson(e, g, loose));
    return a.length === b.length && a.every((value, index) => sameJson(value, b[index], loose));
  }
  const [one, other] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && sameJson(one[key], other[key], loose))
  );
}
