import type { BackgroundWork } from '../../platform/feature.ts';
import type { Logger } from '../../platform/log.ts';

const EVERY_MS = 15 * 60_000;

/**
 * Does something for tenant after tenant, four times an hour. One that fails does not hold up the others.
 * `sweep` answers how many records it took away; `what` says of it in the log, e.g. `events past their retention`.
 */
export function createTenantSweeper(deps: {
  readonly name: string;
  readonly what: string;
  readonly sweep: (clusterId: string) => Promise<number>;
  readonly tenants: () => Promise<readonly { readonly clusterId: string }[]>;
  readonly log: Logger;
}): BackgroundWork {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let running: Promise<void> = Promise.resolve();
  const failed = (error: Error, clusterId?: string) =>
    deps.log.warn({ clusterId, err: error.message }, `${deps.what} could not be taken away`);

  async function sweepAll(): Promise<void> {
    for (const { clusterId } of await deps.tenants()) {
      if (isStopped) return;
      try {
        const count = await deps.sweep(clusterId);
        if (count > 0) deps.log.info({ clusterId, count }, `${deps.what} are taken away`);
      } catch (error) {
        failed(error as Error, clusterId);
      }
    }
  }

  const again = () => {
    timer = setTimeout(() => {
      running = sweepAll()
        .catch(failed)
        .finally(() => {
          if (!isStopped) again();
        });
    }, EVERY_MS);
    timer.unref();
  };

  return {
    name: deps.name,
    start: async () => again(),
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
