import type { Scalar } from '@tyrian/plan';
import { child, kqlTypeOf, type Syntax } from '../syntax.ts';
import { convertTo } from './convert.ts';

/** A value in the type that `name:type` declares. */
export function typedAs(value: Scalar, declared: Syntax | null): Scalar {
  const symbol = declared ? child(declared, 'Type') : null;
  const name = symbol ? child(symbol, 'Type') : null;
  const type = kqlTypeOf({ Name: canonical(String(name?.Text ?? '')) });
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
