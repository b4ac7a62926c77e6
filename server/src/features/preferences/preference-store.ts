import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import { type Row, type Timestamp, timestamp } from '../../platform/postgres/timestamp.ts';
import type { LastStep } from '../../platform/postgres/within-transaction.ts';

// The tables of db/postgres/0016_preferences.sql. Every statement names the user whose own things they are.

/** What stands in the column `settings`; checked again when it is read. */
export type StoredSettings = Record<string, unknown>;

type ViewTable = {
  readonly view_id: string;
  readonly user_id: string;
  readonly cluster_id: string | null;
  readonly page: string;
  readonly name: string;
  readonly query: string;
  readonly created_at: Timestamp;
};

export type ViewRow = Row<ViewTable>;

// A type, not an interface: Kysely asks for an index signature.
type PreferenceTables = {
  user_preference: { user_id: string; settings: StoredSettings; saved_at: Timestamp };
  saved_view: ViewTable;
};
type PreferenceDb = Kysely<PreferenceTables>;

/** Whose list it is: a tenant's, or with null the platform's. */
export interface ViewPage {
  readonly userId: string;
  readonly clusterId: string | null;
  readonly page: string;
}

export interface PreferenceStore {
  settingsOf(userId: string): Promise<StoredSettings>;
  /** Changes the settings under a lock, so that two browsers lose nothing; answers what stands then. */
  changeSettings(
    userId: string,
    now: number,
    change: (old: StoredSettings) => StoredSettings,
    lastStep: LastStep,
  ): Promise<StoredSettings>;
  views(page: ViewPage): Promise<ViewRow[]>;
  countViews(userId: string): Promise<number>;
  /** A view of the same name on the page is replaced and keeps its id. */
  putView(row: ViewRow, lastStep: LastStep): Promise<ViewRow>;
  /** False when the user has no such view. `lastStep` gets the one that was removed. */
  removeView(userId: string, viewId: string, lastStep: LastStep<ViewRow>): Promise<boolean>;
}

export function createPreferenceStore(postgres: Postgres): PreferenceStore {
  const db = postgres.platform.withTables<PreferenceTables>() as unknown as PreferenceDb;
  return bindDeps(db, {
    settingsOf: readSettings,
    changeSettings,
    views,
    countViews,
    putView,
    removeView,
  });
}

async function savedSettings(from: PreferenceDb, userId: string) {
  const row = await from
    .selectFrom('user_preference')
    .select('settings')
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  return row?.settings ?? {};
}

async function readSettings(db: PreferenceDb, userId: string): Promise<StoredSettings> {
  const row = await db
    .selectFrom('user_preference')
    .select('settings')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.settings ?? {};
}

function changeSettings(
  db: PreferenceDb,
  userId: string,
  now: number,
  change: (old: StoredSettings) => StoredSettings,
  lastStep: LastStep,
): Promise<StoredSettings> {
  return db.transaction().execute(async (trx) => {
    await trx
      .insertInto('user_preference')
      .values({ user_id: userId, settings: {}, saved_at: timestamp(now) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const settings = change(await savedSettings(trx, userId));
    await trx
      .updateTable('user_preference')
      .set({ settings, saved_at: timestamp(now) })
      .where('user_id', '=', userId)
      .execute();
    await lastStep(trx);
    return settings;
  });
}

function views(db: PreferenceDb, { userId, clusterId, page }: ViewPage): Promise<ViewRow[]> {
  return db
    .selectFrom('saved_view')
    .selectAll()
    .where('user_id', '=', userId)
    .where(sql<boolean>`cluster_id is not distinct from ${clusterId}`)
    .where('page', '=', page)
    .orderBy(sql`lower(name)`)
    .execute();
}

async function countViews(db: PreferenceDb, userId: string): Promise<number> {
  const row = await db
    .selectFrom('saved_view')
    .select((build) => build.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

function putView(db: PreferenceDb, row: ViewRow, lastStep: LastStep): Promise<ViewRow> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<ViewRow>`
          insert into saved_view (view_id, user_id, cluster_id, page, name, query, created_at)
          values (${row.view_id}, ${row.user_id}, ${row.cluster_id}, ${row.page}, ${row.name}, ${row.query},
            ${timestamp(row.created_at)})
          on conflict (user_id, coalesce(cluster_id, ''), page, lower(name))
          do update set name = excluded.name, query = excluded.query, created_at = excluded.created_at
          returning *`.execute(trx);
    if (!rows[0]) throw new Error('a saved view was neither added nor replaced');
    await lastStep(trx);
    return rows[0];
  });
}

function removeView(
  db: PreferenceDb,
  userId: string,
  viewId: string,
  lastStep: LastStep<ViewRow>,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const removed = await trx
      .deleteFrom('saved_view')
      .where('user_id', '=', userId)
      .where('view_id', '=', viewId)
      .returningAll()
      .executeTakeFirst();
    if (removed) await lastStep(trx, removed);
    return removed !== undefined;
  });
}
