import { gunzipSync } from 'node:zlib';
import { CONTENT_LIMITS, type ServerMessage, say } from '@tyrian/contract';
import { AppError } from '../../platform/app-error.ts';
import type { ArchiveEntry } from '../rules/archive-entry.ts';
import { isGzip, isTar, isZip } from '../rules/read-archive.ts';
import { tarEntries } from '../rules/tar-entries.ts';
import { zipEntries } from '../rules/zip-entries.ts';
import { filesOfYaml } from './yaml-files.ts';

// The files of an archive that somebody sends, each with its text or the reason why it is refused. Nothing is written to
// disk; what is wrong with one file leaves the others alone, and what is wrong with the archive refuses it as a whole.

/** A file of an archive; `problem` says why it cannot be read. */
export interface ContentFile {
  readonly path: string;
  readonly text: string;
  readonly problem: ServerMessage | null;
  /** It says of itself that it is something else. */
  readonly isOther: boolean;
}

const MB = 1024 ** 2;
const YAML_FILE = /\.ya?ml$/i;
const LONGEST_PATH = 1_000;
const refused = (said: ServerMessage) => new AppError('bad-input', said);

const tooLarge = () => refused(say('content.unpackedTooLarge', { most: CONTENT_LIMITS.unpackedBytes / MB }));

function unpacked(bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: CONTENT_LIMITS.unpackedBytes });
  } catch (error) {
    throw (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE'
      ? tooLarge()
      : refused(say('content.archiveBroken'));
  }
}

const isOutside = (path: string): boolean =>
  path.startsWith('/') ||
  /^[A-Za-z]:/.test(path) ||
  path.includes('\\') ||
  /\p{Cc}/u.test(path) ||
  path.split('/').includes('..');

/** A path that may be shown and stored. */
const shownPath = (path: string): string =>
  path
    .toWellFormed()
    .replace(/\p{Cc}/gu, '\u{FFFD}')
    .slice(0, LONGEST_PATH);

function pathProblem(path: string): ServerMessage | null {
  if (isOutside(path) || path.length > LONGEST_PATH) return say('content.pathOutside');
  const depth = path.split('/').length;
  return depth > CONTENT_LIMITS.depth ? say('content.pathTooDeep', { most: CONTENT_LIMITS.depth }) : null;
}

/** Where the bytes cease to be UTF-8, from 1; 0 when they are. */
function wrongByte(bytes: Buffer): number {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const isText = (to: number): boolean => {
    try {
      decoder.decode(bytes.subarray(0, to), { stream: true });
      return true;
    } catch {
      return false;
    } finally {
      // What a stream leaves over is dropped, whether or not it is a character.
      try {
        decoder.decode();
      } catch {}
    }
  };
  let [from, to] = [0, bytes.length];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (isText(middle + 1)) from = middle + 1;
    else to = middle;
  }
  return from + 1;
}

function textOf(bytes: Buffer): { readonly text: string; readonly problem: ServerMessage | null } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
    const at = text.indexOf('\0');
    return at < 0
      ? { text, problem: null }
      : { text: '', problem: say('content.notUtf8', { at: Buffer.byteLength(text.slice(0, at)) + 1 }) };
  } catch {
    return { text: '', problem: say('content.notUtf8', { at: wrongByte(bytes) }) };
  }
}

function fileOf(entry: ArchiveEntry, seen: Set<string>): ContentFile {
  const path = shownPath(entry.path.replace(/^(\.\/)+/, ''));
  const wrong = (problem: ServerMessage): ContentFile => ({ path, text: '', problem, isOther: false });
  const outside = pathProblem(entry.path.replace(/^(\.\/)+/, ''));
  if (outside) return wrong(outside);
  if (entry.kind !== 'file') return wrong(say('content.link'));
  if (seen.has(path)) return wrong(say('content.pathTwice'));
  seen.add(path);
  if (!YAML_FILE.test(path)) return { path, text: '', problem: null, isOther: true };
  if (entry.size > CONTENT_LIMITS.fileBytes)
    return wrong(say('content.fileTooLong', { most: CONTENT_LIMITS.fileBytes / MB }));
  return { path, ...textOf(entry.content()), isOther: false };
}

/** The entries of an archive; a YAML text may hold several files. */
function entriesOf(bytes: Buffer, name: string): Iterable<ArchiveEntry> {
  if (isZip(bytes)) return zipEntries(bytes);
  if (isTar(bytes)) return tarEntries(bytes);
  const own = name.split(/[\\/]/).at(-1) ?? '';
  return filesOfYaml(bytes, YAML_FILE.test(own) ? own : 'content.yaml');
}

/** Reads a tar, tar.gz, zip or YAML. Throws AppError `bad-input` for what cannot be read as a whole. */
export function readContentFiles(archive: Buffer, name: string): readonly ContentFile[] {
  if (archive.length > CONTENT_LIMITS.archiveBytes)
    throw refused(say('content.archiveTooLarge', { most: CONTENT_LIMITS.archiveBytes / MB }));
  const bytes = isGzip(archive) ? unpacked(archive) : archive;
  // An empty tar is nothing but zeros.
  if (bytes.every((byte) => byte === 0)) throw refused(say('content.nothing'));
  const files: ContentFile[] = [];
  const seen = new Set<string>();
  let total = 0;
  try {
    for (const entry of entriesOf(bytes, name)) {
      if (files.length >= CONTENT_LIMITS.files)
        throw refused(say('content.tooManyFiles', { most: CONTENT_LIMITS.files }));
      total += entry.size;
      if (total > CONTENT_LIMITS.unpackedBytes) throw tooLarge();
      files.push(fileOf(entry, seen));
    }
  } catch (error) {
    if (error instanceof AppError && error.said.code.startsWith('packs.'))
      throw refused(say('content.archiveBroken'));
    throw error;
  }
  if (files.length === 0) throw refused(say('content.nothing'));
  return files.sort((one, other) => (one.path < other.path ? -1 : one.path > other.path ? 1 : 0));
}
