import { STREAMS } from '@tyrian/catalog';
import { type StreamConfig, say, sayOfField } from '@tyrian/contract';
import { AppError } from '../../platform/app-error.ts';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import type { AuditService } from '../audit/audit-service.ts';
import { retentionOf, withLine } from './retention-rules.ts';
import type { Actor } from './scope-service.ts';
import { type StreamConfigRow, selectStreamConfig, writeStreamConfig } from './stream-config-store.ts';

// How long events are kept, and deleting what is older, counted from when an event came in: an import of old
// evidence is not gone at once. Whoever shortens a time hears first how many events that costs. Signals are kept as records of their own and are not deleted with the events that caused them.

const DAY_MS = 86_400_000;

interface Change {
  readonly stream: string;
  readonly retention_days: number | null;
  readonly dry_run: boolean;
}

export interface RetentionService {
  /** Every stream in a scope, or in the tenant as a whole when the scope is null; first the line for all. */
  list(clusterId: string, scopeId: string | null): Promise<StreamConfig[]>;
  /** How many events the change deletes. */
  save(actor: Actor, clusterId: string, scopeId: string | null, change: Change): Promise<number>;
  /** Deletes what is too old in a tenant; answers how many events went. */
  sweep(clusterId: string): Promise<number>;
}

/** Events of one stream in one scope before a time. */
interface Expired {
  readonly scope: string;
  readonly stream: string;
  readonly before: number;
}

export function createRetentionService(deps: {
  readonly postgres: Postgres;
  readonly eventStore: Pick<EventStore, 'rows' | 'command'>;
  readonly clock: Clock;
  readonly audit: AuditService;
}): RetentionService {
  const { postgres, eventStore, clock, audit } = deps;

  /** Scope and stream of all events, with the oldest. */
  async function holdings(clusterId: string) {
    const { rows } = await eventStore.rows(clusterId, {
      sql: 'SELECT Scope, Stream, toUnixTimestamp64Milli(min(IngestedTime)) FROM events GROUP BY Scope, Stream',
      scopes: 'all',
    });
    return rows.map(([scope, stream, oldest]) => ({
      scope: String(scope),
      stream: String(stream),
      oldest: Number(oldest),
    }));
  }

  async function expiredBy(clusterId: string, rows: readonly StreamConfigRow[]): Promise<Expired[]> {
    const now = clock.now();
    return (await holdings(clusterId)).flatMap(({ scope, stream, oldest }) => {
      const { retention_days } = retentionOf(rows, scope, stream);
      if (retention_days === null) return [];
      const before = now - retention_days * DAY_MS;
      return oldest < before ? [{ scope, stream, before }] : [];
    });
  }

  async function count(clusterId: string, expired: readonly Expired[]): Promise<number> {
    const counts = await Promise.all(
      expired.map(async ({ scope, stream, before }) => {
        const { rows } = await eventStore.rows(clusterId, {
          sql: `SELECT count() FROM events WHERE ${OLDER}`,
          params: { scope, stream, before },
          scopes: 'all',
        });
        return Number(rows[0]?.[0] ?? 0);
      }),
    );
    return counts.reduce((sum, one) => sum + one, 0);
  }

  return {
    list: async (clusterId, scopeId) => {
      const rows = await selectStreamConfig(postgres, clusterId);
      const names = ['', ...STREAMS.map((stream) => stream.name)];
      return names.map((stream) => ({ stream, ...retentionOf(rows, scopeId, stream) }));
    },

    save: async (actor, clusterId, scopeId, { stream, retention_days, dry_run }) => {
      if (stream !== '' && !STREAMS.some((known) => known.name === stream)) {
        throw new AppError('bad-input', sayOfField('stream', say('tenants.noSuchStream', { stream })), {
          field: 'stream',
        });
      }
      const rows = await selectStreamConfig(postgres, clusterId);
      const next = withLine(rows, scopeId, stream, retention_days);
      const lost = await count(clusterId, await expiredBy(clusterId, next));
      const act = {
        action: dry_run ? 'retention.try' : 'retention.save',
        who: actor.caller,
        source: actor.source,
        clusterId,
        ...(scopeId === null ? {} : { scopeId }),
        entity: stream || 'all streams',
        details: { retention_days, events_to_delete: lost },
      };
      await postgres.inTenant(clusterId, async (trx) => {
        if (!dry_run) {
          await writeStreamConfig(trx, clusterId, {
            scope_id: scopeId ?? '',
            stream,
            retention_days,
            changed_ms: clock.now(),
            changed_by: actor.caller.name,
          });
        }
        await audit.record(act, trx);
      });
      return lost;
    },

    sweep: async (clusterId) => {
      const expired = await expiredBy(clusterId, await selectStreamConfig(postgres, clusterId));
      const lost = await count(clusterId, expired);
      if (lost > 0) {
        // Before the events go: what comes after it is repeated until it is done.
        const details = { events: lost };
        await audit.record({ action: 'retention.delete', who: null, source: '', clusterId, details });
      }
      for (const { scope, stream, before } of expired) {
        await eventStore.command(clusterId, `ALTER TABLE events DELETE WHERE ${OLDER}`, {
          scope,
          stream,
          before,
        });
      }
      return lost;
    },
  };
}

const OLDER =
  'Scope = {scope:String} AND Stream = {stream:String} AND IngestedTime < fromUnixTimestamp64Milli({before:Int64})';
