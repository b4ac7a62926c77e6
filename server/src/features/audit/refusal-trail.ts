import type { Clock } from '../../platform/clock.ts';
import type { CallContext, CallTrail } from '../../platform/http/call-context.ts';
import type { Logger } from '../../platform/log.ts';
import type { AuditEntry, AuditService } from './audit-service.ts';

// Refused calls in the audit trail. The first of its kind is an entry at once; equal ones within the next minute are
// counted and become one more, so that whoever knocks a thousand times cannot fill the trail.

export interface RefusalTrail extends CallTrail {
  /** Writes what was counted since; `all`: also where the minute is not over. */
  flush(all?: boolean): Promise<void>;
}

const WINDOW_MS = 60_000;
/** Kinds kept apart at a time; what is beyond is counted together. */
const MOST_KINDS = 10_000;

interface Counted {
  readonly entry: AuditEntry;
  readonly until: number;
  times: number;
}

/** The tenant is named as such only to who reaches it: nobody else's trail tells of a stranger. */
function placeOf(call: CallContext, clusterId: string | undefined): Partial<AuditEntry> {
  if (clusterId === undefined || clusterId === '') return {};
  const isReached = call.caller?.tagsAt(clusterId).some((tag) => tag !== 'no-access') ?? false;
  return isReached ? { clusterId } : { details: { clusterId } };
}

export function createRefusalTrail(deps: {
  readonly audit: AuditService;
  readonly clock: Clock;
  readonly log: Logger;
}): RefusalTrail {
  const { audit, clock, log } = deps;
  const kinds = new Map<string, Counted>();
  const write = (entry: AuditEntry) =>
    audit.record(entry).catch((error: Error) => {
      log.warn({ err: error.message }, 'a refused call is not in the audit trail');
    });

  async function flush(all = false): Promise<void> {
    const due = [...kinds].filter(([, one]) => all || one.until <= clock.now());
    for (const [key] of due) kinds.delete(key);
    for (const [, { entry, times }] of due) {
      if (times > 0) await write({ ...entry, details: { ...entry.details, times } });
    }
  }

  return {
    flush,
    refused: async (call, { clusterId }, reason) => {
      const who = call.caller;
      const own = [who?.userId ?? '', call.source, who ? call.endpoint.id : '', clusterId ?? ''].join('\n');
      const key = kinds.has(own) || kinds.size < MOST_KINDS ? own : '';
      const known = kinds.get(key);
      if (known && known.until > clock.now()) {
        if (known.times === 0) setTimeout(() => void flush(), WINDOW_MS + 1000).unref();
        known.times += 1;
        return;
      }
      await flush();
      const place = placeOf(call, clusterId);
      const entry: AuditEntry = {
        action: 'call.refused',
        who,
        source: call.source,
        entity: call.endpoint.id,
        ...place,
        details: { ...place.details, reason, summary: call.endpoint.summary },
      };
      kinds.set(key, { entry, until: clock.now() + WINDOW_MS, times: 0 });
      await write(entry);
    },
    forgotten: (call, { clusterId }) =>
      audit.record({
        action: 'call',
        who: call.caller,
        source: call.source,
        entity: call.endpoint.id,
        ...placeOf(call, clusterId),
      }),
  };
}
