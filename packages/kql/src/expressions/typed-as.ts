import type { Scalar } from '@tyrian/plan';
import { child, isKind, kqlTypeOf, type Syntax, wordOf } from '../syntax.ts';
import { convertTo } from './convert.ts';

/** A value in the type that `name:type` declares. */
export function typedAs(value: Scalar, declared: Syntax<'NameAndTypeDeclaration'>): Scalar {
  const written = child(declared, 'Type');
  // A parameter may be a table, which no value is.
  const name = isKind(written, 'PrimitiveTypeExpression') ? wordOf(written, 'Type') : '';
  const type = kqlTypeOf({ Name: canonical(name) });
  return type ? convertTo(value, type) : value;
}

const ALIASES: Readonly<Record<string, string>> = {
  double: 'real',
  boolean: 'bool',
  date: 'datetime',
  time: 'timespan',
  uuid: 'guid',
};
const canonical = (name: string): string => (Object.hasOwn(ALIASES, name) ? (ALIASES[name] ?? name) : name);
