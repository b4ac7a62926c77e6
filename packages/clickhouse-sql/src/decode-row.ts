import type { KqlType, ScopedPlan } from '@tyrian/plan';
import { datetimeText, timespanText } from './time-text.ts';

// From a row of JSONCompactEachRow to values on the wire: null; bool; int and long as numbers, as text beyond 2^53;
// real a number or "NaN", "Infinity", "-Infinity"; decimal text; datetime ISO with seven digits; timespan text;
// guid lower case; dynamic the JSON value.

export interface OutputColumn {
  readonly name: string;
  readonly type: KqlType;
}

export type WireValue =
  | null
  | boolean
  | number
  | string
  | readonly unknown[]
  | Readonly<Record<string, unknown>>;

/** The columns of the rows of a plan, in order. */
export function decodableColumns(plan: ScopedPlan): readonly OutputColumn[] {
  return plan.columns.map(({ name, type }) => ({ name, type }));
}

/** Decodes one row; `row` is what JSONCompactEachRow gives for the printed query. */
export function decodeRow(columns: readonly OutputColumn[], row: readonly unknown[]): WireValue[] {
  return columns.map((column, index) => decodeValue(column.type, row[index]));
}

function decodeValue(type: KqlType, value: unknown): WireValue {
  if (type === 'string') return value === null || value === undefined ? '' : String(value);
  if (value === null || value === undefined) return null;
  switch (type) {
    case 'bool':
      return value === true || value === 1 || value === '1' || value === 'true';
    case 'int':
    case 'long':
      return wholeNumber(value);
    case 'real':
      return realNumber(value);
    case 'decimal':
      return trimDecimal(String(value));
    case 'datetime':
      return datetimeText(value);
    case 'timespan':
      return timespanText(BigInt(String(value)));
    case 'guid':
      return String(value).toLowerCase();
    case 'dynamic':
      return dynamicValue(String(value));
  }
}

function wholeNumber(value: unknown): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

function realNumber(value: unknown): number | string {
  if (typeof value === 'number') return value;
  const text = String(value);
  if (text === 'nan' || text === '-nan') return 'NaN';
  if (text === 'inf') return 'Infinity';
  if (text === '-inf') return '-Infinity';
  return Number(text);
}

function trimDecimal(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

function dynamicValue(text: string): WireValue {
  try {
    return JSON.parse(text) as WireValue;
  } catch {
    return text;
  }
}
