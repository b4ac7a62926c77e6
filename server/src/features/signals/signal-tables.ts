import type { SignalBody, SignalEntity } from '@tyrian/contract';
import type { ColumnType, Generated } from 'kysely';
import type { Timestamp } from '../../platform/postgres/timestamp.ts';

// The tables of db/postgres/0012_signals.sql.

type Json<T> = ColumnType<T, string, string>;

export type SignalTable = {
  cluster_id: string;
  signal_id: string;
  scope_id: string;
  workbook_id: string;
  workbook_name: string;
  version: number;
  finding_key: string;
  name: string;
  stream: string;
  stage: string;
  tactic: string;
  technique: string;
  sub_technique: string;
  score: number;
  confidence: SignalBody['confidence'];
  suspects: Json<SignalEntity[]>;
  targets: Json<SignalEntity[]>;
  tags: string[];
  first_at: Timestamp;
  last_at: Timestamp;
  created_at: Timestamp;
  occurrences: number;
  ttd_seconds: number | null;
  false_positive: Generated<boolean>;
  case_ids: Generated<string[]>;
  triaged_at: Timestamp | null;
};

export type SignalEntityTable = {
  cluster_id: string;
  signal_id: string;
  role: 'suspect' | 'target';
  type: string;
  value: string;
};

export type SignalOccurrenceTable = {
  cluster_id: string;
  scope_id: string;
  occurrence_id: string;
  signal_id: string;
  row_count: number;
  first_at: Timestamp;
  last_at: Timestamp;
  event_uids: string[];
  more_events: number;
  fields: Json<Record<string, unknown>>;
};

export type SignalHistoryTable = {
  cluster_id: string;
  signal_id: string;
  entry_id: Generated<number>;
  created_at: Timestamp;
  author: string;
  action: string;
  detail: string;
};

export type SignalTagTable = {
  cluster_id: string;
  scope_id: string;
  tag: string;
  colour: string;
  created_by: string;
  created_at: Timestamp;
};

export type SignalOutboxTable = {
  cluster_id: string;
  signal_id: string;
  batch_id: string | null;
  event: Json<Record<string, unknown>>;
};

export type SignalFacetTaskTable = {
  cluster_id: string;
  task_id: string;
  scope_id: string;
  user_id: string;
  selection: Json<unknown>;
  asked_at: Timestamp;
};

export type SignalTables = {
  signal: SignalTable;
  signal_entity: SignalEntityTable;
  signal_occurrence: SignalOccurrenceTable;
  signal_history: SignalHistoryTable;
  signal_tag: SignalTagTable;
  signal_outbox: SignalOutboxTable;
  signal_facet_task: SignalFacetTaskTable;
};
