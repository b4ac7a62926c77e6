import { isAscii } from 'node:buffer';

// Lines of a text: newline or CR LF ends one, the last needs no end, empty lines are no records.

const NEWLINE = 10;
const RETURN = 13;

/** Cuts a body that has been decoded into lines. */
export function* splitLines(text: string): Generator<string> {
  let from = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (from < text.length) {
    const newline = text.indexOf('\n', from);
    const end = newline < 0 ? text.length : newline;
    const trimmed = end > from && text.charCodeAt(end - 1) === RETURN ? end - 1 : end;
    if (trimmed > from) {
      const line = text.slice(from, trimmed);
      if (line.charCodeAt(0) > 32 || line.trim() !== '') yield line;
    }
    from = end + 1;
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
  let from = hasMark ? 3 : 0;
  while (from < body.length) {
    const newline = body.indexOf(NEWLINE, from);
    const end = newline < 0 ? body.length : newline;
    const trimmed = end > from && body[end - 1] === RETURN ? end - 1 : end;
    if (trimmed > from) {
      const part = body.subarray(from, trimmed);
      const line = isAscii(part) ? part.toString('latin1') : part.toString();
      if (line.charCodeAt(0) > 32 || line.trim() !== '') yield line;
    }
    from = end + 1;
  }
}
