// Cuts a TCP stream of syslog into messages, by both framings of RFC 6587: octet counting (`123 <34>1 …`) and a
// newline at the end. A sender may use either; each message shows by its first character which one it is.

/** A message longer than this is cut; the rest up to its end is skipped and counted. */
const MAX_SYSLOG_BYTES = 1024 * 1024;
const NEWLINE = 10;
const SPACE = 32;
const ZERO = 48;
const NINE = 57;

export interface SyslogMessageBytes {
  readonly bytes: Uint8Array;
  /** Length as sent; larger than the bytes when the message was cut. */
  readonly length: number;
}

type Step = { readonly message?: SyslogMessageBytes; readonly used: number } | undefined;

/** Keeps what a connection has sent of an unfinished message. One per connection. */
export class SyslogStream {
  #buffer = new Uint8Array(0);
  #end = 0;
  /** Bytes of an overlong message that still have to be skipped; -1: up to the next newline. */
  #skip = 0;
  /** Bytes that the message at the front needs; -1: up to a newline; 0: not known yet. */
  #wanted = 0;

  /** Takes the next bytes of the connection; answers the messages that they complete. */
  push(chunk: Uint8Array): SyslogMessageBytes[] {
    const buffer = this.#end === 0 ? new Uint8Array(chunk) : this.#joined(chunk);
    if (this.#end > 0 && !this.#mayBeComplete(chunk)) return [];
    const messages: SyslogMessageBytes[] = [];
    let at = this.#skipRest(buffer);
    for (;;) {
      const step = this.#next(buffer.subarray(at));
      if (step === undefined) break;
      at += step.used;
      if (step.message !== undefined && step.message.bytes.length > 0) messages.push(step.message);
    }
    this.#keep(buffer.subarray(at));
    return messages;
  }

  /** What is left when the connection closes: a last message without its end, if any. */
  end(): SyslogMessageBytes[] {
    const rest = this.#buffer.slice(0, this.#end);
    this.#end = 0;
    if (rest.length === 0 || this.#skip !== 0) return [];
    return [{ bytes: rest, length: rest.length }];
  }

  /** Bytes of a message that has not ended. */
  get pendingBytes(): number {
    return this.#end;
  }

  /** What was kept with the chunk behind it. The room doubles, so that dripped bytes are not copied again and again. */
  #joined(chunk: Uint8Array): Uint8Array {
    const end = this.#end + chunk.length;
    if (end > this.#buffer.length) {
      const grown = new Uint8Array(Math.max(end, 2 * this.#buffer.length));
      grown.set(this.#buffer.subarray(0, this.#end));
      this.#buffer = grown;
    }
    this.#buffer.set(chunk, this.#end);
    this.#end = end;
    return this.#buffer.subarray(0, end);
  }

  #keep(rest: Uint8Array): void {
    if (rest.length === 0) this.#buffer = new Uint8Array(0);
    else this.#buffer = rest.slice();
    this.#end = rest.length;
  }

  /** False when the chunk cannot end the message that is kept: nothing needs to be read again. */
  #mayBeComplete(chunk: Uint8Array): boolean {
    if (this.#wanted > 0) return this.#end >= this.#wanted;
    return this.#wanted === 0 || this.#end > MAX_SYSLOG_BYTES || chunk.includes(NEWLINE);
  }

  #skipRest(buffer: Uint8Array): number {
    if (this.#skip === 0) return 0;
    if (this.#skip > 0) {
      const skipped = Math.min(this.#skip, buffer.length);
      this.#skip -= skipped;
      return skipped;
    }
    const newline = buffer.indexOf(NEWLINE);
    if (newline < 0) return buffer.length;
    this.#skip = 0;
    return newline + 1;
  }

  #next(buffer: Uint8Array): Step {
    const first = buffer[0];
    this.#wanted = 0;
    if (first === undefined || this.#skip !== 0) return undefined;
    if (first > ZERO && first <= NINE) {
      const counted = this.#nextCounted(buffer);
      if (counted !== 'not-counted') return counted;
    }
    return this.#nextLine(buffer);
  }

  #nextCounted(buffer: Uint8Array): Step | 'not-counted' {
    let digits = 1;
    let length = (buffer[0] ?? ZERO) - ZERO;
    for (; digits < 8; digits += 1) {
      const code = buffer[digits];
      if (code === undefined) return undefined;
      if (code === SPACE) break;
      if (code < ZERO || code > NINE) return 'not-counted';
      length = length * 10 + code - ZERO;
    }
    if (buffer[digits] !== SPACE) return 'not-counted';
    // A counted message starts with its priority; `2024 was a good year` is a line.
    const start = buffer[digits + 1];
    if (start === undefined) return undefined;
    if (start !== 60) return 'not-counted';
    const from = digits + 1;
    if (length > MAX_SYSLOG_BYTES) {
      this.#wanted = from + MAX_SYSLOG_BYTES;
      if (buffer.length < this.#wanted) return undefined;
      const rest = from + length - buffer.length;
      this.#skip = Math.max(0, rest);
      const message = { bytes: buffer.slice(from, from + MAX_SYSLOG_BYTES), length };
      return { message, used: rest > 0 ? buffer.length : from + length };
    }
    this.#wanted = from + length;
    if (buffer.length < this.#wanted) return undefined;
    const end = buffer[from + length - 1] === NEWLINE ? from + length - 1 : from + length;
    return { message: { bytes: buffer.slice(from, end), length }, used: from + length };
  }

  #nextLine(buffer: Uint8Array): Step {
    const newline = buffer.indexOf(NEWLINE);
    if (newline < 0) {
      this.#wanted = -1;
      if (buffer.length <= MAX_SYSLOG_BYTES) return undefined;
      this.#skip = -1;
      return {
        message: { bytes: buffer.slice(0, MAX_SYSLOG_BYTES), length: buffer.length },
        used: buffer.length,
      };
    }
    let end = newline;
    while (end > 0 && (buffer[end - 1] === 13 || buffer[end - 1] === 0)) end -= 1;
    const bytes = buffer.slice(0, Math.min(end, MAX_SYSLOG_BYTES));
    return { message: { bytes, length: end }, used: newline + 1 };
  }
}
