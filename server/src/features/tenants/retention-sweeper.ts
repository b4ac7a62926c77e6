import type { BackgroundWork } from '../../platform/feature.ts';
import type { Logger } from '../../platform/log.ts';
import type { RetentionService } from './retention-service.ts';

const EVERY_MS = 15 * 60_000;

/** Deletes what is too old, tenant after tenant, four times an hour. One that fails does not hold up the others. */
export function createRetentionSweeper(deps: {
  readonly retention: Pick<RetentionService, 'sweep'>;
  readonly tenants: () => Promise<readonly { readonly clusterId: string }[]>;
  readonly log: Logger;
}): BackgroundWork {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let running: Promise<void> = Promise.resolve();

  async function sweepAll(): Promise<void> {
    for (const { clusterId } of await deps.tenants()) {
      if (isStopped) return;
      try {
        const events = await deps.retention.sweep(clusterId);
        if (events > 0) deps.log.info({ clusterId, events }, 'events past their retention are deleted');
      } catch (error) {
        deps.log.warn({ clusterId, err: (error as Error).message }, 'retention could not be kept');
      }
    }
  }

  const again = () => {
    timer = setTimeout(() => {
      running = sweepAll()
        .catch((error: Error) => deps.log.warn({ err: error.message }, 'retention could not be kept'))
        .finally(() => {
          if (!isStopped) again();
        });
    }, EVERY_MS);
    timer.unref();
  };

  return {
    name: 'retention',
    start: async () => again(),
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
