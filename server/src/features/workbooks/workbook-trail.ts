import type { Schedule } from '@tyrian/contract';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import type { CallScope } from './workbook-rights.ts';

// Acts on workbooks and their folders in the audit trail, each in the transaction of the act.

export interface WorkbookTrail {
  note(
    trx: TenantTransaction,
    scope: CallScope,
    action: string,
    entity: string,
    details?: Readonly<Record<string, unknown>>,
  ): Promise<void>;
  /** An entry of its own where a detection begins or ceases to run by a change of its schedule. */
  noteSchedule(
    trx: TenantTransaction,
    scope: CallScope,
    workbook: { readonly id: string; readonly name: string },
    before: Schedule['mode'],
    after: Schedule['mode'],
  ): Promise<void>;
}

/** The action of switching a detection. */
export const switchAction = (enabled: boolean): string =>
  enabled ? 'detection.enable' : 'detection.disable';

export function createWorkbookTrail(audit: AuditService): WorkbookTrail {
  const note: WorkbookTrail['note'] = (trx, scope, action, entity, details = {}) => {
    const { caller: who, clusterId, scopeId } = scope;
    return audit.record({ action, who, clusterId, scopeId, entity, details }, trx);
  };
  return {
    note,
    noteSchedule: async (trx, scope, { id, name }, before, after) => {
      if ((before === 'off') === (after === 'off')) return;
      await note(trx, scope, switchAction(after !== 'off'), id, { name, schedule: after });
    },
  };
}
