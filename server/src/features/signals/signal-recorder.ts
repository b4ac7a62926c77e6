import { randomUUID } from 'node:crypto';
import { say, storedText } from '@tyrian/contract';
import { sql } from 'kysely';
import { writeEvents } from '../../platform/events/write-events.ts';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { storableJson } from '../../platform/postgres/storable.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import {
  COALESCE_MS,
  type CoalesceResult,
  coalesceOccurrences,
  type GrownSignal,
  type OpenSignal,
  type StoredOccurrence,
} from './coalesce-occurrences.ts';
import type { RuleIdentity } from './finding.ts';
import type { Occurrence } from './occurrence.ts';
import type { RecordingRule } from './recording-rule.ts';
import { signalEvent } from './signal-event.ts';
import type { SignalTables } from './signal-tables.ts';

// Writes what an evaluation found, in the transaction of the ledger: the window and its signals stand together or
// not at all. New signals are put into the outbox of the stream Signals and told as events in the same transaction.

export interface RecordResult {
  readonly newSignals: number;
  readonly occurrences: number;
}

const BATCH = 500;
/** Beyond so many occurrences checks of foreign keys are planned for the tables as they have become. */
const MANY = 100;

function* chunks<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += BATCH) yield items.slice(at, at + BATCH);
}

const tables = (trx: TenantTransaction) => trx.withTables<SignalTables>();
type Db = ReturnType<typeof tables>;

async function storedOccurrences(db: Db, rule: RuleIdentity, ids: readonly string[]) {
  const found: StoredOccurrence[] = [];
  for (const some of chunks(ids)) {
    const rows = await db
      .selectFrom('signal_occurrence')
      .select(['occurrence_id', 'signal_id', 'row_count', 'last_at', 'event_uids'])
      .where('cluster_id', '=', rule.clusterId)
      .where('scope_id', '=', rule.scopeId)
      .where('occurrence_id', 'in', some)
      .execute();
    for (const row of rows) {
      found.push({
        occurrenceId: row.occurrence_id,
        signalId: row.signal_id,
        rowCount: row.row_count,
        lastMs: row.last_at,
        eventUids: row.event_uids,
      });
    }
  }
  return found;
}

/** Signals of the same findings near enough in time to take an occurrence, and those that hold a stored one. */
async function openSignals(
  db: Db,
  rule: RuleIdentity,
  found: readonly Occurrence[],
  stored: readonly StoredOccurrence[],
): Promise<OpenSignal[]> {
  const firstMs = Math.min(...found.map((occurrence) => occurrence.firstMs)) - COALESCE_MS;
  const lastMs = Math.max(...found.map((occurrence) => occurrence.lastMs)) + COALESCE_MS;
  const keys = [...new Set(found.map((occurrence) => occurrence.finding.key))];
  const holders = [...new Set(stored.map((occurrence) => occurrence.signalId))];
  const open = new Map<string, OpenSignal>();
  const ask = async (column: 'finding_key' | 'signal_id', values: readonly string[]) => {
    for (const some of chunks(values)) {
      const rows = await db
        .selectFrom('signal')
        .select(['signal_id', 'finding_key', 'first_at', 'last_at', 'occurrences', 'triaged_at'])
        .where('cluster_id', '=', rule.clusterId)
        .where('scope_id', '=', rule.scopeId)
        .where(column, 'in', some)
        .$if(column === 'finding_key', (query) =>
          query.where('last_at', '>=', timestamp(firstMs)).where('first_at', '<=', timestamp(lastMs)),
        )
        .orderBy('signal_id')
        .forUpdate()
        .execute();
      for (const row of rows) {
        open.set(row.signal_id, {
          signalId: row.signal_id,
          key: row.finding_key,
          firstMs: row.first_at,
          lastMs: row.last_at,
          occurrences: row.occurrences,
          triagedMs: row.triaged_at,
        });
      }
    }
  };
  await ask('finding_key', keys);
  await ask('signal_id', holders);
  return [...open.values()];
}

async function writeNew(db: Db, rule: RecordingRule, signals: readonly GrownSignal[], nowMs: number) {
  for (const some of chunks(signals.filter((signal) => signal.raisedBy !== null))) {
    const rows = some.map((signal) => newSignalRow(rule, signal, signal.raisedBy as Occurrence, nowMs));
    await db.insertInto('signal').values(rows).execute();
    const entities = some.flatMap((signal) =>
      entityRows(rule, signal.signalId, signal.raisedBy as Occurrence),
    );
    if (entities.length > 0) await db.insertInto('signal_entity').values(entities).execute();
    await db
      .insertInto('signal_history')
      .values(
        some.map((signal) => ({
          cluster_id: rule.clusterId,
          signal_id: signal.signalId,
          created_at: timestamp(nowMs),
          author: rule.workbookName,
          action: 'raised',
          detail: storedText(say('signals.raisedBy', { version: rule.version })),
        })),
      )
      .execute();
    await db
      .insertInto('signal_outbox')
      .values(
        some.map((signal) => ({
          cluster_id: rule.clusterId,
          signal_id: signal.signalId,
          batch_id: null,
          event: storableJson(
            signalEvent(rule, signal.signalId, signal.raisedBy as Occurrence, randomUUID()),
          ),
        })),
      )
      .execute();
    await writeEvents(
      db,
      some.map((signal) => raisedEvent(rule, signal.signalId, signal.raisedBy as Occurrence, nowMs)),
    );
  }
}

function raisedEvent(rule: RecordingRule, signalId: string, { finding }: Occurrence, atMs: number) {
  const { clusterId, scopeId, workbookId, workbookName, stage, signal } = rule;
  const details = {
    name: finding.name,
    score: signal.score,
    stage,
    workbook_id: workbookId,
    workbook_name: workbookName,
  };
  return {
    clusterId,
    scopeId,
    kind: 'signal.raised',
    objectId: signalId,
    actor: null,
    details,
    atMs,
  } as const;
}

function newSignalRow(rule: RecordingRule, grown: GrownSignal, raisedBy: Occurrence, nowMs: number) {
  const { signal } = rule;
  const ingested = raisedBy.ingestedMs;
  return {
    cluster_id: rule.clusterId,
    signal_id: grown.signalId,
    scope_id: rule.scopeId,
    workbook_id: rule.workbookId,
    workbook_name: rule.workbookName,
    version: rule.version,
    finding_key: grown.key,
    name: raisedBy.finding.name,
    stream: raisedBy.stream || rule.stream,
    stage: rule.stage,
    tactic: signal.tactic,
    technique: signal.technique,
    sub_technique: signal.sub_technique,
    score: signal.score,
    confidence: signal.confidence,
    suspects: storableJson(raisedBy.finding.suspects),
    targets: storableJson(raisedBy.finding.targets),
    tags: [...signal.tags],
    first_at: timestamp(grown.firstMs),
    last_at: timestamp(grown.lastMs),
    created_at: timestamp(nowMs),
    occurrences: grown.occurrences,
    ttd_seconds: ingested === null ? null : Math.max(0, Math.round((nowMs - ingested) / 1000)),
    triaged_at: null,
  };
}

function entityRows(rule: RuleIdentity, signalId: string, { finding }: Occurrence) {
  const row = (role: 'suspect' | 'target') => (entity: { type: string; value: string }) => ({
    cluster_id: rule.clusterId,
    signal_id: signalId,
    role,
    type: entity.type,
    value: entity.value,
  });
  return [...finding.suspects.map(row('suspect')), ...finding.targets.map(row('target'))];
}

async function writeGrown(db: Db, rule: RuleIdentity, signals: readonly GrownSignal[]): Promise<void> {
  for (const signal of signals) {
    if (signal.raisedBy !== null) continue;
    await db
      .updateTable('signal')
      .set({
        first_at: timestamp(signal.firstMs),
        last_at: timestamp(signal.lastMs),
        occurrences: signal.occurrences,
      })
      .where('cluster_id', '=', rule.clusterId)
      .where('signal_id', '=', signal.signalId)
      .execute();
  }
}

async function writeOccurrences(db: Db, rule: RuleIdentity, writes: CoalesceResult['occurrences']) {
  for (const some of chunks(writes)) {
    await db
      .insertInto('signal_occurrence')
      .values(
        some.map(({ occurrence, signalId }) => ({
          cluster_id: rule.clusterId,
          scope_id: rule.scopeId,
          occurrence_id: occurrence.occurrenceId,
          signal_id: signalId,
          row_count: occurrence.rowCount,
          first_at: timestamp(occurrence.firstMs),
          last_at: timestamp(occurrence.lastMs),
          event_uids: [...occurrence.eventUids],
          more_events: occurrence.moreEvents,
          fields: storableJson(occurrence.fields),
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(['cluster_id', 'scope_id', 'occurrence_id']).doUpdateSet({
          row_count: sql`excluded.row_count`,
          first_at: sql`least(signal_occurrence.first_at, excluded.first_at)`,
          last_at: sql`greatest(signal_occurrence.last_at, excluded.last_at)`,
          event_uids: sql`excluded.event_uids`,
          more_events: sql`greatest(signal_occurrence.more_events, excluded.more_events)`,
          fields: sql`excluded.fields`,
        }),
      )
      .execute();
  }
}

/**
 * PostgreSQL keeps the plan of a foreign key's check for as long as a connection lives, and for a small table that is to
 * read all of it: while one transaction fills the table, each row would cost as much as all rows before it.
 */
async function planAnew(db: Db): Promise<void> {
  await sql`set local plan_cache_mode = force_custom_plan`.execute(db);
}

/** Records occurrences in the transaction. Recording the same ones again changes nothing. */
export async function recordOccurrences(
  trx: TenantTransaction,
  rule: RecordingRule,
  found: readonly Occurrence[],
  nowMs: number,
): Promise<RecordResult> {
  if (found.length === 0) return { newSignals: 0, occurrences: 0 };
  const db = tables(trx);
  if (found.length > MANY) await planAnew(db);
  const stored = await storedOccurrences(
    db,
    rule,
    found.map((occurrence) => occurrence.occurrenceId),
  );
  const { signals, occurrences } = coalesceOccurrences(
    found,
    stored,
    await openSignals(db, rule, found, stored),
  );
  await writeNew(db, rule, signals, nowMs);
  await writeGrown(db, rule, signals);
  await writeOccurrences(db, rule, occurrences);
  return {
    newSignals: signals.filter((signal) => signal.raisedBy !== null).length,
    occurrences: occurrences.length,
  };
}
