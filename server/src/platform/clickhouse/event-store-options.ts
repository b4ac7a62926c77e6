import type { Logger } from '../log.ts';
import type { EngineCluster } from './cluster-layout.ts';

// How the engines of an event store are reached.

export interface ClickhouseAccount {
  readonly user: string;
  readonly password: string;
}

/** The header by which the client signs in with this account. */
export function basicAuthorization({ user, password }: ClickhouseAccount): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

export interface EventStoreOptions {
  /** `http://host:port` without credentials. */
  readonly url: string;
  readonly ingest: ClickhouseAccount;
  readonly query: ClickhouseAccount;
  /** Reads as `query` does and gives way on the processor; `query` does it all when absent. */
  readonly patient?: ClickhouseAccount;
  /** The cluster that the engine is a part of; without it, it stands alone. */
  readonly cluster?: EngineCluster | undefined;
  readonly log: Logger;
  /** Runs work that no other process may do at the same time; without it only this process is kept apart. */
  readonly exclusively?: <T>(name: string, work: () => Promise<T>) => Promise<T>;
}
