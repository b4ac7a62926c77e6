import type { Span } from '@tyrian/diagnostics';
import type { Condition } from '../detection/condition-tree.ts';
import { entryOf, listed, type YamlMap, type YamlValue } from '../yaml/yaml-value.ts';
import { type LintedDocument, scalarsOf, textIn } from './lint-context.ts';
import { found, type LintFinding } from './lint-sentences.ts';

// Conditions and the search identifiers that they name.

const NO_SELECTION = new Set(['condition', 'timeframe', 'rules']);

/** The map under `detection`, or under `filter`; undefined for a correlation. */
export function detectionMap({ map }: LintedDocument): YamlMap | undefined {
  const value = (entryOf(map, 'detection') ?? entryOf(map, 'filter'))?.value;
  return value?.kind === 'map' ? value : undefined;
}

/** The search identifiers of a detection. */
export const selectionsOf = (detection: YamlMap) =>
  detection.entries.filter(({ key }) => !NO_SELECTION.has(key));

/** Checks of conditions. */
export function lintConditions(document: LintedDocument): readonly LintFinding[] {
  const detection = detectionMap(document);
  if (!detection) return [];
  const names = selectionsOf(detection).map(({ key }) => key);
  const condition = entryOf(detection, 'condition');
  const timeframe = entryOf(detection, 'timeframe');
  const texts = scalarsOf(condition?.value);
  return [
    ...(timeframe ? [found('timeframe', timeframe.keySpan)] : []),
    ...(condition && listed(condition.value).length > 1 ? [found('conditionList', condition.keySpan)] : []),
    ...texts.flatMap((value) => quantifierFindings(textIn(value), value.span, names)),
    ...sameFindings(detection),
    ...treeFindings(document, detection, condition?.value.span ?? detection.span),
  ];
}

const QUANTIFIED = /\b(1|any|all)\s+of\s+([^\s()|]+)/gi;

function quantifierFindings(text: string, span: Span, names: readonly string[]): readonly LintFinding[] {
  return [...text.matchAll(QUANTIFIED)].flatMap(([whole, word = '', pattern = '']) => {
    if (pattern.toLowerCase() === 'them') {
      const own = names.filter((name) => !name.startsWith('_'));
      if (own.length === 1) return [found('themWithOne', span, { text: whole })];
      return word.toLowerCase() === 'all' ? [found('allOfThem', span)] : [];
    }
    const like = new RegExp(`^${pattern.split('*').map(quoted).join('.*')}$`);
    const count = names.filter((name) => like.test(name)).length;
    // Filters are named so by custom, also one alone.
    return count === 1 && !pattern.startsWith('filter_') ? [found('patternWithOne', span, { pattern })] : [];
  });
}

const quoted = (text: string): string => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');

/** A value without its place. */
function plain(value: YamlValue): unknown {
  if (value.kind === 'scalar') return value.value;
  if (value.kind === 'list') return value.items.map(plain);
  return value.entries.map(({ key, value: inner }) => [key, plain(inner)]);
}

function sameFindings(detection: YamlMap): readonly LintFinding[] {
  const seen = new Map<string, string>();
  return selectionsOf(detection).flatMap(({ key, keySpan, value }) => {
    const text = JSON.stringify(plain(value));
    const other = seen.get(text);
    if (other === undefined) seen.set(text, key);
    return other === undefined ? [] : [found('sameSelections', keySpan, { name: key, other })];
  });
}

function treeFindings({ read }: LintedDocument, detection: YamlMap, span: Span): readonly LintFinding[] {
  if (!read.ok || read.document.kind === 'correlation') return [];
  const { conditions, kind } = read.document;
  const named = new Set(conditions.flatMap(namesIn));
  const unused = selectionsOf(detection)
    .filter(({ key }) => !named.has(key) && !key.startsWith('_'))
    .map(({ key, keySpan }) => found('selectionUnused', keySpan, { name: key }));
  const clashes = conditions.flatMap((condition) => clashesIn(condition, span));
  // A filter is there to exclude.
  const isNegated = kind === 'rule' && conditions.some(isOnlyNegated);
  return [...unused, ...clashes, ...(isNegated ? [found('negatedOnly', span)] : [])];
}

const namesIn = (condition: Condition): readonly string[] => {
  if (condition.kind === 'identifier') return [condition.name];
  return condition.kind === 'not' ? namesIn(condition.part) : condition.parts.flatMap(namesIn);
};

/** Whether nothing has to match. */
function isOnlyNegated(condition: Condition): boolean {
  if (condition.kind === 'identifier') return false;
  if (condition.kind === 'not') return true;
  return condition.kind === 'and'
    ? condition.parts.every(isOnlyNegated)
    : condition.parts.some(isOnlyNegated);
}

/** What has to match in each event that a condition finds, and what must not, as far as names tell. */
function demandsOf(
  condition: Condition,
  of: 'and' | 'or',
): { readonly yes: Set<string>; readonly no: Set<string> } {
  const [yes, no] = [new Set<string>(), new Set<string>()];
  const visit = (one: Condition, negated: boolean): void => {
    if (one.kind === 'identifier') (negated ? no : yes).add(one.name);
    else if (one.kind === 'not') visit(one.part, !negated);
    // Under `not` the two change places.
    else if ((one.kind === of) !== negated) for (const part of one.parts) visit(part, negated);
  };
  visit(condition, false);
  return { yes, no };
}

function clashesIn(condition: Condition, span: Span): readonly LintFinding[] {
  const both = (of: 'and' | 'or'): readonly string[] => {
    const { yes, no } = demandsOf(condition, of);
    return [...yes].filter((name) => no.has(name));
  };
  const inner =
    condition.kind === 'and' || condition.kind === 'or'
      ? condition.parts.filter(({ kind }) => kind !== condition.kind).flatMap((part) => clashesIn(part, span))
      : condition.kind === 'not'
        ? clashesIn(condition.part, span)
        : [];
  return [
    ...both('and').map((name) => found('contradiction', span, { name })),
    ...both('or').map((name) => found('alwaysTrue', span, { name })),
    ...inner,
  ];
}
