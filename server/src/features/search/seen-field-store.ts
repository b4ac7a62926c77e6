import type { Postgres, TenantTransaction } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import type { SearchTables } from './search-tables.ts';

// The fields inside Ext that events of a scope were seen to have.

export interface SeenField {
  readonly scopeId: string;
  readonly stream: string;
  /** Parts joined by dots, e.g. `userIdentity.type`. */
  readonly path: string;
  /** ClickHouse type of the value that was seen. */
  readonly type: string;
  readonly example: string;
  readonly lastSeenMs: number;
}

export interface SeenFieldStore {
  list(clusterId: string, sinceMs: number): Promise<SeenField[]>;
  put(clusterId: string, fields: readonly SeenField[]): Promise<void>;
}

const PIECE = 500;
const tables = (trx: TenantTransaction) => trx.withTables<SearchTables>();

export function createSeenFieldStore(postgres: Postgres): SeenFieldStore {
  return {
    list: (clusterId, sinceMs) =>
      postgres.inTenant(clusterId, async (trx) => {
        const rows = await tables(trx)
          .selectFrom('seen_field')
          .selectAll()
          .where('cluster_id', '=', clusterId)
          .where('last_seen_at', '>=', timestamp(sinceMs))
          .orderBy('path')
          .execute();
        return rows.map((row) => ({
          scopeId: row.scope_id,
          stream: row.stream,
          path: row.path,
          type: row.type,
          example: row.example,
          lastSeenMs: row.last_seen_at,
        }));
      }),
    put: (clusterId, fields) =>
      postgres.inTenant(clusterId, async (trx) => {
        const distinct = withoutTwins(fields);
        for (let start = 0; start < distinct.length; start += PIECE) {
          await tables(trx)
            .insertInto('seen_field')
            .values(
              distinct.slice(start, start + PIECE).map((field) => ({
                cluster_id: clusterId,
                scope_id: field.scopeId,
                stream: field.stream,
                path: field.path,
                type: field.type,
                example: field.example,
                last_seen_at: timestamp(field.lastSeenMs),
              })),
            )
            .onConflict((conflict) =>
              conflict.columns(['cluster_id', 'scope_id', 'stream', 'path']).doUpdateSet((update) => ({
                type: update.ref('excluded.type'),
                example: update.ref('excluded.example'),
                last_seen_at: update.ref('excluded.last_seen_at'),
              })),
            )
            .execute();
        }
      }),
  };
}

/** One entry a path: a field inside Ext may be named like a typed column, and the first one found stays. */
function withoutTwins(fields: readonly SeenField[]): readonly SeenField[] {
  const byPath = new Map<string, SeenField>();
  for (const field of fields) {
    const key = JSON.stringify([field.scopeId, field.stream, field.path]);
    if (!byPath.has(key)) byPath.set(key, field);
  }
  return [...byPath.values()];
}
