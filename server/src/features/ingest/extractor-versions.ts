import type { ExtractorSource } from '@tyrian/ingest';
import { keepNewest } from '../../platform/keep-newest.ts';

// Which sets of extractors a decoding thread holds. A set crosses to a thread once; afterwards its version is enough. The
// pool and the thread remember the same versions by the same rule, so neither asks the other.

/** The extractors of a tenant. Equal versions mean equal extractors, in the same order. */
export interface ActiveExtractors {
  readonly version: string;
  readonly extractors: readonly ExtractorSource[];
}

/** What travels with a job: the texts only where the thread does not hold the version. */
export interface SentExtractors {
  readonly version: string;
  readonly extractors?: readonly ExtractorSource[];
}

/** Sets that a thread holds; tenants without extractors of their own share one. */
const MOST_SETS = 100;

/** The versions used last, with what belongs to each. */
export class RecentVersions<T> {
  readonly #held = new Map<string, T>();

  /** What belongs to the version; it is made when it is not held, and the version used longest ago goes. */
  use(version: string, make: () => T): T {
    const known = this.#held.get(version);
    const value = known === undefined ? make() : known;
    keepNewest(this.#held, version, value, MOST_SETS);
    return value;
  }
}

/** The set as it is sent to a thread that has the versions `held`. */
export function sentExtractors(set: ActiveExtractors, held: RecentVersions<true>): SentExtractors {
  let isNew = false;
  held.use(set.version, () => {
    isNew = true;
    return true;
  });
  return isNew ? set : { version: set.version };
}
