import type { ParameterValue, Select, SelectItem, Sql, SqlText } from './sql.ts';

// The engine works out every call that a query names, equal ones too: some fifty conditions that each ask for `lower(…)` of
// one column, and for the same kinds of events, take it as long to read as if each asked for something else. In a long select,
// equal calls are made one piece of SQL, which is then written once and named.

/** Reading a shorter select takes the engine no time. */
export const FEWEST_CALLS = 200;

/** Longer lists are only equal to themselves: comparing them would cost more than it saves. */
const LONGEST_LIST = 100;

const sizes = new WeakMap<object, number>();

/** The calls in a piece, each as often as the engine meets it. */
export function callsIn(piece: Sql): number {
  if (piece.kind !== 'text') return 1;
  const known = sizes.get(piece);
  if (known !== undefined) return known;
  const own = piece.parts.reduce((all, part) => all + part.split('(').length - 1, 0);
  const size = piece.values.reduce((all, value) => all + callsIn(value), own);
  sizes.set(piece, size);
  return size;
}

/** The select with equal calls of its items, and of its conditions, made one; null for a short one. */
export function withEqualPiecesShared(select: Select): Select | null {
  const pieces = [...select.items.map((item) => item.sql), ...select.where];
  if (pieces.reduce((all, piece) => all + callsIn(piece), 0) < FEWEST_CALLS) return null;
  const items = new EqualPieces();
  const where = new EqualPieces();
  return {
    ...select,
    items: select.items.map((item): SelectItem => ({ ...item, sql: items.of(item.sql) })),
    where: select.where.map((one) => where.of(one)),
  };
}

/** Pieces of one clause, each once. */
class EqualPieces {
  readonly #numbers = new Map<Sql, number>();
  readonly #byContent = new Map<string, Sql>();
  readonly #seen = new Map<Sql, Sql>();

  of(piece: Sql): Sql {
    const seen = this.#seen.get(piece);
    if (seen) return seen;
    const own = piece.kind === 'text' ? this.#withSharedValues(piece) : piece;
    const content = this.#contentOf(own);
    const shared = content === null ? own : (this.#byContent.get(content) ?? own);
    if (content !== null) this.#byContent.set(content, shared);
    this.#seen.set(piece, shared);
    return shared;
  }

  #withSharedValues(piece: SqlText): SqlText {
    const values = piece.values.map((value) => this.of(value));
    return values.every((value, at) => value === piece.values[at]) ? piece : { ...piece, values };
  }

  /** Equal for equal pieces; null for one that is equal to itself alone. */
  #contentOf(piece: Sql): string | null {
    switch (piece.kind) {
      case 'parameter':
        return isLong(piece.value) ? null : `p ${piece.type} ${JSON.stringify(piece.value)}`;
      case 'column':
        return `c ${piece.id}`;
      case 'name':
        return `n ${JSON.stringify(piece.path)}`;
      case 'subselect':
        return null;
      case 'text':
        return isCall(piece)
          ? JSON.stringify([piece.parts, piece.values.map((value) => this.#numberOf(value))])
          : null;
    }
  }

  #numberOf(piece: Sql): number {
    const known = this.#numbers.get(piece) ?? this.#numbers.size;
    this.#numbers.set(piece, known);
    return known;
  }
}

const isLong = (value: ParameterValue): boolean => typeof value === 'object' && value.length > LONGEST_LIST;

/**
 * Whether a piece is one call, or one value in brackets: then a name may stand for it wherever it is used. A list of arguments,
 * or a part of an operator, may not be named; and what is within a lambda is known there alone.
 */
function isCall({ parts }: SqlText): boolean {
  const text = parts.join('\0').replace(/'(?:[^'\\]|\\.)*'/g, '');
  const isBare = text.startsWith('(');
  if (!/^\w*\(/.test(text) || text.includes('->')) return false;
  let depth = 0;
  for (const [at, sign] of [...text].entries()) {
    if (sign === '(' || sign === '[') depth += 1;
    else if (sign === ')' || sign === ']') depth -= 1;
    if (isBare && depth === 1 && sign === ',') return false;
    if (depth === 0 && sign === ')') return at === text.length - 1;
  }
  return false;
}
