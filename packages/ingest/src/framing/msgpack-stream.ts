// Cuts a stream of MessagePack into its messages without reading what is in them: only heads are looked at, none is
// recursed into, so that depth costs no stack and a length that lies costs no memory before its bytes are there.

/** A head: bytes it takes, bytes of content behind it, values that follow. */
interface Head {
  readonly size: number;
  readonly content: number;
  readonly values: number;
}

const FIXED: Readonly<Record<number, Head>> = Object.fromEntries(
  (
    [
      // nil, false, true
      [0xc0, 1, 0],
      [0xc2, 1, 0],
      [0xc3, 1, 0],
      // floats and whole numbers
      [0xca, 1, 4],
      [0xcb, 1, 8],
      [0xcc, 1, 1],
      [0xcd, 1, 2],
      [0xce, 1, 4],
      [0xcf, 1, 8],
      [0xd0, 1, 1],
      [0xd1, 1, 2],
      [0xd2, 1, 4],
      [0xd3, 1, 8],
      // extensions of 1, 2, 4, 8 and 16 bytes, with a byte for their type
      [0xd4, 1, 2],
      [0xd5, 1, 3],
      [0xd6, 1, 5],
      [0xd7, 1, 9],
      [0xd8, 1, 17],
    ] as const
  ).map(([code, size, content]) => [code, { size, content, values: 0 }]),
);

/** Heads that are followed by a length: how many bytes it has, and what the length counts. */
const MEASURED: Readonly<Record<number, readonly [bytes: number, counts: 'bytes' | 'ext' | 'list' | 'map']>> =
  {
    196: [1, 'bytes'],
    197: [2, 'bytes'],
    198: [4, 'bytes'],
    199: [1, 'ext'],
    200: [2, 'ext'],
    201: [4, 'ext'],
    217: [1, 'bytes'],
    218: [2, 'bytes'],
    219: [4, 'bytes'],
    220: [2, 'list'],
    221: [4, 'list'],
    222: [2, 'map'],
    223: [4, 'map'],
  };

/** Bytes that are no MessagePack, or a message beyond the limit; nothing behind them can be read. */
export class MsgpackStreamError extends Error {}

function measuredHead(bytes: Uint8Array, at: number, code: number): Head | undefined {
  const measured = MEASURED[code];
  if (measured === undefined) throw new MsgpackStreamError(`0x${code.toString(16)} begins no value`);
  const [width, counts] = measured;
  if (at + 1 + width > bytes.length) return undefined;
  let length = 0;
  for (let n = 1; n <= width; n += 1) length = length * 256 + (bytes[at + n] ?? 0);
  const size = 1 + width;
  if (counts === 'list') return { size, content: 0, values: length };
  if (counts === 'map') return { size, content: 0, values: 2 * length };
  return { size, content: counts === 'ext' ? length + 1 : length, values: 0 };
}

/** The head at a place; undefined when not all of it is there. */
function headAt(bytes: Uint8Array, at: number): Head | undefined {
  const code = bytes[at];
  if (code === undefined) return undefined;
  if (code < 0x80 || code >= 0xe0) return { size: 1, content: 0, values: 0 };
  if (code < 0x90) return { size: 1, content: 0, values: 2 * (code & 15) };
  if (code < 0xa0) return { size: 1, content: 0, values: code & 15 };
  if (code < 0xc0) return { size: 1, content: code & 31, values: 0 };
  return FIXED[code] ?? measuredHead(bytes, at, code);
}

export class MsgpackStream {
  readonly #most: number;
  #bytes: Uint8Array = new Uint8Array(0);
  #used = 0;
  /** Where reading of the unfinished message goes on, and how many values it lacks. */
  #at = 0;
  #lacking = 1;

  /** `most`: bytes of one message; beyond it `push` throws. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Bytes of the message that is not complete yet. */
  get pendingBytes(): number {
    return this.#used;
  }

  /** Takes bytes; answers the messages that are complete with them. Throws MsgpackStreamError. */
  push(chunk: Uint8Array): Uint8Array[] {
    this.#append(chunk);
    const messages: Uint8Array[] = [];
    let start = 0;
    while (this.#complete()) {
      messages.push(this.#bytes.slice(start, this.#at));
      start = this.#at;
      this.#lacking = 1;
    }
    if (start > 0) {
      this.#bytes.copyWithin(0, start, this.#used);
      this.#used -= start;
      this.#at -= start;
    }
    if (this.#used > this.#most) throw new MsgpackStreamError(`a message of more than ${this.#most} bytes`);
    return messages;
  }

  #append(chunk: Uint8Array): void {
    if (this.#used + chunk.length > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(2 * this.#bytes.length, this.#used + chunk.length, 4_096));
      grown.set(this.#bytes.subarray(0, this.#used));
      this.#bytes = grown;
    }
    this.#bytes.set(chunk, this.#used);
    this.#used += chunk.length;
  }

  /** Reads on; true at the end of a message. */
  #complete(): boolean {
    const bytes = this.#bytes.subarray(0, this.#used);
    while (this.#lacking > 0) {
      const head = headAt(bytes, this.#at);
      if (head === undefined || this.#at + head.size + head.content > this.#used) return false;
      this.#at += head.size + head.content;
      this.#lacking += head.values - 1;
      // Each value takes a byte at least: a count that cannot fit is told before its bytes come.
      if (this.#lacking > this.#most) throw new MsgpackStreamError('a message of too many values');
    }
    return true;
  }
}

/** The last value of a list, as it is written; undefined for what is no list, or an empty one. */
export function lastOfList(message: Uint8Array): Uint8Array | undefined {
  const list = headAt(message, 0);
  const code = message[0] ?? 0;
  const isList = (code >= 0x90 && code < 0xa0) || code === 0xdc || code === 0xdd;
  if (list === undefined || !isList || list.values === 0) return undefined;
  let at = list.size;
  let start = at;
  for (let value = 0; value < list.values; value += 1) {
    start = at;
    for (let lacking = 1; lacking > 0; lacking -= 1) {
      const head = headAt(message, at);
      if (head === undefined) return undefined;
      at += head.size + head.content;
      lacking += head.values;
    }
  }
  return message.subarray(start, at);
}
