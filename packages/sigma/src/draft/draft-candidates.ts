import { EVENT_COLUMNS } from '@tyrian/catalog';
import { type DraftCondition, type DraftEvent, draftKindOf, draftValueOf } from './draft-condition.ts';
import { sharedParts } from './shared-parts.ts';

// What selected events share, and a rule could ask for. Every candidate holds for all of them.

/** How well a condition suits a detection. */
export type DraftRank =
  /** What was done: programs, command lines, events, requests. */
  | 'act'
  /** What else the record says. */
  | 'other'
  /** Where and by whom: true of this environment alone. */
  | 'place';

export interface DraftCandidate extends DraftCondition {
  readonly rank: DraftRank;
  /** Within its rank, 1 for what suits best; more counts against it. */
  readonly doubt: number;
}

/** Fields of what was done, and how much each is doubted. */
const ACTS: Readonly<Record<string, number>> = {
  ProcessName: 1,
  CommandLine: 1,
  OriginalFileName: 1.1,
  ParentProcessName: 1.2,
  ScriptBlockText: 1,
  RegistryKey: 1,
  RegistryValueData: 1.3,
  TargetProcessName: 1,
  GrantedAccess: 1,
  PipeName: 1,
  ModulePath: 1,
  FilePath: 1.1,
  ServiceFileName: 1,
  ServiceName: 1.2,
  DnsQuery: 1,
  Url: 1.1,
  HttpUserAgent: 1.2,
  HttpRequestMethod: 2,
  HttpStatusCode: 2,
  Operation: 1,
  CloudService: 1.3,
  ThreatName: 1,
  EventID: 1.5,
  EventResult: 2,
  EventResultDetails: 1.5,
  LogonType: 1.5,
  LogonProtocol: 1.6,
  ParentCommandLine: 1.6,
  ShareName: 1.3,
  Object: 1.4,
  GroupName: 1.3,
  DstPortNumber: 1.6,
  NetworkApplication: 1.8,
  DvcAction: 2,
  ProcessIntegrityLevel: 2.5,
};

const PLACES = new Set(
  `DvcHostname DvcIpAddr DvcDomain ActorUsername ActorUserId ActorDomain TargetUsername TargetUserId TargetDomain SrcIpAddr
   SrcHostname DstIpAddr DstHostname SrcMacAddr CloudAccountId CloudRegion ProcessCurrentDirectory`.split(
    /\s+/,
  ),
);

/** Times, ids, counters, and what the record says of how it came here. */
const LEFT_OUT = new Set(
  `TimeGenerated IngestedTime EventUid Stream Scope ParseStatus ParseError SourceName SourceType SourceAddress EventVendor
   EventProduct EventType EventSeverity EventRecordId Raw Hashes Facility LogonId ProcessId ProcessGuid ParentProcessId
   ParentProcessGuid TargetProcessId SrcPortNumber SrcBytes DstBytes NetworkDuration Ext`.split(/\s+/),
);
const HASH = /^FileHash/;

/** Fields whose values are long, of which a part says enough. */
const LONG_TEXTS = new Set(
  `CommandLine ParentCommandLine ScriptBlockText RegistryKey RegistryValueData FilePath ModulePath ServiceFileName Url
   DnsQuery HttpUserAgent HttpReferrer Message Object PipeName ThreatName`.split(/\s+/),
);
const PROGRAMS = new Set(['ProcessName', 'ParentProcessName', 'TargetProcessName']);

const ID_NAME =
  /(?:time|date|guid|uuid|uid|hash|sequence|count|thread|handle|correlation|activity|session|token|version|keywords|opcode|record)|(?:^|[a-z_\s.])(?:id|ids|pid|no|nr|bytes|port|size|length)$|Id$|ID$/i;
const ID_VALUE =
  /^(?:\{?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\}?|0x[0-9a-f]{5,}|\d{6,}|\d{4}-\d\d-\d\d[T ].*|[0-9a-f]{16,}|\d+\.\d+\.\d+\.\d+|S-1-[\d-]+|-|true|false)$/i;

/** Values of a list; more are no value that the events share. */
const MOST_VALUES = 3;
const LONGEST_VALUE = 400;
const MOST_EXT = 40;
const DEEPEST = 4;

const RANKS: readonly DraftRank[] = ['act', 'other', 'place'];

/** What all events share, what suits detections best first, `most` at most. */
export function draftCandidates(events: readonly DraftEvent[], most: number): readonly DraftCandidate[] {
  const columns = EVENT_COLUMNS.map(({ name }) => [name]).filter(
    ([name = '']) => !LEFT_OUT.has(name) && (!HASH.test(name) || events.length > 1),
  );
  const found = [...columns, ...extPaths(events)].flatMap((path) => candidatesOf(path, events));
  const programs = new Set(
    found
      .filter(({ path: [name], values }) => name === 'ProcessName' && values.length === 1)
      .flatMap(({ values }) => values.map(fileName)),
  );
  const order = (one: DraftCandidate) => RANKS.indexOf(one.rank) * 100 + one.doubt;
  // The name of the program stands in its command line too.
  const telling = found.filter(
    ({ path: [name], values: [value = ''] }) => name !== 'CommandLine' || !programs.has(fileName(value)),
  );
  const sorted = telling.toSorted((a, b) => order(a) - order(b));
  // A few of each rank stay in the offer, however much was done.
  const places = sorted.filter(({ rank }) => rank === 'place').slice(0, 6);
  return [
    ...sorted.filter(({ rank }) => rank !== 'place').slice(0, Math.max(0, most - places.length)),
    ...places,
  ].slice(0, most);
}

const fileName = (path: string): string => path.replace(/^.*[\\/]/, '').toLowerCase();

function candidatesOf(path: readonly string[], events: readonly DraftEvent[]): readonly DraftCandidate[] {
  const kind = draftKindOf(path);
  const texts = events.map((event) => draftValueOf(event, path));
  if (kind === null || texts.includes('')) return [];
  const [name = ''] = path;
  const rank = name in ACTS ? 'act' : PLACES.has(name) ? 'place' : 'other';
  const suits = (condition: Omit<DraftCondition, 'path'>, doubt: number): DraftCandidate => {
    return { path, ...condition, rank, doubt: doubt * (ACTS[name] ?? (path.length > 1 ? 1.5 : 1)) };
  };
  const values = distinctValues(texts);
  // A file is one or another; and the next build of it has another hash.
  if (HASH.test(name)) return values.length > 1 ? [] : [suits({ operator: 'equals', values }, 3)];
  if (kind === 'number')
    return values.length > MOST_VALUES ? [] : [suits({ operator: 'equals', values }, values.length)];
  if (PROGRAMS.has(name)) return programs(texts).map((one) => suits(one, one.values.length));
  const whole = values.length <= MOST_VALUES && values.every((value) => value.length <= LONGEST_VALUE);
  if (!LONG_TEXTS.has(name))
    return whole ? [suits({ operator: 'equals', values }, values.length)] : partsOf(texts, suits);
  const shared = partsOf(texts, suits);
  const isShort = values.every((value) => value.length <= 40);
  // A whole command line is seldom written the same again.
  return whole && (isShort || shared.length === 0)
    ? [suits({ operator: 'equals', values }, values.length * (isShort ? 1.1 : 3)), ...shared]
    : shared;
}

type Suits = (condition: Omit<DraftCondition, 'path'>, doubt: number) => DraftCandidate;

const partsOf = (texts: readonly string[], suits: Suits): readonly DraftCandidate[] =>
  sharedParts(texts).map(({ operator, value, doubt }) => suits({ operator, values: [value] }, doubt));

/** Programs by their names behind the last slash, wherever they lie. */
function programs(texts: readonly string[]): readonly Omit<DraftCondition, 'path'>[] {
  const names = distinctValues(texts.map((text) => /[\\/][^\\/]+$/.exec(text)?.[0] ?? ''));
  if (names.includes('')) {
    const values = distinctValues(texts);
    return values.length > MOST_VALUES ? [] : [{ operator: 'equals', values }];
  }
  return names.length > MOST_VALUES ? [] : [{ operator: 'endswith', values: names }];
}

/** Different values, compared without case, as they were first written. */
function distinctValues(texts: readonly string[]): readonly string[] {
  const found = new Map<string, string>();
  for (const text of texts) if (!found.has(text.toLowerCase())) found.set(text.toLowerCase(), text);
  return [...found.values()];
}

/** Paths below Ext that the first event has, without ids and times. */
function extPaths([first]: readonly DraftEvent[]): readonly (readonly string[])[] {
  const paths: (readonly string[])[] = [];
  const visit = (value: unknown, path: readonly string[]): void => {
    if (value === null || Array.isArray(value) || paths.length >= MOST_EXT) return;
    if (typeof value === 'object') {
      if (path.length <= DEEPEST)
        for (const [name, inner] of Object.entries(value)) visit(inner, [...path, name]);
    } else if (!ID_NAME.test(path.at(-1) ?? '') && !ID_VALUE.test(String(value))) paths.push(path);
  };
  visit(first?.Ext ?? null, ['Ext']);
  return paths.filter((path) => path.length > 1);
}
