// The one scanner of KQL text beside the parser's own lexer, for places that must answer at once where the language
// service, which is megabytes large, is not loaded: the console while somebody types (it has the service in a worker),
// and the server outside its compile workers. It only cuts: strings, comments, brackets and what parts statements and
// steps. A test in packages/kql holds it to the lexer.

export type KqlMarkKind =
  | 'comment'
  | 'string'
  | 'open'
  | 'close'
  | 'pipe'
  | 'semicolon'
  | 'comma'
  /** A run of anything else that is no blank. */
  | 'rest';

/** A piece of a text, half open; blanks stand between the pieces. */
export interface KqlMark {
  readonly kind: KqlMarkKind;
  readonly start: number;
  readonly end: number;
}

const SIGNS: Readonly<Record<string, KqlMarkKind>> = {
  '(': 'open',
  '[': 'open',
  '{': 'open',
  ')': 'close',
  ']': 'close',
  '}': 'close',
  '|': 'pipe',
  ';': 'semicolon',
  ',': 'comma',
};

const COMMENT = /\/\/[^\r\n]*/y;
const ESCAPE = String.raw`\\(?:[\\'"abfnrtv0-7]|x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|U[\dA-Fa-f]{8})`;
/** An unclosed string ends with its line or before an escape that means nothing, a fence with the text. */
const STRING = new RegExp(
  [
    '```[^]*?(?:```|$)',
    '~~~[^]*?(?:~~~|$)',
    '@"(?:[^"\\r\\n]|"")*"?',
    "@'(?:[^'\\r\\n]|'')*'?",
    `"(?:[^"\\\\\\r\\n]|${ESCAPE})*"?`,
    `'(?:[^'\\\\\\r\\n]|${ESCAPE})*'?`,
  ].join('|'),
  'y',
);
const REST = /(?:(?!\/\/|```|~~~|@["'])[^\s"'()[\]{}|;,])+/y;

/** The pieces of a text in order. Pure; in time linear in the text. */
export function scanKql(text: string): readonly KqlMark[] {
  const found: KqlMark[] = [];
  const take = (kind: KqlMarkKind, pattern: RegExp, at: number): number | null => {
    pattern.lastIndex = at;
    const length = pattern.exec(text)?.[0].length ?? 0;
    if (length === 0) return null;
    found.push({ kind, start: at, end: at + length });
    return at + length;
  };
  for (let at = 0; at < text.length; ) {
    const sign = SIGNS[text.charAt(at)];
    if (sign) found.push({ kind: sign, start: at, end: at + 1 });
    at = sign
      ? at + 1
      : (take('comment', COMMENT, at) ?? take('string', STRING, at) ?? take('rest', REST, at) ?? at + 1);
  }
  return found;
}

/** How deep in brackets a piece stands; brackets that close nothing count for nothing. */
export function depthAfter(depth: number, { kind }: KqlMark): number {
  if (kind === 'open') return depth + 1;
  return kind === 'close' ? Math.max(0, depth - 1) : depth;
}
