import { fieldNamesOf } from '../mapping/known-names.ts';
import { resolveField } from '../mapping/resolve-field.ts';
import { resolveLogSource } from '../mapping/resolve-log-source.ts';
import type { LogSource } from '../sigma-document.ts';
import { entryOf } from '../yaml/yaml-value.ts';
import { type LintedDocument, scalarsOf, textIn } from './lint-context.ts';
import { found, type LintFinding } from './lint-sentences.ts';
import { itemsOf } from './lint-values.ts';

// Log source and fields: whether a mapping knows them, and whether a broader source would find more.

const KEYS: ReadonlySet<string> = new Set(['product', 'category', 'service', 'definition']);

/** Categories that say what EventIDs of Sysmon and of the Security log say. */
const SYSMON: Readonly<Record<number, string>> = {
  1: 'process_creation',
  2: 'file_change',
  3: 'network_connection',
  4: 'sysmon_status',
  5: 'process_termination',
  6: 'driver_load',
  7: 'image_load',
  8: 'create_remote_thread',
  9: 'raw_access_thread',
  10: 'process_access',
  11: 'file_event',
  12: 'registry_event',
  13: 'registry_set',
  14: 'registry_rename',
  15: 'create_stream_hash',
  17: 'pipe_created',
  18: 'pipe_created',
  19: 'wmi_event',
  20: 'wmi_event',
  21: 'wmi_event',
  22: 'dns_query',
  23: 'file_delete',
  24: 'clipboard_capture',
  25: 'process_tampering',
  26: 'file_delete',
  27: 'file_block_executable',
  28: 'file_block_shredding',
  29: 'file_executable_detected',
};
const SECURITY: Readonly<Record<number, string>> = { 4688: 'process_creation' };
const POWERSHELL: Readonly<Record<number, string>> = { 4103: 'ps_module', 4104: 'ps_script' };
const BY_SERVICE: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  sysmon: SYSMON,
  security: SECURITY,
  powershell: POWERSHELL,
};

/** Checks of log source and fields. */
export function lintSources(document: LintedDocument): readonly LintFinding[] {
  const { map, read } = document;
  const value = entryOf(map, 'logsource')?.value;
  if (value?.kind !== 'map') return [];
  const logSource: LogSource = read.ok && read.document.kind !== 'correlation' ? read.document.logSource : {};
  return [
    ...value.entries.flatMap(({ key, keySpan, value: inner }) => [
      ...(KEYS.has(key) ? [] : [found('sourceKey', keySpan, { key })]),
      ...(key === 'definition'
        ? []
        : scalarsOf(inner)
            .filter((one) => textIn(one) !== textIn(one).toLowerCase())
            .map(({ span }) => found('sourceCase', span))),
    ]),
    ...(read.ok && !resolveLogSource(logSource) ? [found('sourceUnknown', value.span)] : []),
    ...eventFindings(document, logSource),
    ...fieldFindings(document, logSource),
  ];
}

function eventFindings(
  document: LintedDocument,
  { service = '', category, product }: LogSource,
): readonly LintFinding[] {
  if (product !== 'windows') return [];
  return itemsOf(document)
    .filter(({ field, modifiers }) => field === 'EventID' && modifiers.length === 0)
    .flatMap(({ values }) => {
      const [only, ...others] = values;
      const event = Number(only?.value);
      if (!only || others.length > 0) return [];
      const broader = category === undefined ? BY_SERVICE[service]?.[event] : undefined;
      if (broader !== undefined)
        return [found('sourceSpecific', only.span, { category: broader, event, service })];
      const repeats = category !== undefined && SYSMON[event] === category;
      return repeats ? [found('eventRepeats', only.span, { event })] : [];
    });
}

function fieldFindings(document: LintedDocument, logSource: LogSource): readonly LintFinding[] {
  const mapping = resolveLogSource(logSource);
  if (!mapping) return [];
  const names = new Set(fieldNamesOf(mapping));
  const inOtherCase = new Map([...names].map((name) => [name.toLowerCase(), name]));
  const seen = new Set<string>();
  return itemsOf(document).flatMap(({ field, entry }) => {
    const name = field.trim();
    if (name === '' || seen.has(name) || names.has(name)) return [];
    seen.add(name);
    const known = inOtherCase.get(name.toLowerCase());
    if (known !== undefined) return [found('fieldCase', entry.keySpan, { name: known })];
    return resolveField(name, mapping).table === 'ext'
      ? [found('fieldUnmapped', entry.keySpan, { field: name })]
      : [];
  });
}
