import type { SavedKind } from '@tyrian/contract';
import type { ColumnType } from 'kysely';

// The tables of db/postgres/0006_search.sql, 0011_saved_queries.sql, 0025_search_result_quota.sql and
// 0043_search_rows_with_events.sql.

type Json = ColumnType<unknown, string, string>;

export type SearchTaskTable = {
  cluster_id: string;
  id: string;
  user_id: string;
  scope_id: string;
  query_id: string;
  queue: string;
  stage: string;
  state: string;
  message: string;
  diagnostics: Json;
  notices: Json;
  columns: Json;
  streams: Json;
  range_from_ms: number | null;
  range_to_ms: number | null;
  row_count: number;
  truncated: boolean;
  rows_read: number;
  bytes_read: number;
  rows_to_read: number;
  share: number;
  engine_ms: number;
  started_ms: number;
  heartbeat_ms: number;
  ended_ms: number | null;
  expires_ms: number;
  kept_bytes: ColumnType<number, number | undefined, number>;
};

export type SearchHistoryTable = {
  cluster_id: string;
  id: string;
  user_id: string;
  scope_id: string;
  query: string;
  range_from: Json;
  range_to: Json;
  query_timezone: string;
  started_ms: number;
  status: string;
  row_count: number | null;
  elapsed_ms: number | null;
  hidden: boolean;
};

export type SeenFieldTable = {
  cluster_id: string;
  scope_id: string;
  stream: string;
  path: string;
  type: string;
  example: string;
  last_seen_ms: number;
};

export type SavedQueryTable = {
  cluster_id: string;
  id: string;
  scope_id: string;
  owner_id: string;
  owner_name: string;
  kind: SavedKind;
  name: string;
  description: string;
  folder: string;
  tags: string[];
  body: string;
  range_from: string | null;
  range_to: string | null;
  shared: boolean;
  version: number;
  created_ms: number;
  updated_ms: number;
  deleted_ms: number | null;
};

export type SearchTables = {
  search_task: SearchTaskTable;
  search_history: SearchHistoryTable;
  seen_field: SeenFieldTable;
  saved_query: SavedQueryTable;
};
