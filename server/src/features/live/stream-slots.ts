import { say } from '@tyrian/contract';
import { AppError } from '../../platform/app-error.ts';
import { bindDeps } from '../../platform/bind-deps.ts';
import { USER_CHANNEL } from '../../platform/events/user-news.ts';
import { EVENT_CHANNEL } from '../../platform/events/write-events.ts';
import type { Logger } from '../../platform/log.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';

// The open streams of this process: how many a user has, and which of them are to look when something happened. One
// connection to the database listens for all of them.

export interface StreamSlot {
  /** Resolves when something happened that may concern it, at the latest after so many milliseconds. */
  wait(maxMs: number): Promise<void>;
  release(): void;
}

export interface StreamSlots {
  /** Acquires a slot. Throws AppError `too-many` when the user, or the process, has none left. */
  acquire(userId: string, clusterId: string | undefined): Promise<StreamSlot>;
  /** Wakes all of them; every later `wait` ends at once. */
  stop(): Promise<void>;
}

const MAX_PER_USER = 8;
const MAX_STREAMS = 4_000;

interface Waiting {
  readonly userId: string;
  readonly clusterId: string | undefined;
  isDue: boolean;
  wake: () => void;
}

interface StreamSlotsDeps {
  readonly postgres: Postgres;
  readonly log: Logger;
}

interface StreamSlotsParts extends StreamSlotsDeps {
  readonly open: Set<Waiting>;
  listening: Promise<(() => Promise<void>)[]> | null;
  isStopped: boolean;
}

export function createStreamSlots(deps: StreamSlotsDeps): StreamSlots {
  const open = new Set<Waiting>();
  const parts: StreamSlotsParts = { ...deps, open, listening: null, isStopped: false };
  return bindDeps(parts, { acquire, stop });
}

function tell({ open }: StreamSlotsParts, concerns: (one: Waiting) => boolean) {
  for (const one of open) {
    if (!concerns(one)) continue;
    one.isDue = true;
    one.wake();
  }
}

/** From the first stream on. When it fails, streams look by the clock alone until the next one tries again. */
function listen(parts: StreamSlotsParts): Promise<unknown> {
  parts.listening ??= Promise.all([
    parts.postgres.listen(EVENT_CHANNEL, (clusterId) => tell(parts, (one) => one.clusterId === clusterId)),
    parts.postgres.listen(USER_CHANNEL, (userId) => tell(parts, (one) => one.userId === userId)),
  ]);
  return parts.listening.catch((error: Error) => {
    parts.listening = null;
    parts.log.warn({ err: error.message }, 'open consoles hear of news by the clock alone');
  });
}

function slotOf(parts: StreamSlotsParts, one: Waiting): StreamSlot {
  return {
    wait: async (maxMs) => {
      if (!one.isDue && !parts.isStopped) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, maxMs);
          one.wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      one.isDue = false;
    },
    release: () => {
      parts.open.delete(one);
      one.wake();
    },
  };
}

async function acquire(
  parts: StreamSlotsParts,
  userId: string,
  clusterId: string | undefined,
): Promise<StreamSlot> {
  const { open } = parts;
  const own = [...open].filter((one) => one.userId === userId).length;
  if (parts.isStopped || own >= MAX_PER_USER || open.size >= MAX_STREAMS)
    throw new AppError('too-many', say('live.tooManyStreams'));
  const one: Waiting = { userId, clusterId, isDue: false, wake: () => undefined };
  open.add(one);
  await listen(parts);
  return slotOf(parts, one);
}

async function stop(parts: StreamSlotsParts): Promise<void> {
  parts.isStopped = true;
  tell(parts, () => true);
  for (const end of (await parts.listening?.catch(() => [])) ?? []) await end();
}
