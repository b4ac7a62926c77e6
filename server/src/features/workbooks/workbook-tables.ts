import type { Block, RuleSample, SignalBody, WorkbookDraft } from '@tyrian/contract';
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { Timestamp } from '../../platform/postgres/timestamp.ts';

// The tables of db/postgres/0010_workbooks.sql.

type Json<T> = ColumnType<T, string, string>;

export type WorkbookTable = {
  cluster_id: string;
  workbook_id: string;
  scope_id: string | null;
  name: string;
  directory: string;
  description: string;
  stage: WorkbookDraft['stage'];
  mode: WorkbookDraft['schedule']['mode'];
  cron: string | null;
  timezone: string;
  lookback_minutes: number;
  tags: string[];
  streams: string[];
  blocks: Json<Block[]>;
  samples: ColumnType<RuleSample[], string | undefined, string>;
  detection: boolean;
  score: number | null;
  confidence: SignalBody['confidence'] | null;
  tactic: string;
  technique: string;
  sub_technique: string;
  native: boolean;
  native_hash: string | null;
  author: string;
  author_id: string;
  version: number;
  locked_by: string | null;
  locked_by_id: string | null;
  locked_at: Timestamp | null;
  created_at: Timestamp;
  updated_at: Timestamp;
  deleted_at: Timestamp | null;
  cloned_from: Generated<string | null>;
  /** The clone switched its original off. */
  replaced_original: Generated<boolean>;
  /** What a search looks at, in lower case: 0010_workbooks.sql. */
  search_text: GeneratedAlways<string>;
};

export type WorkbookVersionTable = {
  cluster_id: string;
  workbook_id: string;
  version: number;
  author: string;
  author_id: string;
  commit_message: string;
  saved_at: Timestamp;
  draft: Json<WorkbookDraft>;
};

export type WorkbookDirectoryTable = {
  cluster_id: string;
  scope_id: string;
  path: string;
  created_by: string;
  created_at: Timestamp;
};

export type WorkbookTables = {
  workbook: WorkbookTable;
  workbook_version: WorkbookVersionTable;
  workbook_directory: WorkbookDirectoryTable;
};
