import type { Condition } from '../detection/condition-tree.ts';
import type { Detection, DetectionItem } from '../detection/detection-tree.ts';
import type { MatchValue } from '../detection/match-value.ts';
import { entryOf } from '../yaml/yaml-value.ts';
import { type LintedDocument, scalarsOf, textIn } from './lint-context.ts';
import { found, type LintFinding } from './lint-sentences.ts';
import { itemsOf, keywordsOf } from './lint-values.ts';

// What a rule costs: thousands of rules are affordable because a rule is asked only where a text that it needs stands in the
// events at all. A rule that needs none is asked always.

/** Characters of a text that tells events apart. */
const TELLING = 3;

function isTelling(value: MatchValue): boolean {
  switch (value.kind) {
    case 'text':
      return value.parts.some((part) => typeof part === 'string' && part.trim().length >= TELLING);
    case 'number':
      return value.text.length >= TELLING;
    case 'regex':
      return longestRun(value.pattern) >= TELLING;
    case 'network':
      return Number(value.cidr.split('/')[1]) === (value.version === 4 ? 32 : 128);
    default:
      return false;
  }
}

/** The longest text that every match of an expression holds, as far as it is plain to see; 0 for alternatives. */
function longestRun(pattern: string): number {
  if (/[|]/.test(pattern)) return 0;
  const plain = pattern
    .replace(/^\(\?[ims]+\)/, '')
    .replace(/\[[^\]]*\]|\((?:[^()]|\\.)*\)|\\[dDwWsSbB]/g, '\0')
    .replace(/.(?:[*?]|\{0)/g, '\0')
    .replace(/\{[^}]*\}/g, '\0')
    .replace(/\\(.)/g, '$1');
  return Math.max(0, ...plain.split(/[\0.+^$]/).map((run) => run.length));
}

/** Of the forms that a value is looked for in, each holds a text that has to be there. */
const areTelling = (forms: readonly MatchValue[]): boolean => forms.every(isTelling);

const itemTells = ({ values, all, negated }: DetectionItem): boolean =>
  !negated && (all ? values.some(areTelling) : values.every(areTelling));

function detectionTells(detection: Detection): boolean {
  if (detection.kind === 'item') return itemTells(detection);
  return detection.kind === 'and'
    ? detection.parts.some(detectionTells)
    : detection.parts.every(detectionTells);
}

function conditionTells(condition: Condition, detections: ReadonlyMap<string, Detection>): boolean {
  switch (condition.kind) {
    case 'identifier': {
      const detection = detections.get(condition.name);
      return detection !== undefined && detectionTells(detection);
    }
    case 'not':
      return false;
    case 'and':
      return condition.parts.some((part) => conditionTells(part, detections));
    case 'or':
      return condition.parts.every((part) => conditionTells(part, detections));
  }
}

const MANY =
  /\b(?:multiple|many|excessive|brute[- ]?forc\w*|spray\w*|flood\w*|repeated|several|mass|burst)\b/i;

/** Checks of what a rule costs, and of what it would find. */
export function lintCost(document: LintedDocument): readonly LintFinding[] {
  const { map, read } = document;
  if (!read.ok || read.document.kind !== 'rule') return [];
  const { conditions, detections } = read.document;
  const condition = entryOf(map, 'detection')?.value;
  const span =
    (condition?.kind === 'map' ? entryOf(condition, 'condition')?.value.span : undefined) ?? map.span;
  const [title] = scalarsOf(entryOf(map, 'title')?.value);
  const [keyword] = keywordsOf(document);
  return [
    ...(conditions.every((one) => conditionTells(one, detections)) ? [] : [found('noLiteral', span)]),
    ...(title && MANY.test(textIn(title)) && isLogonRule(document)
      ? [found('wantsThreshold', title.span)]
      : []),
    ...(keyword && itemsOf(document).length === 0 ? [found('keywordsAlone', keyword.span)] : []),
  ];
}

/** Rules over what happens all day, of which only many are odd. */
const isLogonRule = (document: LintedDocument): boolean =>
  itemsOf(document).some(({ field, values }) =>
    values.some(
      (value) =>
        (field === 'EventID' && /^(?:4624|4625|4768|4769|4771|4776)$/.test(textIn(value))) ||
        /fail|denied|invalid/i.test(textIn(value)),
    ),
  );
