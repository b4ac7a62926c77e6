import { EVENT_COLUMNS, STREAMS, WIDENED_STREAMS } from '@tyrian/catalog';
import { type FieldType, type ServerMessage, say } from '@tyrian/contract';

// What a field of a stream may be called: no column's name or other name, no other spelling and no other type of a name that
// a stream has already, no other name of another field.

export interface KnownField {
  readonly stream: string;
  readonly name: string;
  readonly type: FieldType;
  readonly aliases: readonly string[];
}

/** Names and other names of the columns of every event, in lower case, to the column. */
const COLUMN_OF = new Map(
  EVENT_COLUMNS.flatMap(({ name, aliases }) =>
    [...Object.values(aliases).flat(), name].map((one): [string, string] => [one.toLowerCase(), name]),
  ),
);

const WIDENED = new Map(
  WIDENED_STREAMS.map(({ name, columns }) => [
    name,
    new Map(columns.map((one) => [one.name.toLowerCase(), one.name])),
  ]),
);

/** Why a field cannot be added or changed so among the fields of a tenant; null when it can. */
export function collisionOf(wanted: KnownField, fields: readonly KnownField[]): ServerMessage | null {
  const others = fields.filter((one) => one.stream !== wanted.stream || one.name !== wanted.name);
  for (const name of [wanted.name, ...wanted.aliases]) {
    const column = COLUMN_OF.get(name.toLowerCase()) ?? WIDENED.get(wanted.stream)?.get(name.toLowerCase());
    if (column !== undefined) return say('dataModel.isColumn', { name, column });
  }
  return nameCollision(wanted, others) ?? aliasCollision(wanted, others);
}

function nameCollision(
  { stream, name, type }: KnownField,
  others: readonly KnownField[],
): ServerMessage | null {
  const lower = name.toLowerCase();
  for (const other of others) {
    if (other.name.toLowerCase() === lower) {
      if (other.stream === stream) return say('dataModel.fieldTaken', { name: other.name });
      if (other.name !== name) return say('dataModel.otherCase', { known: other.name, stream: other.stream });
      if (other.type !== type)
        return say('dataModel.otherType', { name, known: other.type, stream: other.stream });
    } else if (other.aliases.some((alias) => alias.toLowerCase() === lower))
      return say('dataModel.isAlias', { name, field: other.name });
  }
  return null;
}

function aliasCollision({ name, aliases }: KnownField, others: readonly KnownField[]): ServerMessage | null {
  for (const alias of aliases) {
    const lower = alias.toLowerCase();
    if (lower === name.toLowerCase()) return say('dataModel.isAlias', { name: alias, field: name });
    const owner = others.find(
      (other) =>
        other.name !== name && [other.name, ...other.aliases].some((one) => one.toLowerCase() === lower),
    );
    if (owner) return say('dataModel.isAlias', { name: alias, field: owner.name });
  }
  return null;
}

const NATIVE = new Set<string>(STREAMS.map(({ name }) => name));

/** Whether every tenant has the stream. */
export const isNative = (stream: string): boolean => NATIVE.has(stream);
