// Files as one archive that an import takes, for browsers and the command line: tar, with long names as pax writes them.

export interface FileToPack {
  /** Parted by `/`. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

const BLOCK = 512;
const LONGEST_NAME = 100;
const encoder = new TextEncoder();

const padded = (length: number): number => Math.ceil(length / BLOCK) * BLOCK;

function header(name: Uint8Array, size: number, type: '0' | 'x'): Uint8Array {
  const block = new Uint8Array(BLOCK);
  const put = (text: string, at: number): void => block.set(encoder.encode(text), at);
  block.set(name.subarray(0, LONGEST_NAME), 0);
  put('0000644\0', 100);
  put('0000000\0', 108);
  put('0000000\0', 116);
  put(`${size.toString(8).padStart(11, '0')}\0`, 124);
  put('00000000000\0', 136);
  put('        ', 148);
  put(type, 156);
  put('ustar\u000000', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  put(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

/** A record of pax: its own length in front, which counts its own digits. */
function paxRecord(path: string): Uint8Array {
  const rest = encoder.encode(` path=${path}\n`);
  let length = rest.length;
  while (String(length).length + rest.length !== length) length = String(length).length + rest.length;
  const record = new Uint8Array(length);
  record.set(encoder.encode(String(length)), 0);
  record.set(rest, length - rest.length);
  return record;
}

/** The archive of files. */
export function tarOf(files: readonly FileToPack[]): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  const add = (head: Uint8Array, content: Uint8Array): void => {
    parts.push(head, content, new Uint8Array(padded(content.length) - content.length));
  };
  for (const { path, bytes } of files) {
    const name = encoder.encode(path);
    if (name.length > LONGEST_NAME) {
      const record = paxRecord(path);
      add(header(encoder.encode('path'), record.length, 'x'), record);
    }
    add(header(name, bytes.length, '0'), bytes);
  }
  parts.push(new Uint8Array(2 * BLOCK));
  const archive = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    archive.set(part, at);
    at += part.length;
  }
  return archive;
}
