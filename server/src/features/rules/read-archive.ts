import { gunzipSync } from 'node:zlib';
import { IMPORT_LIMITS, say } from '@tyrian/contract';
import { AppError } from '../../platform/app-error.ts';
import { type ArchiveEntry, isTooLong, NOTHING, tooLarge, unpacking } from './archive-entry.ts';
import { isBelowRegressionData, isSampleFile } from './sample-files.ts';
import { tarEntries } from './tar-entries.ts';
import { zipEntries } from './zip-entries.ts';

// The rule files of an archive, whichever form it has. Nothing is written to disk, names are labels alone, and every
// limit ends the import with a refusal that says so.

/** A file of an archive; `bytes` is empty when it is longer than a rule may be. */
export interface ArchiveFile {
  readonly path: string;
  readonly bytes: Buffer;
  readonly size: number;
}

const RULE_FILE = /\.ya?ml$/i;

const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;
const isZip = (bytes: Buffer): boolean => bytes.subarray(0, 2).toString('latin1') === 'PK';
const isTar = (bytes: Buffer): boolean => bytes.subarray(257, 262).toString('latin1') === 'ustar';

const gunzipped = (bytes: Buffer): Buffer =>
  unpacking(() => gunzipSync(bytes, { maxOutputLength: IMPORT_LIMITS.unpackedBytes }));

/** The path below the root of the archive, without what would lead out of it. */
function plainPath(path: string): string {
  const parts = path.split(/[\\/]/).filter((part) => part !== '' && part !== '.' && part !== '..');
  if (parts.length > IMPORT_LIMITS.depth)
    throw new AppError('bad-input', say('packs.archiveTooDeep', { most: IMPORT_LIMITS.depth }));
  return parts.join('/').slice(0, 1000);
}

function entriesOf(bytes: Buffer, name: string): Iterable<ArchiveEntry> {
  if (isZip(bytes)) return zipEntries(bytes);
  if (isTar(bytes)) return tarEntries(bytes);
  const one = { path: RULE_FILE.test(name) ? name : 'rule.yml', size: bytes.length };
  return [{ ...one, content: () => (isTooLong(bytes.length) ? NOTHING : bytes) }];
}

export interface ArchiveFiles {
  readonly rules: readonly ArchiveFile[];
  /** Of the layout of SigmaHQ, below `regression_data`. */
  readonly samples: readonly ArchiveFile[];
}

const byPath = (one: ArchiveFile, other: ArchiveFile): number =>
  one.path < other.path ? -1 : one.path > other.path ? 1 : 0;

/**
 * The files of rules and of their samples in an archive (tar, tar.gz, zip, or one rule as it is), in the order of their
 * paths. Throws AppError `bad-input` beyond a limit and for an archive that cannot be read.
 */
export function readArchive(archive: Buffer, name = ''): ArchiveFiles {
  const bytes = isGzip(archive) ? gunzipped(archive) : archive;
  const rules: ArchiveFile[] = [];
  const samples: ArchiveFile[] = [];
  let [seen, total] = [0, 0];
  for (const entry of entriesOf(bytes, name)) {
    seen += 1;
    if (seen > IMPORT_LIMITS.files)
      throw new AppError('bad-input', say('packs.archiveTooManyFiles', { most: IMPORT_LIMITS.files }));
    const path = plainPath(entry.path);
    const isRule = RULE_FILE.test(path) && !isBelowRegressionData(path);
    if (!isRule && !isSampleFile(path)) continue;
    total += entry.size;
    if (total > IMPORT_LIMITS.unpackedBytes) throw tooLarge();
    (isRule ? rules : samples).push({ path, bytes: entry.content(), size: entry.size });
  }
  if (rules.length === 0) throw new AppError('bad-input', say('packs.archiveEmpty'));
  return { rules: rules.sort(byPath), samples: samples.sort(byPath) };
}
