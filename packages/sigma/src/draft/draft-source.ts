import { EVENT_COLUMNS } from '@tyrian/catalog';
import { type FieldSource, parseFieldSource } from '../mapping/field-source.ts';
import { LOG_SOURCES } from '../mapping/log-sources.ts';
import { fieldTables, resolveField } from '../mapping/resolve-field.ts';
import { resolveLogSource } from '../mapping/resolve-log-source.ts';
import type { LogSourceMapping, SourceCondition } from '../mapping/source-condition.ts';
import { type DraftEvent, draftValueOf } from './draft-condition.ts';

// The mappings of log sources and fields, read the other way: from events to the log source that has them, from columns to
// the names that rules know them by.

/** Mappings that look at every event: what the vendor or product of their records is called. */
const WORDS: Readonly<Record<string, RegExp>> = {
  'azure-signin-logs': /entra|azure|active ?directory/i,
  azure: /azure|entra/i,
  m365: /365|exchange|sharepoint|teams/i,
  gcp: /google|gcp/i,
  okta: /okta/i,
  onelogin: /onelogin/i,
  github: /github/i,
  bitbucket: /bitbucket/i,
  kubernetes: /kubernetes|k8s/i,
  zeek: /zeek|bro\b/i,
  cisco: /cisco|meraki/i,
  fortigate: /fortigate|fortinet/i,
  fortios: /fortios/i,
  paloalto: /palo ?alto|pan-os/i,
  huawei: /huawei/i,
  juniper: /juniper/i,
  qualys: /qualys/i,
  opencanary: /canary/i,
  'rpc-firewall': /rpcfw|rpc ?firewall/i,
  webserver: /apache|nginx|iis|httpd/i,
  linux: /linux|unix|syslog|auditd|sshd|sudo|openssh/i,
};
/** Too wide to be the log source of anything in particular. */
const NEVER = new Set(['antivirus', 'database', 'application', 'apache', 'nginx', 'netflow']);

const textIn = (event: DraftEvent, column: string): string => draftValueOf(event, [column]).toLowerCase();

function holds(condition: SourceCondition, event: DraftEvent): boolean {
  if ('any' in condition) return condition.any.some((one) => holds(one, event));
  const text = textIn(event, condition.column);
  if ('contains' in condition) return text.includes(condition.contains.toLowerCase());
  const values = 'among' in condition ? condition.among : condition.notAmong;
  return values.some((value) => String(value).toLowerCase() === text) === 'among' in condition;
}

function hasEvent(mapping: LogSourceMapping, event: DraftEvent): boolean {
  if (mapping.streams && !mapping.streams.includes(draftValueOf(event, ['Stream']))) return false;
  if (!mapping.where.every((condition) => holds(condition, event))) return false;
  const word = WORDS[mapping.id];
  if (!word) return !NEVER.has(mapping.id);
  return ['EventVendor', 'EventProduct', 'SourceType', 'Provider'].some((name) =>
    word.test(draftValueOf(event, [name])),
  );
}

/** What says most comes first: what kind of event it is, which log it stands in, whose it is. */
const widthOf = ({ product, category, service, id }: LogSourceMapping): number => {
  if (product !== undefined && category !== undefined) return 0;
  if (product !== undefined && service !== undefined) return 1;
  if (category !== undefined) return id in WORDS ? 2 : 3;
  return id === 'linux' || id === 'windows' ? 4 : 2;
};

/** Log sources that have all of the events, the narrowest first. */
export function logSourcesOf(events: readonly DraftEvent[]): readonly LogSourceMapping[] {
  return LOG_SOURCES.filter(
    (mapping) =>
      resolveLogSource(mapping)?.id === mapping.id && events.every((event) => hasEvent(mapping, event)),
  ).toSorted((a, b) => widthOf(a) - widthOf(b));
}

/** Whether a log source says by itself what type its events have. */
export const saysType = ({ where, category }: LogSourceMapping): boolean =>
  category !== undefined && where.some((one) => 'column' in one && one.column === 'EventType');

const SIGMA_NAMES = EVENT_COLUMNS.flatMap(({ name, aliases }) =>
  (aliases.sigma ?? []).map((alias) => [alias, name] as const),
);

const countsFor = (source: FieldSource, path: readonly string[], eventIds: readonly number[]): boolean => {
  if (source.kind !== 'column' || path.length !== 1 || source.name !== path[0]) return false;
  const { guard } = source;
  return !guard || eventIds.every((id) => guard.ids.includes(id) !== guard.negated);
};

/** The name by which rules of a log source know a column, or a path below Ext; null where there is none. */
export function sigmaFieldOf(
  path: readonly string[],
  mapping: LogSourceMapping,
  events: readonly DraftEvent[],
): string | null {
  const [column = '', ...below] = path;
  if (column === 'Ext') {
    const name = below.join('.');
    const isRead = resolveField(name, mapping).sources.some(
      (source) => source.kind === 'ext' && !source.items && source.path.join('.') === name,
    );
    return isRead ? name : null;
  }
  const eventIds = [...new Set(events.map((event) => Number(draftValueOf(event, ['EventID']))))];
  const tables = mapping.tables.flatMap((id) => fieldTables.get(id) ?? []);
  const named = tables.flatMap(({ sure, also }) =>
    [...Object.entries(sure), ...Object.entries(also)].map(([name, text]) => ({
      name,
      sources: text === '' ? [] : text.split('|').map(parseFieldSource),
    })),
  );
  const names = [
    ...named.filter(({ sources }) => sources.some((one) => countsFor(one, path, eventIds))),
    ...SIGMA_NAMES.filter(([, name]) => name === column).map(([name]) => ({ name })),
  ].map(({ name }) => name);
  // Of a name that stands in several tables the first decides.
  const reads = (name: string) =>
    resolveField(name, mapping).sources.some((one) => countsFor(one, path, eventIds));
  return names.find(reads) ?? null;
}
