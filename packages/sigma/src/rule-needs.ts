import type { MappedField, SigmaReach } from './compile/compile-rule.ts';
import { type FieldSource, isSourceHere } from './mapping/field-source.ts';

// What a rule needs of a tenant: kept beside a compiled rule, it tells the verdict again without its text.

export interface RuleNeeds {
  /** Null: any stream. */
  readonly streams: readonly string[] | null;
  readonly fields: readonly Pick<MappedField, 'field' | 'sources'>[];
}

export interface UnmetNeeds {
  /** Streams of the rule when none of them holds events, or `Events` when no stream does. */
  readonly streams: readonly string[];
  /** Fields that no event has. */
  readonly fields: readonly string[];
}

const isMissing = (sources: readonly FieldSource[], reach: SigmaReach): boolean =>
  !sources.some((source) => isSourceHere(source, reach));

/** What a tenant lacks of what a rule needs; both lists are empty when nothing. */
export function unmetNeeds({ streams, fields }: RuleNeeds, reach: SigmaReach): UnmetNeeds {
  const { streams: there } = reach;
  const isSilent =
    there !== undefined &&
    (streams === null ? there.size === 0 : !streams.some((stream) => there.has(stream)));
  return {
    streams: isSilent ? (streams ?? ['Events']) : [],
    fields: fields.filter(({ sources }) => isMissing(sources, reach)).map(({ field }) => field),
  };
}
