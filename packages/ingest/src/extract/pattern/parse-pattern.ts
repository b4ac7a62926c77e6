import {
  ANY_BUT_NEWLINE,
  BLANKS,
  type CharSet,
  complementOf,
  DIGITS,
  foldCase,
  NO_CHARS,
  oneChar,
  unionOf,
  WORD_CHARS,
} from './char-set.ts';

// Regular expressions as a tree, for the part of RE2's syntax that the fast way of matching knows. Whatever is beyond
// it answers undefined; whether a pattern is valid at all is decided by RE2 itself.

export type PatternNode =
  | { readonly kind: 'set'; readonly set: CharSet }
  | { readonly kind: 'cat'; readonly items: readonly PatternNode[] }
  | { readonly kind: 'alt'; readonly items: readonly PatternNode[] }
  | {
      readonly kind: 'rep';
      readonly item: PatternNode;
      readonly min: number;
      readonly max: number;
      readonly isLazy: boolean;
    }
  | { readonly kind: 'group'; readonly item: PatternNode };

export interface ParsedPattern {
  readonly root: PatternNode;
  /** It begins with `^`. */
  readonly isAnchored: boolean;
  /** It ends with `$`. */
  readonly isToEnd: boolean;
}

class Beyond extends Error {}

const beyond = (): never => {
  throw new Beyond();
};

const CLASS_ESCAPES: ReadonlyMap<string, CharSet> = new Map([
  ['d', DIGITS],
  ['D', complementOf(DIGITS)],
  ['w', WORD_CHARS],
  ['W', complementOf(WORD_CHARS)],
  ['s', BLANKS],
  ['S', complementOf(BLANKS)],
]);
const CHAR_ESCAPES: ReadonlyMap<string, number> = new Map([
  ['t', 9],
  ['n', 10],
  ['v', 11],
  ['f', 12],
  ['r', 13],
]);
const MOST_REPEATS = 1_000;
const DEEPEST = 50;

class PatternParser {
  readonly #text: string;
  readonly #isFolded: boolean;
  #at = 0;

  constructor(text: string, isFolded: boolean) {
    this.#text = text;
    this.#isFolded = isFolded;
  }

  parse(): ParsedPattern {
    const isAnchored = this.#take('^');
    const root = this.#alternatives(0);
    const isToEnd = this.#take('$');
    if (this.#at < this.#text.length) beyond();
    // `^a|b` anchors the first branch only.
    if (root.kind === 'alt' && (isAnchored || isToEnd)) beyond();
    return { root, isAnchored, isToEnd };
  }

  #take(char: string): boolean {
    if (!this.#text.startsWith(char, this.#at)) return false;
    this.#at += char.length;
    return true;
  }

  #alternatives(depth: number): PatternNode {
    if (depth > DEEPEST) beyond();
    const items = [this.#sequence(depth)];
    while (this.#take('|')) items.push(this.#sequence(depth));
    return items.length === 1 ? (items[0] as PatternNode) : { kind: 'alt', items };
  }

  #sequence(depth: number): PatternNode {
    const items: PatternNode[] = [];
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at] ?? '';
      if (char === '|' || char === ')') break;
      if (char === '$' && depth === 0 && this.#at === this.#text.length - 1) break;
      items.push(this.#repeated(this.#atom(depth)));
    }
    return { kind: 'cat', items };
  }

  #atom(depth: number): PatternNode {
    const char = this.#text[this.#at] ?? '';
    this.#at += 1;
    if (char === '(') return this.#group(depth);
    if (char === '[') return this.#class();
    if (char === '.') return { kind: 'set', set: ANY_BUT_NEWLINE };
    if (char === '\\') return this.#set(this.#escape());
    if ('^$*+?{'.includes(char)) beyond();
    if (char >= '\ud800' && char <= '\udfff') beyond();
    return this.#set(oneChar(char.charCodeAt(0)));
  }

  #set(set: CharSet): PatternNode {
    return { kind: 'set', set: this.#isFolded ? foldCase(set) : set };
  }

  #group(depth: number): PatternNode {
    let isCapturing = true;
    if (this.#take('?')) {
      const named = /^(?:P?<[A-Za-z]\w*>)/.exec(this.#text.slice(this.#at, this.#at + 80));
      if (named) this.#at += named[0].length;
      else if (this.#take(':')) isCapturing = false;
      else beyond();
    }
    const item = this.#alternatives(depth + 1);
    if (!this.#take(')')) beyond();
    return isCapturing ? { kind: 'group', item } : item;
  }

  #escape(): CharSet {
    const char = this.#text[this.#at] ?? '';
    this.#at += 1;
    const known = CLASS_ESCAPES.get(char);
    if (known) return known;
    const code = CHAR_ESCAPES.get(char);
    if (code !== undefined) return oneChar(code);
    if (char === 'x') {
      const hex = /^[0-9A-Fa-f]{2}/.exec(this.#text.slice(this.#at, this.#at + 2));
      if (!hex) return beyond();
      this.#at += 2;
      return oneChar(Number.parseInt(hex[0], 16));
    }
    if (char === '' || /[A-Za-z0-9]/.test(char) || char > '~') return beyond();
    return oneChar(char.charCodeAt(0));
  }

  #class(): PatternNode {
    const isNegated = this.#take('^');
    let set: CharSet = NO_CHARS;
    let isFirst = true;
    while (isFirst || !this.#text.startsWith(']', this.#at)) {
      if (this.#at >= this.#text.length || this.#text.startsWith('[:', this.#at)) beyond();
      isFirst = false;
      const from = this.#classItem();
      const [low, high] = from;
      const isRange =
        from.length === 2 && low === high && /^-[^\]]/.test(this.#text.slice(this.#at, this.#at + 2));
      if (!isRange) {
        set = unionOf(set, from);
        continue;
      }
      this.#at += 1;
      const [last, same] = this.#classItem();
      if (last === undefined || last !== same || last < (low ?? 0)) beyond();
      set = unionOf(set, [low ?? 0, last ?? 0]);
    }
    this.#at += 1;
    const folded = this.#isFolded ? foldCase(set) : set;
    const final = isNegated ? complementOf(folded) : folded;
    if (final.length === 0) beyond();
    return { kind: 'set', set: final };
  }

  #classItem(): CharSet {
    const char = this.#text[this.#at] ?? '';
    this.#at += 1;
    if (char === '\\') return this.#escape();
    if (char === '' || (char >= '\ud800' && char <= '\udfff')) return beyond();
    return oneChar(char.charCodeAt(0));
  }

  #repeated(item: PatternNode): PatternNode {
    const counts = this.#quantifier();
    if (counts === undefined) return item;
    const isLazy = this.#take('?');
    if (/^[*+?{]/.test(this.#text.slice(this.#at, this.#at + 1))) beyond();
    return { kind: 'rep', item, min: counts[0], max: counts[1], isLazy };
  }

  #quantifier(): readonly [number, number] | undefined {
    if (this.#take('*')) return [0, Number.POSITIVE_INFINITY];
    if (this.#take('+')) return [1, Number.POSITIVE_INFINITY];
    if (this.#take('?')) return [0, 1];
    if (!this.#text.startsWith('{', this.#at)) return undefined;
    const found = /^\{(\d{1,4})(,(\d{0,4}))?\}/.exec(this.#text.slice(this.#at, this.#at + 12));
    if (!found) return beyond();
    this.#at += found[0].length;
    const min = Number(found[1]);
    const max = found[2] === undefined ? min : found[3] === '' ? Number.POSITIVE_INFINITY : Number(found[3]);
    if (min > MOST_REPEATS || (max > MOST_REPEATS && max !== Number.POSITIVE_INFINITY) || max < min) beyond();
    return [min, max];
  }
}

/** The tree of a pattern, or undefined when it uses what the fast way does not know. */
export function parsePattern(source: string): ParsedPattern | undefined {
  const isFolded = source.startsWith('(?i)');
  try {
    return new PatternParser(isFolded ? source.slice(4) : source, isFolded).parse();
  } catch (error) {
    if (error instanceof Beyond) return undefined;
    throw error;
  }
}
