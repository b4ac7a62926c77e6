import type { Plan, PlanNode, Scalar } from '@tyrian/plan';
import type { Condition } from '../detection/condition-tree.ts';
import type { Detection, DetectionItem } from '../detection/detection-tree.ts';
import type { MatchValue } from '../detection/match-value.ts';
import { type FieldSource, isSourceHere, type StoredFields } from '../mapping/field-source.ts';
import { resolveField } from '../mapping/resolve-field.ts';
import type { LogSourceMapping } from '../mapping/source-condition.ts';
import type { SigmaFilter, SigmaRule } from '../sigma-document.ts';
import { faults, refuse } from '../sigma-faults.ts';
import { logSourceEvents, showEvents } from './event-scan.ts';
import { fillLists, type ValueLists } from './fill-lists.ts';
import { allOf, anyOf, not, withShortChains } from './logic.ts';
import { allAbsent, anyValueTest, emptyTests, fieldTests } from './value-tests.ts';

// A rule to a plan: the events of its log source, filtered by its condition.
//
//   rule ──log source──► table and what tells its events ──fields──► sources ──values──► tests ──condition──► Plan

/** What a tenant has; what is absent is not asked about. */
export interface SigmaReach extends StoredFields {
  /** Streams that hold events. */
  readonly streams?: ReadonlySet<string>;
  /** Values of `expand`, by the name of their list. */
  readonly lists?: ValueLists;
}

/** A field of the rule, what it is read from, and which table said so. */
export interface MappedField {
  readonly field: string;
  readonly table: string;
  /** As they are written in KQL. */
  readonly sources: readonly FieldSource[];
  /** None of the sources is there in the tenant. */
  readonly isMissing: boolean;
}

export interface CompiledRule {
  readonly plan: Plan;
  /** The id of the mapping of the log source. */
  readonly mapping: string;
  /** Streams that are read; null for all. */
  readonly streams: readonly string[] | null;
  readonly fields: readonly MappedField[];
}

/** Tests of one plan; the engine reads no longer text. */
const MOST_PLAN_TESTS = 20_000;
/** Texts and wildcards of one value, in turns; the engine compiles no longer pattern. */
const MOST_PARTS = 1_000;

/** Compiles a rule with the filters that hold for it. Throws SigmaFailure. */
export function compileRule(
  rule: SigmaRule,
  mapping: LogSourceMapping,
  filters: readonly SigmaFilter[],
  reach: SigmaReach,
): CompiledRule {
  const compiler = new RuleCompiler(rule, mapping, reach);
  const selected = compiler.selected(rule.detections, rule.conditions);
  const kept = filters.map((filter) => compiler.selected(filter.detections, filter.conditions));
  const { node } = logSourceEvents(mapping);
  const filtered: PlanNode = {
    kind: 'filter',
    input: node,
    predicate: withShortChains(allOf([selected, ...kept])),
  };
  return {
    plan: showEvents(filtered),
    mapping: mapping.id,
    streams: mapping.streams,
    fields: [...compiler.fields.values()],
  };
}

/** The sources of a field that is named outside of a detection, as in a correlation. */
export const fieldSources = (field: string, mapping: LogSourceMapping): readonly FieldSource[] =>
  resolveField(field, mapping).sources;

class RuleCompiler {
  readonly fields = new Map<string, MappedField>();
  readonly #rule: SigmaRule;
  readonly #mapping: LogSourceMapping;
  readonly #reach: SigmaReach;
  #tests = 0;

  constructor(rule: SigmaRule, mapping: LogSourceMapping, reach: SigmaReach) {
    this.#rule = rule;
    this.#mapping = mapping;
    this.#reach = reach;
  }

  selected(detections: ReadonlyMap<string, Detection>, conditions: readonly Condition[]): Scalar {
    return anyOf(conditions.map((condition) => this.#condition(condition, detections)));
  }

  #condition(condition: Condition, detections: ReadonlyMap<string, Detection>): Scalar {
    switch (condition.kind) {
      case 'identifier': {
        const detection = detections.get(condition.name);
        if (!detection) return refuse(faults.unknownIdentifier(condition.span, condition.name));
        return this.#detection(detection);
      }
      case 'not':
        return not(this.#condition(condition.part, detections));
      case 'and':
        return allOf(condition.parts.map((part) => this.#condition(part, detections)));
      case 'or':
        return anyOf(condition.parts.map((part) => this.#condition(part, detections)));
    }
  }

  #detection(detection: Detection): Scalar {
    switch (detection.kind) {
      case 'and':
        return allOf(detection.parts.map((part) => this.#detection(part)));
      case 'or':
        return anyOf(detection.parts.map((part) => this.#detection(part)));
      case 'item':
        return this.#item(detection);
    }
  }

  #item(item: DetectionItem): Scalar {
    const sources = item.field === null ? [RAW] : this.#sources(item.field);
    const lists = this.#reach.lists ?? new Map();
    const values = item.values.map((variants) => variants.flatMap((value) => fillLists(value, lists)));
    const found = item.all
      ? allOf(values.map((variants) => this.#any(sources, variants)))
      : this.#any(sources, values.flat());
    return item.negated ? not(found) : found;
  }

  #any(sources: readonly FieldSource[], values: readonly MatchValue[]): Scalar {
    this.#tests += sources.length * values.length;
    if (this.#tests > MOST_PLAN_TESTS) refuse(faults.tooManyTests(this.#rule.span, MOST_PLAN_TESTS));
    for (const value of values)
      if (value.kind === 'text' && value.parts.length > MOST_PARTS)
        refuse(faults.tooManyWildcards(value.span, MOST_PARTS / 2));
    const asks = (value: MatchValue): boolean =>
      value.kind === 'null' || value.kind === 'exists' || isEmptyText(value);
    const plain = values.filter((value) => !asks(value) && value.kind !== 'field');
    const presence = values.filter(asks).flatMap((value): readonly Scalar[] => {
      if (value.kind === 'text') return emptyTests(sources);
      const absent = allAbsent(sources);
      return [value.kind === 'exists' && value.exists ? not(absent) : absent];
    });
    const references = values.flatMap((value) =>
      value.kind === 'field' ? fieldTests(sources, this.#sources(value.field), value) : [],
    );
    const lists = this.#mapping.product !== 'windows';
    const tests = plain.length === 0 ? [] : sources.flatMap((source) => anyValueTest(source, plain, lists));
    return anyOf([...tests, ...presence, ...references]);
  }

  /** Where a field is read. Sources that the tenant lacks are left out, as long as one stays. */
  #sources(field: string): readonly FieldSource[] {
    const { table, sources } = resolveField(field, this.#mapping);
    const here = sources.filter((source) => isSourceHere(source, this.#reach));
    this.fields.set(field, { field, table, sources, isMissing: here.length === 0 });
    return here.length === 0 ? sources : here;
  }
}

const RAW: FieldSource = { kind: 'raw' };

const isEmptyText = (value: MatchValue): boolean => value.kind === 'text' && value.parts.length === 0;
