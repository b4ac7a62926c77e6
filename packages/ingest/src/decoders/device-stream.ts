import type { StreamName } from '@tyrian/catalog';
import type { DecodedEvent } from '../event-row.ts';

// Which stream an event of a device or an application belongs to, by the columns that it fills.

const SIGN_IN = /\b(?:log[io]n|logged (?:in|out)|sign[- ]?in|signed in|authenticat\w*|log ?off|logout)\b/i;
const THREAT = /\b(?:threat|malware|virus|intrusion|ips|ids|exploit|attack|botnet)\b/i;

/** The stream for the columns of the event; `fallback` when they tell nothing. */
export function deviceStream({ columns }: DecodedEvent, fallback: StreamName = 'Generic'): StreamName {
  const type = String(columns.EventType ?? '');
  if (columns.ThreatName !== undefined || THREAT.test(type)) return 'Alert';
  if (columns.DnsQuery !== undefined) return 'Dns';
  if (columns.EmailSender !== undefined && columns.EmailRecipient !== undefined) return 'Email';
  if (columns.Url !== undefined || columns.HttpRequestMethod !== undefined) return 'WebSession';
  if (SIGN_IN.test(type)) return 'Authentication';
  if (columns.DstIpAddr !== undefined || columns.DstPortNumber !== undefined) return 'NetworkSession';
  if (columns.CommandLine !== undefined) return 'ProcessEvent';
  if (columns.RegistryKey !== undefined) return 'RegistryEvent';
  if (columns.FilePath !== undefined) return 'FileEvent';
  return fallback;
}
