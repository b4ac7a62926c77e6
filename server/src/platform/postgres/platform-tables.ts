import type { ColumnType, Generated } from 'kysely';
import type { Timestamp } from './timestamp.ts';

// The tables of db/postgres/0001_platform.sql. Features declare theirs beside their stores.

interface ComponentTable {
  id: string;
  role: string;
  host: string;
  process_id: number;
  version: string;
  state: string;
  details: ColumnType<unknown, string, string>;
  started_at: Timestamp;
  heartbeat_at: Timestamp;
}

interface SettingTable {
  name: string;
  value: ColumnType<unknown, string, string>;
  updated_at: Generated<Timestamp>;
}

export interface PlatformTables {
  component: ComponentTable;
  platform_setting: SettingTable;
}
