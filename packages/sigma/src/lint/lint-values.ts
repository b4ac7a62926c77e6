import type { YamlEntry, YamlMap, YamlScalar, YamlValue } from '../yaml/yaml-value.ts';
import { detectionMap, selectionsOf } from './lint-conditions.ts';
import { type LintedDocument, scalarsOf, textIn } from './lint-context.ts';
import { isRegex, regexFindings } from './lint-regex.ts';
import { found, type LintFinding } from './lint-sentences.ts';

// Values of a detection, one by one, and the modifiers that stand before them.

/** A field with its modifiers and values; `field` is empty for keywords behind modifiers. */
export interface LintedItem {
  readonly field: string;
  readonly modifiers: readonly string[];
  readonly entry: YamlEntry;
  readonly values: readonly YamlScalar[];
}

/** All fields of a detection, in order. */
export function itemsOf(document: LintedDocument): readonly LintedItem[] {
  const detection = detectionMap(document);
  return detection ? selectionsOf(detection).flatMap(({ value }) => itemsIn(value)) : [];
}

function itemsIn(value: YamlValue): readonly LintedItem[] {
  if (value.kind === 'list')
    return value.items.flatMap((item) => (item.kind === 'map' ? itemsInMap(item) : []));
  return value.kind === 'map' ? itemsInMap(value) : [];
}

const itemsInMap = (map: YamlMap): readonly LintedItem[] =>
  map.entries.map((entry) => {
    const [field = '', ...modifiers] = entry.key.split('|');
    return { field, modifiers: modifiers.map((one) => one.trim()), entry, values: scalarsOf(entry.value) };
  });

/** Plain words of a detection, looked for in the whole event. */
export function keywordsOf(document: LintedDocument): readonly YamlScalar[] {
  const detection = detectionMap(document);
  return detection
    ? selectionsOf(detection).flatMap(({ value }) => (value.kind === 'map' ? [] : scalarsOf(value)))
    : [];
}

/** Checks of values and modifiers. */
export function lintValues(document: LintedDocument): readonly LintFinding[] {
  return [
    ...itemsOf(document).flatMap((item) => [
      ...itemFindings(item),
      ...item.values.flatMap((one) => valueFindings(one, item)),
    ]),
    ...keywordsOf(document).flatMap((one) => textFindings(one)),
  ];
}

const PARTS = ['contains', 'startswith', 'endswith'] as const;
const CHANGES_TEXT = new Set([
  're',
  'cidr',
  'base64',
  'base64offset',
  'fieldref',
  'exists',
  'wide',
  'utf16',
  'utf16le',
  'utf16be',
]);

function itemFindings({ field, modifiers, entry, values }: LintedItem): readonly LintFinding[] {
  const { keySpan } = entry;
  const findings: LintFinding[] = [];
  if (field !== field.trim()) findings.push(found('fieldSpaces', keySpan));
  if (modifiers.includes('all') && values.length === 1) findings.push(found('allWithOne', keySpan));
  const isPart = modifiers.some((one) => (PARTS as readonly string[]).includes(one) || CHANGES_TEXT.has(one));
  if (
    modifiers.includes('all') &&
    values.length > 1 &&
    field !== '' &&
    !isPart &&
    !values.some(({ text }) => /[*?]/.test(text))
  )
    findings.push(found('allWithoutPart', keySpan));
  if (modifiers.includes('base64offset') && !modifiers.includes('contains') && field !== '')
    findings.push(found('offsetWithoutContains', keySpan));
  const seen = new Set<string>();
  for (const value of values) {
    const text = `${typeof value.value} ${textIn(value)}`;
    if (seen.has(text)) findings.push(found('valueTwice', value.span, { value: textIn(value) }));
    seen.add(text);
  }
  return findings;
}

const CONTROL = /\p{Cc}/u;

/** Checks of any text, keywords too. */
function textFindings(value: YamlScalar): readonly LintFinding[] {
  if (typeof value.value !== 'string') return [];
  const { value: text, span } = value;
  const control = CONTROL.exec(text)?.[0];
  return [
    ...(control !== undefined && !/^[\n\t]$/.test(control)
      ? [found('controlCharacter', span, { code: control.charCodeAt(0).toString(16).padStart(4, '0') })]
      : []),
    ...(/\*\*/.test(text.replace(/\\\*/g, '')) ? [found('doubleWildcard', span)] : []),
  ];
}

/** Fields whose values are addresses. */
const ADDRESS = /(?:ip|ipaddress|addr|address)$/i;

function valueFindings(value: YamlScalar, item: LintedItem): readonly LintFinding[] {
  const { field, modifiers } = item;
  if (isRegex(modifiers)) return regexFindings(value, item);
  if (typeof value.value !== 'string' || modifiers.some((one) => CHANGES_TEXT.has(one))) return [];
  const { value: text, span } = value;
  const isPart = modifiers.some((one) => (PARTS as readonly string[]).includes(one));
  return [
    ...textFindings(value),
    ...(/^(?:0|-?[1-9]\d{0,14})$/.test(text) && modifiers.length === 0
      ? [found('numberAsText', span, { value: text })]
      : []),
    ...(text !== text.trim() && !isPart ? [found('whitespaceAround', span)] : []),
    ...(/(?<!\\)(?:\\\\)*\\[*?]/.test(text) ? [found('escapedWildcard', span)] : []),
    ...(isPart && shortOf(text, modifiers) ? [found('shortText', span, { value: text })] : []),
    ...wildcardFindings(text, value, field, modifiers),
  ];
}

/** A part of a text that many events hold. */
const shortOf = (text: string, modifiers: readonly string[]): boolean =>
  modifiers.includes('contains') &&
  !modifiers.includes('all') &&
  text.length < 3 &&
  !/[*?]/.test(text) &&
  text !== '';

function wildcardFindings(
  text: string,
  { span }: YamlScalar,
  field: string,
  modifiers: readonly string[],
): readonly LintFinding[] {
  const opens = text.startsWith('*');
  const closes = text.endsWith('*') && !text.endsWith('\\*');
  const inner = text.slice(opens ? 1 : 0, closes ? -1 : undefined);
  const part = modifiers.find((one) => (PARTS as readonly string[]).includes(one));
  if (part !== undefined) {
    const repeats = (opens && part !== 'startswith') || (closes && part !== 'endswith');
    return repeats && inner !== '' ? [found('wildcardWithModifier', span, { modifier: part })] : [];
  }
  if (text === '*') return [found('wildcardAlone', span, { field })];
  if (!(opens || closes) || /[*?]/.test(inner) || inner === '') return [];
  if (ADDRESS.test(field) && closes && /^\d{1,3}(?:\.\d{1,3}){0,2}\.$/.test(inner))
    return [found('networkAsText', span)];
  const modifier = opens && closes ? 'contains' : opens ? 'endswith' : 'startswith';
  return [found('wildcardForModifier', span, { field, modifier })];
}
