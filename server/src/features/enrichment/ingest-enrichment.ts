import { type EnrichmentHits, packEnrichmentSet } from '@tyrian/ingest';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/log.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import { addHits, loadSet, setVersion } from './enrichment-set-store.ts';
import { geoVersion } from './geo-databases.ts';
import { geoImage } from './run-in-thread.ts';
import type { EnrichmentImages, SharedImage } from './thread-enrichers.ts';

// What the ingest role knows of enrichment. A change is told by PostgreSQL to every process within a moment; should that
// message be lost, the version is looked at again after half a minute.

export const ENRICHMENT_CHANNEL = 'tyrian_enrichment';

export interface IngestEnrichment {
  /** What events of a scope are enriched with. Throws when it cannot be known: then nothing is acknowledged. */
  of(clusterId: string, scopeId: string): Promise<EnrichmentImages>;
  /** Begins to read the databases of addresses, and comes back at once. */
  warm(): void;
  /** Counts what tables of the scope knew; written within seconds. */
  count(clusterId: string, scopeId: string, hits: EnrichmentHits): void;
  /** Writes what was counted. */
  flush(): Promise<void>;
}

const KEPT_MS = 30_000;
const FLUSH_MS = 2_000;
/** Memory for the sets of all scopes; the ones not used for longest go first. */
const MAX_BYTES = 384 * 1024 * 1024;

interface KnownSet {
  readonly loaded: Promise<SharedImage | null>;
  checkedMs: number;
  bytes: number;
}

interface Parts {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly log: Logger;
  readonly known: Map<string, KnownSet>;
  listening: Promise<unknown> | null;
  /** By scope. */
  hits: Map<string, EnrichmentHits>;
  timer: NodeJS.Timeout | null;
}

export function createIngestEnrichment(deps: Pick<Parts, 'postgres' | 'clock' | 'log'>): IngestEnrichment {
  const parts: Parts = { ...deps, known: new Map(), listening: null, hits: new Map(), timer: null };
  return bindDeps(parts, { of, warm, count, flush });
}

const keyOf = (clusterId: string, scopeId: string): string => `${clusterId} ${scopeId}`;

/** Forgets what a message says has changed. */
async function listen(parts: Parts): Promise<void> {
  parts.listening ??= parts.postgres.listen(ENRICHMENT_CHANNEL, (key) => {
    parts.known.delete(key);
  });
  try {
    await parts.listening;
  } catch (error) {
    parts.listening = null;
    throw error;
  }
}

async function geoOf({ log }: Parts): Promise<SharedImage | null> {
  try {
    return { version: geoVersion(), image: await geoImage() };
  } catch (error) {
    log.error({ err: (error as Error).message }, 'the databases of addresses could not be read');
    return null;
  }
}

function warm(parts: Parts): void {
  void geoOf(parts);
}

async function of(parts: Parts, clusterId: string, scopeId: string): Promise<EnrichmentImages> {
  await listen(parts);
  const [geo, set] = await Promise.all([geoOf(parts), setOf(parts, clusterId, scopeId)]);
  return { geo, set };
}

async function setOf(parts: Parts, clusterId: string, scopeId: string): Promise<SharedImage | null> {
  const { known, postgres, clock } = parts;
  const key = keyOf(clusterId, scopeId);
  const kept = known.get(key);
  if (kept) {
    const image = await kept.loaded;
    if (clock.now() - kept.checkedMs < KEPT_MS) return image;
    const version = await setVersion(postgres, { clusterId, scopeId });
    if (version === (image?.version ?? null)) {
      kept.checkedMs = clock.now();
      return image;
    }
  }
  const entry: KnownSet = {
    loaded: load(parts, clusterId, scopeId),
    checkedMs: clock.now(),
    bytes: 0,
  };
  known.delete(key);
  known.set(key, entry);
  try {
    const image = await entry.loaded;
    entry.bytes = image?.image.byteLength ?? 0;
    forgetOldest(known);
    return image;
  } catch (error) {
    if (known.get(key) === entry) known.delete(key);
    throw error;
  }
}

async function load({ postgres }: Parts, clusterId: string, scopeId: string): Promise<SharedImage | null> {
  const set = await loadSet(postgres, { clusterId, scopeId });
  if (set === null) return null;
  return { version: set.version, image: packEnrichmentSet(set.version, set.tables) };
}

function forgetOldest(known: Map<string, KnownSet>): void {
  let bytes = 0;
  for (const entry of known.values()) bytes += entry.bytes + 256;
  for (const [key, entry] of known) {
    if (bytes <= MAX_BYTES || known.size === 1) return;
    known.delete(key);
    bytes -= entry.bytes + 256;
  }
}

function count(parts: Parts, clusterId: string, scopeId: string, hits: EnrichmentHits): void {
  const key = keyOf(clusterId, scopeId);
  const sums = parts.hits.get(key) ?? {};
  for (const [table, [looked, found]] of Object.entries(hits)) {
    const [before, foundBefore] = sums[table] ?? [0, 0];
    sums[table] = [before + looked, foundBefore + found];
  }
  if (Object.keys(sums).length === 0) return;
  parts.hits.set(key, sums);
  parts.timer ??= setTimeout(() => void flush(parts), FLUSH_MS).unref();
}

async function flush(parts: Parts): Promise<void> {
  if (parts.timer !== null) clearTimeout(parts.timer);
  parts.timer = null;
  const { hits, postgres, clock, log } = parts;
  parts.hits = new Map();
  for (const [key, sums] of hits) {
    const [clusterId = '', scopeId = ''] = key.split(' ');
    try {
      await addHits(postgres, { clusterId, scopeId }, sums, clock.now());
    } catch (error) {
      // Figures for people; what is lost of them is said, and no event is.
      log.warn({ err: (error as Error).message }, 'counts of enrichment could not be written');
    }
  }
}
