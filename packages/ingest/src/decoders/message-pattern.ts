import { type DecodedEvent, newEvent } from '../event-row.ts';
import { MESSAGE_PATTERNS } from '../mapping/message-patterns.ts';
import { parseEventTime } from '../normalise/event-time.ts';
import { setColumn } from '../normalise/field-columns.ts';

// Groups by position: a match of a pattern with named groups makes an object of them each time.
const PATTERNS = MESSAGE_PATTERNS.map((known) => ({
  ...known,
  pattern: new RegExp(known.pattern.source.replaceAll(/\(\?<\w+>/g, '('), known.pattern.flags),
  groups: [...known.pattern.source.matchAll(/\(\?<(\w+)>/g)].map(([, group = '']) => group),
}));

/** Decodes a line of a well-known program (sshd, sudo, web servers …); undefined when none matches. */
export function decodeMessagePattern(text: string, nowMs: number): DecodedEvent | undefined {
  for (const { name, stream, pattern, columns, groups } of PATTERNS) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const event = newEvent(name, stream);
    Object.assign(event.columns, columns);
    for (const [at, group] of groups.entries()) {
      const value = match[at + 1];
      if (value === undefined || value === '-') continue;
      if (group === 'time') {
        const time = parseEventTime(value, nowMs);
        if (time !== undefined) event.time = time;
      } else if (!setColumn(event, group, value)) event.ext[group] = value;
    }
    return event;
  }
  return undefined;
}
