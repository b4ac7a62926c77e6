import { type QueryExecutorProvider, sql } from 'kysely';
import type { Postgres } from '../postgres/postgres.ts';
import { timestamp } from '../postgres/timestamp.ts';
import type { DomainEvent, DomainEventKind } from './domain-event.ts';

// The position of a consumer, and how far it may go: see event_consumer in db/postgres/0001_platform.sql.

export interface ConsumerRow {
  readonly name: string;
  readonly position: number;
  readonly settled_id: number;
  readonly failures: number;
  /** The mark, and whether every transaction up to it has ended. */
  readonly mark_id: number;
  readonly is_mark_settled: boolean;
  /** The highest number that had been given before this transaction had an id. */
  readonly given_id: number;
}

const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 300_000;

const GIVEN = sql`select case when is_called then last_value else 0 end as given_id from domain_event_event_id_seq`;

/** The highest number that has been given to an event, 0 when none was; its transaction may still be open. */
export async function givenEventId(db: QueryExecutorProvider): Promise<number> {
  const { rows } = await sql<{ given_id: number }>`${GIVEN}`.execute(db);
  return rows[0]?.given_id ?? 0;
}

/** Makes the consumer known. A new one begins with what comes from now on. */
export async function registerConsumer(db: QueryExecutorProvider, name: string): Promise<void> {
  const known = await sql`select 1 from event_consumer where name = ${name}`.execute(db);
  if (known.rows.length > 0) return;
  await sql`insert into event_consumer (name, position, settled_id)
    select ${name}, given_id, given_id from (${GIVEN}) as given on conflict do nothing`.execute(db);
}

/**
 * Holds the consumer until the transaction ends; null when another process does, when there is nothing new, or when the
 * next attempt is not due.
 */
export async function lockConsumer(
  trx: QueryExecutorProvider,
  name: string,
  nowMs: number,
): Promise<ConsumerRow | null> {
  // The number is read before this transaction gets its id, which it does when it locks the row.
  const givenId = await givenEventId(trx);
  const { rows } = await sql<Omit<ConsumerRow, 'given_id'>>`
    select name, position, settled_id, failures, mark_id,
      coalesce(pg_snapshot_xmin(pg_current_snapshot()) > mark_xid, false) as is_mark_settled
    from event_consumer
    where name = ${name} and retry_at <= ${timestamp(nowMs)} and position < ${givenId}
    for update skip locked`.execute(trx);
  return rows[0] ? { ...rows[0], given_id: givenId } : null;
}

/** Settles the mark when it may, and sets the next; answers how far the consumer may go now. */
export async function advanceMark(
  trx: QueryExecutorProvider,
  consumer: ConsumerRow,
): Promise<{ readonly upTo: number; readonly isBehind: boolean }> {
  const upTo = consumer.is_mark_settled
    ? Math.max(consumer.settled_id, consumer.mark_id)
    : consumer.settled_id;
  const isMarkOpen = consumer.mark_id > upTo;
  // An open mark stays, or a busy machine would move it on forever.
  const mark = isMarkOpen ? consumer.mark_id : consumer.given_id;
  await sql`update event_consumer set settled_id = ${upTo}, mark_id = ${mark},
      mark_xid = case when ${isMarkOpen} then mark_xid else pg_current_xact_id() end
    where name = ${consumer.name} and (settled_id <> ${upTo} or mark_id <> ${mark})`.execute(trx);
  return { upTo, isBehind: mark > upTo };
}

interface EventRow {
  event_id: number;
  cluster_id: string;
  scope_id: string;
  kind: DomainEventKind;
  object_id: string;
  actor_id: string | null;
  actor_name: string | null;
  details: Record<string, unknown>;
  created_at: number;
}

/** Events after one number up to another, in order. */
export async function readEvents(
  trx: QueryExecutorProvider,
  after: number,
  upTo: number,
  limit: number,
): Promise<DomainEvent[]> {
  if (upTo <= after) return [];
  const { rows } = await sql<EventRow>`
    select event_id, cluster_id, scope_id, kind, object_id, actor_id, actor_name, details, created_at
    from domain_event where event_id > ${after} and event_id <= ${upTo}
    order by event_id limit ${limit}`.execute(trx);
  return rows.map((row) => ({
    eventId: row.event_id,
    clusterId: row.cluster_id,
    scopeId: row.scope_id,
    kind: row.kind,
    objectId: row.object_id,
    actor: row.actor_id === null ? null : { userId: row.actor_id, name: row.actor_name ?? '' },
    details: row.details,
    atMs: row.created_at,
  }));
}

/**
 * Counts a failed attempt and puts the next one off. After too many of them the first event that waits is left out: its
 * number is answered, else null.
 */
export function saveFailure(
  postgres: Postgres,
  name: string,
  nowMs: number,
  most: number,
): Promise<number | null> {
  return postgres.platform.transaction().execute(async (trx) => {
    await sql`select set_config('tyrian.sweep', 'domain_event', true)`.execute(trx);
    const { rows } = await sql<{ failures: number }>`
      update event_consumer set failures = failures + 1,
        retry_at = ${timestamp(nowMs)} + interval '1 millisecond'
          * least(${LAST_RETRY_MS}::bigint, ${FIRST_RETRY_MS}::bigint << least(failures, 20))
      where name = ${name} returning failures`.execute(trx);
    if ((rows[0]?.failures ?? 0) < most) return null;
    const left = await sql<{ position: number }>`
      update event_consumer c set position = next.event_id, failures = 0, retry_at = 'epoch', given_up = given_up + 1
      from (select min(e.event_id) as event_id from domain_event e, event_consumer o
        where o.name = ${name} and e.event_id > o.position and e.event_id <= o.settled_id) as next
      where c.name = ${name} and next.event_id is not null returning c.position`.execute(trx);
    return left.rows[0]?.position ?? null;
  });
}
