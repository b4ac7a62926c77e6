import { type DecodedEvent, type Fields, newEvent } from '../event-row.ts';
import { AUDITD_FIELD_COLUMNS, AUDITD_KINDS } from '../mapping/auditd-columns.ts';
import { parseEventTime } from '../normalise/event-time.ts';
import { applyFieldColumns, FieldColumns, setColumn } from '../normalise/field-columns.ts';

// A line of the Linux audit log. The kernel writes several records for one event; they share the number in
// `msg=audit(time:number)`, kept as EventRecordId, by which a query joins them. One line is one stored event.

/** Microsoft's agent auoms writes no `msg=` before the time. */
const HEADER = /^(?:node=(\S+) )?type=([A-Z0-9_[\]]+) (?:msg=)?audit\((\d+(?:\.\d+)?):(\d+)\):\s*/;
/** Each start of a name is tried once and each parenthesis ends at the next, so that no text takes more than one pass. */
const PAIR = /(?<![A-Za-z0-9_-])([A-Za-z0-9_-]+)=("(?:[^"\\]|\\.)*"|'[^']*'|\([^()]*\)|\S*)/g;
const HEX_TEXT = /^(?:[0-9A-F]{2}){2,}$/;
/** Fields that the kernel writes as hexadecimal when they hold a space, a quote or a zero byte. */
const ENCODED = /^(?:proctitle|cmd|comm|exe|name|cwd|a\d+|data|path|key|acct)$/;

/** Enriched records repeat their numbers in words after this separator: `uid=0` … `UID="root"`. */
const ENRICHED = '\u001d';

/** The login user of what no login started, such as a web server. */
const NOBODY = 'unset';

const MAPPING = new FieldColumns(AUDITD_FIELD_COLUMNS);

function decodeHex(hex: string): string {
  const bytes = Uint8Array.from({ length: hex.length / 2 }, (_, i) =>
    Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16),
  );
  return new TextDecoder().decode(bytes);
}

/** Arguments in hexadecimal are registers in SYSCALL records and text in EXECVE records. */
function readValue(type: string, name: string, value: string): string {
  if (value.startsWith('"')) return value.slice(1, -1);
  if (!HEX_TEXT.test(value) || !ENCODED.test(name)) return value;
  if (/^a\d+$/.test(name) && type !== 'EXECVE') return value;
  return decodeHex(value);
}

function readPairs(type: string, text: string, fields: Fields): void {
  for (const [, name = '', value = ''] of text.matchAll(PAIR)) {
    if (name === 'msg' && value.startsWith("'")) readPairs(type, value.slice(1, -1), fields);
    else if (value !== '' && value !== '?' && value !== '(null)') fields[name] = readValue(type, name, value);
  }
}

/** In one field of auoms, which ends where the next one begins: it may hold quotes of its own. */
const AUOMS_COMMAND = ' cmdline=';
const AFTER_AUOMS_COMMAND = / (?:redactors|containerid)=\S*/;

/** The command line of a record of auoms, and the record without it; undefined for other records. */
function cutCommand(
  type: string,
  body: string,
): { readonly command: string; readonly rest: string } | undefined {
  const at = type.startsWith('AUOMS_') ? body.indexOf(AUOMS_COMMAND) : -1;
  if (at < 0) return undefined;
  const from = at + AUOMS_COMMAND.length;
  const after = AFTER_AUOMS_COMMAND.exec(body.slice(from));
  const end = after ? from + after.index : body.length;
  const value = body.slice(from, end).trim();
  const isQuoted = value.length > 1 && value.startsWith('"') && value.endsWith('"');
  return { command: isQuoted ? value.slice(1, -1) : value, rest: body.slice(0, at) + body.slice(end) };
}

/** The command line that the arguments of an EXECVE record, or the title of the process, spell. */
function commandLineOf(type: string, fields: Fields): string | undefined {
  if (type === 'PROCTITLE')
    return String(fields.proctitle ?? '')
      .replaceAll('\0', ' ')
      .trim();
  if (type !== 'EXECVE') return undefined;
  const args: string[] = [];
  for (let i = 0; fields[`a${i}`] !== undefined; i += 1) args.push(String(fields[`a${i}`]));
  return args.join(' ');
}

function resultOf(fields: Fields): string | undefined {
  const said = fields.success ?? fields.res;
  if (said === 'yes' || said === 'success' || said === '1') return 'Success';
  return said === 'no' || said === 'failed' || said === '0' ? 'Failure' : undefined;
}

/** Decodes one line of an audit log; undefined when the line is none. */
export function decodeAuditd(line: string): DecodedEvent | undefined {
  const start = line.indexOf('type=');
  if (start < 0) return undefined;
  const text = line.startsWith('node=') ? line : line.slice(start);
  const header = HEADER.exec(text);
  if (header === null) return undefined;
  const [whole, node, type = '', seconds, serial] = header;
  const [body = '', enriched = ''] = text.slice(whole.length).split(ENRICHED, 2);
  const fields: Fields = {};
  const cut = cutCommand(type, body);
  readPairs(type, cut?.rest ?? body, fields);
  const kind = AUDITD_KINDS[type] ?? { stream: 'AuditEvent', type };
  const event = newEvent('auditd', kind.stream);
  const { columns, ext } = event;
  setColumn(event, 'CommandLine', cut?.command ?? commandLineOf(type, fields));
  applyFieldColumns(fields, MAPPING, event);
  ext.type = type;
  // The words keep their capitals, which tell them from the numbers they explain.
  readPairs(type, enriched, ext);
  // Auoms puts the names beside the numbers: `uid=0 user=root`.
  setColumn(event, 'ActorUsername', ext.AUID === NOBODY ? ext.UID : (ext.AUID ?? ext.user));
  setColumn(event, 'DvcHostname', node);
  setColumn(event, 'EventRecordId', serial);
  setColumn(event, 'EventType', kind.type);
  setColumn(event, 'EventResult', resultOf(fields));
  setColumn(event, 'Operation', type);
  columns.EventVendor = 'Linux';
  columns.EventProduct = 'auditd';
  const at = parseEventTime(Number(seconds), 0);
  if (at !== undefined) event.time = at;
  return event;
}
