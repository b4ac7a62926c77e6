import { createHash } from 'node:crypto';
import type { AddedNames } from '@tyrian/ingest';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/log.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import type { ActiveExtractors } from '../ingest/extractor-versions.ts';
import { ownExtractors, switchedOff } from './extractor-store.ts';
import { nativeExtractors, nativeHash } from './native-extractors.ts';

// The extractors of a tenant that are on, as those need them who read what comes in. They are read again after a moment, so
// that a change made in another process is seen within seconds, and at once after a change made in this one.

export interface ExtractorLibrary {
  /** The tenant's own first, the newest of them before the others. */
  extractorsOf(clusterId: string): Promise<ActiveExtractors>;
  /** Streams and fields that the tenant added, which its extractors may name too. */
  addedNames(clusterId: string): Promise<AddedNames>;
  /** Something has changed here. */
  forget(clusterId: string): void;
}

const FRESH_MS = 5_000;
/** Tenants that are remembered; beyond it the one that was asked for longest ago goes. */
const MOST_TENANTS = 2_000;

interface Known {
  readonly untilMs: number;
  readonly reading: Promise<ActiveExtractors>;
}

async function read(
  { postgres, addedNames }: LibraryDeps,
  clusterId: string,
  before: Known | undefined,
): Promise<ActiveExtractors> {
  const added = await addedNames(clusterId);
  const isAdded = Boolean(added.streams?.length || added.fields?.length);
  const { own, off } = await postgres.inTenant(clusterId, async (trx) => ({
    own: await ownExtractors(trx, clusterId),
    off: await switchedOff(trx, clusterId),
  }));
  const native = nativeExtractors();
  const extractors = [
    ...own
      .filter(({ enabled }) => enabled)
      .map(({ extractor_id: id, yaml }) => ({ id, yaml, ...(isAdded ? { added } : {}) }))
      .reverse(),
    ...[...native.values()].filter(({ id }) => !off.has(id)).map(({ id, yaml }) => ({ id, yaml })),
  ];
  const hash = createHash('sha256')
    .update(nativeHash())
    .update(JSON.stringify(isAdded ? added : {}));
  for (const { id, yaml } of extractors) hash.update(native.has(id) ? `${id}\0` : `${id}\0${yaml}\0`);
  const version = hash.digest('hex').slice(0, 16);
  // The same list stays the same value, so that what was made of it is found again.
  const last = await before?.reading.catch(() => undefined);
  return last?.version === version ? last : { version, extractors };
}

interface LibraryDeps {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly log: Logger;
  readonly addedNames: ExtractorLibrary['addedNames'];
}

export function createExtractorLibrary(deps: LibraryDeps): ExtractorLibrary {
  const { addedNames, clock, log } = deps;
  const known = new Map<string, Known>();
  return {
    extractorsOf: (clusterId) => {
      const before = known.get(clusterId);
      if (before && clock.now() < before.untilMs) return before.reading;
      const reading = read(deps, clusterId, before).catch(async (error: Error) => {
        // What was known is better than nothing: events go on being read while the records do not answer.
        const last = await before?.reading.catch(() => undefined);
        if (!last) throw error;
        log.warn({ err: error.message, clusterId }, 'extractors could not be read; those known go on');
        return last;
      });
      known.delete(clusterId);
      known.set(clusterId, { untilMs: clock.now() + FRESH_MS, reading });
      if (known.size > MOST_TENANTS) known.delete([...known.keys()][0] ?? '');
      reading.catch(() => known.delete(clusterId));
      return reading;
    },
    addedNames,
    forget: (clusterId) => {
      known.delete(clusterId);
    },
  };
}
