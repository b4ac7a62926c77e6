import { call, constant, rewriteScalar, type Scalar, type ScanColumn, type ValuePath } from '@tyrian/plan';
import { regexNeed } from './regex-needs.ts';

// Fields below Ext that no event of a window has. A rule of many sources names many of them, and reading one costs the same
// whether it is there or not. Where it is not, it is null, and so the condition can be made smaller without a change.

/** The fields that events of a window have. */
export interface PresentFields {
  /** Whether something may stand at the path, above it or below it. */
  has(path: string): boolean;
  /** Where values stand; equal for equal fields. */
  readonly values: readonly ValuePath[];
}

/** From the paths of all values, as the engine tells them. */
export function presentFields(values: readonly ValuePath[]): PresentFields {
  const own = new Set(values.map(({ path }) => path));
  const all = new Set([...own].flatMap(upTo));
  return { values, has: (path) => all.has(path) || upTo(path).some((above) => own.has(above)) };
}

/** The path and those above it. */
function upTo(path: string): readonly string[] {
  const names = path.split('.');
  return names.map((_, at) => names.slice(0, at + 1).join('.'));
}

/** The path that an expression reads below Ext; null for any other. */
export function fieldPath(scalar: Scalar, columns: ReadonlyMap<number, ScanColumn>): string | null {
  const names: string[] = [];
  let at = scalar;
  while (at.kind === 'call' && at.fn === 'member') {
    const [base, name]: readonly (Scalar | undefined)[] = at.args;
    if (!base || name?.kind !== 'constant' || typeof name.value !== 'string') return null;
    names.unshift(name.value);
    at = base;
  }
  if (at.kind !== 'column' || names.length === 0) return null;
  const source = columns.get(at.id)?.source;
  return source?.kind === 'column' && source.name === 'Ext' ? names.join('.') : null;
}

/** The condition where absent fields are null: true for the same events. */
export function withPresentFields(
  condition: Scalar,
  columns: ReadonlyMap<number, ScanColumn>,
  present: PresentFields,
): Scalar {
  return rewriteScalar(condition, (scalar) => {
    if (scalar.kind !== 'call') return scalar;
    if (scalar.fn === 'member') {
      if (isNull(scalar.args[0])) return NULL;
      const path = fieldPath(scalar, columns);
      return path !== null && !present.has(path) ? NULL : scalar;
    }
    return smaller(scalar.fn, scalar.args) ?? scalar;
  });
}

const NULL = constant('dynamic', null);
const isNull = (scalar: Scalar | undefined): boolean =>
  scalar?.kind === 'constant' && scalar.type === 'dynamic' && scalar.value === null;
const isText = (scalar: Scalar | undefined, value?: string): boolean =>
  scalar?.kind === 'constant' &&
  scalar.type === 'string' &&
  typeof scalar.value === 'string' &&
  (value === undefined ? scalar.value !== '' : scalar.value === value);
const isBool = (scalar: Scalar | undefined, value: boolean): boolean =>
  scalar?.kind === 'constant' && scalar.type === 'bool' && scalar.value === value;

/** Tests of a text that an empty one fails when all that it is compared with is not empty. */
const NOT_OF_EMPTY: ReadonlySet<string> = new Set([
  'equal',
  'equal_ci',
  'in',
  'in_ci',
  ...['contains', 'startswith', 'endswith', 'has', 'hasprefix', 'hassuffix'].flatMap((fn) => [
    fn,
    `${fn}_cs`,
  ]),
]);

/** What a call over constants comes to; null when it stays. */
function smaller(fn: string, args: readonly Scalar[]): Scalar | null {
  const [first, ...rest] = args;
  if (fn === 'tostring' && isNull(first)) return constant('string', '');
  if (NOT_OF_EMPTY.has(fn) && isText(first, '') && rest.every((one) => isText(one)))
    return constant('bool', false);
  if (fn === 'matches_regex' && isText(first, '') && asksForText(rest[0])) return constant('bool', false);
  if (fn === 'coalesce' && isBool(rest.at(-1), false) && rest.length === 1) return ofKnown(first);
  if (fn === 'isnull' && isNull(first)) return constant('bool', true);
  if (fn === 'isempty' && isText(first, '')) return constant('bool', true);
  if (fn === 'isnotempty' && isText(first, '')) return constant('bool', false);
  if (fn === 'not' && isBool(first, true)) return constant('bool', false);
  if (fn === 'not' && isBool(first, false)) return constant('bool', true);
  if (fn === 'and' || fn === 'or') return smallerChain(fn, args);
  return null;
}

/** A regular expression that an empty text does not match: each match holds something. */
const asksForText = (pattern: Scalar | undefined): boolean =>
  pattern?.kind === 'constant' &&
  typeof pattern.value === 'string' &&
  regexNeed(pattern.value, () => ({ kind: 'literals', literals: [] })) !== null;

/** `coalesce(x, false)` where x is known, or null because it asks an empty text for its network. */
function ofKnown(test: Scalar | undefined): Scalar | null {
  if (test?.kind === 'constant' && test.type === 'bool') return constant('bool', test.value === true);
  const ofEmpty = test?.kind === 'call' && OF_ADDRESSES.has(test.fn) && isText(test.args[0], '');
  return ofEmpty ? constant('bool', false) : null;
}

/** Null for what is no address. */
const OF_ADDRESSES: ReadonlySet<string> = new Set([
  'ipv4_is_in_range',
  'ipv4_is_in_any_range',
  'ipv6_is_in_range',
  'ipv6_is_in_any_range',
]);

function smallerChain(fn: 'and' | 'or', args: readonly Scalar[]): Scalar | null {
  const decides = fn === 'or';
  if (args.some((arg) => isBool(arg, decides))) return constant('bool', decides);
  const left = args.filter((arg) => !isBool(arg, !decides));
  if (left.length === args.length) return null;
  const [only] = left;
  if (!only) return constant('bool', !decides);
  return left.length === 1 ? only : call('bool', fn, ...left);
}
