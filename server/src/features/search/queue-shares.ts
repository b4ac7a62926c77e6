import { sql } from 'kysely';
import type { Logger } from '../../platform/log.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import type { QueueShares } from './query-places.ts';
import type { QueryQueue } from './query-queues.ts';

// Processes part the places of each queue among those that want some. A process whose queries go on for a while, or that
// takes half of a queue, says so every two seconds in one statement, which answers what the others want; one without
// says nothing, and a query by itself costs nothing. Whoever is new to a queue counts from when it is heard of, so that
// for two seconds at most more queries may run than there are places.

const RENEW_MS = 2_000;
/** Nobody counts who has not been heard of for so long. */
const GONE_SECONDS = 6;

export interface RunningQueueShares extends QueueShares {
  stop(): Promise<void>;
}

type Wanted = Readonly<Partial<Record<QueryQueue, number>>>;

/** `processId` names this process among all. */
export function createQueueShares(deps: {
  readonly postgres: Postgres;
  readonly processId: string;
  readonly log: Logger;
}): RunningQueueShares {
  const { postgres, processId, log } = deps;
  let others: readonly Wanted[] = [];
  let timer: NodeJS.Timeout | null = null;
  let renewing: Promise<void> = Promise.resolve();
  let told = new Set<QueryQueue>();

  const renew = async (wanted: ReadonlyMap<QueryQueue, number>): Promise<void> => {
    told = new Set(wanted.keys());
    const { rows } = await sql<{ wanted: Wanted }>`
      with mine as (
        insert into query_share (process_id, wanted, renewed_at)
        values (${processId}, ${JSON.stringify(Object.fromEntries(wanted))}, clock_timestamp())
        on conflict (process_id) do update set wanted = excluded.wanted, renewed_at = excluded.renewed_at
      ), gone as (
        delete from query_share where renewed_at < clock_timestamp() - interval '1 minute'
      )
      select wanted from query_share where process_id <> ${processId}
        and renewed_at > clock_timestamp() - make_interval(secs => ${GONE_SECONDS})`.execute(
      postgres.platform,
    );
    others = rows.map((row) => row.wanted);
  };

  const look = (wanted: () => ReadonlyMap<QueryQueue, number>, heard: () => void): void => {
    timer = null;
    if (wanted().size === 0 && told.size === 0) return;
    renewing = renew(wanted())
      .then(heard)
      .catch((error: unknown) => log.debug({ err: error }, 'the places of other processes are not known'));
    later(wanted, heard, RENEW_MS);
  };
  const later = (wanted: () => ReadonlyMap<QueryQueue, number>, heard: () => void, ms: number): void => {
    timer = setTimeout(look, ms, wanted, heard);
    timer.unref();
  };

  return {
    of: (queue) => 1 / (1 + others.filter((wanted) => (wanted[queue] ?? 0) > 0).length),
    wants: (wanted, heard, isMuch) => {
      if (isMuch && timer !== null && told.size === 0) {
        clearTimeout(timer);
        timer = null;
      }
      if (timer === null) later(wanted, heard, isMuch ? 0 : RENEW_MS);
    },
    stop: async () => {
      if (timer) clearTimeout(timer);
      await renewing;
    },
  };
}
