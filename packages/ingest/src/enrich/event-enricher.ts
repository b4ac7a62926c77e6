import type { DecodedEvent, Fields } from '../event-row.ts';
import type { IndicatorValue, LoadedTable, LookupValue, NetworkValue } from './enrichment-set.ts';
import type { GeoDatabase } from './geo-database.ts';
import { KEY_KINDS } from './key-table.ts';
import { findNetwork } from './read-address.ts';
import { hostOfUrl, urlKey } from './url-parts.ts';

// What is added to an event between its decoder and its row, in a fixed order: geo, networks of the tenant, indicators,
// assets, identities, buckets. What a source says itself is never overwritten. `EnrichedBy` names the steps that added
// something with their versions; `Ext.Enrichment.Trace` says for each match of a list which key of which column it was.

/** How often a table was looked into, and how often something was found. */
export type EnrichmentHits = Record<string, [looked: number, found: number]>;

/** Matches that an event tells about; all are counted. */
const MAX_TRACED = 20;
/** Characters beyond which a value is none of its kind, and is not looked up. */
const LONGEST = { name: 254, url: 2_048, hash: 64, mail: 320, key: 512 } as const;
/** Addresses of a set whose matches are kept. */
const KEPT_ADDRESSES = 4_096;
/** Names are written out: one that is put together is looked up letter by letter. */
const SIDES = [
  { address: 'SrcIpAddr', site: 'SrcSite', country: 'SrcGeoCountry', location: 'SrcLocation' },
  { address: 'DstIpAddr', site: 'DstSite', country: 'DstGeoCountry', location: 'DstLocation' },
] as const;
const HASH_COLUMNS = ['FileHashMd5', 'FileHashSha1', 'FileHashSha256', 'FileHashImphash'];
const MAIL_COLUMNS = ['EmailSender', 'EmailRecipient'];
const NAME_COLUMNS = ['DnsQuery', 'DstHostname'];

interface Match {
  readonly table: LoadedTable;
  readonly entry: number;
}

interface Found extends Match {
  readonly column: string;
  readonly value: IndicatorValue;
}

const NO_MATCHES: readonly Match[] = [];

type Columns = Record<string, string | number>;

/** Adds what is known to events of one scope. Kept by a thread for as long as the set stays the same. */
export class EventEnricher {
  readonly #geo: GeoDatabase | null;
  readonly #geoStep: string;
  readonly #networks: readonly LoadedTable[];
  readonly #indicators: readonly LoadedTable[];
  readonly #withNetworks: readonly LoadedTable[];
  readonly #lookups: readonly LoadedTable[];
  readonly #addresses = new Map<string, readonly Match[]>();
  #hits: EnrichmentHits = {};
  #trace: string[] = [];
  #best: Found | null = null;
  #matched = 0;
  #steps = '';

  constructor(geo: GeoDatabase | null, tables: readonly LoadedTable[] = []) {
    this.#geo = geo;
    this.#geoStep = geo === null ? '' : `geo@${geo.version}`;
    this.#networks = tables.filter(({ kind }) => kind === 'networks');
    this.#indicators = tables.filter(({ kind }) => kind === 'indicators');
    this.#withNetworks = [...this.#networks, ...this.#indicators];
    this.#lookups = tables.filter(({ kind }) => kind !== 'networks' && kind !== 'indicators');
  }

  /** What was counted since it was asked last. */
  takeHits(): EnrichmentHits {
    const hits = this.#hits;
    this.#hits = {};
    return hits;
  }

  /** Adds to the event. `receivedMs`: when it arrived, by which indicators expire. */
  enrich(event: DecodedEvent, receivedMs: number): void {
    const { columns, ext } = event;
    this.#steps = '';
    // Whoever sends these names does not say what was added here.
    if (columns.EnrichedBy !== undefined) delete columns.EnrichedBy;
    if (ext.Enrichment !== undefined) {
      ext.SourceEnrichment ??= ext.Enrichment;
      delete ext.Enrichment;
    }
    const { SrcIpAddr: source, DstIpAddr: destination } = columns;
    if (typeof source === 'string') this.#addGeo(columns, 'Src', source);
    if (typeof destination === 'string') this.#addGeo(columns, 'Dst', destination);
    if (this.#networks.length > 0) this.#addNetworks(event);
    if (this.#indicators.length > 0) this.#addIndicators(event, receivedMs);
    if (this.#lookups.length > 0) this.#addLookups(event, receivedMs);
    if (this.#trace.length > 0) {
      enrichmentOf(ext).Trace = this.#trace;
      this.#trace = [];
    }
    if (this.#steps !== '') columns.EnrichedBy = this.#steps;
  }

  #addGeo(columns: Columns, side: 'Src' | 'Dst', address: string): void {
    const facts = this.#geo?.find(address);
    if (!facts) return;
    this.#steps = this.#geoStep;
    if (facts.isPrivate) {
      columns[side === 'Src' ? 'SrcIpType' : 'DstIpType'] ??= 'PRIVATE';
      return;
    }
    if (side === 'Src') {
      columns.SrcIpType ??= 'PUBLIC';
      if (facts.country !== '') columns.SrcGeoCountry ??= facts.country;
      if (facts.asn !== 0) columns.SrcAsn ??= facts.asn;
      if (facts.organization !== '') columns.SrcAsOrganization ??= facts.organization;
      return;
    }
    columns.DstIpType ??= 'PUBLIC';
    if (facts.country !== '') columns.DstGeoCountry ??= facts.country;
    if (facts.asn !== 0) columns.DstAsn ??= facts.asn;
    if (facts.organization !== '') columns.DstAsOrganization ??= facts.organization;
  }

  /** The networks and indicators that an address is in. */
  #matchesOf(address: string): readonly Match[] {
    const known = this.#addresses.get(address);
    if (known !== undefined) return known;
    const found: Match[] = [];
    for (const table of this.#withNetworks) {
      const entry = findNetwork(address, table.prefixes, table.keys);
      if (entry >= 0) found.push({ table, entry });
    }
    if (this.#addresses.size >= KEPT_ADDRESSES) this.#addresses.clear();
    const matches = found.length === 0 ? NO_MATCHES : found;
    if (address.length <= 45) this.#addresses.set(address, matches);
    return matches;
  }

  #count({ id }: LoadedTable, found: boolean): void {
    let counts = this.#hits[id];
    if (counts === undefined) {
      counts = [0, 0];
      this.#hits[id] = counts;
    }
    counts[0] += 1;
    if (found) counts[1] += 1;
  }

  #note(table: LoadedTable, column: string, key: string): void {
    const step = `${table.kind}/${table.name}@${table.version}`;
    if (!this.#steps.includes(step)) this.#steps += this.#steps === '' ? step : ` ${step}`;
    if (this.#trace.length < MAX_TRACED)
      this.#trace.push(JSON.stringify([table.kind, table.name, table.version, column, key]));
  }

  #addNetworks({ columns, ext }: DecodedEvent): void {
    for (const side of SIDES) {
      const column = side.address;
      const address = columns[column];
      if (typeof address !== 'string') continue;
      const match = this.#matchesOf(address).find(({ table }) => table.kind === 'networks');
      for (const table of this.#networks) this.#count(table, match?.table === table);
      if (!match) continue;
      const value = match.table.keys.valueOf<NetworkValue>(match.entry);
      columns[side.site] ??= value.site;
      // What the tenant says of its own network goes before the database.
      if (value.country !== undefined) columns[side.country] = value.country;
      if (value.latitude !== undefined && value.longitude !== undefined)
        enrichmentOf(ext)[side.location] = { Latitude: value.latitude, Longitude: value.longitude };
      this.#note(match.table, column, address);
    }
  }

  #addIndicators({ columns }: DecodedEvent, receivedMs: number): void {
    this.#best = null;
    for (const table of this.#indicators) {
      const before = this.#matched;
      this.#matchAddress(table, columns, 'SrcIpAddr', receivedMs);
      this.#matchAddress(table, columns, 'DstIpAddr', receivedMs);
      this.#matchTexts(table, columns, receivedMs);
      this.#count(table, this.#matched > before);
    }
    const best = this.#best as Found | null;
    if (best === null) return;
    const { table, entry, column, value } = best;
    columns.ThreatIndicator = indicatorText(table.keys.keyOf(entry), value);
    columns.ThreatField = column;
    columns.ThreatList = table.name;
    columns.ThreatConfidence = value.confidence;
    if (value.label !== undefined) columns.ThreatCategory = value.label;
  }

  #matchAddress(table: LoadedTable, columns: Columns, column: string, receivedMs: number): void {
    const address = columns[column];
    if (typeof address !== 'string') return;
    for (const match of this.#matchesOf(address))
      if (match.table === table) this.#take(table, match.entry, column, address, receivedMs);
  }

  #matchTexts(table: LoadedTable, columns: Columns, receivedMs: number): void {
    const { keys } = table;
    for (const column of NAME_COLUMNS) {
      const name = columns[column];
      if (typeof name === 'string' && name !== '' && name.length <= LONGEST.name)
        this.#take(table, keys.findDomain(withoutDot(name)), column, name, receivedMs);
    }
    const { Url: url } = columns;
    if (typeof url === 'string' && url !== '') {
      const start = url.slice(0, LONGEST.url);
      const whole = keys.find(KEY_KINDS.url, urlKey(start));
      const entry = whole >= 0 ? whole : keys.findDomain(hostOfUrl(start));
      this.#take(table, entry, 'Url', url, receivedMs);
    }
    for (const column of HASH_COLUMNS) {
      const hash = columns[column];
      if (typeof hash === 'string' && hash.length <= LONGEST.hash)
        this.#take(table, keys.find(KEY_KINDS.hash, hash), column, hash, receivedMs);
    }
    for (const column of MAIL_COLUMNS) {
      const address = columns[column];
      if (typeof address === 'string' && address.length <= LONGEST.mail)
        this.#take(table, keys.find(KEY_KINDS.email, address), column, address, receivedMs);
    }
  }

  /** Notes a match, unless there is none or it has expired; the one with the most confidence fills the columns. */
  #take(table: LoadedTable, entry: number, column: string, key: string, receivedMs: number): void {
    if (entry < 0) return;
    const value = table.keys.valueOf<IndicatorValue>(entry);
    if (value.until !== undefined && value.until <= receivedMs) return;
    this.#matched += 1;
    if (this.#best === null || value.confidence > this.#best.value.confidence)
      this.#best = { table, entry, column, value };
    this.#note(table, column, key.slice(0, 512));
  }

  #addLookups({ columns, ext, time }: DecodedEvent, receivedMs: number): void {
    const atMs = time ?? receivedMs;
    for (const table of this.#lookups) {
      for (const column of table.columns) {
        const key = columns[column];
        if (key === undefined || key === '' || String(key).length > LONGEST.key) continue;
        const entry = table.keys.find(KEY_KINDS.text, String(key));
        const value = entry < 0 ? undefined : valueAt(table.keys.valueOf<LookupValue[]>(entry), atMs);
        this.#count(table, value !== undefined);
        if (value === undefined) continue;
        const into = enrichmentOf(ext);
        into[table.name] = { ...(into[table.name] as Fields | undefined), [column]: value.values };
        this.#note(table, column, String(key).slice(0, 512));
      }
    }
  }
}

function enrichmentOf(ext: Fields): Fields {
  ext.Enrichment ??= {};
  return ext.Enrichment as Fields;
}

/** The value that holds at a moment; of several the one that began last. */
function valueAt(values: readonly LookupValue[], atMs: number): LookupValue | undefined {
  let found: LookupValue | undefined;
  for (const value of values) {
    if ((value.from ?? -Infinity) > atMs || (value.until ?? Infinity) <= atMs) continue;
    if (found === undefined || (value.from ?? -Infinity) >= (found.from ?? -Infinity)) found = value;
  }
  return found;
}

const withoutDot = (name: string): string => (name.endsWith('.') ? name.slice(0, -1) : name);

/** An indicator as people write it: networks are kept as numbers. */
export function indicatorText(key: string, { type }: Pick<IndicatorValue, 'type'>): string {
  if (type !== 'ip') return key;
  const [family, prefix, digits = ''] = key.split('/');
  if (family === '4') {
    const bytes = [0, 2, 4, 6].map((at) => Number.parseInt(digits.slice(at, at + 2), 16));
    return prefix === '32' ? bytes.join('.') : `${bytes.join('.')}/${prefix}`;
  }
  const groups = [0, 4, 8, 12, 16, 20, 24, 28].map((at) =>
    Number.parseInt(digits.slice(at, at + 4), 16).toString(16),
  );
  const text = groups
    .join(':')
    .replace(/\b0(:0)+\b/, '::')
    .replace(/:{3,}/, '::');
  return prefix === '128' ? text : `${text}/${prefix}`;
}
