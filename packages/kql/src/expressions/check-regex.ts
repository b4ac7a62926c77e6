import { regexFault, type Scalar } from '@tyrian/plan';
import type { Lowering } from '../lowering.ts';
import { messages } from '../messages.ts';
import { boundType, isKind, type Syntax, spanOf, within } from '../syntax.ts';
import { stringOf } from './lower-literal.ts';

// A pattern that is no RE2 expression is refused while the span is known. The engine looks for the literal part of a
// pattern before it reads the whole of it: `')` would match every row, and a detection would raise on all of them.

/** Where a function has its pattern: the position among the arguments as the registry has them. */
const PATTERN_AT: Readonly<Record<string, number>> = {
  matches_regex: 1,
  extract: 0,
  extract_all: 0,
  replace_regex: 1,
  indexof_regex: 1,
  countof: 1,
  trim: 0,
  trim_start: 0,
  trim_end: 0,
};

/** Refuses a constant pattern that RE2 would refuse, at the literal that holds it, else at `node`. */
export function checkRegex(pattern: string, node: Syntax, lowering: Lowering): void {
  const fault = regexFault(pattern);
  if (fault === null) return;
  const literal = [...within(node)].find((one) => isText(one) && stringOf(one) === pattern);
  lowering.refuse(messages.badRegex(spanOf(literal ?? node), fault));
}

const isText = (node: Syntax): boolean =>
  isKind(node, 'CompoundStringLiteralExpression') ||
  (isKind(node, 'LiteralExpression') && boundType(node) === 'string');

/** Checks the pattern of a call, when the function takes one and it is known. */
export function checkPatternOf(fn: string, args: readonly Scalar[], node: Syntax, lowering: Lowering): void {
  const pattern = Object.hasOwn(PATTERN_AT, fn) ? args[PATTERN_AT[fn] ?? 0] : undefined;
  if (pattern?.kind !== 'constant' || typeof pattern.value !== 'string') return;
  if (fn === 'countof') {
    const kind = args[2];
    if (kind?.kind !== 'constant' || kind.value !== 'regex') return;
  }
  checkRegex(pattern.value, node, lowering);
}
