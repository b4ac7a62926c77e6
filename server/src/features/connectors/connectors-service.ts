import {
  CONNECTOR_CONFIGS,
  CONNECTOR_LIMITS,
  type Connector,
  type ConnectorKind,
  type createConnector,
  findConnectorKind,
  type OutputOf,
  type PushConfig,
  say,
  type setConnectorState,
  type testConnector,
  type updateConnector,
} from '@tyrian/contract';
import type { QueryExecutorProvider } from 'kysely';
import type { z } from 'zod';
import { AppError, notFound } from '../../platform/app-error.ts';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { newId } from '../../platform/new-id.ts';
import type { Outgoing } from '../../platform/outgoing/outgoing-connections.ts';
import type { Postgres, TenantTransaction } from '../../platform/postgres/postgres.ts';
import type { ScopeRef } from '../../platform/scope-ref.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import type { SourceService } from '../sources/source-service.ts';
import { saidOfConnector } from './connector-error.ts';
import { openSecrets, sealSecrets } from './connector-secrets.ts';
import { checkedConfig, mergedSecrets } from './connector-settings.ts';
import {
  askValidation,
  type ConnectorKey,
  type ConnectorRow,
  changeConfig,
  countOfScope,
  deleteConnectorRow,
  findOne,
  insertConnector,
  listOfScope,
  setWanted,
} from './connector-store.ts';
import { connectorOf, receivedBySource, type Seen } from './connector-view.ts';
import { decodedSample } from './decode-samples.ts';
import { pullerOf } from './pullers.ts';

// What people do with connectors: make, change, delete, validate, try, start and stop them.

export interface CallerInScope extends ScopeRef {
  readonly caller: Caller;
}

export interface ConnectorsDeps {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly audit: AuditService;
  readonly events: Pick<EventStore, 'rows'>;
  readonly outgoing: Outgoing;
  readonly secrets: SecretBox;
  readonly sources: SourceService;
}

type Parsed<E extends { readonly input: z.ZodType }> = z.output<E['input']>;

export interface ConnectorsService {
  list(scope: ScopeRef): Promise<{ data: Connector[]; total_count: number }>;
  /** Throws `bad-input` with the place of each mistake, `conflict` for a name in use or too many. */
  create(
    scope: CallerInScope,
    input: Parsed<typeof createConnector>,
  ): Promise<OutputOf<typeof createConnector>>;
  /** Throws `not-found`, `bad-input`, `conflict` for another revision. */
  update(scope: CallerInScope, input: Parsed<typeof updateConnector>): Promise<Connector>;
  /** Throws `not-found`. */
  remove(scope: CallerInScope, connectorId: string): Promise<{ connector_id: string }>;
  /** Throws `not-found`. */
  validate(scope: CallerInScope, connectorId: string): Promise<Connector>;
  /** Throws `not-found`, `conflict` with what the other side said when it gives no records. */
  test(
    scope: CallerInScope,
    connectorId: string,
    signal: AbortSignal,
  ): Promise<OutputOf<typeof testConnector>>;
  /** Throws `not-found`. */
  setState(scope: CallerInScope, input: Parsed<typeof setConnectorState>): Promise<Connector>;
}

const TEST_MS = 30_000;

export function createConnectorsService(deps: ConnectorsDeps): ConnectorsService {
  return bindDeps(deps, { list, create, update, remove, validate, test, setState });
}

async function seenIn({ events, sources, clock }: ConnectorsDeps, scope: ScopeRef): Promise<Seen> {
  const [received, known] = await Promise.all([
    receivedBySource(events, scope, clock.now()),
    sources.status(scope.clusterId, scope.scopeId),
  ]);
  return {
    received,
    lastStored: new Map(known.map((one) => [one.source_id, one.last_event_ms ?? 0])),
    sourceNames: new Map(known.map((one) => [one.source_id, one.source_name])),
  };
}

async function list(deps: ConnectorsDeps, scope: ScopeRef) {
  const [rows, seen] = await Promise.all([
    deps.postgres.inTenant(scope.clusterId, (trx) => listOfScope(trx, scope)),
    seenIn(deps, scope),
  ]);
  return { data: rows.map((row) => connectorOf(row, seen)), total_count: rows.length };
}

/** One of them as it stands now. */
async function shown(deps: ConnectorsDeps, key: ConnectorKey): Promise<Connector> {
  const row = await deps.postgres.inTenant(key.clusterId, (trx) => findOne(trx, key));
  if (!row) throw notFound();
  return connectorOf(row, await seenIn(deps, key));
}

const keyOf = ({ clusterId, scopeId }: ScopeRef, connectorId: string): ConnectorKey => ({
  ...{ clusterId, scopeId, connectorId },
});

async function held(trx: TenantTransaction, key: ConnectorKey): Promise<ConnectorRow> {
  const row = await findOne(trx, key, true);
  if (!row) throw notFound();
  return row;
}

function noted(
  { audit }: ConnectorsDeps,
  trx: QueryExecutorProvider,
  { clusterId, scopeId, caller }: CallerInScope,
  act: {
    readonly action: string;
    readonly entity: string;
    readonly details?: Readonly<Record<string, unknown>>;
  },
): Promise<void> {
  return audit.record({ ...act, who: caller, clusterId, scopeId }, trx);
}

async function create(deps: ConnectorsDeps, scope: CallerInScope, input: Parsed<typeof createConnector>) {
  const kind = findConnectorKind(input.kind);
  if (!kind) throw new AppError('bad-input', say('connectors.noKind'));
  const { engine } = kind;
  const config = checkedConfig(engine, input.config);
  const secrets = mergedSecrets(engine, { config, given: input.secrets });
  const { clusterId, scopeId, caller } = scope;
  const connectorId = newId();
  const { token } = await deps.sources.create({
    ...{ clusterId, scopeId, name: input.name, by: caller },
    ...sourceOf(kind, config),
    lastStep: async (trx, sourceId) => {
      const most = CONNECTOR_LIMITS.ofScope;
      if ((await countOfScope(trx, scope)) >= most)
        throw new AppError('conflict', say('connectors.tooMany', { most }));
      await insertConnector(trx, {
        ...{ clusterId, scopeId, connectorId, kind: kind.kind, engine, name: input.name, sourceId, config },
        sealed: sealSecrets(deps.secrets, connectorId, secrets),
        secretNames: Object.keys(secrets),
        author: caller.name,
        nowMs: deps.clock.now(),
      });
      const details = { name: input.name, kind: kind.kind };
      await noted(deps, trx, scope, { action: 'connector.create', entity: connectorId, details });
    },
  });
  return { connector: await shown(deps, keyOf(scope, connectorId)), token };
}

/** The source of a kind: what proves whose events they are. */
function sourceOf(kind: ConnectorKind, config: unknown) {
  if (kind.engine !== 'push') return { kind: 'pull', networks: [] } as const;
  if (kind.kind !== 'syslog') return { kind: 'http', networks: [] } as const;
  const { networks, certificates, with_token: withToken } = config as PushConfig;
  return { kind: 'syslog', networks, certificates, withToken } as const;
}

async function update(deps: ConnectorsDeps, scope: CallerInScope, input: Parsed<typeof updateConnector>) {
  const key = keyOf(scope, input.connector_id);
  await deps.postgres.inTenant(scope.clusterId, async (trx) => {
    const row = await held(trx, key);
    if (row.revision !== input.revision) throw new AppError('conflict', say('connectors.changedMeanwhile'));
    // What a sender proves itself with belongs to its source, and ends with it.
    if (row.engine === 'push') throw new AppError('conflict', say('connectors.fixed'));
    const config = checkedConfig(row.engine, input.config);
    const before = openSecrets(deps.secrets, key.connectorId, row.sealed_secrets);
    const secrets = mergedSecrets(
      row.engine,
      { config, given: input.secrets },
      { config: CONNECTOR_CONFIGS[row.engine].parse(row.config), secrets: before },
    );
    await changeConfig(trx, key, {
      config,
      sealed: sealSecrets(deps.secrets, key.connectorId, secrets),
      secretNames: Object.keys(secrets),
      nowMs: deps.clock.now(),
    });
    const details = { name: row.name, secrets: Object.keys(input.secrets) };
    await noted(deps, trx, scope, { action: 'connector.update', entity: key.connectorId, details });
  });
  return shown(deps, key);
}

async function remove(deps: ConnectorsDeps, scope: CallerInScope, connectorId: string) {
  const key = keyOf(scope, connectorId);
  const { clusterId, scopeId, caller } = scope;
  const row = await deps.postgres.inTenant(clusterId, (trx) => findOne(trx, key));
  if (!row) throw notFound();
  await deps.sources.revoke(clusterId, scopeId, row.source_id, caller, '', async (trx) => {
    await deleteConnectorRow(trx, key);
    const details = { name: row.name, kind: row.kind };
    await noted(deps, trx, scope, { action: 'connector.delete', entity: connectorId, details });
  });
  return { connector_id: connectorId };
}

async function validate(deps: ConnectorsDeps, scope: CallerInScope, connectorId: string) {
  const key = keyOf(scope, connectorId);
  await deps.postgres.inTenant(scope.clusterId, async (trx) => {
    const row = await held(trx, key);
    if (row.engine !== 'push') await askValidation(trx, key, deps.clock.now());
    await noted(deps, trx, scope, { action: 'connector.validate', entity: connectorId });
  });
  return shown(deps, key);
}

async function test(deps: ConnectorsDeps, scope: CallerInScope, connectorId: string, signal: AbortSignal) {
  const { clusterId, scopeId } = scope;
  const key = keyOf(scope, connectorId);
  const row = await deps.postgres.inTenant(clusterId, (trx) => findOne(trx, key));
  if (!row) throw notFound();
  const startedMs = performance.now();
  const found = await deps.outgoing
    .onBehalfOf(`connectors ${clusterId}`, () => sampled(deps, row, signal))
    .catch((error: unknown) => {
      if (error instanceof AppError) throw error;
      throw new AppError('conflict', saidOfConnector(error));
    });
  const nowMs = deps.clock.now();
  const records = found.records
    .slice(0, CONNECTOR_LIMITS.testRecords)
    .map((record) => decodedSample(record, nowMs));
  const details = { name: row.name, rows: records.length, asked: found.asked };
  await deps.audit.record({
    ...{ action: 'connector.test', who: scope.caller, clusterId, scopeId, entity: connectorId, details },
  });
  return { records, asked: found.asked, ms: Math.round(performance.now() - startedMs) };
}

function sampled({ clock, outgoing, secrets }: ConnectorsDeps, row: ConnectorRow, signal: AbortSignal) {
  const call = {
    config: CONNECTOR_CONFIGS[row.engine].parse(row.config),
    secrets: openSecrets(secrets, row.connector_id, row.sealed_secrets),
    nowMs: () => clock.now(),
    outgoing,
    signal: AbortSignal.any([signal, AbortSignal.timeout(TEST_MS)]),
  };
  return pullerOf(row.engine).sample(call, CONNECTOR_LIMITS.testRecords);
}

async function setState(deps: ConnectorsDeps, scope: CallerInScope, input: Parsed<typeof setConnectorState>) {
  const { act } = input;
  const key = keyOf(scope, input.connector_id);
  const nowMs = deps.clock.now();
  await deps.postgres.inTenant(scope.clusterId, async (trx) => {
    const row = await held(trx, key);
    const isPush = row.engine === 'push';
    if (act === 'restart' && !isPush) await askValidation(trx, key, nowMs, true);
    else await setWanted(trx, key, { isWanted: act !== 'stop', isPush, nowMs });
    if (isPush) await deps.sources.pause(trx, { ...key, sourceId: row.source_id }, act === 'stop');
    const details = { name: row.name };
    await noted(deps, trx, scope, { action: `connector.${act}`, entity: key.connectorId, details });
  });
  return shown(deps, key);
}
