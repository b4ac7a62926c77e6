import { say } from '@tyrian/contract';
import { AppError } from '../../platform/app-error.ts';
import { USER_CHANNEL } from '../../platform/events/user-news.ts';
import { EVENT_CHANNEL } from '../../platform/events/write-events.ts';
import type { Logger } from '../../platform/log.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';

// The open streams of this process: how many a user has, and which of them are to look when something happened. One
// connection to the database listens for all of them.

export interface StreamPlace {
  /** Resolves when something happened that may concern it, at the latest after so many milliseconds. */
  wait(mostMs: number): Promise<void>;
  leave(): void;
}

export interface StreamPlaces {
  /** Takes a place. Throws AppError `too-many` when the user, or the process, has none left. */
  take(userId: string, clusterId: string | undefined): Promise<StreamPlace>;
  /** Wakes all of them; every later `wait` ends at once. */
  stop(): Promise<void>;
}

const MOST_OF_USER = 8;
const MOST = 4_000;

interface Waiting {
  readonly userId: string;
  readonly clusterId: string | undefined;
  isDue: boolean;
  wake: () => void;
}

export function createStreamPlaces(deps: {
  readonly postgres: Postgres;
  readonly log: Logger;
}): StreamPlaces {
  const open = new Set<Waiting>();
  let listening: Promise<(() => Promise<void>)[]> | null = null;
  let isStopped = false;

  const tell = (concerns: (one: Waiting) => boolean) => {
    for (const one of open) {
      if (!concerns(one)) continue;
      one.isDue = true;
      one.wake();
    }
  };

  /** From the first stream on. When it fails, streams look by the clock alone until the next one tries again. */
  function listen(): Promise<unknown> {
    listening ??= Promise.all([
      deps.postgres.listen(EVENT_CHANNEL, (clusterId) => tell((one) => one.clusterId === clusterId)),
      deps.postgres.listen(USER_CHANNEL, (userId) => tell((one) => one.userId === userId)),
    ]);
    return listening.catch((error: Error) => {
      listening = null;
      deps.log.warn({ err: error.message }, 'open consoles hear of news by the clock alone');
    });
  }

  function placeOf(one: Waiting): StreamPlace {
    return {
      wait: async (mostMs) => {
        if (!one.isDue && !isStopped) {
          await new Promise<void>((resolve) => {
            const timer = setTimeout(resolve, mostMs);
            one.wake = () => {
              clearTimeout(timer);
              resolve();
            };
          });
        }
        one.isDue = false;
      },
      leave: () => {
        open.delete(one);
        one.wake();
      },
    };
  }

  return {
    take: async (userId, clusterId) => {
      const own = [...open].filter((one) => one.userId === userId).length;
      if (isStopped || own >= MOST_OF_USER || open.size >= MOST)
        throw new AppError('too-many', say('live.tooManyStreams'));
      const one: Waiting = { userId, clusterId, isDue: false, wake: () => undefined };
      open.add(one);
      await listen();
      return placeOf(one);
    },
    stop: async () => {
      isStopped = true;
      tell(() => true);
      for (const end of (await listening?.catch(() => [])) ?? []) await end();
    },
  };
}
