import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { EXTRACTOR_LIMITS } from '@tyrian/contract';
import { readExtractor } from '@tyrian/ingest';

// The extractors that come with Tyrian: one YAML file each in content/extractors. The same for every tenant.

export interface NativeExtractor {
  readonly id: number;
  readonly sourceName: string;
  readonly sourceType: string;
  readonly yaml: string;
}

const FOLDER = fileURLToPath(new URL('../../../../content/extractors/', import.meta.url));

/** Reads one file. Throws with the name of the file and what is wrong. */
function readOne(file: string): NativeExtractor {
  const yaml = readFileSync(`${FOLDER}${file}`, 'utf8');
  const { extractor, faults } = readExtractor(yaml);
  const id = extractor?.id;
  if (!extractor || id === undefined || id >= EXTRACTOR_LIMITS.firstOwnId)
    throw new Error(`content/extractors/${file}: ${faults[0]?.message ?? 'it has no number of ours'}`);
  return { id, sourceName: extractor.name, sourceType: extractor.sourceType, yaml };
}

let known: ReadonlyMap<number, NativeExtractor> | undefined;

/** By number. Read once. */
export function nativeExtractors(): ReadonlyMap<number, NativeExtractor> {
  known ??= new Map(
    (existsSync(FOLDER) ? readdirSync(FOLDER) : [])
      .filter((file) => file.endsWith('.yaml'))
      .map(readOne)
      .sort((a, b) => a.id - b.id)
      .map((one) => [one.id, one]),
  );
  return known;
}

let hash: string | undefined;

/** Changes when one of them does. */
export function nativeHash(): string {
  hash ??= createHash('sha256')
    .update([...nativeExtractors().values()].map(({ yaml }) => yaml).join('\0'))
    .digest('hex');
  return hash;
}
