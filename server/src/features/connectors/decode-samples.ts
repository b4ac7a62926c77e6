import { CONNECTOR_LIMITS, type ConnectorRecord } from '@tyrian/contract';
import { decodeText, jsonFault, unreadEvent } from '@tyrian/ingest';

// Records of a test as they would be decoded. They are few and cut, so that this needs no thread of its own.

const MOST_CHARS = 64 * 1024;
const { testChars } = CONNECTOR_LIMITS;

const cut = (text: string): string => (text.length > testChars ? `${text.slice(0, testChars)}…` : text);

function shownValue(value: unknown): unknown {
  if (typeof value === 'string') return cut(value);
  if (typeof value !== 'object' || value === null) return value;
  return cut(JSON.stringify(value));
}

/** What ingest would make of a record. */
export function decodedSample(raw: string, nowMs: number): ConnectorRecord {
  const head = raw.slice(0, MOST_CHARS);
  const event =
    raw.length > MOST_CHARS || jsonFault(head) !== undefined
      ? unreadEvent('text', 'truncated', 'too long for a test; ingest reads it')
      : decodeText(head, nowMs);
  const fields = Object.entries({ ...event.columns, ...event.ext });
  return {
    raw: cut(raw),
    stream: event.stream,
    source_type: event.sourceType,
    status: event.status,
    parse_error: event.parseError ?? null,
    time: event.time ?? null,
    fields: Object.fromEntries(fields.slice(0, 200).map(([name, value]) => [name, shownValue(value)])),
  };
}
