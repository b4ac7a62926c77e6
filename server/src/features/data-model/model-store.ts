import type { FieldType, ModelRequest, REQUEST_STATES, Wanted } from '@tyrian/contract';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';

// Streams, fields and requests of a tenant (db/postgres/0035_data_model.sql), in the caller's transaction.

export interface StreamRow {
  readonly name: string;
  readonly description: string;
  readonly changed_by: string;
  readonly changed: number;
}

export interface FieldRow {
  readonly stream: string;
  readonly name: string;
  readonly type: FieldType;
  readonly description: string;
  readonly example: string;
  readonly aliases: readonly string[];
  readonly added_by: string;
  readonly added: number;
  readonly changed_by: string;
  readonly changed: number;
}

export interface RequestRow extends ModelRequest {
  readonly scope_id: string;
  readonly asked_by_id: string;
}

/** Who does something, and when. */
export interface By {
  readonly name: string;
  readonly atMs: number;
}

/** Held until the transaction ends: changes of a tenant's data model come one after the other. */
export async function lockModel(trx: TenantTransaction, clusterId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`data-model ${clusterId}`}, 0))`.execute(trx);
}

export async function listStreams(trx: TenantTransaction, clusterId: string): Promise<readonly StreamRow[]> {
  const { rows } =
    await sql<StreamRow>`select name, description, changed_by, changed_at as changed from catalog_stream
    where cluster_id = ${clusterId} order by lower(name)`.execute(trx);
  return rows;
}

export async function listFields(trx: TenantTransaction, clusterId: string): Promise<readonly FieldRow[]> {
  const { rows } = await sql<FieldRow>`select stream, name, type, description, example, aliases, added_by,
      created_at as added, changed_by, changed_at as changed from catalog_field
    where cluster_id = ${clusterId} order by lower(stream), lower(name)`.execute(trx);
  return rows;
}

/** Writes a stream; one that is there gets the description. */
export async function putStream(
  trx: TenantTransaction,
  clusterId: string,
  { name, description }: Pick<StreamRow, 'name' | 'description'>,
  by: By,
): Promise<void> {
  const now = timestamp(by.atMs);
  await sql`insert into catalog_stream (cluster_id, name, description, added_by, created_at, changed_by, changed_at)
    values (${clusterId}, ${name}, ${description}, ${by.name}, ${now}, ${by.name}, ${now})
    on conflict (cluster_id, name) do update set description = excluded.description, changed_by = excluded.changed_by,
      changed_at = excluded.changed_at`.execute(trx);
}

/** Writes a field; one that is there gets the rest. */
export async function putField(
  trx: TenantTransaction,
  clusterId: string,
  field: Pick<FieldRow, 'stream' | 'name' | 'type' | 'description' | 'example' | 'aliases'>,
  by: By,
): Promise<void> {
  const now = timestamp(by.atMs);
  await sql`insert into catalog_field (cluster_id, stream, name, type, description, example, aliases, added_by,
      created_at, changed_by, changed_at)
    values (${clusterId}, ${field.stream}, ${field.name}, ${field.type}, ${field.description}, ${field.example},
      ${[...field.aliases]}, ${by.name}, ${now}, ${by.name}, ${now})
    on conflict (cluster_id, stream, name) do update set type = excluded.type, description = excluded.description,
      example = excluded.example, aliases = excluded.aliases, changed_by = excluded.changed_by,
      changed_at = excluded.changed_at`.execute(trx);
}

/** Removes a stream with its fields; false when the tenant added none such. */
export async function deleteStream(
  trx: TenantTransaction,
  clusterId: string,
  name: string,
): Promise<boolean> {
  await sql`delete from catalog_field where cluster_id = ${clusterId} and stream = ${name}`.execute(trx);
  const { numAffectedRows } = await sql`delete from catalog_stream
    where cluster_id = ${clusterId} and name = ${name}`.execute(trx);
  return Number(numAffectedRows) > 0;
}

export async function deleteField(
  trx: TenantTransaction,
  clusterId: string,
  { stream, name }: Pick<FieldRow, 'stream' | 'name'>,
): Promise<boolean> {
  const { numAffectedRows } = await sql`delete from catalog_field
    where cluster_id = ${clusterId} and stream = ${stream} and name = ${name}`.execute(trx);
  return Number(numAffectedRows) > 0;
}

const REQUEST = sql`request_id, scope_id, stream, field, type, description, example, source, state, reason, asked_by,
  asked_by_id, created_at as created, decided_by, decided_at as decided`;

export async function insertRequest(
  trx: TenantTransaction,
  { clusterId, scopeId }: { readonly clusterId: string; readonly scopeId: string },
  request: Wanted & { readonly request_id: string; readonly source: string },
  by: By & { readonly userId: string },
): Promise<void> {
  await sql`insert into catalog_request (cluster_id, request_id, scope_id, stream, field, type, description, example,
      source, state, asked_by, asked_by_id, created_at)
    values (${clusterId}, ${request.request_id}, ${scopeId}, ${request.stream}, ${request.field}, ${request.type},
      ${request.description}, ${request.example}, ${request.source}, 'open', ${by.name}, ${by.userId},
      ${timestamp(by.atMs)})`.execute(trx);
}

export async function listRequests(
  trx: TenantTransaction,
  clusterId: string,
  state: (typeof REQUEST_STATES)[number] | null,
): Promise<readonly RequestRow[]> {
  const { rows } = await sql<RequestRow>`select ${REQUEST} from catalog_request
    where cluster_id = ${clusterId} and (${state}::text is null or state = ${state})
    order by created_at desc, request_id limit 500`.execute(trx);
  return rows;
}

/** A request, held until the transaction ends; undefined when the tenant has none such. */
export async function lockRequest(
  trx: TenantTransaction,
  clusterId: string,
  requestId: string,
): Promise<RequestRow | undefined> {
  const { rows } = await sql<RequestRow>`select ${REQUEST} from catalog_request
    where cluster_id = ${clusterId} and request_id = ${requestId} for update`.execute(trx);
  return rows[0];
}

export async function closeRequest(
  trx: TenantTransaction,
  clusterId: string,
  requestId: string,
  { state, reason, by }: { readonly state: 'approved' | 'refused'; readonly reason: string; readonly by: By },
): Promise<void> {
  await sql`update catalog_request set state = ${state}, reason = ${reason}, decided_by = ${by.name},
      decided_at = ${timestamp(by.atMs)}
    where cluster_id = ${clusterId} and request_id = ${requestId}`.execute(trx);
}
