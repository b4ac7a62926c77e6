import type { AuditEntry } from '../../../platform/audit-recorder.ts';
import type { CallContext, CallTrail } from '../../../platform/http/call-context.ts';
import type { Logger } from '../../../platform/log.ts';
import { asAccessCaller } from '../sign-in/authorizer.ts';
import type { AuditService } from './audit-service.ts';

// Refused calls in the audit trail. Whoever knocks a thousand times cannot fill it: equal refusals are counted.

export interface RefusalTrail extends CallTrail {
  /** Writes what was counted since; `all`: also where the minute is not over. */
  flush(all?: boolean): Promise<void>;
}

/** The tenant is named as such only to who reaches it: nobody else's trail tells of a stranger. */
function scopeOf(call: CallContext, clusterId: string | undefined): Partial<AuditEntry> {
  if (clusterId === undefined || clusterId === '') return {};
  // Not the tags held there: those of an organization's administrator hold at any name.
  const isReached = call.caller !== null && asAccessCaller(call.caller).entryAt(clusterId) !== undefined;
  return isReached ? { clusterId } : { details: { clusterId } };
}

export function createRefusalTrail(deps: {
  readonly audit: AuditService;
  readonly log: Logger;
}): RefusalTrail {
  const { audit, log } = deps;

  return {
    flush: audit.flush,
    refused: async (call, { clusterId }, reason) => {
      const who = call.caller;
      const entryScope = scopeOf(call, clusterId);
      const entry: AuditEntry = {
        action: 'call.refused',
        who,
        source: call.source,
        entity: call.endpoint.name,
        ...entryScope,
        details: { ...entryScope.details, reason, summary: call.endpoint.summary },
      };
      const kind = [who?.userId ?? '', call.source, who ? call.endpoint.name : '', clusterId ?? ''].join(
        '\n',
      );
      await audit.recordOften(entry, kind).catch((error: Error) => {
        log.warn({ err: error.message }, 'a refused call is not in the audit trail');
      });
    },
    forgotten: (call, { clusterId }) =>
      audit.record({
        action: 'call',
        who: call.caller,
        source: call.source,
        entity: call.endpoint.name,
        ...scopeOf(call, clusterId),
      }),
  };
}
