import { KeyTable } from './key-table.ts';
import { packSections, readSections } from './packed-sections.ts';
import type { PrefixLengths } from './read-address.ts';

// What a scope has events enriched with: its tables, packed into one piece of memory that all decoding threads read.

/** In the order in which they work; `geo` stands before them and is the same for everybody. */
export type EnrichmentKind = 'networks' | 'indicators' | 'assets' | 'identities' | 'bucket';

export interface SetTable {
  readonly id: string;
  readonly name: string;
  readonly kind: EnrichmentKind;
  readonly version: number;
  /** Columns whose values are looked up; of networks and indicators they are given. */
  readonly columns: readonly string[];
  /** Of the networks in it. */
  readonly prefixes: PrefixLengths;
}

/** A network of the tenant's own. */
export interface NetworkValue {
  readonly site: string;
  readonly country?: string;
  readonly latitude?: number;
  readonly longitude?: number;
}

/** What a list says of an indicator. */
export interface IndicatorValue {
  readonly type: string;
  /** From 0 to 100. */
  readonly confidence: number;
  /** Milliseconds since 1970 from which on it is not matched any more. */
  readonly until?: number;
  /** What it stands for, e.g. the name of a family of malware. */
  readonly label?: string;
}

/** Values of a key of an asset, an identity or a bucket, and when they hold: half-open, in milliseconds since 1970. */
export interface LookupValue {
  readonly from?: number;
  readonly until?: number;
  readonly values: Readonly<Record<string, string | number>>;
}

interface SetMeta {
  readonly version: string;
  readonly tables: readonly SetTable[];
}

export interface LoadedTable extends SetTable {
  readonly keys: KeyTable;
}

/** Packs the tables of a scope, each with its packed keys, in memory that threads share. */
export function packEnrichmentSet(
  version: string,
  tables: readonly (SetTable & { readonly image: Uint8Array })[],
): Uint8Array {
  const arrays = Object.fromEntries(tables.map(({ image }, index) => [`t${index}`, image]));
  const about = tables.map(({ image: _image, ...table }) => table);
  return packSections({ version, tables: about } satisfies SetMeta, arrays, true);
}

/** The tables of a packed set, read where they lie, in the order in which they work. */
export function readEnrichmentSet(packed: Uint8Array): readonly LoadedTable[] {
  const sections = readSections<SetMeta>(packed);
  return sections.meta.tables.map((table, index) => ({
    ...table,
    keys: new KeyTable(sections.bytes(`t${index}`)),
  }));
}
