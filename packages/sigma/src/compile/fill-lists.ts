import type { MatchValue } from '../detection/match-value.ts';
import { ANY, joinedParts, readPattern, type TextPart } from '../detection/text-pattern.ts';
import { faults, refuse } from '../sigma-faults.ts';

/** Values of one rule after its lists have been filled in. */
const MOST_LISTED = 10_000;

/** The values of a tenant's lists by name, in patterns of Sigma. */
export type ValueLists = ReadonlyMap<string, readonly string[]>;

/** A value with each list in it replaced by each of its values (modifier `expand`). Throws SigmaFailure. */
export function fillLists(value: MatchValue, lists: ValueLists): readonly MatchValue[] {
  if (value.kind !== 'text' || !value.parts.some(isList)) return [value];
  let variants: readonly (readonly TextPart[])[] = [[]];
  for (const part of value.parts) {
    const choices = isList(part) ? listed(part.list, lists, value) : [[part]];
    variants = variants.flatMap((before) => choices.map((choice) => [...before, ...choice]));
    if (variants.length > MOST_LISTED) refuse(faults.tooManyTests(value.span, MOST_LISTED));
  }
  return variants.map((parts) => ({ ...value, parts: joinedParts(parts) }));
}

const isList = (part: TextPart): part is { readonly list: string } =>
  typeof part === 'object' && 'list' in part;

function listed(name: string, lists: ValueLists, value: MatchValue): readonly (readonly TextPart[])[] {
  const values = lists.get(name) ?? lists.get(name.toLowerCase());
  if (!values || values.length === 0) return refuse(faults.list(value.span, name));
  return values.map((text) => (text === '*' ? [ANY] : readPattern(text)));
}
