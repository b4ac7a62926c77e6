import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Extractor, readExtractor } from '@tyrian/ingest';

// The native extractors and their samples, read from the folder `content` for tests, benches and the page in docs.

const CONTENT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../content');

export interface ContentExtractor {
  readonly id: number;
  readonly name: string;
  readonly file: string;
  readonly yaml: string;
  readonly extractor: Extractor;
  /** Records of ours as the source writes them. */
  readonly samples: readonly string[];
}

function samplesOf(name: string): readonly string[] {
  const text = readFileSync(path.join(CONTENT, 'extractor-samples', `${name}.log`), 'utf8');
  return text.split('\n').filter((line) => line !== '');
}

/** All native extractors by their numbers. Throws when one cannot be read or has no samples. */
export function contentExtractors(): readonly ContentExtractor[] {
  const folder = path.join(CONTENT, 'extractors');
  return readdirSync(folder)
    .map((file): ContentExtractor => {
      const yaml = readFileSync(path.join(folder, file), 'utf8');
      const { extractor, faults } = readExtractor(yaml);
      if (extractor?.id === undefined) throw new Error(`${file}: ${faults[0]?.message ?? 'has no number'}`);
      const { id, name } = extractor;
      return { id, name, file, yaml, extractor, samples: samplesOf(name) };
    })
    .toSorted((a, b) => a.id - b.id);
}

/** The files of samples, by the name of their extractor. */
export function sampleNames(): readonly string[] {
  return readdirSync(path.join(CONTENT, 'extractor-samples')).map((file) => file.replace(/\.log$/, ''));
}
