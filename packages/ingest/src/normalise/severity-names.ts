import { lookupTable } from './lookup-table.ts';

// The five words of EventSeverity, from the scales that sources use.

const BY_WORD = lookupTable<string>({
  emergency: 'Critical',
  emerg: 'Critical',
  alert: 'Critical',
  critical: 'Critical',
  crit: 'Critical',
  fatal: 'Critical',
  error: 'High',
  err: 'High',
  high: 'High',
  warning: 'Medium',
  warn: 'Medium',
  medium: 'Medium',
  notice: 'Low',
  low: 'Low',
  informational: 'Informational',
  information: 'Informational',
  info: 'Informational',
  debug: 'Informational',
  verbose: 'Informational',
  unknown: 'Informational',
});

const SYSLOG = [
  'Critical',
  'Critical',
  'Critical',
  'High',
  'Medium',
  'Low',
  'Informational',
  'Informational',
] as const;

/** From a word of any source, e.g. `err` or `Warning`; undefined for words that are no severity. */
export function severityFromWord(word: unknown): string | undefined {
  return typeof word === 'string' ? BY_WORD[word.toLowerCase()] : undefined;
}

/** From the severity number of syslog, 0 (emergency) to 7 (debug). */
export function severityFromSyslog(level: number): string {
  return SYSLOG[level] ?? 'Informational';
}

/** From the level of a Windows event: 1 critical, 2 error, 3 warning, 0 and 4 information, 5 verbose. */
export function severityFromWindowsLevel(level: number): string {
  return (['Informational', 'Critical', 'High', 'Medium'] as const)[level] ?? 'Informational';
}

/** From the 0-10 scale of CEF, or its words. */
export function severityFromCef(value: string): string | undefined {
  if (!/^\d{1,2}$/.test(value))
    return severityFromWord(value) ?? (/^very-high$/i.test(value) ? 'Critical' : undefined);
  const level = Number(value);
  if (level >= 9) return 'Critical';
  if (level >= 7) return 'High';
  if (level >= 4) return 'Medium';
  return level >= 1 ? 'Low' : 'Informational';
}
