import type { ColumnType, Generated } from 'kysely';
import type { Window } from './scheduler-machine.ts';

// The tables of db/postgres/0009_ledger.sql and 0040_due_queue.sql.

export type RuleTable = {
  cluster_id: string;
  scope_id: string;
  workbook_id: string;
  enabled: boolean;
  covered_from_ms: number | null;
  covered_until_ms: number | null;
  span: Generated<number>;
  failures_in_a_row: Generated<number>;
  retry_ms: Generated<number>;
  last_error: string | null;
  due_ms: Generated<number>;
  windows_done: Generated<number>;
  windows_rerun: Generated<number>;
  rows_total: Generated<number>;
  signals_total: Generated<number>;
  last_run_ms: number | null;
  last_duration_ms: number | null;
  late: ColumnType<Window[], string | undefined, string>;
  lease_owner: string | null;
  lease_until_ms: Generated<number>;
  schedule: string | null;
  keeps_step: Generated<boolean>;
  needs_events: boolean | null;
  group_windows: Generated<number>;
  enabled_ms: Generated<number>;
};

export type RuleGroupTable = {
  cluster_id: string;
  scope_id: string;
  schedule: string;
  covered_until_ms: number;
  due_ms: number;
  windows_done: Generated<number>;
  last_run_ms: number | null;
  lease_owner: string | null;
  lease_until_ms: Generated<number>;
};

export type RuleWindowTable = {
  cluster_id: string;
  scope_id: string;
  workbook_id: string;
  from_ms: number;
  to_ms: number;
  state: 'done' | 'failed';
  attempts: Generated<number>;
  reruns: Generated<number>;
  row_count: number;
  signals: number;
  occurrences: number;
  events_seen: number;
  error: string | null;
  started_ms: number;
  finished_ms: number | null;
};

export type EvaluatedMinuteTable = {
  cluster_id: string;
  scope_id: string;
  minute_ms: number;
  seen: ColumnType<Readonly<Record<string, number>>, string, string>;
};

export type RuleTables = {
  rule: RuleTable;
  rule_window: RuleWindowTable;
  rule_group: RuleGroupTable;
  evaluated_minute: EvaluatedMinuteTable;
};
