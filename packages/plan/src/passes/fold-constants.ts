import type { Constant, Plan, Scalar } from '../plan-node.ts';
import { constant } from '../scalar.ts';
import { rewritePlan, rewriteScalar } from '../walk-plan.ts';

// Arithmetic on constants is done once, here: `ago(1h) - 5m` becomes a moment, so that a comparison with a stored
// column can use the sort key. Only what is exact in 64-bit integers is folded; the rest is left to the engine.

const TICKS_PER_DAY = 864_000_000_000n;
/** Ticks between 0001-01-01 and 1970-01-01. */
const TICKS_TO_1970 = 621_355_968_000_000_000n;
const LIMIT = 2n ** 63n;

type Fold = (left: bigint, right: bigint) => bigint | null;

const FOLDS: Readonly<Record<string, Fold>> = {
  add: (left, right) => left + right,
  subtract: (left, right) => left - right,
  multiply: (left, right) => left * right,
};

/** Folds every expression of a plan. */
export function foldConstants(plan: Plan): Plan {
  return { ...plan, root: rewritePlan(plan.root, (node) => node, foldOne) };
}

/** Folds one expression. */
export function foldScalar(scalar: Scalar): Scalar {
  return rewriteScalar(scalar, foldOne);
}

function foldOne(scalar: Scalar): Scalar {
  if (scalar.kind !== 'call') return scalar;
  const [left, right] = scalar.args;
  if (left?.kind !== 'constant') return scalar;
  if (scalar.args.length === 1) return foldUnary(scalar.fn, scalar.type, left) ?? scalar;
  if (right?.kind !== 'constant') return scalar;
  const fold = FOLDS[scalar.fn];
  const a = ticksOf(left);
  const b = ticksOf(right);
  if (scalar.fn === 'startofday' && b !== null && a !== null)
    return wholeNumber(scalar.type, floor(a, TICKS_PER_DAY) + b * TICKS_PER_DAY) ?? scalar;
  if (!fold || a === null || b === null) return scalar;
  const value = fold(a, b);
  return value === null ? scalar : (wholeNumber(scalar.type, value) ?? scalar);
}

function foldUnary(fn: string, type: Scalar['type'], arg: Constant): Scalar | null {
  if (fn === 'negate' && arg.type === 'real' && typeof arg.value === 'number')
    return constant('real', -arg.value);
  if ((fn === 'tolong' || fn === 'toint') && arg.type === 'real' && typeof arg.value === 'number')
    return wholePart(type, arg.value);
  const value = ticksOf(arg);
  if (value === null) return null;
  if (fn === 'negate') return wholeNumber(type, -value);
  if (fn === 'startofday') return wholeNumber(type, floor(value, TICKS_PER_DAY));
  const whole = arg.type === 'int' || arg.type === 'long';
  if (whole && fn === 'toint') return wholeNumber(type, BigInt.asIntN(32, value));
  if (whole && fn === 'tolong') return wholeNumber(type, value);
  if (whole && fn === 'toreal') return constant('real', Number(value));
  return null;
}

/** Towards zero; beyond the type it is the least number, as Kusto's compiler has it (its engine stops at the ends). */
function wholePart(type: Scalar['type'], value: number): Constant | null {
  const least = type === 'int' ? -(2n ** 31n) : -LIMIT;
  const fits = Math.trunc(value) >= Number(least) && Math.trunc(value) < -Number(least);
  return wholeNumber(type, fits ? BigInt(Math.trunc(value)) : least);
}

/** The whole number inside a constant; null for null, fractions and other types. */
function ticksOf(value: Constant): bigint | null {
  if (value.value === null) return null;
  switch (value.type) {
    case 'int':
    case 'long':
    case 'datetime':
    case 'timespan':
      return BigInt(value.value);
    default:
      return null;
  }
}

function wholeNumber(type: Scalar['type'], value: bigint): Constant | null {
  if (value >= LIMIT || value < -LIMIT) return null;
  switch (type) {
    case 'int':
      return value >= 2n ** 31n || value < -(2n ** 31n) ? null : constant('int', Number(value));
    case 'long':
    case 'timespan':
    case 'datetime':
      return constant(type, value.toString());
    default:
      return null;
  }
}

function floor(value: bigint, step: bigint): bigint {
  const shifted = value + TICKS_TO_1970;
  const rest = ((shifted % step) + step) % step;
  return value - rest;
}
