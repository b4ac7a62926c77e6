import type { QueryResult } from '../../search/query-service.ts';
import type { LiteralPart } from './literal-cover.ts';
import { type Chosen, type Literal, type ProbedText, rarest, visitLiterals } from './literal-need.ts';
import { type LiteralProbe, literalProbes } from './literal-probe.ts';
import { fieldPath, type PresentFields } from './present-fields.ts';

// What a pass over a window tells of rules: of each rule, by scope, the literals that the fewest events of this very window
// hold. No estimate of how common a literal is can be nearer than that, or be out of date.

/** How often the literals are in the events of a window. */
export interface LiteralsSeen {
  /** The rarest literals that a rule needs in a scope. No hits: no event there can be one of the rule. */
  chosen(cover: readonly LiteralPart[], scopeId: string): Chosen;
}

/** Passes that are kept, each for a set of covers. */
const PASSES_KEPT = 64;

/** Makes the passes for sets of covers, and keeps those that were asked for last. */
export function keepLiteralProbes(): (
  covers: readonly { readonly id: string; readonly literals: readonly LiteralPart[] }[],
  present: PresentFields,
) => readonly LiteralProbe[] {
  const kept = new Map<string, readonly LiteralProbe[]>();
  return (covers, present) => {
    const ids = covers.map(({ id }) => id).sort();
    const key = `${ids.join()} ${[...present.paths].sort().join()}`;
    const known = kept.get(key) ?? literalProbes(literalsOf(covers, present));
    kept.delete(key);
    kept.set(key, known);
    for (const oldest of kept.keys()) {
      if (kept.size <= PASSES_KEPT) break;
      kept.delete(oldest);
    }
    return known;
  };
}

/** The literals of covers, but for those of fields that no event has. */
function literalsOf(
  covers: readonly { readonly literals: readonly LiteralPart[] }[],
  present: PresentFields,
): readonly Literal[] {
  const found = new Map<string, Literal>();
  const isThere = new Map<string, boolean>();
  const visit = (literal: Literal): void => {
    const { text } = literal;
    const there = isThere.get(text.key) ?? mayBeThere(text, present);
    isThere.set(text.key, there);
    if (there) found.set(literal.key, literal);
  };
  for (const { literals } of covers) for (const { need } of literals) visitLiterals(need, visit);
  return [...found.values()];
}

/** Whether the text may be any other than the empty one. */
function mayBeThere({ expression, columns }: ProbedText, present: PresentFields): boolean {
  const [inner] = expression.kind === 'call' && expression.fn === 'tostring' ? expression.args : [];
  const path = inner ? fieldPath(inner, new Map(columns.map((column) => [column.id, column]))) : null;
  return path === null || present.has(path);
}

/** Runs the passes and reads their rows. */
export async function literalsSeen(
  probes: readonly LiteralProbe[],
  run: (probe: LiteralProbe) => Promise<Pick<QueryResult, 'rows'>>,
): Promise<LiteralsSeen> {
  /** By scope, then literal, then stream. */
  const hits = new Map<string, Map<string, Map<string, number>>>();
  for (const probe of probes) {
    const { rows } = await run(probe);
    for (const [scope, stream, ...found] of rows) {
      const ofScope = hits.get(String(scope)) ?? new Map<string, Map<string, number>>();
      hits.set(String(scope), ofScope);
      for (const [at, list] of probe.lists.entries())
        for (const [number, events] of foundOf(found[at], list.isWhole)) {
          const key = list.literals[number - 1]?.key;
          if (key === undefined) continue;
          const ofLiteral = ofScope.get(key) ?? new Map<string, number>();
          ofScope.set(key, ofLiteral.set(String(stream), events));
        }
    }
  }
  return {
    chosen: (cover, scopeId) => {
      const ofScope = hits.get(scopeId);
      const found = cover.map(({ need, streams }) =>
        rarest(need, ({ key }) => sumOf(ofScope?.get(key), streams)),
      );
      return {
        literals: found.flatMap(({ literals }) => literals),
        hits: found.reduce((sum, each) => sum + each.hits, 0),
      };
    },
  };
}

/** A whole text is not counted. It tells little where it says of what kind an event is, so it is thought to be in many. */
const UNCOUNTED = 1_000;

/** Numbers of literals, and how many events hold each. */
function foundOf(value: unknown, isWhole: boolean): readonly (readonly [number: number, events: number])[] {
  if (!Array.isArray(value)) return [];
  if (isWhole) return value.map((number) => [Number(number), UNCOUNTED]);
  const [numbers, counts]: readonly unknown[] = value;
  if (!Array.isArray(numbers) || !Array.isArray(counts)) return [];
  return numbers.map((number, at) => [Number(number), Number(counts[at])]);
}

function sumOf(counts: ReadonlyMap<string, number> | undefined, streams: readonly string[] | null): number {
  if (!counts) return 0;
  let sum = 0;
  if (streams === null) for (const count of counts.values()) sum += count;
  else for (const stream of streams) sum += counts.get(stream) ?? 0;
  return sum;
}
