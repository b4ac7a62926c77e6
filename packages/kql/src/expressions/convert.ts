import type { KqlType } from '@tyrian/catalog';
import { call, constant, foldScalar, type Scalar } from '@tyrian/plan';

// Conversions that the compiler makes by itself, so that a function meets its arguments in one form.

const CONVERSION: Readonly<Record<KqlType, string>> = {
  bool: 'tobool',
  int: 'toint',
  long: 'tolong',
  real: 'toreal',
  decimal: 'todecimal',
  string: 'tostring',
  datetime: 'todatetime',
  timespan: 'totimespan',
  guid: 'toguid',
  dynamic: 'to_dynamic',
};

const WIDTH: Readonly<Partial<Record<KqlType, number>>> = { bool: 0, int: 1, long: 2, real: 3, decimal: 4 };

export const isNumeric = (type: KqlType): boolean =>
  type === 'int' || type === 'long' || type === 'real' || type === 'decimal';

/** The expression in another type; itself when it has the type already. */
export function convertTo(expression: Scalar, type: KqlType): Scalar {
  if (expression.type === type) return expression;
  if (expression.kind === 'constant') {
    if (expression.value === null) return constant(type, type === 'string' ? '' : null);
    if (type === 'decimal' && isNumeric(expression.type)) return constant(type, String(expression.value));
  }
  return foldScalar(call(type, CONVERSION[type], expression));
}

/** The type that values of several types are compared or chosen in. */
export function commonType(types: readonly KqlType[]): KqlType {
  const known = [...new Set(types)];
  const [only] = known;
  if (known.length === 1 && only) return only;
  const fixed = known.filter((type) => type !== 'dynamic');
  if (fixed.length < known.length) {
    const rest = commonType(fixed);
    // A dynamic number may have a fraction that a whole number would lose.
    return rest === 'int' || rest === 'long' ? 'real' : rest;
  }
  if (known.every((type) => WIDTH[type] !== undefined))
    return known.reduce((one, other) => ((WIDTH[one] ?? 0) >= (WIDTH[other] ?? 0) ? one : other));
  return 'string';
}
