// A text of Sigma with its wildcards: `*` any number of characters, `?` exactly one. A backslash before a wildcard or
// before a backslash takes its meaning away; before anything else it is an ordinary character (rules specification 2.1,
// "Escaping"): `\\` and `\` alone are one backslash, `\*` a star, `\\*` a backslash and a wildcard.

/** A piece of a pattern: characters, a wildcard, one of several characters, or a list named between percent signs. */
export type TextPart =
  | string
  | { readonly wildcard: '*' | '?' }
  | { readonly oneOf: readonly string[] }
  | { readonly list: string };

export const ANY: TextPart = { wildcard: '*' };

/** The pieces of a text; neighbouring characters are one piece. */
export function readPattern(text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let plain = '';
  const endPlain = (): void => {
    if (plain !== '') parts.push(plain);
    plain = '';
  };
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    const next = text[at + 1];
    if (character === '\\' && (next === '*' || next === '?' || next === '\\')) {
      plain += next;
      at += 1;
    } else if (character === '*' || character === '?') {
      endPlain();
      const before = parts.at(-1);
      // Stars in a row are one.
      if (character === '*' && isWildcard(before, '*')) continue;
      parts.push({ wildcard: character });
    } else plain += character;
  }
  endPlain();
  return parts;
}

/** Whether a piece is this wildcard. */
export const isWildcard = (part: TextPart | undefined, wildcard: '*' | '?'): boolean =>
  typeof part === 'object' && 'wildcard' in part && part.wildcard === wildcard;

/** The text of a pattern without wildcards; null for one with any. */
export function plainText(parts: readonly TextPart[]): string | null {
  if (parts.some((part) => typeof part !== 'string')) return null;
  return parts.join('');
}

const PLACEHOLDER = /(\\?)%([A-Za-z0-9_.-]+)%/g;

/**
 * Lists between percent signs as pieces of their own (modifier `expand`); a backslash before the percent sign makes it
 * an ordinary one.
 */
export function withLists(parts: readonly TextPart[]): readonly TextPart[] {
  return parts.flatMap((part): readonly TextPart[] => {
    if (typeof part !== 'string') return [part];
    const found: TextPart[] = [];
    let plain = '';
    let end = 0;
    for (const match of part.matchAll(PLACEHOLDER)) {
      plain += part.slice(end, match.index);
      end = match.index + match[0].length;
      if (match[1] === '\\') {
        // The first sign is an ordinary one; the second may begin a list.
        plain += '%';
        end = match.index + 2;
        const rest = part.slice(end);
        return [...found, ...withLists([plain]), ...withLists([rest])].filter((one) => one !== '');
      }
      if (plain !== '') found.push(plain);
      plain = '';
      found.push({ list: match[2] ?? '' });
    }
    plain += part.slice(end);
    return plain === '' ? found : [...found, plain];
  });
}

/** Joins characters that became neighbours. */
export function joinedParts(parts: readonly TextPart[]): readonly TextPart[] {
  const joined: TextPart[] = [];
  for (const part of parts) {
    const before = joined.at(-1);
    if (typeof part === 'string' && typeof before === 'string') joined[joined.length - 1] = before + part;
    else if (isWildcard(part, '*') && isWildcard(before, '*')) continue;
    else joined.push(part);
  }
  return joined;
}
