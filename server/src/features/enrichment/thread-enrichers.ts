import { EventEnricher, GeoDatabase, readEnrichmentSet } from '@tyrian/ingest';

// What a decoding thread keeps of enrichment. The memory of databases and tables is shared by all threads of the process
// and never copied; a thread keeps how to read it, of the sets that it used last.

/** A piece of shared memory with the version of what is in it. */
export interface SharedImage {
  readonly version: string;
  readonly image: Uint8Array;
}

/** What the events of a scope are enriched with. */
export interface EnrichmentImages {
  readonly geo: SharedImage | null;
  /** Null when the scope has no tables. Its version is of this scope alone. */
  readonly set: SharedImage | null;
}

/** Memory of the sets that a thread holds on to; it is the same memory for all threads. */
const KEPT_BYTES = 192 * 1024 * 1024;
/** A small set takes so much all the same, with the addresses that its enricher remembers. */
const LEAST_BYTES = 1024 * 1024;

let geo: { readonly version: string; readonly database: GeoDatabase; readonly plain: EventEnricher } | null =
  null;
const sets = new Map<string, { readonly enricher: EventEnricher; readonly bytes: number }>();
let bytesKept = 0;

function forget(version: string): void {
  bytesKept -= sets.get(version)?.bytes ?? 0;
  sets.delete(version);
}

/** The enricher of a set, the same one for as long as neither databases nor set change. */
export function enricherOf(images: EnrichmentImages): EventEnricher {
  if (images.geo !== null && geo?.version !== images.geo.version) {
    const database = new GeoDatabase(images.geo.image);
    geo = { version: images.geo.version, database, plain: new EventEnricher(database) };
    sets.clear();
    bytesKept = 0;
  }
  if (images.set === null) return geo?.plain ?? new EventEnricher(null);
  const { version, image } = images.set;
  const known = sets.get(version)?.enricher;
  const enricher = known ?? new EventEnricher(geo?.database ?? null, readEnrichmentSet(image));
  const bytes = image.byteLength + LEAST_BYTES;
  forget(version);
  sets.set(version, { enricher, bytes });
  bytesKept += bytes;
  for (const oldest of sets.keys()) {
    if (bytesKept <= KEPT_BYTES || sets.size === 1) break;
    forget(oldest);
  }
  return enricher;
}
