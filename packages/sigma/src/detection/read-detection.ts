import type { Span } from '@tyrian/diagnostics';
import { faults, refuse } from '../sigma-faults.ts';
import type { YamlEntry, YamlScalar, YamlValue } from '../yaml/yaml-value.ts';
import type { Detection, DetectionItem } from './detection-tree.ts';
import type { MatchValue } from './match-value.ts';
import { type Draft, stepOf } from './modifier-steps.ts';
import { readPattern } from './text-pattern.ts';

// A search identifier (rules specification 2.1, "Detection"): a map is fields that all have to match, a list is
// alternatives, a bare value is a keyword. A field's list is alternatives too, unless `all` stands behind the field.

/** Values of one rule after their modifiers; a list of 100,000 values to encode ends here. */
const MOST_TESTS = 10_000;

/** Counts the values of one document. */
export interface TestCount {
  tests: number;
}

/** Modifiers of the whole item, not of its values. */
const OF_ITEM: ReadonlySet<string> = new Set(['all', 'neq']);

/** The detection under a search identifier. Throws SigmaFailure. */
export function readDetection(name: string, value: YamlValue, count: TestCount): Detection {
  if (value.kind === 'map') {
    if (value.entries.length === 0) refuse(faults.emptyDetection(value.span, name));
    return group(
      'and',
      value.entries.map((entry) => readItem(entry, count)),
    );
  }
  if (value.kind === 'scalar') return keywords([value], count);
  if (value.items.length === 0) refuse(faults.emptyDetection(value.span, name));
  const words = value.items.filter((item) => item.kind === 'scalar');
  const others = value.items.filter((item) => item.kind !== 'scalar');
  const parts = others.map((item) => readDetection(name, item, count));
  return group('or', words.length > 0 ? [keywords(words, count), ...parts] : parts);
}

function group(kind: 'and' | 'or', parts: readonly Detection[]): Detection {
  const [only] = parts;
  return parts.length === 1 && only ? only : { kind, parts };
}

const keywords = (words: readonly YamlScalar[], count: TestCount): DetectionItem => ({
  kind: 'item',
  field: null,
  values: words.map((word) => readValue(word, [], false, count)),
  all: false,
  negated: false,
  span: words[0]?.span ?? { start: 0, end: 0 },
});

function readItem({ key, keySpan, value }: YamlEntry, count: TestCount): DetectionItem {
  const [name = '', ...modifiers] = key.split('|').map((part) => part.trim());
  const all = modifiers.includes('all');
  const ofValues = modifiers.filter((modifier) => !OF_ITEM.has(modifier));
  if (value.kind === 'map') refuse(faults.wrongType(value.span, key, 'a value or a list of values'));
  const scalars = (value.kind === 'list' ? value.items : [value]).map((item): YamlScalar => {
    if (item.kind === 'scalar') return item;
    return refuse(faults.wrongType(item.span, key, 'a list of plain values'));
  });
  if (scalars.length === 0) refuse(faults.emptyDetection(value.span, key));
  const names = modifiers.map((modifier) => ({ name: modifier, span: keySpan }));
  checkModifiers(names);
  return {
    kind: 'item',
    field: name === '' ? null : name,
    values: scalars.map((scalar) =>
      readValue(scalar, ofValues, modifiers.includes('exists'), count, keySpan),
    ),
    all,
    negated: modifiers.includes('neq'),
    span: keySpan,
  };
}

function checkModifiers(modifiers: readonly { readonly name: string; readonly span: Span }[]): void {
  const seen = new Set<string>();
  for (const { name, span } of modifiers) {
    if (!OF_ITEM.has(name) && name !== 'exists' && stepOf(name, '') === null)
      refuse(faults.modifier(span, name));
    if (seen.has(name)) refuse(faults.modifierOrder(span, name, 'it stands twice'));
    seen.add(name);
  }
  if (seen.has('exists') && seen.size > 1)
    refuse(faults.modifierOrder(modifiers[0]?.span ?? { start: 0, end: 0 }, 'exists', 'it stands alone'));
}

function readValue(
  scalar: YamlScalar,
  modifiers: readonly string[],
  exists: boolean,
  count: TestCount,
  keySpan: Span = scalar.span,
): readonly MatchValue[] {
  const { span } = scalar;
  if (exists) return [{ kind: 'exists', exists: truth(scalar), span }];
  let drafts: readonly Draft[] = [draftOf(scalar)];
  const raw = typeof scalar.value === 'string' ? scalar.value : scalar.text;
  for (const modifier of modifiers) {
    const step = stepOf(modifier, raw);
    if (step === null) return refuse(faults.modifier(keySpan, modifier));
    drafts = drafts.flatMap((draft) => step(draft, keySpan));
  }
  count.tests += drafts.length;
  if (count.tests > MOST_TESTS) refuse(faults.tooManyTests(span, MOST_TESTS));
  return drafts.map(({ value }) => value);
}

/** `yes` and `no` are words of YAML 1.1, in which rules were written for years. */
const TRUTHS: Readonly<Record<string, boolean>> = { true: true, yes: true, false: false, no: false };

function truth({ value, text, span }: YamlScalar): boolean {
  if (typeof value === 'boolean') return value;
  const word = text.toLowerCase();
  const said = Object.hasOwn(TRUTHS, word) ? TRUTHS[word] : undefined;
  if (said !== undefined) return said;
  return refuse(faults.value(span, text, 'true or false'));
}

function draftOf({ value, text, span }: YamlScalar): Draft {
  if (value === null) return { value: { kind: 'null', span }, isBytes: false };
  if (typeof value === 'number')
    return { value: { kind: 'number', value, text: numberText(value, text), span }, isBytes: false };
  const parts = typeof value === 'boolean' ? [String(value)] : readPattern(value);
  return { value: { kind: 'text', parts, cased: false, span }, isBytes: false };
}

/** The digits of a number; as written where the number itself has lost some. */
const numberText = (value: number, text: string): string =>
  Number.isSafeInteger(value) || !/^-?\d+$/.test(text) ? String(value) : text;
