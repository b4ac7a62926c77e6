import type { UserAccess } from '@tyrian/contract';
import { keepNewest } from '../../../platform/keep-newest.ts';

// Access records that have been read, to be used again as long as nothing of anybody's access has changed. For a
// provider with hundreds of tenants the record is what most of a call's time would go to.

/** People whose record is kept; the one that was used longest ago goes first. */
const MAX_ENTRIES = 500;

export interface KnownAccess {
  /**
   * The record of a user, read by `read` unless it is known at this version. The version must have been read before:
   * a record is then never older than it says.
   */
  of(
    userId: string,
    version: number,
    ssid: string,
    read: () => Promise<UserAccess | null>,
  ): Promise<UserAccess | null>;
}

export function createKnownAccess(): KnownAccess {
  const known = new Map<string, { readonly version: number; readonly record: UserAccess }>();
  return {
    of: async (userId, version, ssid, read) => {
      const kept = known.get(userId);
      known.delete(userId);
      const record = kept?.version === version ? kept.record : await read();
      if (!record) return null;
      keepNewest(known, userId, { version, record }, MAX_ENTRIES);
      return { ...record, SSID: ssid };
    },
  };
}
