import type { RuleVerdictName } from '@tyrian/contract';
import {
  fieldSourceText,
  type MappedField,
  MISSING_FIELD,
  MISSING_SOURCE,
  parseFieldSource,
  type SigmaReach,
  unmetNeeds,
} from '@tyrian/sigma';

// What is kept of a rule beside what lists show, as JSON; and the verdict that follows from it for a tenant.

export interface StoredField {
  readonly field: string;
  readonly table: string;
  /** As data writes them. */
  readonly sources: readonly string[];
}

export interface RuleAbout {
  readonly description: string;
  readonly authors: string;
  readonly licence: string;
  readonly references: readonly string[];
  readonly falsepositives: readonly string[];
  readonly tags: readonly string[];
  readonly mapping: string | null;
  readonly fields: readonly StoredField[];
  /** The window of a correlation; null for a rule that looks at one event alone. */
  readonly timespanMs: number | null;
  /** How many fields a correlation groups by. */
  readonly groups: number;
  /** Why it does not compile, in English; empty when it does. */
  readonly reason: string;
  readonly span: { readonly start: number; readonly end: number } | null;
}

export const storedFields = (fields: readonly MappedField[]): readonly StoredField[] =>
  fields.map(({ field, table, sources }) => ({ field, table, sources: sources.map(fieldSourceText) }));

export interface Judged {
  readonly verdict: RuleVerdictName;
  readonly reasonCode: string | null;
}

/** What a tenant lacks of what a rule reads. */
export const lackedBy = (
  streams: readonly string[] | null,
  fields: readonly StoredField[],
  reach: SigmaReach,
) =>
  unmetNeeds(
    {
      streams,
      fields: fields.map(({ field, sources }) => ({ field, sources: sources.map(parseFieldSource) })),
    },
    reach,
  );

/** The verdict for a tenant; what the text itself is at fault for stays. */
export function judgedFor(
  rule: Judged & {
    readonly kind: string;
    readonly streams: readonly string[] | null;
    readonly about: Pick<RuleAbout, 'fields' | 'reason'>;
  },
  reach: SigmaReach,
): Judged {
  const { verdict, reasonCode, about } = rule;
  if (about.reason !== '' || rule.kind === 'filter') return { verdict, reasonCode };
  const lacked = lackedBy(rule.streams, about.fields, reach);
  if (lacked.streams.length > 0) return { verdict: 'missing source', reasonCode: MISSING_SOURCE };
  if (lacked.fields.length > 0) return { verdict: 'missing field', reasonCode: MISSING_FIELD };
  return { verdict: 'runs', reasonCode: null };
}
