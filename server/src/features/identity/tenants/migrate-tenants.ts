import type { EventStore } from '../../../platform/clickhouse/event-store.ts';
import type { MigrationProgress } from '../../../platform/clickhouse/run-clickhouse-migrations.ts';
import type { BackgroundWork } from '../../../platform/feature.ts';
import type { Logger } from '../../../platform/log.ts';

// Brings the events of all tenants up to the tables of this version: at the start of a worker, or by hand with
// `tyrian migrate`. Until a tenant's turn is over its searches are refused and what senders send waits in the spool.

export interface TenantMigrationProgress extends MigrationProgress {
  readonly clusterId: string;
  /** Tenants that were behind when the work began, and this one's position among them from 1. */
  readonly tenant: number;
  readonly tenants: number;
}

export interface TenantMigrationRun {
  readonly onProgress?: (progress: TenantMigrationProgress) => void;
  /** Ends the work after the step that is done now; the next run goes on behind it. */
  readonly signal?: AbortSignal;
}

export interface TenantMigrationResult {
  readonly migrated: number;
  /** Tenants that could not be brought up to date, with the reason. */
  readonly failed: readonly { readonly clusterId: string; readonly reason: string }[];
}

interface MigrationDeps {
  readonly eventStore: Pick<EventStore, 'tenantState' | 'migrateTenant'>;
  readonly tenants: () => Promise<readonly { readonly clusterId: string }[]>;
  readonly log: Logger;
}

/** One tenant after the other; one that fails does not hold up the others. Throws when it was ended by its signal. */
export async function migrateTenants(
  { eventStore, tenants, log }: MigrationDeps,
  { onProgress, signal }: TenantMigrationRun = {},
): Promise<TenantMigrationResult> {
  const failed: { clusterId: string; reason: string }[] = [];
  const fail = (clusterId: string, error: unknown): void => {
    signal?.throwIfAborted();
    const reason = (error as Error).message;
    failed.push({ clusterId, reason });
    log.error({ clusterId, err: reason }, 'the events of a tenant could not be brought up to date');
  };
  const behind: string[] = [];
  for (const { clusterId } of await tenants()) {
    signal?.throwIfAborted();
    const state = await eventStore.tenantState(clusterId).catch((error) => fail(clusterId, error));
    if (state === 'behind') behind.push(clusterId);
  }
  let migrated = 0;
  for (const [index, clusterId] of behind.entries()) {
    signal?.throwIfAborted();
    const tenantProgress = { clusterId, tenant: index + 1, tenants: behind.length };
    log.info(tenantProgress, 'the events of a tenant are being brought up to date');
    try {
      await eventStore.migrateTenant(clusterId, {
        ...(signal ? { signal } : {}),
        onProgress: (progress) => onProgress?.({ ...tenantProgress, ...progress }),
      });
      migrated += 1;
    } catch (error) {
      fail(clusterId, error);
    }
  }
  return { migrated, failed };
}

/** How often the log tells of the progress. */
const TELL_MS = 10_000;

/** Does it once behind the start of a worker. */
export function tenantMigrations(deps: MigrationDeps): BackgroundWork {
  const ended = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  let toldMs = 0;
  const onProgress = (progress: TenantMigrationProgress): void => {
    if (Date.now() - toldMs < TELL_MS) return;
    toldMs = Date.now();
    deps.log.info(progress, 'events are being brought up to date');
  };
  return {
    name: 'migrations of tenants',
    start: async () => {
      running = migrateTenants(deps, { onProgress, signal: ended.signal }).catch((error: Error) => {
        if (!ended.signal.aborted)
          deps.log.error({ err: error.message }, 'tenants could not be brought up to date');
      });
    },
    stop: async () => {
      ended.abort(new Error('the server stops'));
      await running;
    },
  };
}
