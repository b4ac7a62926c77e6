import { EVENT_COLUMNS } from '@tyrian/catalog';
import {
  ENRICHMENT_LIMITS,
  type EnrichmentContent,
  type EnrichmentTable,
  LOOKUP_COLUMNS,
  type listEnrichment,
  type OutputOf,
  type previewEnrichment,
  type readEnrichment,
  type saveEnrichment,
  say,
} from '@tyrian/contract';
import type { z } from 'zod';
import { AppError, notFound } from '../../platform/app-error.ts';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { runState } from '../../platform/jobs/cancel-run.ts';
import { newId } from '../../platform/new-id.ts';
import type { Postgres, TenantTransaction } from '../../platform/postgres/postgres.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import { askForBuild } from './ask-for-build.ts';
import type { InScope } from './enrichment-set-store.ts';
import {
  changeSet,
  deleteTable,
  imageOf,
  listTables,
  lockTable,
  type StoredTable,
  sizeOfScope,
  switchTable,
  tableNamed,
  writeEntries,
  writeTable,
} from './enrichment-store.ts';
import { geoVersion, installedDatabases } from './geo-databases.ts';
import { ENRICHMENT_CHANNEL } from './ingest-enrichment.ts';
import { type PackedContent, samplesOf } from './pack-content.ts';
import { packInThread } from './run-in-thread.ts';

// What people do with the tables of enrichment: list, look into, upload, switch and delete them.

export interface ScopeCaller extends InScope {
  readonly caller: Caller;
}

export interface EnrichmentDeps {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly audit: AuditService;
}

type Parsed<E extends { readonly input: z.ZodType }> = z.output<E['input']>;
type Save = Parsed<typeof saveEnrichment>;

export interface EnrichmentService {
  list(scope: ScopeCaller): Promise<OutputOf<typeof listEnrichment>>;
  /** Throws `not-found`. */
  read(scope: ScopeCaller, tableId: string): Promise<OutputOf<typeof readEnrichment>>;
  preview(scope: ScopeCaller, input: Parsed<typeof previewEnrichment>): Promise<EnrichmentContent>;
  /** Throws `not-found`, `bad-input` when nothing can be read or it is too much, `conflict` for name and revision. */
  save(scope: ScopeCaller, input: Save): Promise<OutputOf<typeof saveEnrichment>>;
  /** Throws `not-found`. */
  setEnabled(scope: ScopeCaller, tableId: string, enabled: boolean): Promise<{ revision: number }>;
  /** Throws `not-found`. */
  remove(scope: ScopeCaller, tableId: string): Promise<{ table_id: string }>;
}

export function createEnrichmentService(deps: EnrichmentDeps): EnrichmentService {
  return bindDeps(deps, { list, read, preview, save, setEnabled, remove });
}

async function list({ postgres, clock }: EnrichmentDeps, scope: ScopeCaller) {
  const { tables, bytes } = await postgres.inTenant(scope.clusterId, async (trx) => ({
    tables: await listTables(trx, scope, clock.now()),
    bytes: (await sizeOfScope(trx, scope)).bytes,
  }));
  const isReady = installedDatabases().some(({ version }) => version !== '');
  return {
    data: await Promise.all(tables.map((table) => withBuild(postgres, table))),
    total_count: tables.length,
    size_bytes: bytes,
    geo: { version: geoVersion(), is_ready: isReady },
  };
}

async function read({ postgres, clock }: EnrichmentDeps, scope: ScopeCaller, tableId: string) {
  const { table, image } = await postgres.inTenant(scope.clusterId, async (trx) => {
    const [found] = await listTables(trx, scope, clock.now(), tableId);
    if (!found) throw notFound();
    return { table: found, image: await imageOf(trx, scope, tableId) };
  });
  const samples = image === null ? [] : samplesOf(image, ENRICHMENT_LIMITS.samples);
  return { table: await withBuild(postgres, table), samples };
}

/** A build that was cancelled or given up on the page of jobs goes on no more. */
async function withBuild(
  postgres: Postgres,
  { run_id: runId, ...table }: StoredTable,
): Promise<EnrichmentTable> {
  if (runId === null) return table;
  const state = await runState(postgres.platform, runId);
  return { ...table, is_building: state === 'waiting' || state === 'running' };
}

const textOf = (parts: readonly string[]): string => parts.join('');

async function pack(
  input: Pick<Save, 'kind' | 'format' | 'key_column' | 'confidence' | 'expires'>,
  content: readonly string[],
  before?: Uint8Array,
): Promise<PackedContent> {
  const { kind, format, key_column: keyColumn, confidence, expires } = input;
  return packInThread({
    ...{ kind, format, keyColumn, confidence, expires },
    text: textOf(content),
    ...(before === undefined ? {} : { before }),
  });
}

async function preview(
  _deps: EnrichmentDeps,
  _scope: ScopeCaller,
  input: Parsed<typeof previewEnrichment>,
): Promise<EnrichmentContent> {
  const packed = await pack(input, input.content);
  return {
    rows: packed.entries,
    fault_count: packed.faultCount,
    faults: [...packed.faults],
    samples: samplesOf(packed.image, ENRICHMENT_LIMITS.samples),
  };
}

const COLUMN_NAMES = new Set(EVENT_COLUMNS.map(({ name }) => name));

function columnsOf({ kind, fields }: Pick<Save, 'kind' | 'fields'>): readonly string[] {
  if (kind === 'networks' || kind === 'indicators') return [];
  const unknown = fields.find((field) => !COLUMN_NAMES.has(field));
  if (unknown !== undefined) throw new AppError('bad-input', say('enrichment.noColumn', { name: unknown }));
  return fields.length > 0 ? [...new Set(fields)] : LOOKUP_COLUMNS[kind];
}

/** The entries of an upload. Throws `bad-input` when there are none, or too many. */
async function newEntries(
  { postgres }: EnrichmentDeps,
  scope: ScopeCaller,
  input: Save,
): Promise<PackedContent | null> {
  if (input.content === null) return null;
  const { table_id: tableId, mode } = input;
  const before =
    mode === 'append' && tableId !== undefined
      ? await postgres.inTenant(scope.clusterId, (trx) => imageOf(trx, scope, tableId))
      : null;
  const packed = await pack(input, input.content, before ?? undefined);
  const most = ENRICHMENT_LIMITS.entries;
  if (packed.entries === 0) throw new AppError('bad-input', say('enrichment.nothingRead'));
  if (packed.entries > most) throw new AppError('bad-input', say('enrichment.tooManyEntries', { most }));
  return packed;
}

async function save(deps: EnrichmentDeps, scope: ScopeCaller, input: Save) {
  const { postgres, clock, audit } = deps;
  const { clusterId, scopeId, caller } = scope;
  const columns = columnsOf(input);
  const packed = await newEntries(deps, scope, input);
  const nowMs = clock.now();
  return postgres.inTenant(clusterId, async (trx) => {
    await changeSet(trx, scope, ENRICHMENT_CHANNEL);
    const tableId = input.table_id ?? newId();
    const before = await assertMayWrite(trx, scope, input);
    const moreBytes = packed ? packed.image.byteLength - (before?.size_bytes ?? 0) : 0;
    await assertRoom(trx, scope, { moreBytes, isNew: before === null });
    const { kind, name, enabled, format, key_column: keyColumn, confidence, expires } = input;
    const reading = { format, keyColumn, confidence, expires };
    const content = { kind, name, enabled, columns, reading, yaml: '' };
    const revision = await writeTable(trx, scope, tableId, content, { author: caller.name, nowMs });
    if (packed) await writeEntries(trx, scope, tableId, packed, nowMs);
    const action = input.table_id === undefined ? 'enrichment.create' : 'enrichment.change';
    const details = { kind, name, enabled, ...(packed ? { entries: packed.entries } : {}) };
    await audit.record({ action, who: caller, clusterId, scopeId, entity: tableId, details }, trx);
    const rows = packed?.entries ?? 0;
    return { table_id: tableId, revision, rows, fault_count: packed?.faultCount ?? 0 };
  });
}

/** The table as it was; null for a new one. */
export async function assertMayWrite(
  trx: TenantTransaction,
  scope: InScope,
  input: { readonly table_id?: string | undefined; readonly revision: number; name: string; kind: string },
) {
  const { table_id: tableId, name } = input;
  const named = await tableNamed(trx, scope, name);
  if (named !== null && named !== tableId)
    throw new AppError('conflict', say('enrichment.nameTaken', { name }));
  if (tableId === undefined) return null;
  const stored = await lockTable(trx, scope, tableId);
  if (!stored || stored.kind !== input.kind) throw notFound();
  if (stored.revision !== input.revision)
    throw new AppError('conflict', say('enrichment.changedMeanwhile'), { revision: stored.revision });
  return stored;
}

/** Throws `conflict` when the scope would have too many tables or too much in them. */
export async function assertRoom(
  trx: TenantTransaction,
  scope: InScope,
  { moreBytes, isNew }: { readonly moreBytes: number; readonly isNew: boolean },
): Promise<void> {
  const { tables, bytes } = await sizeOfScope(trx, scope);
  const { tablesOfScope: most, bytesOfScope } = ENRICHMENT_LIMITS;
  if (isNew && tables >= most) throw new AppError('conflict', say('enrichment.tooManyTables', { most }));
  if (bytes + moreBytes > bytesOfScope)
    throw new AppError('conflict', say('enrichment.tooMuch', { most: bytesOfScope / 1024 ** 2 }));
}

function setEnabled(
  { postgres, clock, audit }: EnrichmentDeps,
  scope: ScopeCaller,
  tableId: string,
  enabled: boolean,
): Promise<{ revision: number }> {
  const { clusterId, scopeId, caller } = scope;
  return postgres.inTenant(clusterId, async (trx) => {
    await changeSet(trx, scope, ENRICHMENT_CHANNEL);
    const by = { author: caller.name, nowMs: clock.now() };
    const switched = await switchTable(trx, scope, tableId, enabled, by);
    if (!switched) throw notFound();
    if (enabled && switched.kind === 'bucket') await askForBuild(trx, scope, tableId);
    const details = { kind: switched.kind, name: switched.name, enabled };
    await audit.record(
      { action: 'enrichment.switch', who: caller, clusterId, scopeId, entity: tableId, details },
      trx,
    );
    return { revision: switched.revision };
  });
}

function remove({ postgres, audit }: EnrichmentDeps, scope: ScopeCaller, tableId: string) {
  const { clusterId, scopeId, caller } = scope;
  return postgres.inTenant(clusterId, async (trx) => {
    await changeSet(trx, scope, ENRICHMENT_CHANNEL);
    const deleted = await deleteTable(trx, scope, tableId);
    if (!deleted) throw notFound();
    await audit.record(
      { action: 'enrichment.delete', who: caller, clusterId, scopeId, entity: tableId, details: deleted },
      trx,
    );
    return { table_id: tableId };
  });
}
