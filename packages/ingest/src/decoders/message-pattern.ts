import { type DecodedEvent, newEvent } from '../event-row.ts';
import { MESSAGE_PATTERNS } from '../mapping/message-patterns.ts';
import { parseEventTime } from '../normalise/event-time.ts';
import { setColumn } from '../normalise/field-columns.ts';

/** Decodes a line of a well-known program (sshd, sudo, web servers …); undefined when none matches. */
export function decodeMessagePattern(text: string, nowMs: number): DecodedEvent | undefined {
  for (const { name, stream, pattern, columns } of MESSAGE_PATTERNS) {
    const groups = pattern.exec(text)?.groups;
    if (groups === undefined) continue;
    const event = newEvent(name, stream);
    Object.assign(event.columns, columns);
    for (const [group, value] of Object.entries(groups)) {
      if (value === undefined || value === '-') continue;
      if (group === 'time') {
        const at = parseEventTime(value, nowMs);
        if (at !== undefined) event.time = at;
      } else if (!setColumn(event, group, value)) event.ext[group] = value;
    }
    return event;
  }
  return undefined;
}
