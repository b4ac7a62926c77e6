import type { Diagnostic, Span } from '@tyrian/diagnostics';
import type { Condition } from './detection/condition-tree.ts';
import type { Detection } from './detection/detection-tree.ts';

// A document of Sigma 2.1 as data: a rule, a correlation of rules, or a filter over rules.

export const STATUSES = ['stable', 'test', 'experimental', 'deprecated', 'unsupported'] as const;
export const LEVELS = ['informational', 'low', 'medium', 'high', 'critical'] as const;
export type SigmaStatus = (typeof STATUSES)[number];
export type SigmaLevel = (typeof LEVELS)[number];

export interface LogSource {
  readonly product?: string;
  readonly category?: string;
  readonly service?: string;
  readonly definition?: string;
}

/** What every kind of document says of itself. */
export interface SigmaHead {
  readonly title: string;
  readonly id?: string;
  /** Other rules name this one so, in correlations and filters. */
  readonly name?: string;
  readonly status?: SigmaStatus;
  readonly level?: SigmaLevel;
  readonly description?: string;
  readonly author?: string;
  readonly license?: string;
  readonly date?: string;
  readonly modified?: string;
  readonly references: readonly string[];
  readonly falsepositives: readonly string[];
  readonly fields: readonly string[];
  readonly tags: readonly string[];
  /** Techniques of ATT&CK in the tags, e.g. `T1059.001`. */
  readonly techniques: readonly string[];
  /** Tactics of ATT&CK in the tags by their short names, e.g. `defense-evasion`. */
  readonly tactics: readonly string[];
  readonly span: Span;
  /** What is odd and does not keep the document from being used. */
  readonly remarks: readonly Diagnostic[];
}

export interface SigmaRule extends SigmaHead {
  readonly kind: 'rule';
  readonly logSource: LogSource;
  readonly logSourceSpan: Span;
  readonly detections: ReadonlyMap<string, Detection>;
  /** Several conditions are alternatives. */
  readonly conditions: readonly Condition[];
}

export const CORRELATION_TYPES = [
  'event_count',
  'value_count',
  'temporal',
  'temporal_ordered',
  'value_sum',
  'value_avg',
  'value_percentile',
] as const;
export type CorrelationType = (typeof CORRELATION_TYPES)[number];

export const BOUNDS = ['gt', 'gte', 'lt', 'lte', 'eq', 'neq'] as const;
export type Bound = (typeof BOUNDS)[number];

export interface SigmaCorrelation extends SigmaHead {
  readonly kind: 'correlation';
  readonly type: CorrelationType;
  /** Ids or names of rules and correlations. */
  readonly rules: readonly RuleReference[];
  readonly groupBy: readonly string[];
  readonly timespanMs: number;
  /** All of them hold; empty for temporal correlations without one. */
  readonly bounds: readonly { readonly bound: Bound; readonly value: number }[];
  /** Whose values are counted or added. */
  readonly field: string | null;
  /** 0 to 100; of `value_percentile`. */
  readonly percentile: number | null;
  /** The field of each rule that an alias stands for, by the rule's name or id. */
  readonly aliases: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Whether the rules that are referred to raise signals of their own. */
  readonly generate: boolean;
  readonly typeSpan: Span;
}

export interface RuleReference {
  readonly name: string;
  readonly span: Span;
}

export interface SigmaFilter extends SigmaHead {
  readonly kind: 'filter';
  readonly logSource: LogSource;
  /** The rules that it applies to; null for every rule of its log source. */
  readonly rules: readonly RuleReference[] | null;
  readonly detections: ReadonlyMap<string, Detection>;
  readonly conditions: readonly Condition[];
}

export type SigmaDocument = SigmaRule | SigmaCorrelation | SigmaFilter;
