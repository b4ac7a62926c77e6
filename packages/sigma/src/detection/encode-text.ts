import type { TextPart } from './text-pattern.ts';

// The encodings of the modifiers appendix 2.1. Bytes travel as texts of characters below 256, so that one encoding can
// follow another.

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const latin = (bytes: Uint8Array): string => {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
};

const utf16 = (text: string, littleEndian: boolean): string => {
  let out = '';
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const low = String.fromCharCode(code & 0xff);
    const high = String.fromCharCode(code >> 8);
    out += littleEndian ? low + high : high + low;
  }
  return out;
};

/** Bytes of a text in one of the wide encodings, each as one character. `utf16` begins with the byte order mark. */
export const WIDE: Readonly<Record<string, (text: string) => string>> = {
  wide: (text) => utf16(text, true),
  utf16le: (text) => utf16(text, true),
  utf16be: (text) => utf16(text, false),
  utf16: (text) => `\u00ff\u00fe${utf16(text, true)}`,
};

const base64Of = (bytes: string): string => btoa(bytes);

/** Base64 of a text as UTF-8, or of bytes that an encoding before has made. */
export const base64 = (text: string, isBytes: boolean): string =>
  base64Of(isBytes ? text : latin(bytesOf(text)));

const FIRST_SURE = [0, 2, 3] as const;
const LAST_UNSURE = [0, 3, 2] as const;

/**
 * What of the Base64 of a text stays the same whatever stands around it, for each of the three places that its first
 * byte can have in a group of three.
 */
export function base64Offsets(text: string, isBytes: boolean): readonly string[] {
  const bytes = isBytes ? text : latin(bytesOf(text));
  return [0, 1, 2].map((offset) => {
    const whole = base64Of(' '.repeat(offset) + bytes);
    const cut = LAST_UNSURE[((bytes.length + offset) % 3) as 0 | 1 | 2];
    return whole.slice(FIRST_SURE[offset as 0 | 1 | 2], whole.length - cut);
  });
}

const DASHES = ['-', '/', '\u2013', '\u2014', '\u2015'] as const;
/** A dash or slash that begins a flag: no letter or digit before it, one behind it. */
const FLAG = /(?<![\p{L}\p{N}_])[-/\u2013\u2014\u2015](?=[\p{L}\p{N}_])/gu;
/** With more dashes than this, 25 variants and over, the dashes are sets of characters within one pattern. */
const MOST_WRITTEN_OUT = 1;

/**
 * The text with every dash that begins a flag as each of the five dashes (modifier `windash`): written out where they
 * are few, else as one pattern.
 */
export function dashVariants(text: string): readonly (readonly TextPart[])[] {
  const at = [...text.matchAll(FLAG)].map((match) => match.index);
  const [first] = at;
  if (first === undefined) return [[text]];
  if (at.length <= MOST_WRITTEN_OUT)
    return DASHES.map((dash) => [text.slice(0, first) + dash + text.slice(first + 1)]);
  const parts: TextPart[] = [];
  let end = 0;
  for (const index of at) {
    if (index > end) parts.push(text.slice(end, index));
    parts.push({ oneOf: DASHES });
    end = index + 1;
  }
  return [[...parts, text.slice(end)]];
}
