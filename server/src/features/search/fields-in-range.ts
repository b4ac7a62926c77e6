import type { TimeRange, ValuePath } from '@tyrian/plan';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';

export interface FieldsRequest {
  readonly clusterId: string;
  readonly scopes: readonly string[];
  /** By IngestedTime, epoch milliseconds, half-open. */
  readonly ingestRange: TimeRange;
  readonly signal?: AbortSignal;
}

/** The paths below Ext of all values that events of the range hold. The engine reads them off the column's own lists. */
export async function fieldsInRange(
  events: EventStore,
  { clusterId, scopes, ingestRange, signal }: FieldsRequest,
  settings: Readonly<Record<string, string | number>>,
): Promise<readonly ValuePath[]> {
  const { rows } = await events.rows(clusterId, {
    sql: `SELECT distinctJSONPathsAndTypes(Ext) FROM events WHERE Scope IN {scopes:Array(String)}
      AND IngestedTime >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
      AND IngestedTime < fromUnixTimestamp64Milli({to:Int64}, 'UTC')`,
    params: { scopes, from: String(ingestRange.from), to: String(ingestRange.to) },
    settings,
    scopes,
    ...(signal ? { signal } : {}),
  });
  const [types] = rows[0] ?? [];
  return Object.entries((types ?? {}) as Record<string, readonly string[]>).map(([path, of]) => ({
    path,
    isText: of.every((type) => type === 'String'),
  }));
}
