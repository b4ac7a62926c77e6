import type { ColumnType, Generated } from 'kysely';
import type { Timestamp } from '../../platform/postgres/timestamp.ts';
import type { FirstHalf } from './first-half.ts';
import type { Window } from './scheduler-machine.ts';

// The tables of db/postgres/0011_detections.sql, 0026_rule_health.sql and 0038_first_half.sql.

export type RuleTable = {
  cluster_id: string;
  scope_id: string;
  workbook_id: string;
  enabled: boolean;
  covered_from: Timestamp | null;
  covered_until: Timestamp | null;
  span: Generated<number>;
  failures_in_a_row: Generated<number>;
  retry_at: Generated<Timestamp>;
  last_error: string | null;
  due_at: Generated<Timestamp>;
  windows_done: Generated<number>;
  windows_rerun: Generated<number>;
  rows_total: Generated<number>;
  signals_total: Generated<number>;
  last_run_at: Timestamp | null;
  last_duration_ms: number | null;
  late: ColumnType<Window[], string | undefined, string>;
  lease_owner: string | null;
  lease_until: Generated<Timestamp>;
  schedule: string | null;
  keeps_step: Generated<boolean>;
  needs_events: boolean | null;
  group_windows: Generated<number>;
  enabled_at: Generated<Timestamp>;
  strikes: Generated<number>;
  quarantined_at: ColumnType<number | null, undefined, unknown>;
  quarantine_reason: ColumnType<string | null, undefined, string | null>;
  cost_counts_from: Generated<Timestamp>;
};

export type RuleGroupTable = {
  cluster_id: string;
  scope_id: string;
  schedule: string;
  covered_until: Timestamp;
  due_at: Timestamp;
  windows_done: Generated<number>;
  last_run_at: Timestamp | null;
  lease_owner: string | null;
  lease_until: Generated<Timestamp>;
  first_half: ColumnType<FirstHalf | null, undefined, string | null>;
  first_half_due_at: ColumnType<number | null, undefined, unknown>;
};

export type RuleWindowTable = {
  cluster_id: string;
  scope_id: string;
  workbook_id: string;
  range_from: Timestamp;
  range_to: Timestamp;
  state: 'done' | 'failed';
  attempts: Generated<number>;
  reruns: Generated<number>;
  row_count: number;
  signals: number;
  occurrences: number;
  events_seen: number;
  error: string | null;
  started_at: Timestamp;
  finished_at: Timestamp | null;
};

export type EvaluatedMinuteTable = {
  cluster_id: string;
  scope_id: string;
  minute_start: Timestamp;
  seen: ColumnType<Readonly<Record<string, number>>, string, string>;
};

export type RuleTables = {
  rule: RuleTable;
  rule_window: RuleWindowTable;
  rule_group: RuleGroupTable;
  evaluated_minute: EvaluatedMinuteTable;
};
