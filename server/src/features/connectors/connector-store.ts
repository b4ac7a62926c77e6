import type { ConnectorEngine, VALIDATION_STATES } from '@tyrian/contract';
import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import { storableJson } from '../../platform/postgres/storable.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import type { ScopeRef } from '../../platform/scope-ref.ts';

// Connectors in the caller's transaction of one tenant.

export interface ConnectorKey extends ScopeRef {
  readonly connectorId: string;
}

export interface ConnectorRow {
  readonly connector_id: string;
  readonly scope_id: string;
  readonly kind: string;
  readonly engine: ConnectorEngine;
  readonly name: string;
  readonly source_id: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly sealed_secrets: string | null;
  readonly secret_names: readonly string[];
  readonly revision: number;
  readonly is_wanted: boolean;
  readonly validation: (typeof VALIDATION_STATES)[number];
  readonly validation_reason: string | null;
  readonly validated: number | null;
  readonly is_failed: boolean;
  readonly failure: string | null;
  readonly due: number | null;
  readonly created_by: string;
  readonly created: number;
  readonly changed: number;
}

/** The channel on which processes hear that there is something to do, or to stop. */
export const CONNECTOR_CHANNEL = 'tyrian_connectors';

const COLUMNS = sql`connector_id, scope_id, kind, engine, name, source_id, config, sealed_secrets, secret_names, revision,
  is_wanted, validation, validation_reason, validated_at as validated, is_failed, failure, due_at as due, created_by,
  created_at as created, changed_at as changed`;

const isOne = ({ clusterId, scopeId, connectorId }: ConnectorKey): RawBuilder<unknown> =>
  sql`cluster_id = ${clusterId} and scope_id = ${scopeId} and connector_id = ${connectorId}`;

type Trx = QueryExecutorProvider;

/** Those of a scope, by name. */
export async function listOfScope(
  trx: Trx,
  { clusterId, scopeId }: ScopeRef,
): Promise<readonly ConnectorRow[]> {
  const { rows } = await sql<ConnectorRow>`select ${COLUMNS} from connector
    where cluster_id = ${clusterId} and scope_id = ${scopeId} order by lower(name), connector_id`.execute(
    trx,
  );
  return rows;
}

export async function countOfScope(trx: Trx, { clusterId, scopeId }: ScopeRef): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::integer as n from connector
    where cluster_id = ${clusterId} and scope_id = ${scopeId}`.execute(trx);
  return rows[0]?.n ?? 0;
}

/** One of them; held until the transaction ends when it is to be changed. */
export async function findOne(trx: Trx, key: ConnectorKey, lock = false): Promise<ConnectorRow | undefined> {
  const { rows } = await sql<ConnectorRow>`select ${COLUMNS} from connector where ${isOne(key)}
    ${lock ? sql`for update` : sql``}`.execute(trx);
  return rows[0];
}

export interface NewConnector extends ConnectorKey {
  readonly kind: string;
  readonly engine: ConnectorEngine;
  readonly name: string;
  readonly sourceId: string;
  readonly config: unknown;
  readonly sealed: string | null;
  readonly secretNames: readonly string[];
  readonly author: string;
  readonly nowMs: number;
}

export async function insertConnector(trx: Trx, one: NewConnector): Promise<void> {
  const isPush = one.engine === 'push';
  const now = timestamp(one.nowMs);
  await sql`insert into connector (cluster_id, connector_id, scope_id, kind, engine, name, source_id, config, sealed_secrets,
      secret_names, validation, validated_at, due_at, created_by, created_at, changed_at)
    values (${one.clusterId}, ${one.connectorId}, ${one.scopeId}, ${one.kind}, ${one.engine}, ${one.name}, ${one.sourceId},
      ${storableJson(one.config)}::jsonb, ${one.sealed}, ${[...one.secretNames]}::text[], ${isPush ? 'ok' : 'pending'},
      ${isPush ? now : null}, ${isPush ? null : now}, ${one.author}, ${now}, ${now})`.execute(trx);
  await wake(trx);
}

/** Other settings: validated anew at once, and read on from where it was. */
export async function changeConfig(
  trx: Trx,
  key: ConnectorKey,
  change: {
    readonly config: unknown;
    readonly sealed: string | null;
    readonly secretNames: readonly string[];
    readonly nowMs: number;
  },
): Promise<void> {
  const now = timestamp(change.nowMs);
  await sql`update connector set config = ${storableJson(change.config)}::jsonb, sealed_secrets = ${change.sealed},
      secret_names = ${[...change.secretNames]}::text[], revision = revision + 1, validation = 'pending',
      validation_reason = null, validated_at = null, failures = 0, failure = null, is_failed = false, due_at = ${now},
      changed_at = ${now}
    where ${isOne(key)}`.execute(trx);
  await wake(trx);
}

/** Asks for another validation; `isAnew` also ends a turn that runs and forgets failures. */
export async function askValidation(
  trx: Trx,
  key: ConnectorKey,
  nowMs: number,
  isAnew = false,
): Promise<void> {
  const restart = sql`, is_wanted = true, revision = revision + 1, failures = 0, failure = null, is_failed = false`;
  await sql`update connector set validation = 'pending', validation_reason = null, due_at = ${timestamp(nowMs)}
      ${isAnew ? restart : sql``} where ${isOne(key)}`.execute(trx);
  await wake(trx);
}

/** Whether it is to run; a start forgets failures and looks at once. */
export async function setWanted(
  trx: Trx,
  key: ConnectorKey,
  change: { readonly isWanted: boolean; readonly isPush: boolean; readonly nowMs: number },
): Promise<void> {
  const { isWanted, isPush, nowMs } = change;
  const now = timestamp(isPush ? null : nowMs);
  await sql`update connector set is_wanted = ${isWanted}, failures = 0, failure = null, is_failed = false,
      due_at = case when ${isWanted} or validation = 'pending' then ${now} end
    where ${isOne(key)}`.execute(trx);
  await wake(trx);
}

export async function deleteConnectorRow(trx: Trx, key: ConnectorKey): Promise<void> {
  await sql`delete from connector where ${isOne(key)}`.execute(trx);
  await wake(trx);
}

async function wake(trx: Trx): Promise<void> {
  await sql`select pg_notify(${CONNECTOR_CHANNEL}, '')`.execute(trx);
}
