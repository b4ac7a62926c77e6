import {
  type beginRuleImport,
  IMPORT_LIMITS,
  type listRuleChanges,
  type OutputOf,
  OWN_PACK,
  type RuleImport,
  say,
  type sendRuleImportPart,
} from '@tyrian/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { AppError, notFound } from '../../platform/app-error.ts';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { Clock } from '../../platform/clock.ts';
import { markCanceled, runState } from '../../platform/jobs/cancel-run.ts';
import { enqueueJob } from '../../platform/jobs/enqueue-job.ts';
import type { JobRequestForm } from '../../platform/jobs/job.ts';
import { newId } from '../../platform/new-id.ts';
import type { Postgres, TenantTransaction } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import {
  changeImport,
  dropParts,
  findImport,
  type ImportRow,
  importOf,
  insertImport,
  lastImports,
  pageChanges,
  writePart,
} from './import-store.ts';
import type { ImportPayload } from './rule-import-request.ts';

// An import as people see it: begun, sent in parts, started, watched, stopped.

/** Who imports where; a person at the command line has no id. */
export interface ImportScope {
  readonly clusterId: string;
  readonly scopeId: string;
  readonly author: { readonly userId: string; readonly name: string };
  /** For the audit trail; null for the command line. */
  readonly who?: { readonly userId: string; readonly name: string } | null;
  readonly source?: string;
}

export interface ImportsDeps {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly audit: AuditService;
  readonly job: JobRequestForm<ImportPayload>;
}

type Parsed<E extends { readonly input: z.ZodType }> = z.output<E['input']>;
type Begin = Pick<Parsed<typeof beginRuleImport>, 'pack' | 'kind'>;
type Part = Pick<Parsed<typeof sendRuleImportPart>, 'import_id' | 'part'> & { readonly bytes: Buffer };

export interface ImportsService {
  /** Throws `conflict` when the tenant has as many packs as it may. */
  begin(scope: ImportScope, input: Begin): Promise<OutputOf<typeof beginRuleImport>>;
  /** Answers how many bytes are here. Throws `not-found`, `conflict` out of turn, `bad-input` beyond the limit. */
  part(scope: ImportScope, input: Part): Promise<number>;
  start(scope: ImportScope, importId: string): Promise<RuleImport>;
  cancel(scope: ImportScope, importId: string): Promise<RuleImport>;
  read(clusterId: string, importId: string): Promise<RuleImport>;
  list(clusterId: string): Promise<RuleImport[]>;
  changes(
    clusterId: string,
    input: Parsed<typeof listRuleChanges>,
  ): Promise<OutputOf<typeof listRuleChanges>>;
}

const MOST_PACKS = 100;

export function createImportsService(deps: ImportsDeps): ImportsService {
  return bindDeps(deps, { begin, part, start, cancel, read, list, changes });
}

async function noted(
  { audit }: ImportsDeps,
  trx: TenantTransaction,
  scope: ImportScope,
  action: string,
  entity: string,
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { clusterId, scopeId, who, source } = scope;
  const by = { ...(who === undefined ? {} : { who }), ...(source === undefined ? {} : { source }) };
  await audit.record({ action, ...by, clusterId, scopeId, entity, details }, trx);
}

function begin(deps: ImportsDeps, scope: ImportScope, { pack, kind }: Begin) {
  const { postgres, clock } = deps;
  const { clusterId, scopeId, author } = scope;
  return postgres.inTenant(clusterId, async (trx) => {
    const nowMs = clock.now();
    const packId = await ensurePack(trx, clusterId, pack, kind, nowMs);
    const importId = newId();
    await insertImport(trx, { clusterId, scopeId, importId, packId, nowMs, author });
    await noted(deps, trx, scope, 'rule.import.begin', importId, { pack });
    return { import_id: importId, pack_id: packId };
  });
}

async function ensurePack(
  trx: TenantTransaction,
  clusterId: string,
  name: string,
  kind: Begin['kind'],
  nowMs: number,
): Promise<string> {
  await sql`insert into rule_pack (cluster_id, pack_id, name, kind, created_at)
    select ${clusterId}, ${newId()}, ${name}, ${kind}, ${timestamp(nowMs)}
    where (select count(*) from rule_pack where cluster_id = ${clusterId}) < ${MOST_PACKS}
    on conflict (cluster_id, name) do nothing`.execute(trx);
  const { rows } = await sql<{ pack_id: string }>`select pack_id from rule_pack
    where cluster_id = ${clusterId} and name = ${name}`.execute(trx);
  const id = rows[0]?.pack_id;
  if (id === OWN_PACK) throw new AppError('conflict', say('packs.ownPack'));
  if (id === undefined) throw new AppError('conflict', say('packs.tooManyPacks', { most: MOST_PACKS }));
  return id;
}

/** The import, held until the transaction ends. Throws `not-found`, or `conflict` in another state. */
async function inState(
  trx: TenantTransaction,
  { clusterId, scopeId }: ImportScope,
  importId: string,
  states: readonly ImportRow['state'][],
): Promise<ImportRow> {
  const one = await findImport(trx, clusterId, importId, true);
  if (!one || one.scope_id !== scopeId) throw notFound();
  if (!states.includes(one.state))
    throw new AppError('conflict', say('packs.importState'), { state: one.state });
  return one;
}

function part(
  deps: ImportsDeps,
  scope: ImportScope,
  { import_id, part: number, bytes }: Part,
): Promise<number> {
  const { clusterId } = scope;
  return deps.postgres.inTenant(clusterId, async (trx) => {
    await inState(trx, scope, import_id, ['uploading']);
    const received = await writePart(trx, clusterId, import_id, number, bytes);
    if (received > IMPORT_LIMITS.archiveBytes)
      throw new AppError(
        'bad-input',
        say('packs.archiveTooLarge', { most: IMPORT_LIMITS.archiveBytes / 1024 ** 2 }),
      );
    await noted(deps, trx, scope, 'rule.import.part', import_id, { part: number, bytes: bytes.length });
    return received;
  });
}

async function start(deps: ImportsDeps, scope: ImportScope, importId: string): Promise<RuleImport> {
  const { clusterId, author } = scope;
  await deps.postgres.inTenant(clusterId, async (trx) => {
    const one = await inState(trx, scope, importId, ['uploading']);
    const askedBy = author.userId === '' ? null : author;
    const runId = await enqueueJob(trx, deps.job, { payload: { importId }, clusterId, askedBy });
    await changeImport(trx, clusterId, importId, { state: 'waiting', runId });
    await noted(deps, trx, scope, 'rule.import.start', importId, { pack: one.pack });
  });
  return read(deps, clusterId, importId);
}

async function cancel(deps: ImportsDeps, scope: ImportScope, importId: string): Promise<RuleImport> {
  const { postgres, clock } = deps;
  const { clusterId } = scope;
  const runId = await postgres.inTenant(clusterId, async (trx) => {
    const one = await inState(trx, scope, importId, ['uploading', 'waiting', 'running']);
    // One that runs notes its end itself, as soon as it has stopped.
    if (one.state !== 'running') {
      await changeImport(trx, clusterId, importId, { state: 'canceled', endedMs: clock.now() });
      await dropParts(trx, clusterId, importId);
    }
    await noted(deps, trx, scope, 'rule.import.cancel', importId, { pack: one.pack });
    return one.run_id;
  });
  if (runId !== null && (await runState(postgres.platform, runId)) !== undefined)
    await markCanceled(postgres.platform, runId);
  return read(deps, clusterId, importId);
}

async function read(
  { postgres, clock }: ImportsDeps,
  clusterId: string,
  importId: string,
): Promise<RuleImport> {
  const row = await postgres.inTenant(clusterId, (trx) => findImport(trx, clusterId, importId));
  if (!row) throw notFound();
  const state = await endedElsewhere(postgres, row);
  if (state === null) return importOf(row);
  // Its job was cancelled or given up on the page of jobs.
  await postgres.inTenant(clusterId, async (trx) => {
    await changeImport(trx, clusterId, importId, { state, endedMs: clock.now() });
    await dropParts(trx, clusterId, importId);
  });
  return importOf({ ...row, state, ended: clock.now() });
}

async function endedElsewhere(
  postgres: Postgres,
  { state, run_id }: ImportRow,
): Promise<'failed' | 'canceled' | null> {
  if ((state !== 'waiting' && state !== 'running') || run_id === null) return null;
  const job = await runState(postgres.platform, run_id);
  if (job === 'canceled') return 'canceled';
  return job === 'failed' || job === undefined ? 'failed' : null;
}

async function list({ postgres }: ImportsDeps, clusterId: string): Promise<RuleImport[]> {
  const rows = await postgres.inTenant(clusterId, (trx) => lastImports(trx, clusterId));
  return rows.map(importOf);
}

function changes({ postgres }: ImportsDeps, clusterId: string, input: Parsed<typeof listRuleChanges>) {
  return postgres.inTenant(clusterId, async (trx) => {
    if (!(await findImport(trx, clusterId, input.import_id))) throw notFound();
    return pageChanges(trx, clusterId, input.import_id, input);
  });
}
