import type { DecodedEvent, Fields } from '../event-row.ts';
import { setColumn } from '../normalise/field-columns.ts';

// PowerShell writes who ran what as lines of a text: `HostApplication=powershell -enc …` in the events 400, 403, 600 and
// 800, `Host Application = …` in 4103. The text stands in the message, in a field, or in data without a name.

/** Longest text that is looked through, in UTF-16 units. */
const LONGEST = 64 * 1024;
const TEXTS = ['ContextInfo', 'param3', 'param2', 'Message'] as const;
const VALUES = [
  ['CommandLine', ['HostApplication=', 'Host Application = ']],
  ['ActorUsername', ['UserId=', '        User = ', '\nUser = ']],
  ['FilePath', ['ScriptName=', 'Script Name = ']],
] as const;

/** What stands behind a name up to the end of its line; undefined for nothing. */
function lineBehind(text: string, names: readonly string[]): string | undefined {
  for (const name of names) {
    const at = text.indexOf(name);
    if (at < 0) continue;
    const from = at + name.length;
    const end = text.indexOf('\n', from);
    const value = text.slice(from, end < 0 ? undefined : end).trim();
    if (value !== '') return value;
  }
  return undefined;
}

/** Fills what the record itself leaves open: the command line of the host, who ran it, and the script. */
export function readPowerShellContext(event: DecodedEvent, fields: Fields): void {
  for (const name of TEXTS) {
    const text = fields[name];
    if (typeof text !== 'string' || text.length > LONGEST || !text.includes('Application')) continue;
    for (const [column, names] of VALUES) setColumn(event, column, lineBehind(text, names));
  }
}
