import type { EventStore } from './clickhouse/event-store.ts';
import type { Clock } from './clock.ts';
import type { ComponentRegistry } from './components/component-registry.ts';
import type { Config } from './config.ts';
import type { EngineHealth } from './http/health-route.ts';
import type { Logger } from './log.ts';
import type { Outgoing } from './outgoing/outgoing-connections.ts';
import type { Postgres } from './postgres/postgres.ts';

/** What every feature is built on. */
export interface Platform {
  readonly config: Config;
  /** Where this process may keep files of its own (spool, exports). */
  readonly dataFolder: string;
  readonly log: Logger;
  readonly clock: Clock;
  readonly version: string;
  readonly postgres: Postgres;
  readonly eventStore: EventStore;
  readonly components: ComponentRegistry;
  /** The only way to hosts that a user has named. */
  readonly outgoing: Outgoing;
  readonly engineHealth: () => readonly EngineHealth[];
}
