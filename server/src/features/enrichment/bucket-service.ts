import { ENRICHMENT_LIMITS, type OutputOf, type previewBucket, type saveBucket, say } from '@tyrian/contract';
import type { z } from 'zod';
import { AppError, notFound } from '../../platform/app-error.ts';
import { bindDeps } from '../../platform/bind-deps.ts';
import { newId } from '../../platform/new-id.ts';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import { readEntry } from '../search/read-entry.ts';
import { askForBuild } from './ask-for-build.ts';
import { readBucket } from './bucket-definition.ts';
import { type BuildDeps, bucketValues } from './build-bucket.ts';
import { assertMayWrite, assertRoom, type ScopeCaller } from './enrichment-service.ts';
import { changeSet, countBuckets, lockTable, writeTable } from './enrichment-store.ts';
import { ENRICHMENT_CHANNEL } from './ingest-enrichment.ts';

// Buckets as people see them: tried, saved, built anew.

interface BucketDeps extends BuildDeps {
  readonly audit: AuditService;
  /** Buckets that the plan of the tenant allows; undefined while nobody knows, or for any number. */
  readonly allowed: (clusterId: string) => number | undefined;
}

type Parsed<E extends { readonly input: z.ZodType }> = z.output<E['input']>;

export interface BucketService {
  /** Throws `bad-input` with the place of a mistake in the YAML or in a query. */
  preview(scope: ScopeCaller, yaml: string): Promise<OutputOf<typeof previewBucket>>;
  /** Throws as `preview`, and `conflict` for name, revision and plan. */
  save(scope: ScopeCaller, input: Parsed<typeof saveBucket>): Promise<OutputOf<typeof saveBucket>>;
  /** Throws `not-found`. */
  rebuild(scope: ScopeCaller, tableId: string): Promise<{ table_id: string }>;
}

export function createBucketService(deps: BucketDeps): BucketService {
  return bindDeps(deps, { preview, save, rebuild });
}

async function preview(deps: BucketDeps, scope: ScopeCaller, yaml: string) {
  const { clusterId, scopeId, caller } = scope;
  const definition = readBucket(yaml);
  const most = ENRICHMENT_LIMITS.samples;
  const asker = { clusterId, scopeId, userId: caller.userId };
  const found = await bucketValues(deps, asker, definition, { most });
  const samples = [...found].slice(0, most).map(([key, values]) => ({
    key,
    values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)])),
  }));
  const to = deps.clock.now();
  const days = Math.max(...definition.source.map((source) => source.days));
  const query = definition.source.map((source) => source.query ?? source.eventstore ?? '');
  const range = { from: to - days * 86_400_000, to };
  const read = readEntry(
    'enrichment.bucket.preview',
    { clusterId, scopeId, query, range },
    { rows: samples.length },
  );
  await deps.audit.record(read);
  return { name: definition.bucket, fields: definition.fields, samples };
}

async function save(deps: BucketDeps, scope: ScopeCaller, input: Parsed<typeof saveBucket>) {
  const { postgres, clock, audit } = deps;
  const { clusterId, scopeId, caller } = scope;
  const { bucket: name, fields } = readBucket(input.yaml);
  return postgres.inTenant(clusterId, async (trx) => {
    await changeSet(trx, scope, ENRICHMENT_CHANNEL);
    const tableId = input.table_id ?? newId();
    const before = await assertMayWrite(trx, scope, { ...input, name, kind: 'bucket' });
    if (before === null) await assertPlan(deps, trx, clusterId);
    await assertRoom(trx, scope, { moreBytes: 0, isNew: before === null });
    const { yaml, enabled } = input;
    const reading = { format: 'csv', keyColumn: '', confidence: 50, expires: null } as const;
    const content = { kind: 'bucket', name, enabled, columns: fields, reading, yaml } as const;
    const revision = await writeTable(trx, scope, tableId, content, {
      author: caller.name,
      nowMs: clock.now(),
    });
    if (enabled) await askForBuild(trx, scope, tableId);
    const action = before === null ? 'enrichment.create' : 'enrichment.change';
    const details = { kind: 'bucket', name, enabled };
    await audit.record({ action, who: caller, clusterId, scopeId, entity: tableId, details }, trx);
    return { table_id: tableId, revision };
  });
}

async function assertPlan({ allowed }: BucketDeps, trx: TenantTransaction, clusterId: string): Promise<void> {
  const most = allowed(clusterId);
  if (most !== undefined && (await countBuckets(trx, clusterId)) >= most)
    throw new AppError('conflict', say('enrichment.planBuckets', { most }));
}

function rebuild({ postgres, audit }: BucketDeps, scope: ScopeCaller, tableId: string) {
  const { clusterId, scopeId, caller } = scope;
  return postgres.inTenant(clusterId, async (trx) => {
    const table = await lockTable(trx, scope, tableId);
    if (table?.kind !== 'bucket') throw notFound();
    await askForBuild(trx, scope, tableId);
    const details = { name: table.name };
    await audit.record(
      { action: 'enrichment.build', who: caller, clusterId, scopeId, entity: tableId, details },
      trx,
    );
    return { table_id: tableId };
  });
}
