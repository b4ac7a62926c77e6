// How messages of GELF lie on the wire: over TCP each ends with a null byte, over UDP a long one comes in chunks.

/** A message longer than this is cut; the rest up to its end is skipped. */
const MAX_MESSAGE_BYTES = 1024 * 1024;

export interface GelfMessageBytes {
  readonly bytes: Uint8Array;
  /** Length as sent; larger than the bytes when the message was cut. */
  readonly length: number;
}

/** Cuts a stream behind null bytes. One per connection. */
export class GelfStream {
  #parts: Uint8Array[] = [];
  #kept = 0;
  #length = 0;

  /** Bytes kept of a message that has not ended. */
  get pendingBytes(): number {
    return this.#kept;
  }

  /** Takes the next bytes; answers the messages that they complete. */
  push(chunk: Uint8Array): GelfMessageBytes[] {
    const messages: GelfMessageBytes[] = [];
    let start = 0;
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
      this.#keep(chunk.subarray(start, end));
      messages.push(...this.end());
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
    return messages;
  }

  /** What is left when the connection closes. */
  end(): GelfMessageBytes[] {
    const bytes = new Uint8Array(this.#kept);
    let at = 0;
    for (const part of this.#parts) {
      bytes.set(part, at);
      at += part.length;
    }
    const length = this.#length;
    this.#parts = [];
    this.#kept = 0;
    this.#length = 0;
    return length === 0 ? [] : [{ bytes, length }];
  }

  #keep(part: Uint8Array): void {
    this.#length += part.length;
    const room = MAX_MESSAGE_BYTES - this.#kept;
    if (part.length === 0 || room <= 0) return;
    const kept = part.slice(0, room);
    this.#parts.push(kept);
    this.#kept += kept.length;
  }
}

/** Chunks of one message that came within this time belong together. */
const CHUNK_AGE_MS = 5_000;
const MAX_CHUNKS = 128;
/** Unfinished messages of all senders: addresses of datagrams can be forged. */
const MAX_UNFINISHED = 4_096;
const MAX_UNFINISHED_BYTES = 64 * 1024 * 1024;
const HEAD_BYTES = 12;

interface Unfinished {
  readonly sender: string;
  readonly sinceMs: number;
  readonly parts: (Uint8Array | undefined)[];
  missing: number;
  bytes: number;
}

export interface ChunkAnswer {
  /** The message that the datagram is, or completes. */
  readonly message?: Uint8Array;
  /** Senders of messages that will never be complete, one entry for each message. */
  readonly lost: readonly string[];
}

/** Puts messages together whose chunks come as datagrams, in any order. */
export class GelfChunks {
  readonly #unfinished = new Map<string, Unfinished>();
  #bytes = 0;

  /** Takes a datagram of a sender. `nowMs` never goes back by much. */
  push(datagram: Uint8Array, sender: string, nowMs: number): ChunkAnswer {
    const lost = this.expire(nowMs);
    if (datagram[0] !== 0x1e || datagram[1] !== 0x0f) return { message: datagram, lost };
    const [number = 0, count = 0] = datagram.subarray(10, HEAD_BYTES);
    if (datagram.length <= HEAD_BYTES || count === 0 || count > MAX_CHUNKS || number >= count)
      return { lost: [...lost, sender] };
    const key = `${sender} ${datagram.subarray(2, 10).join(' ')}`;
    const open = this.#unfinished.get(key) ?? this.#open(key, sender, count, nowMs);
    if (open === undefined) return { lost: [...lost, sender] };
    return { ...this.#add(key, open, number, datagram.slice(HEAD_BYTES)), lost };
  }

  /** Gives up messages that are too old; answers their senders. */
  expire(nowMs: number): string[] {
    const lost: string[] = [];
    for (const [key, { sinceMs, sender }] of this.#unfinished) {
      // In the order in which they began.
      if (nowMs - sinceMs < CHUNK_AGE_MS) break;
      this.#close(key);
      lost.push(sender);
    }
    return lost;
  }

  #open(key: string, sender: string, count: number, nowMs: number): Unfinished | undefined {
    if (this.#unfinished.size >= MAX_UNFINISHED || this.#bytes >= MAX_UNFINISHED_BYTES) return undefined;
    const parts = new Array<Uint8Array | undefined>(count).fill(undefined);
    const open = { sender, sinceMs: nowMs, parts, missing: count, bytes: 0 };
    this.#unfinished.set(key, open);
    return open;
  }

  #add(key: string, open: Unfinished, number: number, bytes: Uint8Array): { message?: Uint8Array } {
    // A chunk that came twice, or one that does not fit the first, adds nothing.
    if (number >= open.parts.length || open.parts[number] !== undefined) return {};
    open.parts[number] = bytes;
    open.bytes += bytes.length;
    this.#bytes += bytes.length;
    open.missing -= 1;
    if (open.missing > 0) return {};
    this.#close(key);
    const message = new Uint8Array(open.bytes);
    let at = 0;
    for (const part of open.parts) {
      if (part === undefined) continue;
      message.set(part, at);
      at += part.length;
    }
    return { message };
  }

  #close(key: string): void {
    this.#bytes -= this.#unfinished.get(key)?.bytes ?? 0;
    this.#unfinished.delete(key);
  }
}
