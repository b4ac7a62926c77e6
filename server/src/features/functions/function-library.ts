import { createHash } from 'node:crypto';
import type { SavedFunction } from '@tyrian/kql';
import type { Clock } from '../../platform/clock.ts';
import type { FunctionStore } from './function-store.ts';

// The functions of a tenant as its queries see them. They are read again after a moment, so that a change made in
// another process is seen, and at once after a change made in this one.

export interface TenantFunctions {
  /** Equal versions mean equal functions; '' when there are none. */
  readonly version: string;
  readonly functions: readonly SavedFunction[];
}

export interface FunctionLibrary {
  functionsOf(clusterId: string): Promise<TenantFunctions>;
  /** Something has changed here. */
  forget(clusterId: string): void;
}

const FRESH_MS = 2000;

interface Known {
  readonly untilMs: number;
  readonly reading: Promise<TenantFunctions>;
}

export function createFunctionLibrary(deps: {
  readonly store: FunctionStore;
  readonly clock: Clock;
}): FunctionLibrary {
  const { store, clock } = deps;
  const known = new Map<string, Known>();

  const read = async (clusterId: string, before: Known | undefined): Promise<TenantFunctions> => {
    const rows = await store.list(clusterId);
    const functions = rows.map(({ name, parameters, body, description }) => ({
      name,
      parameters,
      body,
      description,
    }));
    const version =
      functions.length === 0
        ? ''
        : createHash('sha256').update(JSON.stringify(functions)).digest('hex').slice(0, 16);
    // The same list stays the same value, so that what was made of it is found again.
    const last = await before?.reading.catch(() => undefined);
    return last?.version === version ? last : { version, functions };
  };

  return {
    functionsOf: (clusterId) => {
      const before = known.get(clusterId);
      if (before && clock.now() < before.untilMs) return before.reading;
      const reading = read(clusterId, before);
      known.set(clusterId, { untilMs: clock.now() + FRESH_MS, reading });
      reading.catch(() => known.delete(clusterId));
      return reading;
    },
    forget: (clusterId) => {
      known.delete(clusterId);
    },
  };
}
