import { inflateRawSync } from 'node:zlib';
import { type ArchiveEntry, broken, isTooLong, NOTHING, unpacking } from './archive-entry.ts';

// The files of a zip archive, as its central directory lists them: stored or deflated, without encryption and without the
// 64-bit form, which archives of these sizes do not need.

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const END_LENGTH = 22;
const LONGEST_COMMENT = 65_535;
const ENCRYPTED = 1;
const MADE_BY_UNIX = 3;
/** The upper bits of the mode of a symbolic link. */
const LINK_MODE = 0o12;

function directoryOf(bytes: Buffer): { readonly at: number; readonly count: number } {
  const last = Math.max(0, bytes.length - END_LENGTH - LONGEST_COMMENT);
  for (let at = bytes.length - END_LENGTH; at >= last; at -= 1)
    if (bytes.readUInt32LE(at) === END)
      return { at: bytes.readUInt32LE(at + 16), count: bytes.readUInt16LE(at + 10) };
  throw broken();
}

interface Packed {
  /** Where its local header stands. */
  readonly local: number;
  readonly packed: number;
  readonly size: number;
  readonly isDeflated: boolean;
  readonly isLink: boolean;
}

/** Throws AppError `bad-input` for a broken archive, and for one that unpacks to more than it says. */
export function* zipEntries(bytes: Buffer): Generator<ArchiveEntry> {
  const directory = unpacking(() => directoryOf(bytes));
  let { at } = directory;
  for (let left = directory.count; left > 0; left -= 1) {
    const read = unpacking(() => entryAt(bytes, at));
    at = read.next;
    if (read.isLink) yield { path: read.path, kind: 'other', size: 0, content: () => NOTHING };
    else if (!read.path.endsWith('/'))
      yield {
        ...{ path: read.path, kind: 'file', size: read.size },
        content: () => unpacking(() => contentOf(bytes, read)),
      };
  }
}

function entryAt(bytes: Buffer, at: number): Packed & { readonly path: string; readonly next: number } {
  if (bytes.readUInt32LE(at) !== CENTRAL) throw broken();
  const [flags, method] = [bytes.readUInt16LE(at + 8), bytes.readUInt16LE(at + 10)];
  if ((flags & ENCRYPTED) !== 0 || (method !== 0 && method !== 8)) throw broken();
  const name = bytes.readUInt16LE(at + 28);
  const rest = bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  return {
    path: bytes.subarray(at + 46, at + 46 + name).toString('utf8'),
    packed: bytes.readUInt32LE(at + 20),
    size: bytes.readUInt32LE(at + 24),
    local: bytes.readUInt32LE(at + 42),
    isDeflated: method === 8,
    isLink: bytes.readUInt8(at + 5) === MADE_BY_UNIX && bytes.readUInt32LE(at + 38) >>> 28 === LINK_MODE,
    next: at + 46 + name + rest,
  };
}

function contentOf(bytes: Buffer, { local, packed, size, isDeflated }: Packed): Buffer {
  if (isTooLong(size)) return NOTHING;
  if (bytes.readUInt32LE(local) !== LOCAL) throw broken();
  const from = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
  const content = bytes.subarray(from, from + packed);
  if (isDeflated) return inflateRawSync(content, { maxOutputLength: Math.max(1, size) });
  if (content.length !== size) throw broken();
  return content;
}
