import { MOST_CLOCK_LEAD_MS } from '@tyrian/catalog';
import { ENRICHMENT_LIMITS, say, storedText } from '@tyrian/contract';
import { type KeyEntry, lookupEntries, packKeyTable, type SetTable } from '@tyrian/ingest';
import { AppError } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Job, JobCall } from '../../platform/jobs/job.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import { saidOf } from '../../platform/said-of-failure.ts';
import type { QueryService } from '../search/query-service.ts';
import { type BucketDefinition, type BucketSource, readBucket } from './bucket-definition.ts';
import { type BuildPayload, buildRequest } from './build-request.ts';
import type { InScope } from './enrichment-set-store.ts';
import { changeSet, listTables, noteBuildFailure, writeEntries } from './enrichment-store.ts';
import { ENRICHMENT_CHANNEL } from './ingest-enrichment.ts';

// A bucket is built out of rows of queries or of uploaded tables, and what was built is what events are enriched with until
// the next time. A build that fails leaves the last one as it is.

export interface BuildDeps {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly queries: QueryService;
  /** Rows of an uploaded table of the scope; absent while there are none such. Throws AppError when it is not there. */
  readonly eventstoreRows?: (
    clusterId: string,
    scopeId: string,
    name: string,
  ) => Promise<
    AsyncIterable<Readonly<Record<string, unknown>>> | Iterable<Readonly<Record<string, unknown>>>
  >;
}

type Cell = string | number;
type Values = Record<string, Cell>;

export interface BuiltBucket {
  readonly image: Uint8Array;
  readonly entries: number;
  readonly prefixes: SetTable['prefixes'];
}

const DAY_MS = 86_400_000;

const cellOf = (value: unknown): Cell =>
  typeof value === 'number'
    ? value
    : (typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '')).slice(
        0,
        1_000,
      );

/** The rows of a query, by the names of their columns. Throws `bad-input` for mistakes in it, and for a column that it lacks. */
async function queryRows(
  { queries, clock }: BuildDeps,
  scope: InScope & { readonly userId?: string },
  source: BucketSource,
  call: { readonly most: number; readonly signal?: AbortSignal },
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  // Events may lie ahead of the clock by so much.
  const to = clock.now() + MOST_CLOCK_LEAD_MS;
  const answer = await queries.run({
    ...{ clusterId: scope.clusterId, scopes: [scope.scopeId], kql: source.query ?? '' },
    timeRange: { from: to - source.days * DAY_MS, to },
    maxRows: call.most,
    queue: 'analytics',
    ...(scope.userId === undefined ? {} : { userId: scope.userId }),
    ...(call.signal ? { signal: call.signal } : {}),
  });
  const names = answer.columns.map((column) => column.name);
  for (const wanted of [source.enr_key, ...Object.values(source.enr_values.translate)])
    if (!names.includes(wanted))
      throw new AppError('bad-input', say('enrichment.noSourceColumn', { name: wanted }));
  return answer.rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at]])));
}

async function rowsOf(
  deps: BuildDeps,
  scope: InScope & { readonly userId?: string },
  source: BucketSource,
  call: { readonly most: number; readonly signal?: AbortSignal },
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  if (source.sourcetype !== 'event_store') return queryRows(deps, scope, source, call);
  const name = source.eventstore ?? '';
  if (!deps.eventstoreRows) throw new AppError('bad-input', say('enrichment.noEventstore', { name }));
  const rows: Readonly<Record<string, unknown>>[] = [];
  for await (const row of await deps.eventstoreRows(scope.clusterId, scope.scopeId, name)) {
    rows.push(row);
    if (rows.length >= call.most) break;
  }
  return rows;
}

/** The values by key; of several sources those that come later add to a key, and replace what has the same name. */
export async function bucketValues(
  deps: BuildDeps,
  scope: InScope & { readonly userId?: string },
  { source: sources }: BucketDefinition,
  call: { readonly most: number; readonly signal?: AbortSignal },
): Promise<ReadonlyMap<string, Values>> {
  const byKey = new Map<string, Values>();
  for (const source of sources) {
    const { annotate, translate } = source.enr_values;
    const fixed = Object.entries(annotate).map(([name, value]): [string, Cell] => [name, cellOf(value)]);
    for (const row of await rowsOf(deps, scope, source, call)) {
      const key = String(row[source.enr_key] ?? '')
        .trim()
        .toLowerCase()
        .slice(0, 512);
      if (key === '') continue;
      const read = Object.entries(translate).map(([name, column]): [string, Cell] => [
        name,
        cellOf(row[column]),
      ]);
      const filled = [...fixed, ...read].filter(([, value]) => value !== '');
      byKey.set(key, { ...byKey.get(key), ...Object.fromEntries(filled) });
    }
  }
  return byKey;
}

function packed(byKey: ReadonlyMap<string, Values>): BuiltBucket {
  const entries: KeyEntry[] = lookupEntries([...byKey].map(([key, values]) => ({ key, values })));
  return { image: packKeyTable(entries), entries: entries.length, prefixes: { 4: [], 6: [] } };
}

/** The job that builds a bucket; answers how many rows it has. */
export function buildJob(deps: BuildDeps): Job<BuildPayload> {
  return {
    ...buildRequest,
    run: ({ scopeId, tableId }, call) =>
      build(deps, { clusterId: call.clusterId ?? '', scopeId }, tableId, call),
  };
}

async function build(deps: BuildDeps, scope: InScope, tableId: string, call: JobCall): Promise<number> {
  const { postgres, clock } = deps;
  const [table] = await postgres.inTenant(scope.clusterId, (trx) =>
    listTables(trx, scope, clock.now(), tableId),
  );
  if (table?.kind !== 'bucket') return 0;
  try {
    const most = ENRICHMENT_LIMITS.entries;
    const found = await bucketValues(deps, scope, readBucket(table.yaml), { most, signal: call.signal });
    const built = packed(found);
    await postgres.inTenant(scope.clusterId, async (trx) => {
      await changeSet(trx, scope, ENRICHMENT_CHANNEL);
      await writeEntries(trx, scope, tableId, built, clock.now());
    });
    return built.entries;
  } catch (error) {
    call.signal.throwIfAborted();
    const said = storedText(saidOf(error, (reason) => say('enrichment.buildFailed', { reason })));
    await postgres.inTenant(scope.clusterId, (trx) =>
      noteBuildFailure(trx, scope, tableId, said, clock.now()),
    );
    // A mistake in the bucket stays one however often it is tried.
    if (error instanceof AppError && error.kind === 'bad-input') return 0;
    throw error;
  }
}
