import { sql } from 'kysely';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { Logger } from '../../platform/log.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import type { QueryQueue } from './query-queues.ts';
import type { QueueShares } from './query-slots.ts';

// Processes share the slots of each queue among those that want some. A process whose queries go on for a while, or that
// takes half of a queue, says so every two seconds in one statement, which answers what the others want; one without
// says nothing, and a query by itself costs nothing. Whoever is new to a queue counts from when it is heard of, so that
// for two seconds at most more queries may run than there are slots.

const RENEW_MS = 2_000;
/** Nobody counts who has not been heard of for so long. */
const GONE_SECONDS = 6;

export interface RunningQueueShares extends QueueShares {
  stop(): Promise<void>;
}

type Wanted = Readonly<Partial<Record<QueryQueue, number>>>;

interface QueueSharesDeps {
  readonly postgres: Postgres;
  readonly processId: string;
  readonly log: Logger;
}

interface QueueSharesParts extends QueueSharesDeps {
  told: Set<'interactive' | 'panels' | 'analytics' | 'exports' | 'reports' | 'detections'>;
  others: readonly Wanted[];
  timer: NodeJS.Timeout | null;
  renewing: Promise<void>;
}

/** `processId` names this process among all. */
export function createQueueShares(deps: QueueSharesDeps): RunningQueueShares {
  const parts: QueueSharesParts = {
    ...deps,
    told: new Set<QueryQueue>(),
    others: [],
    timer: null,
    renewing: Promise.resolve(),
  };
  return bindDeps(parts, { of, wants, stop });
}

async function renew(parts: QueueSharesParts, wanted: ReadonlyMap<QueryQueue, number>): Promise<void> {
  parts.told = new Set(wanted.keys());
  const { rows } = await sql<{ wanted: Wanted }>`
      with mine as (
        insert into query_share (process_id, wanted, renewed_at)
        values (${parts.processId}, ${JSON.stringify(Object.fromEntries(wanted))}, clock_timestamp())
        on conflict (process_id) do update set wanted = excluded.wanted, renewed_at = excluded.renewed_at
      ), gone as (
        delete from query_share where renewed_at < clock_timestamp() - interval '1 minute'
      )
      select wanted from query_share where process_id <> ${parts.processId}
        and renewed_at > clock_timestamp() - make_interval(secs => ${GONE_SECONDS})`.execute(
    parts.postgres.platform,
  );
  parts.others = rows.map((row) => row.wanted);
}

function look(
  parts: QueueSharesParts,
  wanted: () => ReadonlyMap<QueryQueue, number>,
  heard: () => void,
): void {
  parts.timer = null;
  if (wanted().size === 0 && parts.told.size === 0) return;
  parts.renewing = renew(parts, wanted())
    .then(heard)
    .catch((error: unknown) => parts.log.debug({ err: error }, 'the slots of other processes are not known'));
  later(parts, wanted, heard, RENEW_MS);
}

function later(
  parts: QueueSharesParts,
  wanted: () => ReadonlyMap<QueryQueue, number>,
  heard: () => void,
  ms: number,
): void {
  parts.timer = setTimeout((wanted, heard) => look(parts, wanted, heard), ms, wanted, heard);
  parts.timer.unref();
}

function of(
  parts: QueueSharesParts,
  queue: Parameters<RunningQueueShares['of']>[0],
): ReturnType<RunningQueueShares['of']> {
  return 1 / (1 + parts.others.filter((wanted) => (wanted[queue] ?? 0) > 0).length);
}

function wants(
  parts: QueueSharesParts,
  wanted: Parameters<RunningQueueShares['wants']>[0],
  heard: Parameters<RunningQueueShares['wants']>[1],
  isMuch: Parameters<RunningQueueShares['wants']>[2],
): ReturnType<RunningQueueShares['wants']> {
  if (isMuch && parts.timer !== null && parts.told.size === 0) {
    clearTimeout(parts.timer);
    parts.timer = null;
  }
  if (parts.timer === null) later(parts, wanted, heard, isMuch ? 0 : RENEW_MS);
}

async function stop(parts: QueueSharesParts): Promise<void> {
  if (parts.timer) clearTimeout(parts.timer);
  await parts.renewing;
}
