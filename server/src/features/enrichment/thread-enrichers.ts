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

/** Sets that a thread keeps; each holds on to its memory. */
const KEPT_SETS = 24;

let geo: { readonly version: string; readonly database: GeoDatabase; readonly plain: EventEnricher } | null =
  null;
const sets = new Map<string, EventEnricher>();

/** The enricher of a set, the same one for as long as neither databases nor set change. */
export function enricherOf(images: EnrichmentImages): EventEnricher {
  if (images.geo !== null && geo?.version !== images.geo.version) {
    const database = new GeoDatabase(images.geo.image);
    geo = { version: images.geo.version, database, plain: new EventEnricher(database) };
    sets.clear();
  }
  if (images.set === null) return geo?.plain ?? new EventEnricher(null);
  const { version, image } = images.set;
  const known = sets.get(version);
  const enricher = known ?? new EventEnricher(geo?.database ?? null, readEnrichmentSet(image));
  sets.delete(version);
  sets.set(version, enricher);
  for (const [oldest] of sets) {
    if (sets.size <= KEPT_SETS) break;
    sets.delete(oldest);
  }
  return enricher;
}
