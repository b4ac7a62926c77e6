import { type StreamConfig, say, sayOfField } from '@tyrian/contract';
import { AppError } from '../../../platform/app-error.ts';
import { bindDeps } from '../../../platform/bind-deps.ts';
import { type Deletion, type DeletionRun, deleteEvents } from '../../../platform/clickhouse/delete-events.ts';
import { readHoldings } from '../../../platform/clickhouse/event-holdings.ts';
import type { EventStore } from '../../../platform/clickhouse/event-store.ts';
import { mendFigures } from '../../../platform/clickhouse/mend-figures.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Postgres } from '../../../platform/postgres/postgres.ts';
import type { StreamNames } from '../../../platform/stream-names.ts';
import type { AuditService } from '../audit/audit-service.ts';
import { firstDayKept, planRetention } from './retention-plan.ts';
import { retentionOf, withLine } from './retention-rules.ts';
import type { Actor } from './scope-service.ts';
import { type StreamConfigRow, selectStreamConfig, writeStreamConfig } from './stream-config-store.ts';

// How long events are kept, and deleting what is older, counted from the day when an event came in: an import of old
// evidence is not gone at once. Whoever shortens a time hears first how many events that costs. Signals are kept as
// records of their own and are not deleted with the events that caused them.

const DAY_MS = 86_400_000;
/** Different times of a tenant: an insert makes a part for each of them that its events have. */
const MAX_PERIODS = 8;

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
  /** What a change would delete; nothing is written. Bytes before packing. */
  preview(
    clusterId: string,
    scopeId: string | null,
    change: Pick<Change, 'stream' | 'retention_days'>,
  ): Promise<{ readonly events: number; readonly bytes: number }>;
  /**
   * Deletes what is too old in a tenant; answers how many events went. One process at a time. Looks again when a day
   * is over or a time was changed, so that asking often costs nothing.
   */
  sweep(clusterId: string, run?: DeletionRun): Promise<number>;
}

interface RetentionServiceDeps {
  readonly postgres: Postgres;
  readonly eventStore: Pick<
    EventStore,
    'rows' | 'command' | 'partitions' | 'openMutations' | 'tablesDatabase'
  >;
  readonly clock: Clock;
  readonly audit: AuditService;
  readonly streamNames: StreamNames;
}

interface RetentionServiceParts extends RetentionServiceDeps {
  readonly swept: Map<string, string>;
}

export function createRetentionService(deps: RetentionServiceDeps): RetentionService {
  /** The state in which a tenant was swept last. */
  const swept = new Map<string, string>();
  const parts: RetentionServiceParts = { ...deps, swept };
  return bindDeps(parts, { list, save, preview, sweep });
}

async function plan(
  parts: RetentionServiceParts,
  clusterId: string,
  rows: readonly StreamConfigRow[],
): Promise<Deletion[]> {
  const { eventStore, clock } = parts;
  if (rows.length === 0) return [];
  const shortest = Math.min(...rows.map((row) => row.retention_days));
  const [holdings, partitions] = await Promise.all([
    readHoldings(eventStore, clusterId, firstDayKept(shortest, clock.now())),
    eventStore.partitions(clusterId),
  ]);
  const rowsIn = new Map(partitions.map(({ id, rows: held }) => [id, held]));
  const keptDays = (scope: string, stream: string) => retentionOf(rows, scope, stream).retention_days;
  return planRetention(holdings, rowsIn, keptDays, clock.now());
}

async function sweepNow(
  parts: RetentionServiceParts,
  clusterId: string,
  rows: readonly StreamConfigRow[],
  run?: DeletionRun,
) {
  const { eventStore, clock, audit } = parts;
  await mendFigures(eventStore, clusterId, clock.now());
  const deletions = await plan(parts, clusterId, rows);
  if (deletions.length === 0) return 0;
  // Before the events go: what comes after it is repeated until it is done.
  const details = { events: eventsOf(deletions), partitions: deletions.length };
  await audit.record({ action: 'retention.delete', who: null, source: '', clusterId, details });
  return deleteEvents(eventStore, clusterId, deletions, run);
}

async function list(
  { postgres, streamNames }: RetentionServiceParts,
  clusterId: string,
  scopeId: string | null,
): Promise<StreamConfig[]> {
  const rows = await selectStreamConfig(postgres, clusterId);
  const names = ['', ...(await streamNames(clusterId))];
  return names.map((stream) => ({ stream, ...retentionOf(rows, scopeId, stream) }));
}

async function save(
  parts: RetentionServiceParts,
  actor: Actor,
  clusterId: string,
  scopeId: string | null,
  { stream, retention_days, dry_run }: Change,
): Promise<number> {
  const { postgres, clock, audit, streamNames } = parts;
  if (stream !== '' && !(await streamNames(clusterId)).includes(stream)) {
    throw new AppError('bad-input', sayOfField('stream', say('tenants.noSuchStream', { stream })), {
      field: 'stream',
    });
  }
  const rows = await selectStreamConfig(postgres, clusterId);
  const next = withLine(rows, scopeId, stream, retention_days);
  refuseMorePeriods(next);
  const lost = eventsOf(await plan(parts, clusterId, next));
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
        changed_at: clock.now(),
        changed_by: actor.caller.name,
      });
    }
    await audit.record(act, trx);
  });
  return lost;
}

async function preview(
  parts: RetentionServiceParts,
  clusterId: string,
  scopeId: string | null,
  { stream, retention_days }: Pick<Change, 'stream' | 'retention_days'>,
): Promise<{ readonly events: number; readonly bytes: number }> {
  const rows = await selectStreamConfig(parts.postgres, clusterId);
  const deletions = await plan(parts, clusterId, withLine(rows, scopeId, stream, retention_days));
  return { events: eventsOf(deletions), bytes: deletions.reduce((sum, one) => sum + one.bytes, 0) };
}

async function sweep(parts: RetentionServiceParts, clusterId: string, run?: DeletionRun): Promise<number> {
  const { postgres, clock, swept } = parts;
  const rows = await selectStreamConfig(postgres, clusterId);
  const state = JSON.stringify([Math.floor(clock.now() / DAY_MS), rows]);
  if (swept.get(clusterId) === state) return 0;
  const lost = await postgres.exclusively(`retention ${clusterId}`, () =>
    sweepNow(parts, clusterId, rows, run),
  );
  swept.set(clusterId, state);
  return lost;
}

const eventsOf = (deletions: readonly Deletion[]): number =>
  deletions.reduce((sum, one) => sum + one.events, 0);

function refuseMorePeriods(rows: readonly StreamConfigRow[]): void {
  const periods = [...new Set(rows.map((row) => row.retention_days))].sort((a, b) => a - b);
  if (periods.length <= MAX_PERIODS) return;
  throw new AppError(
    'bad-input',
    say('tenants.tooManyPeriods', { most: MAX_PERIODS, days: periods.join(', ') }),
    { field: 'retention_days' },
  );
}
