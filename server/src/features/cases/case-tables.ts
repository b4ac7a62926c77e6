import type { CaseAction, CaseStatus, EntityRole, Resolution, Severity } from '@tyrian/contract';
import type { Generated, Kysely } from 'kysely';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import type { Row, Timestamp } from '../../platform/postgres/timestamp.ts';

// The tables of db/postgres/0013_cases.sql.

type CaseTable = {
  cluster_id: string;
  case_id: string;
  scope_id: string;
  number: number;
  case_name: string;
  status: CaseStatus;
  severity: Severity;
  handler_id: string | null;
  handler_name: string | null;
  resolution: Resolution | null;
  tags: string[];
  created_at: Timestamp;
  created_by: string;
  updated_at: Timestamp;
  closed_at: Timestamp | null;
  status_since: Timestamp;
  worked_ms: number;
  on_hold_ms: number;
  oldest_signal_at: Timestamp | null;
  risk_score: number;
  signal_count: number;
  artifact_count: number;
  notes_count: number;
  revision: number;
};

/** A case as the program has it. */
export type CaseRow = Row<CaseTable>;

// A type, not an interface: Kysely asks for an index signature.
export type CaseTables = {
  incident_case_counter: { cluster_id: string; last_number: number };
  incident_case: CaseTable;
  case_signal: {
    cluster_id: string;
    case_id: string;
    signal_id: string;
    score: number;
    raised_at: Timestamp;
    added_at: Timestamp;
    added_by: string;
  };
  case_entity: {
    cluster_id: string;
    case_id: string;
    type: string;
    value: string;
    role: EntityRole;
    added_at: Timestamp;
    added_by: string;
  };
  case_note: {
    cluster_id: string;
    case_id: string;
    note_id: Generated<number>;
    notes: string;
    author: string;
    author_id: string | null;
    kind: 'user' | 'system';
    created_at: Timestamp;
    tag_list: string[];
  };
  case_history: {
    cluster_id: string;
    case_id: string;
    entry_id: Generated<number>;
    created_at: Timestamp;
    author: string;
    author_id: string | null;
    action: CaseAction;
    from_value: string | null;
    to_value: string | null;
    resolution: Resolution | null;
    note: string | null;
  };
};

export type CaseDb = Kysely<CaseTables>;

/** The tables of cases within the transaction of a tenant. */
export function caseDb(trx: TenantTransaction): CaseDb {
  return trx.withTables<CaseTables>() as unknown as CaseDb;
}

/** Who changes a case, when, and from which address. */
export interface CaseActor {
  readonly userId: string;
  readonly name: string;
  readonly source: string;
}
