import type { ColumnType } from 'kysely';

// The tables of batches in db/postgres/0007_ingest.sql.

type IngestBatchTable = {
  batch_hash: Buffer;
  batch_id: string;
  state: 'open' | 'free' | 'kept';
  owner: string;
  content_hash: Buffer;
  received_ms: number;
  answer: ColumnType<unknown, string | null, string | null>;
};

type IngestOwnerTable = { owner: string; seen_ms: number };

export type IngestTables = {
  ingest_batch: IngestBatchTable;
  ingest_owner: IngestOwnerTable;
};
