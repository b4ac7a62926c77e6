import { STREAMS } from '@tyrian/catalog';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import type { StreamNames } from '../../platform/stream-names.ts';
import { listStreams } from './model-store.ts';

export const streamNamesOf =
  (postgres: Postgres): StreamNames =>
  async (clusterId) => {
    const added = await postgres.inTenant(clusterId, (trx) => listStreams(trx, clusterId));
    return [...STREAMS, ...added].map(({ name }) => name);
  };
