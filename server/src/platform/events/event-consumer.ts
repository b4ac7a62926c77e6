import { setTimeout as pause } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { bindDeps } from '../bind-deps.ts';
import type { Clock } from '../clock.ts';
import type { BackgroundWork } from '../feature.ts';
import type { Logger } from '../log.ts';
import type { PlatformTables } from '../postgres/platform-tables.ts';
import type { Postgres } from '../postgres/postgres.ts';
import type { DomainEvent } from './domain-event.ts';
import { advanceMark, lockConsumer, readEvents, registerConsumer, saveFailure } from './event-position.ts';
import { EVENT_CHANNEL } from './write-events.ts';

// A consumer of events. Batches are handled in one transaction with the position of the consumer, so that what a handler
// writes through it happens exactly once; what it does elsewhere may happen again after a crash. Any number of processes
// may run the same consumer: one at a time holds its row.

/** A transaction over all tenants, which sees the tables of the platform and every event. */
export type ConsumerTransaction = Kysely<PlatformTables>;

export interface EventConsumerDeps {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly log: Logger;
  /** Never changes: the position is kept under it. */
  readonly name: string;
  /** Handles events in order. What it throws brings the whole batch back, later one by one. */
  readonly handle: (trx: ConsumerTransaction, events: readonly DomainEvent[]) => Promise<void>;
}

export interface EventConsumer extends BackgroundWork {
  /** Handles what there is; resolves with the number of events. The loop of `start` calls it, tests may. */
  drain(): Promise<number>;
}

const BATCH = 200;
/** Behind the hints of the channel, which are lost while its connection is. */
const POLL_MS = 5_000;
/** While another transaction keeps a mark from settling; after so many looks the poll goes on. */
const UNSETTLED_MS = 50;
const MAX_LOOKS = 40;
const MAX_FAILURES = 8;

type Round = { readonly handled: number; readonly hasMore: boolean; readonly isUnsettled: boolean };
const NOTHING: Round = { handled: 0, hasMore: false, isUnsettled: false };

interface EventConsumerParts extends EventConsumerDeps {
  /** Up to here events are taken one by one, because a batch with one of them failed. */
  oneByOneUntil: number;
  stopping: AbortController | null;
  wake: () => void;
  stopListening: (() => Promise<void>) | null;
  loop: Promise<void>;
}

export function createEventConsumer(deps: EventConsumerDeps): EventConsumer {
  const { name } = deps;
  const parts: EventConsumerParts = {
    ...deps,
    oneByOneUntil: 0,
    stopping: null,
    wake: () => undefined,
    stopListening: null,
    loop: Promise.resolve(),
  };
  return { name, ...bindDeps(parts, { drain, start, stop }) };
}

/** What one transaction handles. A batch that failed before is taken event by event. */
function handleBatch(parts: EventConsumerParts): Promise<Round> {
  const { postgres, name, clock } = parts;
  return postgres.platform.transaction().execute(async (trx) => {
    await sql`select set_config('tyrian.sweep', 'domain_event', true)`.execute(trx);
    const consumer = await lockConsumer(trx, name, clock.now());
    if (!consumer) return NOTHING;
    const settled = await advanceMark(trx, consumer);
    const limit = consumer.failures > 0 || consumer.position < parts.oneByOneUntil ? 1 : BATCH;
    const events = await readEvents(trx, consumer.position, settled.upTo, limit);
    const lastRead = events.at(-1)?.eventId ?? settled.upTo;
    if (events.length > 1) parts.oneByOneUntil = lastRead;
    if (events.length > 0) await parts.handle(trx, events);
    if (events.length > 1) parts.oneByOneUntil = 0;
    const last = events.length < limit ? settled.upTo : lastRead;
    await sql`update event_consumer set position = ${last}, failures = 0, retry_at = 'epoch'
        where name = ${name} and position < ${last}`.execute(trx);
    return { handled: events.length, hasMore: events.length === limit, isUnsettled: settled.isBehind };
  });
}

async function round(parts: EventConsumerParts): Promise<Round> {
  const { postgres, name, clock, log } = parts;
  try {
    return await handleBatch(parts);
  } catch (error) {
    if (parts.stopping?.signal.aborted) return NOTHING;
    const given = await saveFailure(postgres, name, clock.now(), MAX_FAILURES);
    const text = { consumer: name, err: (error as Error).message };
    if (given === null) log.warn(text, 'events could not be handled and wait for another attempt');
    else log.error({ ...text, event: given }, 'an event could not be handled and is left out');
    return NOTHING;
  }
}

async function drain(parts: EventConsumerParts): Promise<number> {
  await registerConsumer(parts.postgres.platform, parts.name);
  let handled = 0;
  for (let looks = 0; looks < MAX_LOOKS; ) {
    const done = await round(parts);
    handled += done.handled;
    if (parts.stopping?.signal.aborted || (!done.isUnsettled && !done.hasMore)) break;
    if (done.isUnsettled && done.handled === 0) {
      looks += 1;
      await pause(UNSETTLED_MS);
    }
  }
  return handled;
}

function sleep(parts: EventConsumerParts, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, POLL_MS);
    parts.wake = end;
    signal.addEventListener('abort', end, { once: true });
  });
}

async function run(parts: EventConsumerParts, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    let isWoken = false;
    parts.wake = () => {
      isWoken = true;
    };
    await drain(parts).catch((error: Error) => {
      if (!signal.aborted)
        parts.log.warn({ consumer: parts.name, err: error.message }, 'events were held up');
    });
    if (!isWoken && !signal.aborted) await sleep(parts, signal);
  }
}

async function start(parts: EventConsumerParts): ReturnType<EventConsumer['start']> {
  parts.stopping = new AbortController();
  // Before anything is read, or an event between the two would wait for the poll.
  parts.stopListening = await parts.postgres.listen(EVENT_CHANNEL, () => parts.wake());
  parts.loop = run(parts, parts.stopping.signal);
}

async function stop(parts: EventConsumerParts): ReturnType<EventConsumer['stop']> {
  parts.stopping?.abort();
  await parts.stopListening?.();
  await parts.loop;
}
