import { ALL_EVENTS, EVENT_COLUMNS, type KqlType } from '@tyrian/catalog';
import { extMember } from '../compile/event-scan.ts';
import { kqlText, scalarKql } from '../compile/kql-text.ts';

// What a drafted rule asks of an event, and how that is written in KQL.

export type DraftOperator = 'equals' | 'contains' | 'startswith' | 'endswith';

/** One of the values equals the field, or is a part of it. Texts are compared without case. */
export interface DraftCondition {
  /** A column, or `Ext` and the names of a path below it. */
  readonly path: readonly string[];
  readonly operator: DraftOperator;
  readonly values: readonly string[];
}

/** An event by the names of its columns. */
export type DraftEvent = Readonly<Record<string, unknown>>;

const TYPES: ReadonlyMap<string, KqlType> = new Map(EVENT_COLUMNS.map(({ name, type }) => [name, type]));

const isName = (name: string): boolean => name.isWellFormed() && !/\p{Cc}/u.test(name);

/** How the values of a path are compared; null for a path that no condition can be about. */
export function draftKindOf([name = '', ...below]: readonly string[]): 'text' | 'number' | null {
  if (name === 'Ext') return below.length > 0 && below.every(isName) ? 'text' : null;
  const type = below.length === 0 ? TYPES.get(name) : undefined;
  if (type === 'string') return 'text';
  return type === 'int' || type === 'long' ? 'number' : null;
}

const WHOLE = /^-?\d{1,18}$/;

/** Whether a condition can be asked: its field is there, and its values fit. */
export function canAsk({ path, operator, values }: DraftCondition): boolean {
  const kind = draftKindOf(path);
  if (kind === 'number') return operator === 'equals' && values.every((value) => WHOLE.test(value));
  return kind === 'text' && values.every((value) => value !== '' && value.isWellFormed());
}

/** The value of a path as text; empty when the event has none. */
export function draftValueOf(event: DraftEvent, path: readonly string[]): string {
  let value: unknown = event;
  for (const name of path)
    value = value !== null && typeof value === 'object' ? (value as DraftEvent)[name] : undefined;
  return value === null || value === undefined || typeof value === 'object' ? '' : String(value);
}

const tests: Readonly<Record<DraftOperator, (text: string, value: string) => boolean>> = {
  equals: (text, value) => text === value,
  contains: (text, value) => text.includes(value),
  startswith: (text, value) => text.startsWith(value),
  endswith: (text, value) => text.endsWith(value),
};

/** Whether an event fulfils a condition, as far as letters outside of English compare alike everywhere. */
export function fulfils(event: DraftEvent, { path, operator, values }: DraftCondition): boolean {
  const text = draftValueOf(event, path).toLowerCase();
  return text !== '' && values.some((value) => tests[operator](text, value.toLowerCase()));
}

const field = ([name = '', ...below]: readonly string[]): string =>
  name === 'Ext' ? `tostring(${scalarKql(extMember(below))})` : name;

/** A condition as KQL. */
export function draftConditionKql(condition: DraftCondition): string {
  const { path, operator, values } = condition;
  const name = field(path);
  const [only = ''] = values;
  if (draftKindOf(path) === 'number')
    return values.length === 1 ? `${name} == ${only}` : `${name} in (${values.join(', ')})`;
  if (operator !== 'equals') {
    const each = values.map((value) => `${name} ${operator} ${kqlText(value)}`);
    return each.length === 1 ? (each[0] ?? '') : `(${each.join(' or ')})`;
  }
  return values.length === 1
    ? `${name} =~ ${kqlText(only)}`
    : `${name} in~ (${values.map(kqlText).join(', ')})`;
}

/** What events are of: their streams, and the types that they have where all have one. */
export interface DraftKind {
  readonly streams: readonly string[];
  readonly types: readonly string[];
}

const distinct = (values: readonly string[]): readonly string[] => [...new Set(values)].sort();
/** More types do not tell what the events are. */
const MOST_TYPES = 3;

export function draftKind(events: readonly DraftEvent[]): DraftKind {
  const valuesOf = (name: string) => distinct(events.map((event) => draftValueOf(event, [name])));
  const types = valuesOf('EventType');
  return { streams: valuesOf('Stream'), types: types.length > MOST_TYPES || types.includes('') ? [] : types };
}

/** The events of a kind as KQL, of which conditions tell some from the others. */
export function draftKindKql({ streams, types }: DraftKind): string {
  const [only = ''] = streams;
  const table =
    streams.length === 1 ? only : `${ALL_EVENTS}\n| where Stream in (${streams.map(kqlText).join(', ')})`;
  if (types.length === 0) return table;
  return `${table}\n| where ${draftConditionKql({ path: ['EventType'], operator: 'equals', values: types })}`;
}

/** A query for the events of a kind that fulfil all conditions. */
export const draftKql = (kind: DraftKind, conditions: readonly DraftCondition[]): string =>
  [draftKindKql(kind), ...conditions.map((one) => `| where ${draftConditionKql(one)}`)].join('\n');
