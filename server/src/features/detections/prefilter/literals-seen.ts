import type { QueryResult } from '../../search/query-service.ts';
import { type EventsAlike, eventsAlike } from './events-alike.ts';
import type { LiteralPart } from './literal-cover.ts';
import {
  type Chosen,
  type Literal,
  type Need,
  type ProbedText,
  rarest,
  visitLiterals,
} from './literal-need.ts';
import { type LiteralProbe, literalProbes } from './literal-probe.ts';
import { fieldPath, type PresentFields } from './present-fields.ts';

// What passes over a window tell of rules: of each rule, by scope, whether one event of this very window holds what it needs,
// and the literals that the fewest events hold. No estimate of how common a literal is can be nearer, or be out of date.

/** The literals that are chosen, and the marks of all events that may be of the rule; null when these are too many. */
export interface Held extends Chosen {
  readonly marks: readonly number[] | null;
}

/** How often the literals are in the events of a window. */
export interface LiteralsSeen {
  /** The rarest literals that a rule needs in a scope, and which events may be of it. No hits: none can be. */
  chosen(cover: readonly LiteralPart[], scopeId: string): Held;
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
    const key = `${ids.join()} ${pathsOf(present).join()}`;
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

const pathsOf = ({ values }: PresentFields): readonly string[] => values.map(({ path }) => path).sort();

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

/** So many events are asked about by their marks; more by what they hold. */
const MOST_TOLD_APART = 20_000;

/** Groups of events that one pass tells; more are not read. */
export const MOST_GROUPS = 200_000;

/** What the passes tell of one scope and stream, pass by pass. */
type OfStream = readonly EventsAlike[];
/** By scope, then stream. */
type Seen = Map<string, Map<string, OfStream>>;

/** Runs the passes and reads their rows. Throws when events are of too many kinds to be told apart. */
export async function literalsSeen(
  probes: readonly LiteralProbe[],
  run: (probe: LiteralProbe) => Promise<Pick<QueryResult, 'rows' | 'truncated'>>,
): Promise<LiteralsSeen> {
  const seen: Seen = new Map();
  const told = probes.map(({ literals }) => new Set(literals.map(({ key }) => key)));
  const streamOf = (scope: string, stream: string): OfStream => {
    const streams = seen.get(scope) ?? new Map<string, OfStream>();
    seen.set(scope, streams);
    const known = streams.get(stream) ?? told.map((keys) => eventsAlike(({ key }) => keys.has(key)));
    streams.set(stream, known);
    return known;
  };
  for (const [pass, probe] of probes.entries()) {
    const { rows, truncated } = await run(probe);
    if (truncated) throw new Error('the events of the window are of too many kinds');
    for (const [scope, stream, held, events, marks] of rows) {
      const numbers = JSON.parse(String(held)) as number[];
      const keys = numbers.flatMap((number) => probe.literals[number - 1]?.key ?? []);
      const group = streamOf(String(scope), String(stream))[pass];
      group?.add(keys, Number(events), JSON.parse(String(marks)) as number[]);
    }
  }
  return {
    chosen: (cover, scopeId) => {
      const found = cover.map((part) => chosenIn(part, seen.get(scopeId)));
      return {
        literals: found.flatMap(({ literals }) => literals),
        hits: found.reduce((sum, each) => sum + each.hits, 0),
        marks: allMarks(found.map(({ marks }) => marks)),
      };
    },
  };
}

/** The streams that a part of a cover is about. */
function streamsOf(
  { streams }: LiteralPart,
  seen: ReadonlyMap<string, OfStream> | undefined,
): readonly OfStream[] {
  if (!seen) return [];
  if (streams === null) return [...seen.values()];
  return streams.map((name) => seen.get(name)).filter((passes) => passes !== undefined);
}

function chosenIn(part: LiteralPart, seen: ReadonlyMap<string, OfStream> | undefined): Held {
  const streams = streamsOf(part, seen);
  const eventsWith = (literal: Literal) =>
    sumOver(streams, (passes) => sumOver(passes, (events) => events.eventsWith(literal)));
  const chosen = rarest(part.need, eventsWith);
  // Most have a literal that no event holds: they are out at once.
  if (chosen.hits === 0) return { ...chosen, marks: [] };
  const met = streams.map((passes) => eventsMeeting(part.need, passes));
  return {
    literals: chosen.literals,
    hits: sumOver(met, ({ hits }) => hits),
    marks: allMarks(met.map(({ marks }) => marks)),
  };
}

/** The events of a stream that may meet a need: those of the pass that says fewest. */
function eventsMeeting(need: Need, passes: OfStream): Pick<Held, 'hits' | 'marks'> {
  const isElsewhere = (literal: Literal) => passes.some((events) => events.has(literal));
  const counts = passes.map((events) => events.eventsMeeting(need, isElsewhere));
  const hits = Math.min(...counts);
  const fewest = passes[counts.indexOf(hits)];
  const isFew = hits <= MOST_TOLD_APART;
  return { hits, marks: (isFew && fewest?.marksMeeting(need, isElsewhere)) || null };
}

/** Marks of several, without repeats; null when one of these is not known, or they are too many. */
export function allMarks(some: readonly (readonly number[] | null)[]): readonly number[] | null {
  const [only] = some;
  if (some.length === 1 && only) return only.length <= MOST_TOLD_APART ? only : null;
  const all = new Set<number>();
  for (const marks of some) {
    if (!marks) return null;
    for (const mark of marks) all.add(mark);
  }
  return all.size <= MOST_TOLD_APART ? [...all] : null;
}

const sumOver = <T>(values: readonly T[], of: (value: T) => number): number =>
  values.reduce((sum, value) => sum + of(value), 0);
