import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Postgres } from '../../postgres/postgres.ts';
import type { EventConsumer } from '../event-consumer.ts';
import { givenEventId } from '../event-position.ts';

const LONGEST_MS = 60_000;

/**
 * Drains a consumer until it has passed every event written before the call; answers how many it handled. One `drain`
 * may be too few: transactions of other databases on the same server, like another test's new database, keep a mark from
 * settling as well.
 */
export async function drainAll(postgres: Postgres, consumer: EventConsumer): Promise<number> {
  const lastId = await givenEventId(postgres.platform);
  const until = Date.now() + LONGEST_MS;
  for (let handled = 0; ; ) {
    handled += await consumer.drain();
    const { rows } = await sql<{ position: number }>`
      select position from event_consumer where name = ${consumer.name}`.execute(postgres.platform);
    const position = rows[0]?.position ?? 0;
    if (position >= lastId) return handled;
    if (Date.now() > until) throw new Error(`${consumer.name} stays at ${position} of ${lastId}`);
    await pause(50);
  }
}
