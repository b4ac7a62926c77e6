// Arrays of numbers behind a description in JSON, in one piece of memory: what is looked up in is kept like this, on disk,
// in the store and in memory that threads share, and read where it lies.

type Numbers = Uint8Array | Uint16Array | Uint32Array;

interface SectionPlace {
  readonly name: string;
  readonly bytes: 1 | 2 | 4;
  readonly offset: number;
  readonly length: number;
}

interface Head<M> {
  readonly meta: M;
  readonly sections: readonly SectionPlace[];
}

/** What was packed: the description, and the arrays by name, which lie in the memory they were read from. */
export interface PackedSections<M> {
  readonly meta: M;
  bytes(name: string): Uint8Array;
  shorts(name: string): Uint16Array;
  words(name: string): Uint32Array;
}

const aligned = (at: number): number => Math.ceil(at / 8) * 8;

/** Packs arrays with their description; `shared` memory can be read by several threads. */
export function packSections(
  meta: unknown,
  arrays: Readonly<Record<string, Numbers>>,
  shared = false,
): Uint8Array {
  let offset = 0;
  const sections = Object.entries(arrays).map(([name, array]): SectionPlace => {
    const place = {
      name,
      bytes: array.BYTES_PER_ELEMENT as 1 | 2 | 4,
      offset,
      length: array.length,
    };
    offset = aligned(offset + array.byteLength);
    return place;
  });
  const head = Buffer.from(JSON.stringify({ meta, sections } satisfies Head<unknown>));
  const first = aligned(8 + head.length);
  const size = first + offset;
  const memory = shared ? new SharedArrayBuffer(size) : new ArrayBuffer(size);
  const bytes = new Uint8Array(memory);
  new DataView(memory).setUint32(0, head.length, true);
  bytes.set(head, 8);
  for (const place of sections) {
    const array = arrays[place.name] as Numbers;
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), first + place.offset);
  }
  return bytes;
}

/** Reads packed memory, which must begin at a multiple of 8 bytes. Throws Error when it is none. */
export function readSections<M>(packed: Uint8Array): PackedSections<M> {
  const { buffer, byteOffset, byteLength } = packed;
  const headLength = new DataView(buffer, byteOffset, byteLength).getUint32(0, true);
  if (headLength > byteLength - 8) throw new Error('this is no packed table');
  const text = Buffer.from(buffer, byteOffset + 8, headLength).toString('utf8');
  const { meta, sections } = JSON.parse(text) as Head<M>;
  const first = byteOffset + aligned(8 + headLength);
  const placeOf = (name: string, bytes: number) => {
    const place = sections.find((one) => one.name === name && one.bytes === bytes);
    if (!place) throw new Error(`the packed table has no part ${name}`);
    return place;
  };
  return {
    meta,
    bytes: (name) => {
      const { offset, length } = placeOf(name, 1);
      return new Uint8Array(buffer, first + offset, length);
    },
    shorts: (name) => {
      const { offset, length } = placeOf(name, 2);
      return new Uint16Array(buffer, first + offset, length);
    },
    words: (name) => {
      const { offset, length } = placeOf(name, 4);
      return new Uint32Array(buffer, first + offset, length);
    },
  };
}
