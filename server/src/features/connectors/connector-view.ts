import type { Connector, ConnectorState } from '@tyrian/contract';
import { FIGURE_SETTINGS } from '../../platform/clickhouse/event-figures.ts';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import { readFailure } from '../../platform/said-of-failure.ts';
import type { ScopeRef } from '../../platform/scope-ref.ts';
import type { ConnectorRow } from './connector-store.ts';

// A connector as people see it, with what came in through it.

const DAY_MS = 86_400_000;

const BY_SOURCE = `SELECT SourceName, sum(Events), toUnixTimestamp64Milli(max(LastIngested)) FROM event_figures
WHERE Scope = {scope:String} AND Stream != 'Signals' AND IngestedMinute >= toDateTime({from:UInt32}, 'UTC')
GROUP BY SourceName HAVING sum(Events) > 0`;

export interface Received {
  readonly events: number;
  readonly last: number;
}

/** What sources of a scope sent in 24 hours, from the figures that inserts fill; null while the store does not answer. */
export async function receivedBySource(
  events: Pick<EventStore, 'rows'>,
  { clusterId, scopeId }: ScopeRef,
  nowMs: number,
): Promise<ReadonlyMap<string, Received> | null> {
  try {
    const { rows } = await events.rows(clusterId, {
      sql: BY_SOURCE,
      params: { scope: scopeId, from: Math.floor((nowMs - DAY_MS) / 60_000) * 60 },
      settings: FIGURE_SETTINGS,
      scopes: [scopeId],
    });
    return new Map(
      rows.map(([name, count, last]) => [String(name), { events: Number(count), last: Number(last) }]),
    );
  } catch {
    return null;
  }
}

export interface Seen {
  /** Null: the store does not answer. */
  readonly received: ReadonlyMap<string, Received> | null;
  /** When something of the source was last stored, from its counts; by the id of the source. */
  readonly lastStored: ReadonlyMap<string, number>;
  readonly sourceNames: ReadonlyMap<string, string>;
}

function stateOf(row: ConnectorRow): ConnectorState {
  if (!row.is_wanted) return 'stopped';
  return row.is_failed || row.validation === 'failed' ? 'failed' : 'running';
}

const reasonOf = (stored: string | null) => {
  const { message, ...code } = readFailure(stored);
  return message === null ? null : { message, ...code };
};

export function connectorOf(row: ConnectorRow, seen: Seen): Connector {
  const state = stateOf(row);
  const name = seen.sourceNames.get(row.source_id) ?? row.name;
  const received = seen.received?.get(name);
  const last = Math.max(received?.last ?? 0, seen.lastStored.get(row.source_id) ?? 0);
  return {
    ...{ id: row.connector_id, kind: row.kind, engine: row.engine, name: row.name },
    ...{ scope_id: row.scope_id, source_id: row.source_id, state },
    // One that failed once or twice still runs, and says what it met.
    reason: state === 'stopped' ? null : reasonOf(row.failure),
    next_try: row.failure !== null && row.is_wanted ? row.due : null,
    validation: {
      status: row.validation,
      reason: reasonOf(row.validation_reason),
      time: row.validated,
    },
    config: { ...row.config },
    secrets_set: [...row.secret_names],
    revision: row.revision,
    last_event: last > 0 ? last : null,
    events_24h: seen.received === null ? null : (received?.events ?? 0),
    ...{ created_by: row.created_by, created: row.created, changed: row.changed },
  };
}
