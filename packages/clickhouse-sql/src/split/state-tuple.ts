import type { KqlType } from '@tyrian/plan';
import { ownText, type Sql, type SqlText, sql } from '../sql.ts';
import { clickhouseType } from '../sql-value.ts';

// The state of a fold is a tuple, whose types must stay the same from row to row.

/** The element of a tuple at a position that counts from 1. */
export const elementOf = (tuple: Sql, position: number): Sql =>
  sql`tupleElement(${tuple}, ${ownText(position)})`;

/** The type of a value in a state: everything but text can be null. */
export const typeInState = (type: KqlType): string => clickhouseType(type, true);

export const tupleType = (types: readonly string[]): string => `Tuple(${types.join(', ')})`;

/** The piece in a type that is written by this package. */
export const castTo = (piece: Sql, type: string): SqlText => ({
  kind: 'text',
  parts: ['CAST(', `, '${type}')`],
  values: [piece],
});
