import { type Case, type CaseStatus, timeToAcknowledge } from '@tyrian/contract';
import type { CaseRow } from './case-tables.ts';

/** The readable key of a case. */
export function caseKey(number: number): string {
  return `CASE-${number}`;
}

const seconds = (ms: number) => Math.round(ms / 1000);

/** The row as the wire knows it; `now` ends the running ON-HOLD time. */
export function caseView(row: CaseRow, now: number): Case {
  const held = row.status === ('ON-HOLD' satisfies CaseStatus) ? Math.max(0, now - row.status_since) : 0;
  return {
    case_id: row.case_id,
    case_key: caseKey(row.number),
    case_name: row.case_name,
    status: row.status,
    severity: row.severity,
    handler:
      row.handler_id !== null && row.handler_name !== null
        ? { user_id: row.handler_id, name: row.handler_name }
        : null,
    created: row.created_at,
    created_by: row.created_by,
    updated: row.updated_at,
    closed: row.closed_at,
    signal_count: row.signal_count,
    artifact_count: row.artifact_count,
    notes_count: row.notes_count,
    risk_score: row.risk_score,
    tta_seconds: timeToAcknowledge(row.created_at, row.oldest_signal_at),
    ttr_seconds: row.status === 'CLOSED' ? seconds(row.worked_ms) : null,
    on_hold_seconds: seconds(row.on_hold_ms + held),
    resolution: row.resolution,
    tags: row.tags,
    revision: row.revision,
    scope_id: row.scope_id,
  };
}
