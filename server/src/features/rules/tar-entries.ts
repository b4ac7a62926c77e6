import { type ArchiveEntry, broken, isTooLong, NOTHING } from './archive-entry.ts';

// The files of a tar archive: ustar, with the long names of pax and of GNU tar.

const BLOCK = 512;
/** A header of a long name is no longer than this. */
const LONGEST_NAME = 64 * 1024;

/** Hard link, symbolic link, character device, block device, pipe. */
const OTHER_TYPES = ['1', '2', '3', '4', '6'];

const textAt = (bytes: Buffer, from: number, length: number): string => {
  const part = bytes.subarray(from, from + length);
  const end = part.indexOf(0);
  return part.subarray(0, end === -1 ? length : end).toString('utf8');
};

function sizeOf(header: Buffer): number {
  const text = textAt(header, 124, 12).trim();
  if (!/^[0-7]+$/.test(text)) throw broken();
  return Number.parseInt(text, 8);
}

/** The path in a pax header: records `<length> path=<value>\n`. */
function paxPath(text: string): string | undefined {
  return /(?:^|\n)\d+ path=([^\n]*)/.exec(text)?.[1];
}

/** Files, and links and devices as such; folders are passed over. Throws AppError `bad-input` for a broken archive. */
export function* tarEntries(bytes: Buffer): Generator<ArchiveEntry> {
  let longName: string | undefined;
  for (let at = 0; at + BLOCK <= bytes.length; ) {
    const header = bytes.subarray(at, at + BLOCK);
    if (header.every((byte) => byte === 0)) return;
    const size = sizeOf(header);
    const from = at + BLOCK;
    if (from + size > bytes.length) throw broken();
    const type = String.fromCharCode(header[156] ?? 0);
    at = from + Math.ceil(size / BLOCK) * BLOCK;
    if (type === 'x' || type === 'L') {
      const text = textAt(bytes, from, Math.min(size, LONGEST_NAME));
      longName = type === 'x' ? paxPath(text) : text;
      continue;
    }
    const prefix = textAt(header, 345, 155);
    const name = textAt(header, 0, 100);
    const path = longName ?? (prefix === '' ? name : `${prefix}/${name}`);
    longName = undefined;
    if (OTHER_TYPES.includes(type)) yield { path, kind: 'other', size: 0, content: () => NOTHING };
    if (type !== '0' && type !== '\0') continue;
    yield {
      path,
      kind: 'file',
      size,
      content: () => (isTooLong(size) ? NOTHING : bytes.subarray(from, from + size)),
    };
  }
}
