import { rmSync } from 'node:fs';
import { createEventStore } from '../platform/clickhouse/clickhouse-event-store.ts';
import type { EventStore } from '../platform/clickhouse/event-store.ts';
import type { EventStoreOptions } from '../platform/clickhouse/event-store-options.ts';
import { createLog } from '../platform/log.ts';
import { startEmbeddedClickhouse } from './clickhouse/embedded-clickhouse.ts';
import { engineSecrets } from './engine-secrets.ts';
import { scratchFolder } from './scratch-engines.ts';

export interface ScratchClickhouse {
  readonly events: EventStore;
  /** How to connect to it. Holds passwords: never log it. */
  readonly access: Omit<EventStoreOptions, 'log'>;
  /** Stops the engine and removes its folder. */
  close(): Promise<void>;
}

/** ClickHouse alone in a temporary folder, for one-off commands and benchmarks; `prefix` begins the folder's name. */
export async function openScratchClickhouse(prefix: string): Promise<ScratchClickhouse> {
  const dataFolder = scratchFolder(prefix);
  const remove = (): void => rmSync(dataFolder, { recursive: true, force: true });
  const log = createLog('silent');
  try {
    const secrets = engineSecrets(dataFolder);
    const engine = await startEmbeddedClickhouse({ dataFolder, secrets, log, durable: false });
    const events = createEventStore({ ...engine.access, log });
    return {
      events,
      access: engine.access,
      close: async () => {
        await events.close();
        await engine.stop();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}
