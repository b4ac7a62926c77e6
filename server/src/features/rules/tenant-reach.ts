import { createHash } from 'node:crypto';
import type { SigmaReach } from '@tyrian/sigma';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import type { SeenFields } from '../search/seen-fields.ts';

// What a tenant has: the streams that hold events, and the fields that were seen in them, over all its scopes.

export interface TenantReach extends SigmaReach {
  /** Equal versions mean equal verdicts. */
  readonly version: string;
}

export type ReachOf = (clusterId: string) => Promise<TenantReach>;

export function createReachOf(deps: {
  readonly events: EventStore;
  readonly seenFields: SeenFields;
}): ReachOf {
  const { events, seenFields } = deps;
  return async (clusterId) => {
    const { rows } = await events.rows(clusterId, {
      sql: 'SELECT DISTINCT Scope, Stream FROM event_figures GROUP BY Scope, Stream HAVING sum(Events) > 0',
      scopes: 'all',
    });
    const scopes = [...new Set(rows.map(([scope]) => String(scope)))];
    const streams = new Set(rows.map(([, stream]) => String(stream)));
    const { extFields } = await seenFields.sampledFieldsOf(clusterId, scopes);
    const extPaths = new Set(extFields.map(({ path }) => path));
    const text = [...[...streams].sort(), '', ...[...extPaths].sort()].join('\n');
    return { streams, extPaths, version: createHash('sha256').update(text).digest('hex').slice(0, 16) };
  };
}
