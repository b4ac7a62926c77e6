import type { Scalar, ScanColumn } from '@tyrian/plan';

// What an event must hold for a condition to be true, as far as texts tell.

/** A text of an event, as the rule computes it from columns of its scan. */
export interface ProbedText {
  /** Equal for equal texts of any rules. */
  readonly key: string;
  readonly expression: Scalar;
  readonly columns: readonly ScanColumn[];
}

export interface Literal {
  readonly text: ProbedText;
  /** It is the whole text, and not only within it. */
  readonly isWhole: boolean;
  /** In lower case. */
  readonly value: string;
  /** Equal for equal literals of any rules. */
  readonly key: string;
}

export type Need =
  /** One of them is there. */
  | { readonly kind: 'literals'; readonly literals: readonly Literal[] }
  | { readonly kind: 'all'; readonly needs: readonly Need[] }
  | { readonly kind: 'one-of'; readonly needs: readonly Need[] };

/** Each of them must be met; those that are not known ask for nothing. */
export function allNeeds(needs: readonly (Need | null)[]): Need | null {
  const known = needs.flatMap((need) => (need?.kind === 'all' ? need.needs : (need ?? [])));
  const [only] = known;
  return known.length > 1 ? { kind: 'all', needs: known } : (only ?? null);
}

/** One of them must be met; one that is not known may always be. */
export function oneOfNeeds(needs: readonly (Need | null)[]): Need | null {
  const known = needs.flatMap((need) => (need ? [need] : []));
  const [only] = known;
  if (known.length < needs.length || !only) return null;
  if (known.length === 1) return only;
  const plain = known.flatMap((need) => (need.kind === 'literals' ? need.literals : []));
  const others = known.filter((need) => need.kind !== 'literals');
  if (others.length === 0) return { kind: 'literals', literals: plain };
  const all: Need[] = plain.length > 0 ? [{ kind: 'literals', literals: plain }, ...others] : others;
  return { kind: 'one-of', needs: all };
}

/** Literals of which one is in every event that meets a need, and how many times the events of a window hold one. */
export interface Chosen {
  readonly literals: readonly Literal[];
  readonly hits: number;
}

/** The literals that the fewest events hold, by how many hold each. */
export function rarest(need: Need, hitsOf: (literal: Literal) => number): Chosen {
  if (need.kind === 'literals') {
    const hits = need.literals.reduce((sum, literal) => sum + hitsOf(literal), 0);
    return { literals: need.literals, hits };
  }
  const chosen = need.needs.map((each) => rarest(each, hitsOf));
  if (need.kind === 'all') return chosen.reduce((one, other) => (other.hits < one.hits ? other : one));
  return {
    literals: chosen.flatMap(({ literals }) => literals),
    hits: chosen.reduce((sum, { hits }) => sum + hits, 0),
  };
}

/** Calls `visit` for every literal of a need. */
export function visitLiterals(need: Need, visit: (literal: Literal) => void): void {
  if (need.kind === 'literals') for (const literal of need.literals) visit(literal);
  else for (const each of need.needs) visitLiterals(each, visit);
}
