import { createHash } from 'node:crypto';
import { placeholdersOf, type SignalBody, type SignalEntity } from '@tyrian/contract';
import { storableText } from '../../platform/postgres/storable.ts';

// What a result row says: the name with its fields filled in, who is suspected, what was the target. Identity
// is a hash of content alone, so that whoever finds the same thing again, now or after a crash, finds the same ids.

/** A result row by column name, in wire values. */
export type ResultRow = Readonly<Record<string, unknown>>;

export interface Finding {
  readonly name: string;
  readonly suspects: readonly SignalEntity[];
  readonly targets: readonly SignalEntity[];
  /** Same workbook, name, suspects and targets: the same key. */
  readonly key: string;
}

/** The rule that a finding belongs to. */
export interface RuleIdentity {
  readonly clusterId: string;
  readonly scopeId: string;
  readonly workbookId: string;
}

const MAX_NAME = 500;
const MAX_VALUE = 2000;

/** SHA-256 over the parts, each with its length so that no two lists of parts read alike; 20 characters of base 36. */
export function identityOf(...parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return BigInt(`0x${hash.digest('hex')}`)
    .toString(36)
    .padStart(50, '0')
    .slice(-20);
}

/** A wire value as text that can be stored; empty for null and empty values. Events hold any character there is. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return storableText(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

const own = (value: object, name: string): unknown =>
  Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;

/** A field of a row, also below a dynamic column: `Ext.TaskName`. */
export function fieldOf(row: ResultRow, field: string): unknown {
  if (Object.hasOwn(row, field)) return row[field];
  const [first = '', ...rest] = field.split('.');
  return rest.reduce<unknown>(
    (value, name) => (typeof value === 'object' && value !== null ? own(value, name) : undefined),
    own(row, first),
  );
}

function entitiesOf(
  row: ResultRow,
  wanted: readonly { readonly type: string; readonly field: string }[],
): SignalEntity[] {
  const found = new Map<string, SignalEntity>();
  for (const { type, field } of wanted) {
    const value = fieldOf(row, field);
    // A set of values (make_set) names each of them.
    for (const item of Array.isArray(value) ? value : [value]) {
      const text = valueText(item).trim().slice(0, MAX_VALUE).toWellFormed();
      if (text !== '' && text !== '-') found.set(`${type}\0${text}`, { type, value: text });
    }
  }
  return [...found.values()].sort((a, b) => compareText(a.type, b.type) || compareText(a.value, b.value));
}

export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The signal name for a row: each `_$Field_` replaced by its value, or by `?` when the row has none. */
function renderName(name: string, row: ResultRow): string {
  let rendered = '';
  let from = 0;
  for (const { field, start, end } of placeholdersOf(name)) {
    rendered += name.slice(from, start) + (valueText(fieldOf(row, field)) || '?');
    from = end;
  }
  return (rendered + name.slice(from)).slice(0, MAX_NAME).toWellFormed();
}

/** Reads a result row by the signal block. */
export function findingOf(rule: RuleIdentity, signal: SignalBody, row: ResultRow): Finding {
  const name = renderName(signal.name, row);
  const suspects = entitiesOf(row, signal.suspects);
  const targets = entitiesOf(row, signal.targets);
  const key = identityOf(
    rule.clusterId,
    rule.scopeId,
    rule.workbookId,
    name,
    JSON.stringify(suspects.map((entity) => [entity.type, entity.value])),
    JSON.stringify(targets.map((entity) => [entity.type, entity.value])),
  );
  return { name, suspects, targets, key };
}

/** The fields that a signal block reads; those below a dynamic column with their path: `Ext.TaskName`. */
export const fieldsRead = (signal: SignalBody): readonly string[] => [
  ...new Set([
    ...placeholdersOf(signal.name).map(({ field }) => field),
    ...signal.suspects.map(({ field }) => field),
    ...signal.targets.map(({ field }) => field),
  ]),
];
