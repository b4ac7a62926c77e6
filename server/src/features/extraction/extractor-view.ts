import { EXTRACTOR_LIMITS, type Extractor, type ExtractorItem } from '@tyrian/contract';
import { readExtractor } from '@tyrian/ingest';
import { parse } from 'yaml';
import type { OtherExtractor } from './check-extractor.ts';
import type { ExtractorRow } from './extractor-store.ts';
import type { NativeExtractor } from './native-extractors.ts';

// Extractors as they are told.

const DAY_MS = 86_400_000;
const OUR_NAME = 'Tyrian';

export const isNativeId = (id: number): boolean => id < EXTRACTOR_LIMITS.firstOwnId;

/** The native one that an extractor stands for; null for one that stands for itself. */
export const nativeOf = ({ cloned_from }: Pick<ExtractorRow, 'cloned_from'>): number | null =>
  cloned_from !== null && isNativeId(cloned_from) ? cloned_from : null;

export const itemOfNative = (one: NativeExtractor, off: ReadonlySet<number>): ExtractorItem => ({
  extractor_id: one.id,
  name: one.sourceName,
  source_name: one.sourceName,
  source_type: one.sourceType,
  author: OUR_NAME,
  type: 'native',
  version: 1,
  status: off.has(one.id) ? 'disabled' : 'enabled',
  is_new: false,
  has_draft: false,
  cloned_from: null,
  updated: null,
});

export const itemOf = (row: ExtractorRow, nowMs: number): ExtractorItem => ({
  extractor_id: row.extractor_id,
  name: row.name,
  source_name: row.source_name,
  source_type: row.source_type,
  author: row.author,
  type: 'custom',
  version: row.version,
  status: row.version === 0 ? 'draft' : row.enabled ? 'enabled' : 'disabled',
  is_new: row.created > nowMs - EXTRACTOR_LIMITS.newDays * DAY_MS,
  has_draft: row.draft !== null,
  cloned_from: row.cloned_from,
  updated: row.updated,
});

export const fullNative = (
  one: NativeExtractor,
  off: ReadonlySet<number>,
  instead: Extractor['instead'],
): Extractor => ({
  ...itemOfNative(one, off),
  revision: 0,
  yaml: one.yaml,
  draft: null,
  draft_by: null,
  samples: [],
  instead,
});

export const fullOwn = (
  row: ExtractorRow,
  more: Pick<Extractor, 'samples' | 'instead'> & { readonly nowMs: number },
): Extractor => ({
  ...itemOf(row, more.nowMs),
  revision: row.revision,
  yaml: row.yaml,
  draft: row.draft,
  draft_by: row.draft_by,
  samples: more.samples,
  instead: more.instead,
});

/** The native one and its clones but for `id`: with the extractor of that number they take each other's place. */
export function pairsOf(
  id: number,
  row: ExtractorRow | undefined,
  own: readonly ExtractorRow[],
  native: ReadonlyMap<number, NativeExtractor>,
): { readonly natives: readonly NativeExtractor[]; readonly clones: readonly ExtractorRow[] } {
  const root = row ? nativeOf(row) : id;
  if (root === null) return { natives: [], clones: [] };
  const shipped = native.get(root);
  return {
    natives: row && shipped ? [shipped] : [],
    clones: own.filter((one) => nativeOf(one) === root && one.extractor_id !== id),
  };
}

/** Everything beside the extractor of that number, for its checks. */
export function othersOf(
  id: number | undefined,
  row: ExtractorRow | undefined,
  own: readonly ExtractorRow[],
  native: ReadonlyMap<number, NativeExtractor>,
  off: ReadonlySet<number>,
): OtherExtractor[] {
  const root = row ? nativeOf(row) : null;
  return [
    ...own
      .filter((one) => one.extractor_id !== id)
      .map((one) => ({
        id: one.extractor_id,
        name: one.source_name,
        yaml: one.yaml === '' ? (one.draft ?? '') : one.yaml,
        isOn: one.enabled,
        isPair: root !== null && nativeOf(one) === root,
      })),
    ...[...native.values()].map((one) => ({
      id: one.id,
      name: one.sourceName,
      yaml: one.yaml,
      isOn: !off.has(one.id),
      isPair: root === one.id,
    })),
  ];
}

interface Names {
  readonly name: string;
  readonly source_name: string;
  readonly source_type: string;
}

const shortText = (value: unknown): string => (typeof value === 'string' ? value.trim().slice(0, 64) : '');

/** What a definition calls itself; of one that cannot be read, what can be read of it. */
export function namesIn(yaml: string): Names {
  const { extractor } = readExtractor(yaml);
  if (extractor)
    return { name: extractor.name, source_name: extractor.name, source_type: extractor.sourceType };
  const line = (key: string) => new RegExp(`^${key}:[ \\t]*(.*)$`, 'm').exec(yaml)?.[1] ?? '';
  const plain = (key: string) => {
    try {
      return shortText(parse(line(key)));
    } catch {
      return '';
    }
  };
  const name = plain('source-name');
  return { name, source_name: name, source_type: plain('source-type') };
}

/** A definition without its number, which the product gives. */
export const withoutId = (yaml: string): string => yaml.replace(/^extractor-id:.*\r?\n?/m, '');
