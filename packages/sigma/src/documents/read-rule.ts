import type { Condition } from '../detection/condition-tree.ts';
import type { Detection } from '../detection/detection-tree.ts';
import { readCondition } from '../detection/read-condition.ts';
import { readDetection, type TestCount } from '../detection/read-detection.ts';
import type { RuleReference, SigmaFilter, SigmaRule } from '../sigma-document.ts';
import { faults, refuse } from '../sigma-faults.ts';
import { entryOf, listed, type YamlMap } from '../yaml/yaml-value.ts';
import { mapAt, readHead, readLogSource } from './read-head.ts';

/** Keys of a detection that are no search identifiers. `timeframe` belonged to the aggregations of Sigma 1. */
const NO_IDENTIFIERS = new Set(['condition', 'timeframe']);

interface Selections {
  readonly detections: ReadonlyMap<string, Detection>;
  readonly conditions: readonly Condition[];
}

/** Search identifiers and conditions of the map under `detection`, or under `filter`. */
function readSelections(map: YamlMap, besides: ReadonlySet<string>): Selections {
  const count: TestCount = { tests: 0 };
  const detections = new Map<string, Detection>();
  for (const { key, value } of map.entries)
    if (!besides.has(key)) detections.set(key, readDetection(key, value, count));
  if (detections.size === 0) refuse(faults.missing(map.span, 'search identifier'));
  const entry = entryOf(map, 'condition');
  if (!entry) return refuse(faults.missing(map.span, 'condition'));
  const names = new Set(detections.keys());
  const named = { named: 0 };
  const conditions = listed(entry.value).map((value): Condition => {
    if (value.kind !== 'scalar' || typeof value.value !== 'string')
      return refuse(faults.wrongType(value.span, 'condition', 'a text'));
    return readCondition(value.value, value.span, names, named);
  });
  if (conditions.length === 0) refuse(faults.missing(entry.keySpan, 'condition'));
  return { detections, conditions };
}

/** A rule. Throws SigmaFailure. */
export function readRule(document: YamlMap): SigmaRule {
  const head = readHead(document);
  return {
    ...head,
    kind: 'rule',
    logSource: readLogSource(document),
    logSourceSpan: entryOf(document, 'logsource')?.value.span ?? document.span,
    ...readSelections(mapAt(document, 'detection'), NO_IDENTIFIERS),
  };
}

/** The rules that a correlation or a filter names. */
export function readReferences(map: YamlMap): readonly RuleReference[] {
  const entry = entryOf(map, 'rules');
  if (!entry) return refuse(faults.missing(map.span, 'rules'));
  return listed(entry.value).map((value): RuleReference => {
    if (value.kind !== 'scalar' || value.value === null)
      return refuse(faults.wrongType(value.span, 'rules', 'a list of ids or names'));
    return { name: typeof value.value === 'string' ? value.value : value.text, span: value.span };
  });
}

const NO_FILTER_IDENTIFIERS = new Set([...NO_IDENTIFIERS, 'rules']);

/** A filter (filters specification 2.1). Without rules, or with `any`, it holds for every rule of its log source. */
export function readFilter(document: YamlMap): SigmaFilter {
  const head = readHead(document);
  const map = mapAt(document, 'filter');
  const references = entryOf(map, 'rules') ? readReferences(map) : [];
  const isAny = references.length === 0 || references.some(({ name }) => name.toLowerCase() === 'any');
  return {
    ...head,
    kind: 'filter',
    logSource: readLogSource(document),
    rules: isAny ? null : references,
    ...readSelections(map, NO_FILTER_IDENTIFIERS),
  };
}
