// The token that a sender may put into the structured data of its messages (RFC 5424, section 6.3):
// `[tyrian@32473 token="…"]`. 32473 is the enterprise number that RFC 5612 sets aside for documentation.

const ELEMENT_ID = 'tyrian@32473';
/** Header and structured data in front of the token are looked for in so many bytes. */
const HEAD_BYTES = 8_192;
const HEADER = /^<\d{1,3}>1 \S{1,64} \S{1,255} \S{1,48} \S{1,128} \S{1,32} /;
const ELEMENT = /\[([^\s=\]"]{1,64})((?:\s+[^\s=\]"]{1,64}="(?:[^"\\\]]|\\.)*")*)\s*\]/y;
const TOKEN = /\stoken="([^"\\\]]*)"/;
const NIL = Buffer.from('-');

export interface SyslogTokenMessage {
  readonly token: string;
  /** The message without the element. */
  readonly bytes: Uint8Array;
}

/**
 * The token of a message, and the message without it. Undefined when its structured data has none: the same letters
 * anywhere else, such as in the text, are no token.
 */
export function takeSyslogToken(message: Uint8Array): SyslogTokenMessage | undefined {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.length);
  const head = bytes.subarray(0, HEAD_BYTES);
  if (!head.includes(`[${ELEMENT_ID}`)) return undefined;
  // One letter for one byte, so that places in the text are places in the bytes.
  const text = head.toString('latin1');
  const header = HEADER.exec(text);
  if (header === null) return undefined;
  const start = header[0].length;
  let at = start;
  for (;;) {
    ELEMENT.lastIndex = at;
    const element = ELEMENT.exec(text);
    if (element === null) return undefined;
    const end = at + element[0].length;
    if (element[1] === ELEMENT_ID) {
      const isOnly = at === start && text[end] !== '[';
      const kept = [bytes.subarray(0, at), ...(isOnly ? [NIL] : []), bytes.subarray(end)];
      return { token: TOKEN.exec(element[2] ?? '')?.[1] ?? '', bytes: Buffer.concat(kept) };
    }
    at = end;
  }
}
