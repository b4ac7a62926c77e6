import type { ColumnType } from 'kysely';
import type { Timestamp } from '../../platform/postgres/timestamp.ts';

// The tables of batches in db/postgres/0009_ingest.sql.

type IngestBatchTable = {
  batch_hash: Buffer;
  batch_id: string;
  state: 'open' | 'free' | 'kept';
  owner: string;
  content_hash: Buffer;
  received_at: Timestamp;
  answer: ColumnType<unknown, string | null, string | null>;
};

type IngestOwnerTable = { owner: string; seen_at: Timestamp };

export type IngestTables = {
  ingest_batch: IngestBatchTable;
  ingest_owner: IngestOwnerTable;
};
