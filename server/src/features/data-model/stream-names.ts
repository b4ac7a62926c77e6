import { STREAMS } from '@tyrian/catalog';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import { listStreams } from './model-store.ts';

/** Names of the streams that events of a tenant may be in: those of every tenant, and those that it added. */
export type StreamNames = (clusterId: string) => Promise<readonly string[]>;

export const streamNamesOf =
  (postgres: Postgres): StreamNames =>
  async (clusterId) => {
    const added = await postgres.inTenant(clusterId, (trx) => listStreams(trx, clusterId));
    return [...STREAMS, ...added].map(({ name }) => name);
  };
