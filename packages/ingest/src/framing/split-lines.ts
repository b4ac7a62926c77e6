// Lines of a text: newline or CR LF ends one, the last needs no end, empty lines are no records.

/** A record cut out of a body, and what was wrong with its bytes. */
export interface Frame {
  readonly text: string;
  /** Length in characters before it was cut; equal to the text's when it was not. */
  readonly length: number;
  readonly invalidUtf8: boolean;
}

/** Longer records are cut here: the store keeps the head, the mark and the length. */
export const MAX_RECORD_CHARS = 1024 * 1024;

/** A frame of a text that is known to be well-formed. */
export function frameOf(text: string, invalidUtf8 = false): Frame {
  return {
    text: text.length > MAX_RECORD_CHARS ? text.slice(0, MAX_RECORD_CHARS) : text,
    length: text.length,
    invalidUtf8,
  };
}

/** Cuts a body that has been decoded into lines. */
export function* splitLines(text: string): Generator<string> {
  let from = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (from < text.length) {
    const newline = text.indexOf('\n', from);
    const end = newline < 0 ? text.length : newline;
    const trimmed = end > from && text.charCodeAt(end - 1) === 13 ? end - 1 : end;
    if (trimmed > from) {
      const line = text.slice(from, trimmed);
      if (line.charCodeAt(0) > 32 || line.trim() !== '') yield line;
    }
    from = end + 1;
  }
}

const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

/** Decodes bytes of which some are no UTF-8: bad ones become U+FFFD. Lines with such bytes are named by number. */
export function decodeDamaged(body: Uint8Array): { text: string; isDamaged: (line: string) => boolean } {
  const text = lenient.decode(body);
  return { text, isDamaged: (line) => line.includes('\ufffd') };
}
