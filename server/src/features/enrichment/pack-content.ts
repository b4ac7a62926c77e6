import type { EnrichmentFormat, UploadedKind } from '@tyrian/contract';
import {
  indicatorEntry,
  indicatorText,
  KEY_KINDS,
  type KeyEntry,
  KeyTable,
  lookupEntries,
  networkEntries,
  packKeyTable,
  prefixesOf,
  readIndicators,
  readLookupRows,
  readNetworks,
  type SetTable,
} from '@tyrian/ingest';

// An upload as entries that ingest reads. Large ones are read in a thread of their own (enrichment-worker.ts).

export interface ContentToPack {
  readonly kind: UploadedKind;
  readonly format: EnrichmentFormat;
  readonly text: string;
  readonly keyColumn: string;
  readonly confidence: number;
  readonly expires: number | null;
  /** Entries that stay where the text has none of the same key. */
  readonly before?: Uint8Array;
}

export interface PackedContent {
  readonly image: Uint8Array;
  readonly entries: number;
  readonly prefixes: SetTable['prefixes'];
  readonly faultCount: number;
  readonly faults: readonly { line: number; reason: Fault; text: string }[];
}

type Fault = ReturnType<typeof readNetworks>['faults'][number]['reason'];

function readEntries({ kind, format, text, keyColumn, confidence, expires }: ContentToPack) {
  if (kind === 'indicators') {
    const defaults = { confidence, ...(expires === null ? {} : { until: expires }) };
    const read = readIndicators(text, format, defaults);
    return { ...read, entries: read.entries.map(indicatorEntry) };
  }
  if (kind === 'networks') {
    const read = readNetworks(text);
    return { ...read, entries: networkEntries(read.entries) };
  }
  const read = readLookupRows(text, keyColumn === '' ? undefined : keyColumn);
  return { ...read, entries: lookupEntries(read.entries) };
}

/** Every entry of a packed table. */
export function* entriesOf(image: Uint8Array): Generator<KeyEntry> {
  const table = new KeyTable(image);
  for (let entry = 0; entry < table.entries; entry += 1)
    yield {
      kind: table.kindOf(entry),
      key: table.keyOf(entry),
      value: JSON.stringify(table.valueOf(entry)),
    };
}

/** Reads and packs an upload. */
export function packContent(content: ContentToPack): PackedContent {
  const read = readEntries(content);
  const before = content.before === undefined ? [] : [...entriesOf(content.before)];
  const image = packKeyTable([...before, ...read.entries]);
  return {
    image,
    entries: new KeyTable(image).entries,
    prefixes: prefixesOf([...before, ...read.entries]),
    faultCount: read.faultCount,
    faults: read.faults,
  };
}

export interface Sample {
  readonly key: string;
  readonly values: Record<string, string>;
}

const timeText = (ms: unknown): string => (typeof ms === 'number' ? new Date(ms).toISOString() : '');

/** A key of networks as people write it. */
const keyText = (table: KeyTable, entry: number): string =>
  table.kindOf(entry) === KEY_KINDS.network
    ? indicatorText(table.keyOf(entry), { type: 'ip' })
    : table.keyOf(entry);

function valuesOf(value: Readonly<Record<string, unknown>>): Record<string, string> {
  const { values, from, until, ...rest } = value;
  const all = { ...rest, ...(values as Record<string, unknown> | undefined) };
  const shown = Object.entries(all).map(([name, one]): [string, string] => [name, String(one)]);
  const times: [string, string][] = [
    ['valid_from', timeText(from)],
    ['valid_until', timeText(until)],
  ];
  return Object.fromEntries([...shown, ...times.filter(([, time]) => time !== '')]);
}

/** The first entries, for people. */
export function samplesOf(image: Uint8Array, most: number): Sample[] {
  const table = new KeyTable(image);
  const samples: Sample[] = [];
  for (let entry = 0; entry < table.entries && samples.length < most; entry += 1) {
    const value = table.valueOf<Record<string, unknown> | Record<string, unknown>[]>(entry);
    const key = keyText(table, entry);
    for (const one of Array.isArray(value) ? value : [value])
      if (samples.length < most) samples.push({ key, values: valuesOf(one) });
  }
  return samples;
}
