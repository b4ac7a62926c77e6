import type { ColumnType, Kysely } from 'kysely';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { PlatformTables } from '../../platform/postgres/platform-tables.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import { type Timestamp, timestamp } from '../../platform/postgres/timestamp.ts';
import type { LastStep } from '../../platform/postgres/within-transaction.ts';
import type { DemoSource } from './demo-line.ts';

/** What the demo made in one tenant; positions follow PLANNED_TENANTS. */
export interface DemoTenant {
  readonly clusterId: string;
  readonly scopes: readonly {
    readonly scopeId: string;
    /** Ids of the sources that count the events. */
    readonly sources: Readonly<Partial<Record<DemoSource, string>>>;
  }[];
}

export interface DemoRecord {
  /** `making`: the organization, tenants and users are being made; what is noted stands or is about to. */
  readonly state: 'making' | 'filling' | 'ready' | 'removing';
  readonly orgId: string | null;
  readonly tenants: readonly DemoTenant[];
  readonly seed: number;
  readonly createdMs: number;
  readonly filledSteps: number;
  readonly events: number;
  readonly liveMs: number;
  readonly scenario: number;
  readonly scenarioMs: number;
}

export type DemoChange = Partial<Omit<DemoRecord, 'seed' | 'createdMs'>>;

// An interface would not do: Kysely wants types with an index.
type DemoTable = {
  only_one: ColumnType<boolean, boolean | undefined, never>;
  state: DemoRecord['state'];
  org_id: string | null;
  tenants: ColumnType<unknown, string, string>;
  seed: number;
  created_at: Timestamp;
  filled_steps: number;
  events: number;
  live_until: Timestamp;
  story: number;
  story_at: Timestamp;
  lease_owner: string | null;
  lease_until: Timestamp;
};

export interface DemoStore {
  read(): Promise<DemoRecord | null>;
  /** Adds the record, held by its maker; false when there is a demo already. */
  add(
    record: DemoRecord,
    lease: { readonly owner: string; readonly untilMs: number },
    lastStep?: LastStep,
  ): Promise<boolean>;
  change(change: DemoChange, lastStep?: LastStep): Promise<void>;
  remove(): Promise<void>;
  /** Takes or keeps the lease until then; false when another process holds it. */
  lease(owner: string, nowMs: number, untilMs: number): Promise<boolean>;
  release(owner: string): Promise<void>;
}

export function createDemoStore(postgres: Postgres): DemoStore {
  const db = postgres.platform.withTables<{ demo: DemoTable }>();
  return bindDeps(db, { read, add, change, remove, lease, release });
}

async function read(db: Kysely<PlatformTables & { demo: DemoTable }>): Promise<DemoRecord | null> {
  const row = await db.selectFrom('demo').selectAll().executeTakeFirst();
  if (!row) return null;
  return {
    state: row.state,
    orgId: row.org_id,
    tenants: row.tenants as readonly DemoTenant[],
    seed: row.seed,
    createdMs: row.created_at,
    filledSteps: row.filled_steps,
    events: row.events,
    liveMs: row.live_until,
    scenario: row.story,
    scenarioMs: row.story_at,
  };
}

function add(
  db: Kysely<PlatformTables & { demo: DemoTable }>,
  record: DemoRecord,
  lease: { readonly owner: string; readonly untilMs: number },
  lastStep?: LastStep,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('demo')
      .values({
        state: record.state,
        org_id: record.orgId,
        tenants: JSON.stringify(record.tenants),
        seed: record.seed,
        created_at: timestamp(record.createdMs),
        filled_steps: record.filledSteps,
        events: record.events,
        live_until: timestamp(record.liveMs),
        story: record.scenario,
        story_at: timestamp(record.scenarioMs),
        lease_owner: lease.owner,
        lease_until: timestamp(lease.untilMs),
      })
      .onConflict((conflict) => conflict.column('only_one').doNothing())
      .executeTakeFirst();
    const isAdded = (numInsertedOrUpdatedRows ?? 0n) > 0n;
    if (isAdded) await lastStep?.(trx);
    return isAdded;
  });
}

function change(
  db: Kysely<PlatformTables & { demo: DemoTable }>,
  change: DemoChange,
  lastStep?: LastStep,
): Promise<void> {
  return db.transaction().execute(async (trx) => {
    const { orgId, tenants, filledSteps, liveMs, scenario, scenarioMs, ...same } = change;
    await trx
      .updateTable('demo')
      .set({
        ...same,
        ...(orgId === undefined ? {} : { org_id: orgId }),
        ...(tenants === undefined ? {} : { tenants: JSON.stringify(tenants) }),
        ...(filledSteps === undefined ? {} : { filled_steps: filledSteps }),
        ...(liveMs === undefined ? {} : { live_until: timestamp(liveMs) }),
        ...(scenario === undefined ? {} : { story: scenario }),
        ...(scenarioMs === undefined ? {} : { story_at: timestamp(scenarioMs) }),
      })
      .execute();
    await lastStep?.(trx);
  });
}

async function remove(db: Kysely<PlatformTables & { demo: DemoTable }>): Promise<void> {
  await db.deleteFrom('demo').execute();
}

async function lease(
  db: Kysely<PlatformTables & { demo: DemoTable }>,
  owner: string,
  nowMs: number,
  untilMs: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('demo')
    .set({ lease_owner: owner, lease_until: timestamp(untilMs) })
    .where((where) =>
      where.or([where('lease_owner', '=', owner), where('lease_until', '<', timestamp(nowMs))]),
    )
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

async function release(db: Kysely<PlatformTables & { demo: DemoTable }>, owner: string): Promise<void> {
  await db
    .updateTable('demo')
    .set({ lease_until: timestamp(0) })
    .where('lease_owner', '=', owner)
    .execute();
}
