import { type ServerMessage, say } from '@tyrian/contract';
import { ConfigError } from '../platform/config.ts';
import type { EngineHealth } from '../platform/http/health-route.ts';
import type { Logger } from '../platform/log.ts';
import type { SupervisedEngine } from './supervise-engine.ts';

const PING_EVERY_MS = 2_000;

/**
 * Watches an engine that somebody else runs. Rejects when it does not answer at the start, naming the variable
 * that points to it; later silence is shown by `health`.
 */
export async function watchExternalEngine(
  name: EngineHealth['name'],
  variable: string,
  ping: () => Promise<void>,
  log: Logger,
): Promise<SupervisedEngine> {
  let state: EngineHealth['state'] = 'up';
  let lastError: ServerMessage | null = null;
  try {
    await ping();
  } catch (error) {
    throw new ConfigError(`${variable}: the engine there does not answer: ${(error as Error).message}`);
  }
  const timer = setInterval(() => {
    ping().then(
      () => {
        if (state === 'down') log.info({ engine: name }, 'engine answers again');
        state = 'up';
      },
      (error: Error) => {
        if (state === 'up') log.error({ engine: name, reason: error.message }, 'engine does not answer');
        state = 'down';
        lastError = say('words.engineSilent');
      },
    );
  }, PING_EVERY_MS);
  timer.unref();
  return {
    health: () => ({ name, state, restarts: 0, lastError }),
    stop: async () => clearInterval(timer),
  };
}
