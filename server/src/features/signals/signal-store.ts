import {
  readStoredText,
  type Signal,
  type SignalFacets,
  type SignalHistory,
  type SignalSelection,
} from '@tyrian/contract';
import { type Selectable, sql } from 'kysely';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { epochOf, timestamp } from '../../platform/postgres/timestamp.ts';
import { selectionCondition, viewCondition, type WideSelection } from './signal-selection.ts';
import type { SignalTable, SignalTables } from './signal-tables.ts';

// Signals as lists, figures and facets read them, in the caller's transaction.

const tables = (trx: TenantTransaction) => trx.withTables<SignalTables>();

function signalOf(row: Selectable<SignalTable>): Signal {
  return {
    signal_id: row.signal_id,
    name: row.name,
    version: row.version,
    workbook_id: row.workbook_id,
    workbook_name: row.workbook_name,
    stream: row.stream,
    stage: row.stage as Signal['stage'],
    tactic: row.tactic,
    technique: row.technique,
    sub_technique: row.sub_technique,
    score: row.score,
    confidence: row.confidence,
    suspects: row.suspects,
    targets: row.targets,
    tags: row.tags,
    first_time: row.first_at,
    last_time: row.last_at,
    created: row.created_at,
    occurrences: row.occurrences,
    ttd_seconds: row.ttd_seconds,
    status: row.triaged_at === null ? 'pending' : 'triaged',
    false_positive: row.false_positive,
    case_ids: row.case_ids,
    scope_id: row.scope_id,
  };
}

/** All signals of a selection, view included, as a query to refine. */
function selected(trx: TenantTransaction, clusterId: string, selection: WideSelection) {
  return tables(trx)
    .selectFrom('signal')
    .where((where) => selectionCondition(where, clusterId, selection))
    .$if(selection.view !== 'all', (query) =>
      query.where((where) => viewCondition(where, selection.view) ?? where.lit(true)),
    );
}

export interface PageRequest {
  readonly pageno: number;
  readonly pagesize: number;
}

const SORTS = {
  last_time: 'last_at',
  first_time: 'first_at',
  created: 'created_at',
  score: 'score',
  name: 'name',
  occurrences: 'occurrences',
} as const;
export type SignalSort = keyof typeof SORTS;

export async function selectSignals(
  trx: TenantTransaction,
  clusterId: string,
  selection: WideSelection,
  page: PageRequest & { readonly sort: SignalSort; readonly order: 'asc' | 'desc' },
): Promise<Signal[]> {
  const rows = await selected(trx, clusterId, selection)
    .selectAll('signal')
    .orderBy(`signal.${SORTS[page.sort]}`, page.order)
    // What is equal comes newest first, and in one order whenever it is asked for.
    .orderBy('signal.last_at', 'desc')
    .orderBy('signal.signal_id')
    .limit(page.pagesize)
    .offset((page.pageno - 1) * page.pagesize)
    .execute();
  return rows.map(signalOf);
}

export async function selectSignalIds(
  trx: TenantTransaction,
  clusterId: string,
  selection: SignalSelection,
  page: PageRequest,
): Promise<string[]> {
  const rows = await selected(trx, clusterId, selection)
    .select('signal.signal_id')
    .orderBy('signal.signal_id')
    .limit(page.pagesize)
    .offset((page.pageno - 1) * page.pagesize)
    .execute();
  return rows.map((row) => row.signal_id);
}

/** How many signals the selection holds in each view, whatever its own view is. */
export async function countViews(
  trx: TenantTransaction,
  clusterId: string,
  selection: WideSelection,
): Promise<{ pending: number; triaged: number; all: number }> {
  const row = await selected(trx, clusterId, { ...selection, view: 'all' })
    .select([
      sql<number>`count(*)`.as('all'),
      sql<number>`count(*) filter (where signal.triaged_at is null)`.as('pending'),
    ])
    .executeTakeFirstOrThrow();
  const [all, pending] = [Number(row.all), Number(row.pending)];
  return { pending, triaged: all - pending, all };
}

/** First and last time of the selection; null when it is empty. */
export async function spanOf(
  trx: TenantTransaction,
  clusterId: string,
  selection: SignalSelection,
): Promise<{ from: number; to: number } | null> {
  const row = await selected(trx, clusterId, selection)
    .select([
      sql<number | null>`min(signal.last_at)`.as('from'),
      sql<number | null>`max(signal.last_at)`.as('to'),
    ])
    .executeTakeFirstOrThrow();
  return row.from === null || row.to === null ? null : { from: Number(row.from), to: Number(row.to) };
}

/** Signals by slice of their last time; slices without any are left out. */
export async function countSlices(
  trx: TenantTransaction,
  clusterId: string,
  selection: SignalSelection,
  intervalMs: number,
): Promise<ReadonlyMap<number, number>> {
  const slice = sql<number>`(${epochOf('signal.last_at')} / ${intervalMs}::bigint) * ${intervalMs}::bigint`;
  const rows = await selected(trx, clusterId, selection)
    .select([slice.as('slice'), sql<number>`count(*)`.as('count')])
    .groupBy(sql`1`)
    .execute();
  return new Map(rows.map((row) => [Number(row.slice), Number(row.count)]));
}

const FACET_ROWS = 20;

async function topEntities(
  trx: TenantTransaction,
  clusterId: string,
  selection: SignalSelection,
  role: 'suspect' | 'target',
) {
  const base = selected(trx, clusterId, selection).innerJoin('signal_entity', (join) =>
    join
      .onRef('signal_entity.cluster_id', '=', 'signal.cluster_id')
      .onRef('signal_entity.signal_id', '=', 'signal.signal_id')
      .on('signal_entity.role', '=', role),
  );
  const rows = await base
    .select(['signal_entity.type', 'signal_entity.value', sql<number>`count(*)`.as('count')])
    .groupBy(['signal_entity.type', 'signal_entity.value'])
    .orderBy(sql`count(*)`, 'desc')
    .orderBy('signal_entity.value')
    .limit(FACET_ROWS)
    .execute();
  const { total } = await base
    .select(sql<number>`count(distinct (signal_entity.type, signal_entity.value))`.as('total'))
    .executeTakeFirstOrThrow();
  return {
    total: Number(total),
    top: rows.map((row) => ({ type: row.type, value: row.value, count: Number(row.count) })),
  };
}

const FILTER_KEYS = ['tactic', 'technique', 'confidence', 'stream', 'stage', 'score'] as const;

async function filterValues(trx: TenantTransaction, clusterId: string, selection: SignalSelection) {
  const filters: SignalFacets['filters'] = {};
  for (const key of FILTER_KEYS) {
    const rows = await selected(trx, clusterId, selection)
      .select([sql<string>`signal.${sql.ref(key)}::text`.as('value'), sql<number>`count(*)`.as('count')])
      .groupBy(sql`1`)
      .orderBy(sql`2`, 'desc')
      .limit(200)
      .execute();
    filters[key] = rows
      .filter((row) => row.value !== '')
      .map((row) => ({ value: row.value, count: Number(row.count) }));
  }
  const tags = await selected(trx, clusterId, selection)
    .select([sql<string>`unnest(signal.tags)`.as('value'), sql<number>`count(*)`.as('count')])
    .groupBy(sql`1`)
    .orderBy(sql`2`, 'desc')
    .limit(200)
    .execute();
  filters.tag = tags.map((row) => ({ value: row.value, count: Number(row.count) }));
  return filters;
}

/** Totals and most frequent values of a selection. */
export async function selectFacets(
  trx: TenantTransaction,
  clusterId: string,
  selection: SignalSelection,
): Promise<SignalFacets> {
  const totals = await selected(trx, clusterId, selection)
    .select([
      sql<number>`count(*)`.as('signals'),
      sql<number>`coalesce(sum(signal.occurrences), 0)`.as('occurrences'),
      sql<number>`count(distinct signal.workbook_id)`.as('detections'),
      sql<number>`count(*) filter (where signal.triaged_at is null)`.as('pending'),
    ])
    .executeTakeFirstOrThrow();
  const detections = await selected(trx, clusterId, selection)
    .select([
      'signal.workbook_id',
      sql<string>`max(signal.workbook_name)`.as('name'),
      sql<number>`count(*)`.as('count'),
      sql<number>`max(signal.score)`.as('score'),
    ])
    .groupBy('signal.workbook_id')
    .orderBy(sql`3`, 'desc')
    .orderBy('signal.workbook_id')
    .limit(FACET_ROWS)
    .execute();
  const suspects = await topEntities(trx, clusterId, selection, 'suspect');
  const targets = await topEntities(trx, clusterId, selection, 'target');
  const signals = Number(totals.signals);
  const pending = Number(totals.pending);
  return {
    totals: {
      signals,
      occurrences: Number(totals.occurrences),
      suspects: suspects.total,
      targets: targets.total,
      detections: Number(totals.detections),
      pending,
      triaged: signals - pending,
    },
    suspects: suspects.top,
    targets: targets.top,
    detections: detections.map((row) => ({
      workbook_id: row.workbook_id,
      name: row.name,
      count: Number(row.count),
      score: Number(row.score),
    })),
    filters: await filterValues(trx, clusterId, selection),
  };
}

/** One signal of the scope. */
export async function findSignal(
  trx: TenantTransaction,
  clusterId: string,
  scopeId: string,
  signalId: string,
): Promise<Signal | undefined> {
  const [found] = await signalsById(trx, clusterId, scopeId, [signalId]);
  return found;
}

export async function signalsById(
  trx: TenantTransaction,
  clusterId: string,
  scopeId: string,
  signalIds: readonly string[],
): Promise<Signal[]> {
  if (signalIds.length === 0) return [];
  const rows = await tables(trx)
    .selectFrom('signal')
    .selectAll()
    .where('cluster_id', '=', clusterId)
    .where('scope_id', '=', scopeId)
    .where('signal_id', '=', sql<string>`any(${signalIds}::text[])`)
    .execute();
  return rows.map(signalOf);
}

export async function historyOf(
  trx: TenantTransaction,
  clusterId: string,
  signalId: string,
): Promise<SignalHistory[]> {
  const rows = await tables(trx)
    .selectFrom('signal_history')
    .selectAll()
    .where('cluster_id', '=', clusterId)
    .where('signal_id', '=', signalId)
    .orderBy('entry_id')
    .execute();
  return rows.map((row) => {
    const { message: detail, ...code } = readStoredText(row.detail);
    const action = row.action as SignalHistory['action'];
    return { cnam_time: row.created_at, author: row.author, action, detail, ...code };
  });
}

export interface StoredEvidence {
  readonly eventUids: readonly string[];
  readonly moreEvents: number;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly rowCount: number;
}

/** The occurrences of a signal, newest first. */
export async function evidenceOf(
  trx: TenantTransaction,
  clusterId: string,
  signalId: string,
  limit: number,
): Promise<StoredEvidence[]> {
  const rows = await tables(trx)
    .selectFrom('signal_occurrence')
    .select(['event_uids', 'more_events', 'fields', 'row_count'])
    .where('cluster_id', '=', clusterId)
    .where('signal_id', '=', signalId)
    .orderBy('last_at', 'desc')
    .orderBy('occurrence_id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    eventUids: row.event_uids,
    moreEvents: row.more_events,
    fields: row.fields,
    rowCount: row.row_count,
  }));
}

/** Signals since `sinceMs` by workbook, and when the last one was; of one workbook alone when it is named. */
export async function countByWorkbook(
  trx: TenantTransaction,
  clusterId: string,
  scopeId: string,
  sinceMs: number,
  workbookId?: string,
): Promise<Map<string, { last30d: number; lastMs: number | null }>> {
  const rows = await tables(trx)
    .selectFrom('signal')
    .select([
      'workbook_id',
      sql<number>`count(*) filter (where last_at >= ${timestamp(sinceMs)})`.as('recent'),
      sql<number>`max(last_at)`.as('last'),
    ])
    .where('cluster_id', '=', clusterId)
    .where('scope_id', '=', scopeId)
    .$if(workbookId !== undefined, (query) => query.where('workbook_id', '=', workbookId ?? ''))
    .groupBy('workbook_id')
    .execute();
  return new Map(
    rows.map((row) => [row.workbook_id, { last30d: Number(row.recent), lastMs: Number(row.last) }]),
  );
}
