import { type QueryExecutorProvider, sql } from 'kysely';
import { storableJson, storableText } from '../postgres/storable.ts';
import { timestamp } from '../postgres/timestamp.ts';
import type { NewDomainEvent } from './domain-event.ts';

/** Who waits for events listens here; a notification is a hint that there is something to read, its payload the tenant. */
export const EVENT_CHANNEL = 'tyrian_domain_event';

const MAX_TEXT = 1024;
const AT_ONCE = 500;

/**
 * Writes what has happened in the transaction of the act: both stand or neither. In a tenant's transaction the events
 * must be of that tenant. Consumers get each at least once, and those of one object in the order of their acts, as long
 * as whoever acts on an object holds its row meanwhile.
 */
export async function writeEvents(
  trx: QueryExecutorProvider,
  events: readonly NewDomainEvent[],
): Promise<void> {
  if (events.length === 0) return;
  for (let from = 0; from < events.length; from += AT_ONCE) {
    const rows = events.slice(from, from + AT_ONCE).map((event) => {
      const actor = event.actor;
      const name = actor && storableText(actor.name.slice(0, MAX_TEXT));
      return sql`(${event.clusterId}, ${event.scopeId}, ${event.kind}, ${event.objectId}, ${actor?.userId ?? null}::text,
        ${name}::text, ${storableJson(event.details)}::jsonb, ${timestamp(event.atMs)})`;
    });
    await sql`insert into domain_event
      (cluster_id, scope_id, kind, object_id, actor_id, actor_name, details, created_at)
      values ${sql.join(rows)}`.execute(trx);
  }
  const tenants = [...new Set(events.map((event) => event.clusterId))];
  await sql`select pg_notify(${EVENT_CHANNEL}, tenant) from unnest(${tenants}::text[]) as tenant`.execute(
    trx,
  );
}
