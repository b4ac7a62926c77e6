import { englishOf, type MessageValue } from '@tyrian/contract';
import type { EngineHealth } from '../platform/http/health-route.ts';
import type { Logger } from '../platform/log.ts';
import type { EngineProcess } from './spawn-engine.ts';

// Starts an engine, and again whenever it ends without being asked: at once when it had been up for a while; when it
// ends soon after its start, or does not start, after a pause that doubles each time.

export interface SupervisedEngine {
  health(): EngineHealth;
  stop(): Promise<void>;
}

const SHORTEST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 10_000;
/** Up for so long, its end has nothing to do with its start. */
const HEALTHY_AFTER_MS = 3_000;

/** The pause before the next start: 0 after an end in good health, else twice the one before. */
export function pauseBefore(lastPauseMs: number, upForMs: number): number {
  if (upForMs > HEALTHY_AFTER_MS) return 0;
  return Math.min(Math.max(lastPauseMs * 2, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
}

/**
 * `launch` resolves when the engine is ready for work and rejects when it could not be started.
 * Rejects when the first start fails; later failures are retried for ever and shown by `health`.
 */
export async function superviseEngine(
  name: EngineHealth['name'],
  launch: () => Promise<EngineProcess>,
  log: Logger,
): Promise<SupervisedEngine> {
  let current: EngineProcess | undefined;
  let state: EngineHealth['state'] = 'starting';
  let restarts = 0;
  let lastError: MessageValue | null = null;
  let pauseMs = 0;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let relaunching: Promise<void> = Promise.resolve();

  function watch(running: EngineProcess): void {
    current = running;
    state = 'up';
    const upSince = Date.now();
    running.ended.then(({ reason, output }) => {
      if (stopped) return;
      state = 'down';
      lastError = reason;
      pauseMs = pauseBefore(pauseMs, Date.now() - upSince);
      log.error(
        { engine: name, reason: englishOf(reason), output, restartInMs: pauseMs },
        'engine ended; starting it again',
      );
      again();
    });
  }

  function again(): void {
    timer = setTimeout(() => {
      relaunching = relaunch();
    }, pauseMs);
  }

  async function relaunch(): Promise<void> {
    if (stopped) return;
    state = 'starting';
    restarts += 1;
    try {
      const running = await launch();
      if (stopped) return await running.stop();
      log.info({ engine: name, restarts }, 'engine is up again');
      watch(running);
    } catch (error) {
      if (stopped) return;
      state = 'down';
      lastError = (error as Error).message;
      pauseMs = pauseBefore(pauseMs, 0);
      log.error(
        { engine: name, reason: lastError, restartInMs: pauseMs },
        'engine did not start; trying again',
      );
      again();
    }
  }

  watch(await launch());
  return {
    health: () => ({ name, state, restarts, lastError }),
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await relaunching;
      await current?.stop();
    },
  };
}
