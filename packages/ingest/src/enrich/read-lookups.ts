import type { LookupValue, NetworkValue } from './enrichment-set.ts';
import { KEY_KINDS, type KeyEntry } from './key-table.ts';
import { parseTable } from './parse-table.ts';
import { networkKey, type PrefixLengths, readNetwork } from './read-address.ts';
import { MAX_TOLD_FAULTS, type ReadResult, type RowFault, readTime } from './read-indicators.ts';

// Tables that a tenant uploads beside indicators: its own networks, and assets or identities with the time for which
// each row holds.

export interface NetworkRow extends NetworkValue {
  /** As it was written. */
  readonly network: string;
}

/** The values of a key for a time. */
export interface LookupRow extends LookupValue {
  readonly key: string;
}

interface FaultList {
  readonly told: { line: number; reason: RowFault; text: string }[];
  count: number;
}

function addFault(faults: FaultList, line: number, reason: RowFault, text: string): void {
  faults.count += 1;
  if (faults.told.length < MAX_TOLD_FAULTS) faults.told.push({ line, reason, text: text.slice(0, 200) });
}

const position = (head: readonly string[], ...names: readonly string[]): number =>
  head.findIndex((name) => names.includes(name.toLowerCase()));

function degrees(text: string | undefined, most: number): number | undefined {
  const number = Number(text?.trim() || Number.NaN);
  return Math.abs(number) <= most ? number : undefined;
}

/** Reads `network,site,country,latitude,longitude`; network and site are needed. */
export function readNetworks(text: string): ReadResult<NetworkRow> {
  const faults: FaultList = { told: [], count: 0 };
  const entries: NetworkRow[] = [];
  const { head, rows } = parseTable(text);
  const at = {
    network: Math.max(0, position(head, 'network', 'cidr', 'range', 'subnet')),
    site: position(head, 'site', 'name', 'location'),
    country: position(head, 'country'),
    latitude: position(head, 'latitude', 'lat'),
    longitude: position(head, 'longitude', 'lon', 'lng', 'long'),
  };
  for (const { line, cells } of rows) {
    const written = (cells[at.network] ?? '').trim();
    const site = (cells[at.site] ?? '').trim().slice(0, 120);
    if (!readNetwork(written)) addFault(faults, line, 'no-network', written);
    else if (site === '') addFault(faults, line, 'no-key', written);
    else {
      const country = cells[at.country]?.trim().slice(0, 120);
      const latitude = degrees(cells[at.latitude], 90);
      const longitude = degrees(cells[at.longitude], 180);
      entries.push({
        network: written,
        site,
        ...(country ? { country } : {}),
        ...(latitude === undefined || longitude === undefined ? {} : { latitude, longitude }),
      });
    }
  }
  return { entries, faults: faults.told, faultCount: faults.count };
}

/** Networks as entries of a packed table. */
export function networkEntries(rows: readonly NetworkRow[]): KeyEntry[] {
  return rows.flatMap(({ network, ...value }) => {
    const read = readNetwork(network);
    if (!read) return [];
    return [{ kind: KEY_KINDS.network, key: networkKey(read), value: JSON.stringify(value) }];
  });
}

/** Which prefixes the networks among the entries have, the longest first. */
export function prefixesOf(entries: readonly KeyEntry[]): PrefixLengths {
  const lengths = { 4: new Set<number>(), 6: new Set<number>() };
  for (const { kind, key } of entries) {
    if (kind !== KEY_KINDS.network) continue;
    const [family, prefix] = key.split('/');
    lengths[family === '4' ? 4 : 6].add(Number(prefix));
  }
  const sorted = (all: Set<number>) => [...all].sort((a, b) => b - a);
  return { 4: sorted(lengths[4]), 6: sorted(lengths[6]) };
}

const SAFE_NAME = /[^\p{L}\p{N}_]+/gu;

/** A head of a column as a name in `Ext`: letters, digits and `_`. */
const fieldName = (head: string): string =>
  head
    .trim()
    .replace(SAFE_NAME, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 60) || 'Value';

/**
 * Reads rows of a table by their key: the column `keyColumn`, else the first. `valid_from` and `valid_until` say for which
 * time a row holds; every other column is a value.
 */
export function readLookupRows(text: string, keyColumn?: string): ReadResult<LookupRow> {
  const faults: FaultList = { told: [], count: 0 };
  const entries: LookupRow[] = [];
  const { head, rows } = parseTable(text);
  const keyAt = Math.max(0, keyColumn === undefined ? 0 : position(head, keyColumn.toLowerCase()));
  const fromAt = position(head, 'valid_from', 'from');
  const untilAt = position(head, 'valid_until', 'valid_to', 'until', 'to');
  for (const { line, cells } of rows) {
    const key = (cells[keyAt] ?? '').trim();
    const from = readTime(cells[fromAt]);
    const until = readTime(cells[untilAt]);
    if (key === '') addFault(faults, line, 'no-key', cells.join(' '));
    else if (from === null || until === null)
      addFault(faults, line, 'no-time', `${cells[fromAt] ?? ''} ${cells[untilAt] ?? ''}`);
    else {
      const values: Record<string, string> = {};
      for (const [at, name] of head.entries()) {
        const value = cells[at]?.trim() ?? '';
        if (at === keyAt || at === fromAt || at === untilAt || value === '') continue;
        values[fieldName(name)] = value.slice(0, 1_000);
      }
      entries.push({
        key: key.slice(0, 512),
        values,
        ...(from === undefined ? {} : { from }),
        ...(until === undefined ? {} : { until }),
      });
    }
  }
  return { entries, faults: faults.told, faultCount: faults.count };
}

/** Rows as entries of a packed table: those of one key together. */
export function lookupEntries(rows: readonly LookupRow[]): KeyEntry[] {
  const byKey = new Map<string, LookupValue[]>();
  for (const { key, ...value } of rows) {
    const small = key.toLowerCase();
    const known = byKey.get(small);
    if (known) known.push(value);
    else byKey.set(small, [value]);
  }
  return [...byKey].map(([key, values]) => ({ kind: KEY_KINDS.text, key, value: JSON.stringify(values) }));
}
