import { createHash } from 'node:crypto';
import type { AddedField, AddedStream, TenantCatalog, UploadedTable } from '@tyrian/catalog';
import type { Clock } from '../../platform/clock.ts';
import { type NamedCatalog, NOTHING_ADDED, type QueryCatalog } from '../search/named-catalog.ts';

// What tenants added to their catalogs as queries see it: streams, fields and uploaded tables. It is read again after a
// moment, so that a change made in another process is seen, and at once after a change made in this one.

export interface CatalogSources {
  /** Streams and fields of a tenant. */
  readonly addedOf: (
    clusterId: string,
  ) => Promise<{ readonly streams: readonly AddedStream[]; readonly fields: readonly AddedField[] }>;
  /** The uploaded tables of all scopes of a tenant. */
  readonly tablesOf: (clusterId: string) => Promise<readonly UploadedTable[]>;
}

export interface CatalogLibrary extends QueryCatalog {
  /** Names of streams, and of the tables of a scope or of all, in lower case. */
  namesIn(clusterId: string, scopeId: string | null): Promise<ReadonlySet<string>>;
  /** Something has changed here. */
  forget(clusterId: string): void;
}

const FRESH_MS = 2000;
/** Sets of scopes whose catalogs are kept for one tenant. */
const MAX_SCOPES = 200;

interface Read {
  readonly text: string;
  readonly streams: readonly AddedStream[];
  readonly fields: readonly AddedField[];
  readonly tables: readonly UploadedTable[];
  readonly byScopes: Map<string, NamedCatalog>;
}

interface Known {
  readonly untilMs: number;
  readonly reading: Promise<Read>;
}

export function createCatalogLibrary(deps: CatalogSources & { readonly clock: Clock }): CatalogLibrary {
  const known = new Map<string, Known>();

  const read = async (clusterId: string, before: Known | undefined): Promise<Read> => {
    const [{ streams, fields }, tables] = await Promise.all([
      deps.addedOf(clusterId),
      deps.tablesOf(clusterId),
    ]);
    const text = JSON.stringify([streams, fields, tables]);
    // The same catalog stays the same value, so that what was made of it is found again.
    const last = await before?.reading.catch(() => undefined);
    return last?.text === text ? last : { text, streams, fields, tables, byScopes: new Map() };
  };

  const readNow = (clusterId: string): Promise<Read> => {
    const before = known.get(clusterId);
    if (before && deps.clock.now() < before.untilMs) return before.reading;
    const reading = read(clusterId, before);
    known.set(clusterId, { untilMs: deps.clock.now() + FRESH_MS, reading });
    reading.catch(() => known.delete(clusterId));
    return reading;
  };

  return {
    catalogOf: async (clusterId, scopes, reach = []) => inScopes(await readNow(clusterId), scopes, reach),
    namesIn: async (clusterId, scopeId) => {
      const { streams, tables } = await readNow(clusterId);
      const named = tables.filter(({ scope }) => scopeId === null || scope === scopeId);
      return new Set([...streams, ...named].map(({ name }) => name.toLowerCase()));
    },
    forget: (clusterId) => {
      known.delete(clusterId);
    },
  };
}

function inScopes(
  { streams, fields, tables, byScopes }: Read,
  scopes: readonly string[],
  reach: readonly string[],
): NamedCatalog {
  const key = JSON.stringify([[...scopes].sort(), [...reach].sort()]);
  const found = byScopes.get(key);
  if (found) return found;
  const catalog: TenantCatalog = {
    streams,
    fields,
    tables: tables.filter(({ scope }) => scopes.includes(scope)),
    elsewhere: tables.filter(({ scope }) => reach.includes(scope) && !scopes.includes(scope)),
  };
  const isEmpty = [streams, fields, catalog.tables, catalog.elsewhere].every((list) => list.length === 0);
  const named = isEmpty ? NOTHING_ADDED : { version: versionOf(catalog), catalog };
  if (byScopes.size >= MAX_SCOPES) byScopes.clear();
  byScopes.set(key, named);
  return named;
}

const versionOf = (catalog: TenantCatalog): string =>
  createHash('sha256').update(JSON.stringify(catalog)).digest('hex').slice(0, 16);
