import { DATETIME_FUNCTIONS } from './datetime-functions.ts';
import { DYNAMIC_FUNCTIONS } from './dynamic-functions.ts';
import type { FunctionSignature } from './function-signature.ts';
import { GEO_FUNCTIONS } from './geo-functions.ts';
import { NETWORK_FUNCTIONS } from './network-functions.ts';
import { NUMBER_FUNCTIONS } from './number-functions.ts';
import { OPERATORS } from './operators.ts';
import { ROW_FUNCTIONS } from './row-functions.ts';
import { SERIES_FUNCTIONS } from './series-functions.ts';
import { STATE_FUNCTIONS } from './state-functions.ts';
import { STRING_FUNCTIONS } from './string-functions.ts';

/** Every scalar function that a plan can call, operators aside. */
export const SCALAR_FUNCTIONS: readonly FunctionSignature[] = [
  ...STRING_FUNCTIONS,
  ...DATETIME_FUNCTIONS,
  ...NUMBER_FUNCTIONS,
  ...DYNAMIC_FUNCTIONS,
  ...NETWORK_FUNCTIONS,
  ...GEO_FUNCTIONS,
  ...SERIES_FUNCTIONS,
  ...STATE_FUNCTIONS,
  ...ROW_FUNCTIONS,
];

const byName = new Map<string, FunctionSignature>();
for (const one of [...SCALAR_FUNCTIONS, ...OPERATORS])
  for (const name of [one.name, ...one.aliases]) byName.set(name, one);

/** Finds a function or operator by any of its names; undefined when the plan cannot call it. */
export function scalarFunctionByName(name: string): FunctionSignature | undefined {
  return byName.get(name);
}
