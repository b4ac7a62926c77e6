import type { SavedKind } from '@tyrian/contract';
import type { ColumnType } from 'kysely';
import type { Timestamp } from '../../platform/postgres/timestamp.ts';

// The tables of db/postgres/0014_search.sql.

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
  range_from: Timestamp | null;
  range_to: Timestamp | null;
  row_count: number;
  truncated: boolean;
  rows_read: number;
  bytes_read: number;
  rows_to_read: number;
  share: number;
  engine_ms: number;
  started_at: Timestamp;
  heartbeat_at: Timestamp;
  ended_at: Timestamp | null;
  expires_at: Timestamp;
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
  started_at: Timestamp;
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
  last_seen_at: Timestamp;
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
  created_at: Timestamp;
  updated_at: Timestamp;
  deleted_at: Timestamp | null;
};

export type SearchTables = {
  search_task: SearchTaskTable;
  search_history: SearchHistoryTable;
  seen_field: SeenFieldTable;
  saved_query: SavedQueryTable;
};
