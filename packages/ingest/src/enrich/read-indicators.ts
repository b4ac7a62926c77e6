import type { IndicatorValue } from './enrichment-set.ts';
import { KEY_KINDS, type KeyEntry, type KeyKind } from './key-table.ts';
import { parseTable } from './parse-table.ts';
import { networkKey, readNetwork } from './read-address.ts';
import { urlKey } from './url-parts.ts';

// Lists of threat indicators as they are shared: lines of text, CSV with a head, bundles of STIX 2.1.

export const INDICATOR_FORMATS = ['lines', 'csv', 'stix'] as const;
export type IndicatorFormat = (typeof INDICATOR_FORMATS)[number];
export type IndicatorType = 'ip' | 'domain' | 'url' | 'hash' | 'email';

export interface Indicator extends IndicatorValue {
  readonly type: IndicatorType;
  readonly key: string;
  /** As it was written. */
  readonly text: string;
}

/** What was read, and what could not be: with the line, from 1; of STIX the position of the object. */
export interface ReadResult<T> {
  readonly entries: readonly T[];
  readonly faults: readonly { readonly line: number; readonly reason: RowFault; readonly text: string }[];
  /** All of them; only some are told. */
  readonly faultCount: number;
}

export type RowFault =
  | 'no-indicator'
  | 'no-network'
  | 'no-key'
  | 'no-time'
  | 'unsupported-pattern'
  | 'malformed';

/** Faults of which the place is told. */
export const MAX_TOLD_FAULTS = 50;

export interface IndicatorDefaults {
  readonly confidence: number;
  readonly until?: number;
}

const HASH = /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$/i;
const DOMAIN = /^(?=.{1,253}\.?$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9-]{2,63}\.?$/iu;
const MAIL = /^[^\s@<>"]{1,64}@[^\s@<>"]{1,253}$/;
const URL_TEXT = /^[a-z][a-z0-9+.-]*:\/\/\S+$/i;

/** `hxxp://evil[.]example` as it is meant. */
const refanged = (text: string): string =>
  text.replaceAll('[.]', '.').replaceAll('[:]', ':').replace(/^hxxp/i, 'http');

/** What kind of indicator a text is; null when it is none. */
function indicatorOf(written: string): { type: IndicatorType; key: string; text: string } | null {
  const text = refanged(written.trim());
  if (text === '' || text.length > 2_048) return null;
  const network = readNetwork(text);
  if (network) return { type: 'ip', key: networkKey(network), text };
  if (HASH.test(text)) return { type: 'hash', key: text.toLowerCase(), text };
  if (URL_TEXT.test(text)) return { type: 'url', key: urlKey(text), text };
  if (MAIL.test(text)) return { type: 'email', key: text, text };
  const name = text.startsWith('*.') ? text.slice(2) : text;
  if (DOMAIN.test(name)) return { type: 'domain', key: name.replace(/\.$/, ''), text };
  return /^[^\s/]+\.[^\s/]+\/\S+$/.test(text) ? { type: 'url', key: urlKey(text), text } : null;
}

class Faults {
  readonly told: { line: number; reason: RowFault; text: string }[] = [];
  count = 0;

  add(line: number, reason: RowFault, text: string): void {
    this.count += 1;
    if (this.told.length < MAX_TOLD_FAULTS) this.told.push({ line, reason, text: text.slice(0, 200) });
  }
}

const clampConfidence = (value: number): number => Math.min(100, Math.max(0, Math.round(value)));

function confidenceOf(text: string | undefined, otherwise: number): number {
  const written = text?.trim().toLowerCase() ?? '';
  const named = { low: 30, medium: 60, high: 90 }[written];
  if (named !== undefined) return named;
  return written === '' || !Number.isFinite(Number(written)) ? otherwise : clampConfidence(Number(written));
}

/** What stands before a `#` or `;` behind a space. */
function withoutRemark(line: string): string {
  for (let at = 1; at < line.length; at += 1) {
    const mark = line[at];
    if ((mark === '#' || mark === ';') && (line[at - 1] === ' ' || line[at - 1] === '\t'))
      return line.slice(0, at);
  }
  return line;
}

function readLines(text: string, defaults: IndicatorDefaults): ReadResult<Indicator> {
  const faults = new Faults();
  const entries: Indicator[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const plain = withoutRemark(line).trim();
    if (plain === '' || plain.startsWith('#') || plain.startsWith(';') || plain.startsWith('//')) continue;
    const found = indicatorOf(plain);
    if (found) entries.push({ ...found, ...defaults });
    else faults.add(index + 1, 'no-indicator', plain);
  }
  return { entries, faults: faults.told, faultCount: faults.count };
}

const NAMES = {
  value: [
    'indicator',
    'value',
    'ioc',
    'ip',
    'domain',
    'url',
    'hash',
    'sha256',
    'md5',
    'sha1',
    'email',
    'address',
  ],
  confidence: ['confidence', 'score'],
  until: ['valid_until', 'expires', 'expiry', 'expiration', 'until'],
  label: ['label', 'category', 'type', 'threat', 'malware', 'description', 'tags'],
} as const;

/** The position of a column by one of its names; -1 when the head has none. */
function columnOf(head: readonly string[], names: readonly string[]): number {
  const small = head.map((name) => name.trim().toLowerCase());
  for (const name of names) {
    const at = small.indexOf(name);
    if (at >= 0) return at;
  }
  return -1;
}

/** A time as milliseconds since 1970; undefined for none, null when it cannot be read. */
export function readTime(text: string | undefined): number | undefined | null {
  const written = text?.trim() ?? '';
  if (written === '') return undefined;
  if (/^\d{10}$/.test(written)) return Number(written) * 1_000;
  if (/^\d{13}$/.test(written)) return Number(written);
  const dated = /^\d{4}-\d{2}-\d{2}$/.test(written) ? `${written}T00:00:00Z` : written.replace(' ', 'T');
  const zoned = /[Z+]|-\d\d:?\d\d$/i.test(dated.slice(10)) ? dated : `${dated}Z`;
  const ms = Date.parse(zoned);
  return Number.isNaN(ms) ? null : ms;
}

function readCsv(text: string, defaults: IndicatorDefaults): ReadResult<Indicator> {
  const faults = new Faults();
  const entries: Indicator[] = [];
  const { head, rows } = parseTable(text);
  const at = {
    value: Math.max(0, columnOf(head, NAMES.value)),
    confidence: columnOf(head, NAMES.confidence),
    until: columnOf(head, NAMES.until),
    label: columnOf(head, NAMES.label),
  };
  // A file without a head: its first line is an indicator itself.
  const all = indicatorOf(head[at.value] ?? '') ? [{ line: 1, cells: head }, ...rows] : rows;
  for (const { line, cells } of all) {
    const found = indicatorOf(cells[at.value] ?? '');
    if (!found) {
      faults.add(line, 'no-indicator', cells[at.value] ?? '');
      continue;
    }
    const until = readTime(cells[at.until]);
    if (until === null) {
      faults.add(line, 'no-time', cells[at.until] ?? '');
      continue;
    }
    const label = cells[at.label]?.trim().slice(0, 120);
    entries.push({
      ...found,
      ...defaults,
      confidence: confidenceOf(cells[at.confidence], defaults.confidence),
      ...(until === undefined ? {} : { until }),
      ...(label ? { label } : {}),
    });
  }
  return { entries, faults: faults.told, faultCount: faults.count };
}

interface StixObject {
  readonly type?: unknown;
  readonly pattern?: unknown;
  readonly confidence?: unknown;
  readonly valid_until?: unknown;
  readonly revoked?: unknown;
  readonly name?: unknown;
  readonly indicator_types?: unknown;
}

const COMPARISON = /\[?\s*([a-z0-9-]+):([\w.'"-]+)\s*(?:=|ISSUBSET)\s*'((?:[^'\\]|\\.)*)'\s*\]?/giu;
const OBSERVED = new Set([
  'ipv4-addr',
  'ipv6-addr',
  'domain-name',
  'url',
  'file',
  'email-addr',
  'email-message',
]);

const LONGEST_PATTERN = 10_000;

/** The values of a pattern of comparisons joined by OR; null when it says more than that. */
function stixValues(pattern: string): readonly string[] | null {
  if (pattern.length > LONGEST_PATTERN) return null;
  const values: string[] = [];
  const rest = pattern.replace(COMPARISON, (_all, kind: string, _property, value: string) => {
    if (OBSERVED.has(kind.toLowerCase())) values.push(value.replace(/\\(.)/g, '$1'));
    return '';
  });
  return values.length > 0 && /^[\s[\]()]*(?:OR[\s[\]()]*)*$/i.test(rest) ? values : null;
}

function readStix(text: string, defaults: IndicatorDefaults): ReadResult<Indicator> {
  const faults = new Faults();
  const entries: Indicator[] = [];
  let objects: readonly StixObject[] = [];
  try {
    const bundle = JSON.parse(text) as { objects?: unknown };
    if (Array.isArray(bundle.objects)) objects = bundle.objects as StixObject[];
    else if (Array.isArray(bundle)) objects = bundle as StixObject[];
    else faults.add(1, 'malformed', 'objects');
  } catch (error) {
    faults.add(1, 'malformed', (error as Error).message);
  }
  for (const [index, one] of objects.entries()) {
    if (one?.type !== 'indicator' || one.revoked === true) continue;
    const pattern = String(one.pattern ?? '');
    const found = stixValues(pattern)?.map(indicatorOf);
    if (!found || found.includes(null)) {
      faults.add(index + 1, 'unsupported-pattern', pattern);
      continue;
    }
    const until = readTime(typeof one.valid_until === 'string' ? one.valid_until : undefined);
    const types = Array.isArray(one.indicator_types) ? one.indicator_types : [];
    const label = String(one.name ?? types[0] ?? '').slice(0, 120);
    for (const indicator of found) {
      if (!indicator) continue;
      entries.push({
        ...indicator,
        ...defaults,
        ...(typeof one.confidence === 'number' ? { confidence: clampConfidence(one.confidence) } : {}),
        ...(typeof until === 'number' ? { until } : {}),
        ...(label ? { label } : {}),
      });
    }
  }
  return { entries, faults: faults.told, faultCount: faults.count };
}

/** Reads a list. What cannot be read is told with its place and leaves the rest untouched. */
export function readIndicators(
  text: string,
  format: IndicatorFormat,
  defaults: IndicatorDefaults,
): ReadResult<Indicator> {
  const read = { lines: readLines, csv: readCsv, stix: readStix };
  return read[format](text, defaults);
}

const KIND_OF: Readonly<Record<IndicatorType, KeyKind>> = {
  ip: KEY_KINDS.network,
  domain: KEY_KINDS.domain,
  url: KEY_KINDS.url,
  hash: KEY_KINDS.hash,
  email: KEY_KINDS.email,
};

/** An indicator as an entry of a packed table. */
export function indicatorEntry({ type, key, confidence, until, label }: Indicator): KeyEntry {
  const value: IndicatorValue = {
    type,
    confidence,
    ...(until === undefined ? {} : { until }),
    ...(label === undefined ? {} : { label }),
  };
  return { kind: KIND_OF[type], key, value: JSON.stringify(value) };
}
