import type { EngineHealth } from '../platform/http/health-route.ts';
import type { Logger } from '../platform/log.ts';
import type { EngineProcess } from './spawn-engine.ts';

// Starts an engine, and again whenever it ends without being asked: at once the first time, then after twice as
// long each time. A minute of good health makes it patient again.

export interface SupervisedEngine {
  health(): EngineHealth;
  stop(): Promise<void>;
}

const FIRST_DELAY_MS = 200;
const LONGEST_DELAY_MS = 10_000;
const HEALTHY_AFTER_MS = 60_000;

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
  let lastError: string | null = null;
  let delayMs = FIRST_DELAY_MS;
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
      if (Date.now() - upSince > HEALTHY_AFTER_MS) delayMs = FIRST_DELAY_MS;
      log.error({ engine: name, reason, output, restartInMs: delayMs }, 'engine ended; starting it again');
      again();
    });
  }

  function again(): void {
    timer = setTimeout(() => {
      relaunching = relaunch();
    }, delayMs);
    delayMs = Math.min(delayMs * 2, LONGEST_DELAY_MS);
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
      log.error(
        { engine: name, reason: lastError, restartInMs: delayMs },
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
