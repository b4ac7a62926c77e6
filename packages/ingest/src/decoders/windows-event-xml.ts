import type { DecodedEvent, Fields } from '../event-row.ts';
import { lookupTable } from '../normalise/lookup-table.ts';
import { decodeWindowsFields } from './windows-event.ts';

// The XML of a Windows event, as Sysmon for Linux writes it into syslog and as event forwarding delivers it.
// The form is fixed and flat, so a few expressions read it; anything else is no Windows event.

const ENTITIES = lookupTable<string>({ lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" });

/** Text of XML with its entities written out. */
export function unescapeXml(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return ENTITIES[name] ?? whole;
    const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
}

// An attribute holds no `<`, so each tag is read once.
const DATA = /<Data(?:\s+Name=(?:"([^"<]*)"|'([^'<]*)'))?\s*(?:\/>|>([^<]*)<\/Data>)/g;

function element(xml: string, name: string): string | undefined {
  const found = new RegExp(`<${name}(?:\\s[^<>]*)?>([^<]*)</${name}>`).exec(xml);
  return found?.[1] === undefined ? undefined : unescapeXml(found[1]);
}

function attributeOf(xml: string, name: string, key: string): string | undefined {
  const found = new RegExp(`<${name}\\s[^<>]*?${key}=(?:"([^"<]*)"|'([^'<]*)')`).exec(xml);
  const value = found?.[1] ?? found?.[2];
  return value === undefined ? undefined : unescapeXml(value);
}

function headerFields(system: string): Fields {
  const header: Fields = {
    EventID: element(system, 'EventID'),
    Version: element(system, 'Version'),
    Level: element(system, 'Level'),
    Task: element(system, 'Task'),
    Opcode: element(system, 'Opcode'),
    Keywords: element(system, 'Keywords'),
    Channel: element(system, 'Channel'),
    Computer: element(system, 'Computer'),
    EventRecordID: element(system, 'EventRecordID'),
    Provider_Name: attributeOf(system, 'Provider', 'Name'),
    ProviderGuid: attributeOf(system, 'Provider', 'Guid'),
    TimeCreated: attributeOf(system, 'TimeCreated', 'SystemTime'),
    ExecutionProcessID: attributeOf(system, 'Execution', 'ProcessID'),
    SecurityUserID: attributeOf(system, 'Security', 'User[Ii][dD]'),
  };
  for (const name of Object.keys(header)) if (header[name] === undefined) delete header[name];
  return header;
}

/** Decodes the XML text of one event; undefined when the text is not the XML of a Windows event. */
export function decodeWindowsEventXml(text: string, nowMs: number): DecodedEvent | undefined {
  const start = text.indexOf('<Event');
  const systemEnd = text.indexOf('</System>');
  if (start < 0 || systemEnd < 0) return undefined;
  const fields = headerFields(text.slice(start, systemEnd));
  if (fields.EventID === undefined) return undefined;
  let unnamed = 0;
  for (const [, quoted, single, value] of text.slice(systemEnd).matchAll(DATA)) {
    const name = quoted ?? single;
    if (name === undefined) unnamed += 1;
    fields[name ?? `param${unnamed}`] = unescapeXml(value ?? '');
  }
  return decodeWindowsFields(fields, nowMs);
}
