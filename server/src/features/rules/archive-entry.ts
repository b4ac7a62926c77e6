import { IMPORT_LIMITS, say } from '@tyrian/contract';
import { AppError } from '../../platform/app-error.ts';

/** A file of an archive before its content is read. */
export interface ArchiveEntry {
  readonly path: string;
  /** A link or a device has no content here. */
  readonly kind: 'file' | 'other';
  /** Bytes, unpacked. */
  readonly size: number;
  /** The content; empty when it is longer than a rule may be. Throws AppError `bad-input`. */
  content(): Buffer;
}

export const isTooLong = (size: number): boolean => size > IMPORT_LIMITS.fileBytes;
export const NOTHING = Buffer.alloc(0);

export const tooLarge = (): AppError =>
  new AppError('bad-input', say('packs.archiveTooLarge', { most: IMPORT_LIMITS.unpackedBytes / 1024 ** 2 }));
export const broken = (): AppError => new AppError('bad-input', say('packs.archiveBroken'));

/** Runs what unpacks; beyond its bound the archive is too large, and whatever else fails in it, broken. */
export function unpacking<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge() : broken();
  }
}
