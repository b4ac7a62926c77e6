import { ENRICHMENT_STEPS, type EnrichmentFact, type EnrichmentStep } from '@tyrian/contract';

// What was added to an event, out of what stands in its row: `EnrichedBy` names the steps with their versions,
// `Ext.Enrichment` holds what tables of the scope added and, under `Trace`, what was looked up.

export type EventCells = Readonly<Record<string, unknown>>;

const SIDES = ['Src', 'Dst'] as const;

const text = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Cells of these columns that hold something. */
function filled(row: EventCells, names: readonly string[]): { name: string; value: string }[] {
  return names.map((name) => ({ name, value: text(row[name]) })).filter(({ value }) => value !== '');
}

function extOf({ Ext }: EventCells): Readonly<Record<string, unknown>> {
  if (typeof Ext !== 'string') return isObject(Ext) ? Ext : {};
  try {
    const read: unknown = JSON.parse(Ext);
    return isObject(read) ? read : {};
  } catch {
    return {};
  }
}

interface Traced {
  readonly step: EnrichmentStep;
  readonly table: string;
  readonly version: string;
  readonly field: string;
  readonly key: string;
}

function tracedOf(line: unknown): Traced | null {
  try {
    const [step, table, version, field, key] = JSON.parse(String(line)) as unknown[];
    if (!ENRICHMENT_STEPS.includes(step as EnrichmentStep)) return null;
    return {
      step: step as EnrichmentStep,
      table: String(table),
      version: String(version),
      field: String(field),
      key: String(key),
    };
  } catch {
    return null;
  }
}

function geoFacts(row: EventCells): EnrichmentFact[] {
  const version = /(?:^| )geo@(\S+)/.exec(text(row.EnrichedBy))?.[1];
  if (version === undefined) return [];
  return SIDES.flatMap((side): EnrichmentFact[] => {
    const field = `${side}IpAddr`;
    const names = ['IpType', 'GeoCountry', 'Asn', 'AsOrganization'].map((name) => `${side}${name}`);
    const added = filled(row, names);
    if (text(row[field]) === '' || added.length === 0) return [];
    return [{ step: 'geo', table: 'geo', version, field, key: text(row[field]), added }];
  });
}

const THREAT_COLUMNS = ['ThreatIndicator', 'ThreatField', 'ThreatList', 'ThreatCategory', 'ThreatConfidence'];

function addedBy(
  { step, table, field }: Traced,
  row: EventCells,
  enrichment: EventCells,
): { name: string; value: string }[] {
  if (step === 'networks') {
    const side = field.slice(0, 3);
    const place = enrichment[`${side}Location`];
    const location =
      place === undefined ? [] : [{ name: `Ext.Enrichment.${side}Location`, value: text(place) }];
    return [...filled(row, [`${side}Site`, `${side}GeoCountry`]), ...location];
  }
  if (step === 'indicators')
    return row.ThreatList === table && row.ThreatField === field ? filled(row, THREAT_COLUMNS) : [];
  const tables = enrichment[table];
  const values = isObject(tables) ? tables[field] : undefined;
  if (!isObject(values)) return [];
  return Object.entries(values).map(([name, value]) => ({
    name: `Ext.Enrichment.${table}.${field}.${name}`,
    value: text(value),
  }));
}

/** Everything that steps added to the event, in their order. */
export function factsOf(row: EventCells): EnrichmentFact[] {
  const { Enrichment: kept } = extOf(row);
  const enrichment = isObject(kept) ? kept : {};
  const lines = Array.isArray(enrichment.Trace) ? (enrichment.Trace as unknown[]) : [];
  const traced = lines.map(tracedOf).filter((one) => one !== null);
  return [...geoFacts(row), ...traced.map((one) => ({ ...one, added: addedBy(one, row, enrichment) }))];
}
