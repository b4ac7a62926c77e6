import type { Scalar, Scan } from '@tyrian/plan';
import type { CoverPart } from '../rule-cover.ts';
import { needOf } from './condition-needs.ts';
import type { Need } from './literal-need.ts';
import { type PresentFields, withPresentFields } from './present-fields.ts';
import { sparing } from './sparing-need.ts';

// What the events are like that a rule can be about, told by the texts they hold and the streams they are in.

/** One scan of a rule: no event can pass it that is of another stream, or does not meet the need. */
export interface LiteralPart {
  /** Null for all. */
  readonly streams: readonly string[] | null;
  readonly need: Need;
}

/** The same where events have these fields alone: parts that ask for others may be left out, or can never be met. */
export const literalCoverAmong = (
  parts: readonly CoverPart[],
  present: PresentFields,
): readonly LiteralPart[] | null =>
  literalCoverOf(
    parts.map(({ scan, condition }) => {
      const columns = new Map(scan.columns.map((column) => [column.id, column]));
      return { scan, condition: withPresentFields(condition, columns, present) };
    }),
  );

/** The literals of a cover; null when some part of it may be met by events without any that are known. */
export function literalCoverOf(parts: readonly CoverPart[]): readonly LiteralPart[] | null {
  const found: LiteralPart[] = [];
  for (const { scan, condition } of parts) {
    const isNever = condition.kind === 'constant' && condition.value === false;
    const need: Need | null = isNever
      ? { kind: 'literals', literals: [] }
      : needOf(condition, new Map(scan.columns.map((column) => [column.id, column])));
    if (!need) return null;
    found.push({ streams: streamsOf(scan, condition), need: sparing(need) });
  }
  return found;
}

/** The streams that a condition of its own narrows a scan to. */
function streamsOf(scan: Scan, condition: Scalar): readonly string[] | null {
  if (scan.stream !== null) return [scan.stream];
  const id = scan.columns.find(({ source }) => source.kind === 'column' && source.name === 'Stream')?.id;
  const conditions = condition.kind === 'call' && condition.fn === 'and' ? condition.args : [condition];
  for (const one of conditions) {
    if (one.kind !== 'call' || (one.fn !== 'equal' && one.fn !== 'in')) continue;
    const [column, ...values] = one.args;
    if (column?.kind !== 'column' || column.id !== id) continue;
    const names = values.flatMap((value) => (value.kind === 'constant' ? [String(value.value)] : []));
    if (names.length === values.length) return names;
  }
  return null;
}
