import { isAscii } from 'node:buffer';

// Lines of a text: newline or CR LF ends one, the last needs no end, empty lines are no records.

const NEWLINE = 10;
const RETURN = 13;

interface Letters {
  readonly length: number;
  readonly nextNewline: (from: number) => number;
  readonly codeAt: (at: number) => number | undefined;
}

/** Where lines that are not empty begin and end. */
function* lineSpans({ length, nextNewline, codeAt }: Letters, first: number): Generator<[number, number]> {
  let from = first;
  while (from < length) {
    const newline = nextNewline(from);
    const end = newline < 0 ? length : newline;
    const trimmed = end > from && codeAt(end - 1) === RETURN ? end - 1 : end;
    if (trimmed > from) yield [from, trimmed];
    from = end + 1;
  }
}

const isBlank = (line: string): boolean => line.charCodeAt(0) <= 32 && line.trim() === '';

/** Cuts a body that has been decoded into lines. */
export function* splitLines(text: string): Generator<string> {
  const letters = {
    length: text.length,
    nextNewline: (from: number) => text.indexOf('\n', from),
    codeAt: (at: number) => text.charCodeAt(at),
  };
  for (const [from, to] of lineSpans(letters, text.charCodeAt(0) === 0xfeff ? 1 : 0)) {
    const line = text.slice(from, to);
    if (!isBlank(line)) yield line;
  }
}

/** A body of ASCII is read at the speed of a copy; undefined for any other. */
export function asciiText(bytes: Uint8Array): string | undefined {
  return isAscii(bytes) ? bufferOf(bytes).toString('latin1') : undefined;
}

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/**
 * Cuts a body of UTF-8 into lines, as `splitLines` does with its text; what is no UTF-8 becomes U+FFFD. Each line is read by
 * itself, so that one letter beyond ASCII does not make two bytes of each letter of the body.
 */
export function* splitUtf8Lines(bytes: Uint8Array): Generator<string> {
  const body = bufferOf(bytes);
  const hasMark = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
  const letters = {
    length: body.length,
    nextNewline: (from: number) => body.indexOf(NEWLINE, from),
    codeAt: (at: number) => body[at],
  };
  for (const [from, to] of lineSpans(letters, hasMark ? 3 : 0)) {
    const part = body.subarray(from, to);
    const line = asciiText(part) ?? part.toString();
    if (!isBlank(line)) yield line;
  }
}
