import { say } from '@tyrian/diagnostics';
import { call, constant, foldScalar, type KqlType, type Scalar } from '@tyrian/plan';
import { convertTo } from '../expressions/convert.ts';
import type { Lowering, Names, Table } from '../lowering.ts';
import { messages } from '../messages.ts';
import { asKind, child, children, isKind, optionalChild, type Syntax, spanOf } from '../syntax.ts';

// The axis of make-series. Moments and spans are counted in ticks, so that the bins of every type are exact; those of
// a real axis are as exact as its values.

export interface Axis {
  /** Whether a row falls within the range; null when every row does. */
  readonly inside: Scalar | null;
  /** The bin of a row: steps from the start of the range, or from the zero of the type where none is given. */
  readonly bin: Scalar;
  /** The first and last bin of every series; null where those of its rows decide. */
  readonly first: Scalar | null;
  readonly last: Scalar | null;
  readonly step: Scalar;
  /** Where a bin begins. */
  readonly valueOf: (bin: Scalar) => Scalar;
}

const TICKS_TO_YEAR_1 = '-621355968000000000';

/** The axis that the operator names; null, and refused, when it is none. */
export function axisOf(
  node: Syntax<'MakeSeriesOperator'>,
  input: Table,
  names: Names,
  lowering: Lowering,
): Axis | null {
  const column = child(child(node, 'OnClause'), 'Expression');
  const range = child(node, 'RangeClause');
  const value = lowering.expression(column, { names, columns: input.columns });
  const type = value.type === 'int' ? 'long' : value.type;
  if (!['datetime', 'timespan', 'long', 'real'].includes(type)) {
    lowering.refuse(
      messages.badArgument(spanOf(column), 'make-series', say('axisType', { type: value.type })),
    );
    return null;
  }
  const stepType = type === 'datetime' ? 'timespan' : type;
  const bound = (part: Syntax | null, as: KqlType): Scalar | null =>
    part ? foldScalar(convertTo(lowering.expression(part, { names, columns: [] }), as)) : null;
  const parts = rangeParts(range);
  const step = bound(parts.step, stepType);
  if (!step || !positive(step)) {
    lowering.refuse(messages.badArgument(spanOf(range), 'make-series', say('stepPositive')));
    return null;
  }
  const from = bound(parts.from, type);
  const to = bound(parts.to, type);
  return parts.binned
    ? binnedAxis(convertTo(value, type), from, to, step)
    : plainAxis(convertTo(value, type), from, to, step);
}

interface RangeParts {
  readonly from: Syntax | null;
  readonly to: Syntax | null;
  readonly step: Syntax | null;
  /** `in range(a, b, c)`: whole bins, both ends included. */
  readonly binned: boolean;
}

function rangeParts(range: Syntax): RangeParts {
  if (isKind(range, 'MakeSeriesInRangeClause')) {
    const [from = null, to = null, step = null] = children(child(range, 'Arguments'), 'Expressions');
    return { from, to, step, binned: true };
  }
  const clause = asKind(range, 'MakeSeriesFromToStepClause');
  const from = optionalChild(clause, 'MakeSeriesFromClause');
  const to = optionalChild(clause, 'MakeSeriesToClause');
  return {
    from: from && child(from, 'Expression'),
    to: to && child(to, 'Expression'),
    step: child(child(clause, 'MakeSeriesStepClause'), 'Expression'),
    binned: false,
  };
}

const positive = (step: Scalar): boolean =>
  step.kind === 'constant' && step.value !== null && Number(step.value) > 0;

function plainAxis(value: Scalar, from: Scalar | null, to: Scalar | null, step: Scalar): Axis {
  const start = from ?? zeroOf(value.type);
  const tests = [
    call('bool', 'isnotnull', value),
    ...(from ? [call('bool', 'greater_or_equal', value, from)] : []),
    ...(to ? [call('bool', 'less', value, to)] : []),
  ];
  const [only] = tests;
  // The last bin begins before the end: the end itself belongs to the next.
  const last = to
    ? call('long', 'subtract', ceilingOf(stepsFrom(to, start), step), constant('long', '1'))
    : null;
  return {
    inside: tests.length === 1 && only ? only : call('bool', 'and', ...tests),
    bin: floorOf(stepsFrom(value, start), step),
    first: from ? constant('long', '0') : null,
    last: last ? foldScalar(last) : null,
    step,
    valueOf: (bin) => at(start, bin, step),
  };
}

function binnedAxis(value: Scalar, from: Scalar | null, to: Scalar | null, step: Scalar): Axis {
  const start = zeroOf(value.type);
  const first = from ? floorOf(stepsFrom(from, start), step) : null;
  const last = to ? floorOf(stepsFrom(to, start), step) : null;
  const bin = floorOf(stepsFrom(value, start), step);
  const tests = [
    call('bool', 'isnotnull', value),
    ...(first ? [call('bool', 'greater_or_equal', bin, first)] : []),
    ...(last ? [call('bool', 'less_or_equal', bin, last)] : []),
  ];
  return {
    inside: call('bool', 'and', ...tests),
    bin,
    first,
    last,
    step,
    valueOf: (one) => at(start, one, step),
  };
}

/** `bin()` counts moments from the year 1, all else from 0. */
function zeroOf(type: KqlType): Scalar {
  if (type === 'datetime') return constant(type, TICKS_TO_YEAR_1);
  return constant(type, type === 'real' ? 0 : '0');
}

/** The distance from the start, in the unit of the step. */
function stepsFrom(value: Scalar, start: Scalar): Scalar {
  const type = value.type === 'datetime' ? 'timespan' : value.type;
  return foldScalar(call(type, 'subtract', value, start));
}

const floorOf = (distance: Scalar, step: Scalar): Scalar => call('long', 'series_bin', distance, step);

function ceilingOf(distance: Scalar, step: Scalar): Scalar {
  const negative = foldScalar(call(distance.type, 'negate', distance));
  return call('long', 'negate', floorOf(negative, step));
}

const at = (start: Scalar, bin: Scalar, step: Scalar): Scalar =>
  call(start.type, 'series_at', start, bin, step);
