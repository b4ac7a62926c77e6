import type { EnrichmentFact, explainEnrichment, OutputOf, readGeoDatabases } from '@tyrian/contract';
import { EventEnricher, GeoDatabase, readEnrichmentSet } from '@tyrian/ingest';
import { notFound } from '../../platform/app-error.ts';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import type { QueryService } from '../search/query-service.ts';
import { readEntry } from '../search/read-entry.ts';
import type { ScopeCaller } from './enrichment-service.ts';
import { type EventCells, factsOf } from './explain-event.ts';
import { dayOfVersion, installedDatabases } from './geo-databases.ts';
import type { IngestEnrichment } from './ingest-enrichment.ts';
import { geoImage } from './run-in-thread.ts';

// Looking instead of changing: the databases of addresses, what an address would get, and what an event has got.

interface LookDeps {
  readonly clock: Clock;
  readonly audit: AuditService;
  readonly queries: QueryService;
  readonly ingest: Pick<IngestEnrichment, 'of'>;
}

export interface LookService {
  databases(): Promise<OutputOf<typeof readGeoDatabases>>;
  lookUp(scope: ScopeCaller, address: string): Promise<{ facts: EnrichmentFact[] }>;
  /** Throws `not-found` when the scope has no such event. */
  explain(
    scope: ScopeCaller,
    input: { readonly event_uid: string; readonly time: number },
  ): Promise<OutputOf<typeof explainEnrichment>>;
}

export function createLookService(deps: LookDeps): LookService {
  return bindDeps(deps, { databases, lookUp, explain });
}

const ABOUT = {
  country: {
    name: 'IP to Country Lite',
    provider: 'DB-IP',
    url: 'https://db-ip.com',
    licence: 'CC BY 4.0',
    ranges: 'countries',
  },
  asn: {
    name: 'IP to ASN',
    provider: 'RouteViews, DB-IP, NRO',
    url: 'https://www.routeviews.org',
    licence: 'CC BY 4.0',
    ranges: 'systems',
  },
} as const;

let database: { readonly image: Uint8Array; readonly geo: GeoDatabase } | null = null;

async function geoDatabase(): Promise<GeoDatabase> {
  const image = await geoImage();
  if (database?.image !== image) database = { image, geo: new GeoDatabase(image) };
  return database.geo;
}

async function databases(_deps: LookDeps) {
  const image = await geoImage();
  const { ranges } = await geoDatabase();
  return {
    memory_bytes: image.byteLength,
    databases: installedDatabases().map(({ name, version }) => {
      const about = ABOUT[name];
      const date = Date.parse(`${dayOfVersion(version)}T00:00:00Z`);
      return {
        ...about,
        version,
        date: Number.isNaN(date) ? null : date,
        ranges: ranges[about.ranges],
        is_installed: version !== '',
      };
    }),
  };
}

/** As an event with this source address would be enriched now. */
async function lookUp({ clock, ingest }: LookDeps, scope: ScopeCaller, address: string) {
  const { geo, set } = await ingest.of(scope.clusterId, scope.scopeId);
  const tables = set === null ? [] : readEnrichmentSet(set.image);
  const enricher = new EventEnricher(geo === null ? null : await geoDatabase(), tables);
  const event = {
    stream: 'Generic',
    sourceType: 'lookup',
    status: 'PAD',
    columns: { SrcIpAddr: address } as Record<string, string | number>,
    ext: {},
  } as const;
  enricher.enrich(event, clock.now());
  return { facts: factsOf({ ...event.columns, Ext: event.ext }) };
}

/** Times of events are kept to the millisecond. */
const AROUND_MS = 1_000;

async function explain(
  { queries, audit }: LookDeps,
  { clusterId, scopeId, caller }: ScopeCaller,
  { event_uid: uid, time }: { readonly event_uid: string; readonly time: number },
) {
  const kql = `Events | where EventUid == guid(${uid})`;
  const range = { from: time - AROUND_MS, to: time + AROUND_MS };
  const answer = await queries.run({
    ...{ clusterId, kql, userId: caller.userId },
    scopes: [scopeId],
    timeRange: range,
    maxRows: 1,
    queue: 'interactive',
  });
  const [row] = answer.rows;
  const entry = readEntry(
    'enrichment.explain',
    { clusterId, scopeId, query: kql, range },
    { rows: row === undefined ? 0 : 1 },
  );
  await audit.record({ ...entry, entity: uid });
  if (row === undefined) throw notFound();
  const cells: EventCells = Object.fromEntries(answer.columns.map(({ name }, at) => [name, row[at]]));
  return { facts: factsOf(cells) };
}
