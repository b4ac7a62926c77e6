import type { DraftOperator } from './draft-condition.ts';

// Parts that long texts share: words of command lines and paths, else the longest piece, the beginning or the end.

export interface SharedPart {
  readonly operator: DraftOperator;
  readonly value: string;
  /** 1 for a part that says what was done; more for one that may be there by chance. */
  readonly doubt: number;
}

const SHORTEST = 3;
const MOST_WORDS = 8;
/** Characters of a text that are looked at. */
const LOOKED_AT = 2000;
const LONGEST_PART = 200;

const WORD = /[^\s"'`,;|&=()<>]+/g;

/** Random names, numbers, addresses: there once. */
function doubtOfWord(word: string): number {
  if (/\d+\.\d+\.\d+\.\d+/.test(word)) return 4;
  if (/[0-9a-f]{8,}/i.test(word) && /\d/.test(word)) return 4;
  if (word.length > 60 || /[A-Za-z0-9+/]{40,}/.test(word)) return 4;
  if (/^[-/]{1,2}[A-Za-z][\w-]*:?$/.test(word)) return 1;
  if (/users\\|\/home\/|\\temp\\|\/tmp\//i.test(word)) return 2.5;
  const digits = word.replace(/\D/g, '').length;
  return digits * 3 > word.length ? 3 : /[\\/]/.test(word) ? 1.6 : 1.2;
}

/** Parts that all texts have, compared without case; the most telling first. */
export function sharedParts(texts: readonly string[]): readonly SharedPart[] {
  const cut = texts.map((text) => text.slice(0, LOOKED_AT));
  const lowered = cut.map((text) => text.toLowerCase());
  const shared = (part: string): boolean => lowered.every((text) => text.includes(part.toLowerCase()));
  const words = new Map<string, SharedPart>();
  for (const [word] of (cut[0] ?? '').matchAll(WORD)) {
    const key = word.toLowerCase();
    if (word.length < SHORTEST || word.length > LONGEST_PART || words.has(key) || !shared(word)) continue;
    words.set(key, { operator: 'contains', value: word, doubt: doubtOfWord(word) });
  }
  const found = [...words.values()].toSorted((a, b) => a.doubt - b.doubt).slice(0, MOST_WORDS);
  if (texts.length < 2 || found.some(({ value }) => value.length > SHORTEST + 2)) return found;
  const piece = longestPiece(cut);
  if (piece.length <= SHORTEST || found.some(({ value }) => value.toLowerCase() === piece.toLowerCase()))
    return found;
  return [...found, { operator: placeOf(piece, texts), value: piece, doubt: 2 }];
}

/** Where the piece stands in all texts. */
function placeOf(piece: string, texts: readonly string[]): DraftOperator {
  const small = piece.toLowerCase();
  if (texts.every((text) => text.toLowerCase().startsWith(small))) return 'startswith';
  return texts.every((text) => text.toLowerCase().endsWith(small)) ? 'endswith' : 'contains';
}

/** Looked for in the shortest text: the longest piece of it that all others have. */
function longestPiece(texts: readonly string[]): string {
  const [shortest = '', ...others] = texts.toSorted((a, b) => a.length - b.length);
  const small = shortest.slice(0, 400);
  const lowered = others.map((text) => text.toLowerCase());
  let best = '';
  for (let start = 0; start < small.length; start += 1) {
    let end = start + best.length + 1;
    while (end <= small.length && end - start <= LONGEST_PART) {
      const piece = small.slice(start, end).toLowerCase();
      if (!lowered.every((text) => text.includes(piece))) break;
      best = small.slice(start, end);
      end += 1;
    }
  }
  return best.trim();
}
