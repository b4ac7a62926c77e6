import type { Span } from '@tyrian/diagnostics';
import { faults, refuse } from '../sigma-faults.ts';
import type { Condition } from './condition-tree.ts';

// The condition of a rule (rules specification 2.1, "Condition"). Binding from the loosest: or, and, not, `1 of`,
// brackets.

const LONGEST = 20_000;
const DEEPEST = 50;

interface Token {
  readonly text: string;
  readonly span: Span;
}

const TOKEN = /\s*([()|]|[^\s()|]+)/gy;

/** Where the text stands in the span of its value: behind a quote, or not told when it is written over lines or escaped. */
function textStart(text: string, { start, end }: Span): number | null {
  if (end - start === text.length) return start;
  return end - start === text.length + 2 ? start + 1 : null;
}

function tokensOf(text: string, span: Span): readonly Token[] {
  const tokens: Token[] = [];
  const start = textStart(text, span);
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match; match = TOKEN.exec(text)) {
    const token = match[1] ?? '';
    const end = (start ?? 0) + TOKEN.lastIndex;
    tokens.push({ text: token, span: start === null ? span : { start: end - token.length, end } });
  }
  return tokens;
}

/** Search identifiers that the conditions of one rule name, those of patterns counted one by one. */
const MOST_NAMED = 10_000;

/** Counts the search identifiers that are named. */
export interface NamedCount {
  named: number;
}

/** The condition as a tree over `identifiers`; `count` is that of the whole rule. Throws SigmaFailure. */
export function readCondition(
  text: string,
  span: Span,
  identifiers: ReadonlySet<string>,
  count: NamedCount,
): Condition {
  if (text.length > LONGEST) refuse(faults.condition(span, `it is longer than ${LONGEST} characters`));
  const reader = new ConditionReader(tokensOf(text, span), span, identifiers, count);
  return reader.whole();
}

class ConditionReader {
  readonly #tokens: readonly Token[];
  readonly #span: Span;
  readonly #identifiers: ReadonlySet<string>;
  readonly #count: NamedCount;
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], span: Span, identifiers: ReadonlySet<string>, count: NamedCount) {
    this.#tokens = tokens;
    this.#span = span;
    this.#identifiers = identifiers;
    this.#count = count;
  }

  whole(): Condition {
    const condition = this.#or();
    const rest = this.#tokens[this.#at];
    if (rest?.text === '|') refuse(faults.aggregation(rest.span));
    if (rest) refuse(faults.condition(rest.span, `"${rest.text}" stands where "and" or "or" should`));
    return condition;
  }

  #word(): string {
    return (this.#tokens[this.#at]?.text ?? '').toLowerCase();
  }

  #or(): Condition {
    return this.#chain('or', () => this.#chain('and', () => this.#not()));
  }

  #chain(word: 'and' | 'or', next: () => Condition): Condition {
    const parts = [next()];
    while (this.#word() === word) {
      this.#at += 1;
      parts.push(next());
    }
    const [only] = parts;
    return parts.length === 1 && only ? only : { kind: word, parts };
  }

  #not(): Condition {
    if (this.#word() !== 'not') return this.#single();
    this.#at += 1;
    return this.#deeper(() => ({ kind: 'not', part: this.#not() }));
  }

  #deeper(read: () => Condition): Condition {
    this.#depth += 1;
    if (this.#depth > DEEPEST) refuse(faults.condition(this.#span, `it nests deeper than ${DEEPEST} levels`));
    const found = read();
    this.#depth -= 1;
    return found;
  }

  #single(): Condition {
    const token = this.#tokens[this.#at];
    if (!token) return refuse(faults.condition(this.#span, 'it ends too early'));
    if (token.text === '|') refuse(faults.aggregation(token.span));
    this.#at += 1;
    if (token.text === '(') return this.#deeper(() => this.#bracketed());
    if (token.text === ')') return refuse(faults.condition(token.span, 'a bracket closes that none opened'));
    if (this.#word() === 'of') return this.#quantified(token);
    if (/^(?:and|or|of)$/i.test(token.text))
      return refuse(faults.condition(token.span, `"${token.text}" stands where a search identifier should`));
    if (!this.#identifiers.has(token.text)) refuse(faults.unknownIdentifier(token.span, token.text));
    this.#counted(1, token.span);
    return { kind: 'identifier', name: token.text, span: token.span };
  }

  #counted(named: number, span: Span): void {
    this.#count.named += named;
    if (this.#count.named > MOST_NAMED)
      refuse(faults.condition(span, `it names more than ${MOST_NAMED} search identifiers`));
  }

  #bracketed(): Condition {
    const inside = this.#or();
    if (this.#word() !== ')') {
      if (this.#word() === '|') refuse(faults.aggregation(this.#span));
      refuse(faults.condition(this.#span, 'a bracket is not closed'));
    }
    this.#at += 1;
    return inside;
  }

  #quantified(token: Token): Condition {
    const word = token.text.toLowerCase();
    if (word !== '1' && word !== 'any' && word !== 'all') refuse(faults.quantifier(token.span, token.text));
    this.#at += 1;
    const pattern = this.#tokens[this.#at];
    if (!pattern || /^[()|]$/.test(pattern.text))
      return refuse(faults.condition(token.span, 'it ends behind "of"'));
    this.#at += 1;
    const found = [...this.#identifiers].filter((name) => isLike(name, pattern.text));
    this.#counted(found.length, pattern.span);
    if (found.length === 0) refuse(faults.noneLike(pattern.span, pattern.text));
    const parts = found.map((name): Condition => ({ kind: 'identifier', name, span: pattern.span }));
    const [only] = parts;
    return parts.length === 1 && only ? only : { kind: word === 'all' ? 'and' : 'or', parts };
  }
}

/** `them` is every identifier that does not begin with an underscore; a pattern has stars anywhere. */
function isLike(name: string, pattern: string): boolean {
  if (pattern.toLowerCase() === 'them') return !name.startsWith('_');
  const pieces = pattern.split('*');
  let at = 0;
  for (const [index, piece] of pieces.entries()) {
    const isLast = index === pieces.length - 1;
    const found =
      index === 0
        ? name.startsWith(piece)
          ? 0
          : -1
        : isLast
          ? name.length - piece.length
          : name.indexOf(piece, at);
    if (found < at || !name.startsWith(piece, found)) return false;
    at = found + piece.length;
  }
  return pieces.length > 1 || at === name.length;
}
