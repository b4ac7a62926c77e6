import { tableMark, WELL_KNOWN_TABLES } from '@tyrian/catalog';
import { MESSAGE_PATTERNS } from '../../mapping/message-patterns.ts';

/** The decoders of ours that an extractor may take over: the `SourceType` of the events that each makes. */
export const BUILT_IN_DECODERS: readonly string[] = [
  'windows-event',
  'sysmon',
  'auditd',
  'aws-cloudtrail',
  'azure-sign-in',
  'cef',
  'leef',
  'key-value',
  'json',
  'syslog',
  ...new Set(MESSAGE_PATTERNS.map(({ name }) => name)),
  ...WELL_KNOWN_TABLES.map(({ name }) => tableMark(name)),
];
