import type { Generated } from 'kysely';
import type { Timestamp } from '../../platform/postgres/timestamp.ts';

// The tables of sources in db/postgres/0009_ingest.sql; the others stand in ingest-tables.ts.

export type IngestSourceTable = {
  cluster_id: string;
  source_id: string;
  scope_id: string;
  source_name: string;
  kind: 'http' | 'syslog' | 'pull';
  token_prefix: string | null;
  networks: string[] | null;
  certificates: string[] | null;
  notice: string | null;
  created_by: string;
  created_at: Timestamp;
  revoked_at: Timestamp | null;
  paused_at: Generated<Timestamp | null>;
};

type IngestCounterTable = {
  cluster_id: string;
  source_id: string;
  name: string;
  value: number;
  updated_at: Timestamp;
};

type IngestTokenTable = {
  token_hash: Buffer;
  cluster_id: string;
  source_id: string;
  /** The beginning of a token that is kept sealed, and the sealed token. */
  prefix: string | null;
  sealed: string | null;
};

type IngestSenderTable = { network: string; cluster_id: string; source_id: string };

type IngestCertificateTable = { certificate: string; cluster_id: string; source_id: string };

export type SyslogGrantTable = {
  grant_id: string;
  cluster_id: string;
  network: string | null;
  certificate: string | null;
  created_by: string;
  created_at: Timestamp;
};

type IngestRefusalTable = { reason: string; address: string; value: number; last_at: Timestamp };

export type SourceTables = {
  ingest_source: IngestSourceTable;
  ingest_counter: IngestCounterTable;
  ingest_token: IngestTokenTable;
  ingest_sender: IngestSenderTable;
  ingest_refusal: IngestRefusalTable;
  ingest_certificate: IngestCertificateTable;
  syslog_grant: SyslogGrantTable;
};
