import { say } from '@tyrian/contract';
import { AppError, notAuthorised } from '../../platform/app-error.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { ScopeRef } from '../../platform/scope-ref.ts';
import type { WorkbookRow } from './workbook-store.ts';
import { mayChange } from './workbook-view.ts';

// Who may change a workbook where, beyond what the endpoint asks of the caller.

/** The scope that a call names, and who calls. */
export interface CallScope extends ScopeRef {
  readonly caller: Caller;
}

export interface LockState {
  readonly locked: boolean;
  readonly locked_by: string | null;
  readonly since: number | null;
}

export const lockOf = (row: WorkbookRow): LockState => ({
  locked: row.locked_by_id !== null,
  locked_by: row.locked_by,
  since: row.locked_at,
});

/** Throws unless the caller may change the workbook now. */
export function assertMayChange(scope: CallScope, row: WorkbookRow): void {
  if (row.native) {
    throw new AppError('conflict', say('workbooks.builtIn'));
  }
  if (!mayChange(scope.caller, row, scope.scopeId)) throw notAuthorised();
  if (row.locked_by_id !== null && row.locked_by_id !== scope.caller.userId) {
    throw new AppError('conflict', say('workbooks.lockedBy', { name: row.locked_by ?? '' }), lockOf(row));
  }
}

/** Native workbooks belong to everybody in a scope: only an engineer switches them. */
export function assertEngineer(scope: CallScope): void {
  if (!scope.caller.tagsAt(scope.clusterId, scope.scopeId).includes('engineer')) throw notAuthorised();
}
