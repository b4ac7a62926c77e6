import { type Preferences, preferencesSchema, type SavedView, say, sayOfField } from '@tyrian/contract';
import type { QueryExecutorProvider } from 'kysely';
import { AppError, notFound } from '../../platform/app-error.ts';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { newId } from '../../platform/new-id.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import { asAccessCaller } from '../identity/sign-in/authorizer.ts';
import type { PreferenceStore, ViewRow } from './preference-store.ts';

// How somebody likes the console. The language stands with the person, since mails are written in it too; the rest
// is kept here. A tenant that the caller cannot reach counts as not there.

/** Lists and views of one user, so that nobody fills the database. */
const MAX_TABLES = 100;
const MAX_VIEWS = 500;

export interface PreferenceDeps {
  readonly store: PreferenceStore;
  readonly clock: Clock;
  readonly audit: AuditService;
  readonly localeOf: (caller: Caller) => Promise<Preferences['locale']>;
  readonly saveLocale: (
    caller: Caller,
    locale: NonNullable<Preferences['locale']>,
    trx: QueryExecutorProvider,
  ) => Promise<void>;
}

/** The list that views belong to; without `clusterId` one of the platform. */
interface AskedPage {
  readonly clusterId?: string | undefined;
  readonly page: string;
}

export interface PreferenceService {
  read(caller: Caller): Promise<Preferences>;
  /** Changes what is named and answers everything. */
  save(caller: Caller, change: Preferences): Promise<Preferences>;
  views(caller: Caller, asked: AskedPage): Promise<SavedView[]>;
  saveView(caller: Caller, view: AskedPage & { name: string; query: string }): Promise<SavedView>;
  deleteView(caller: Caller, viewId: string): Promise<void>;
}

const viewOf = (row: ViewRow): SavedView => ({
  view_id: row.view_id,
  page: row.page,
  name: row.name,
  query: row.query,
  created: row.created_at,
});

/** What was stored by another version and no longer fits is left out. */
function readable(settings: unknown): Preferences {
  const parsed = preferencesSchema.safeParse(settings);
  return parsed.success ? parsed.data : {};
}

function merged(old: Preferences, change: Preferences): Preferences {
  const { locale: _kept, tables, ...rest } = change;
  const all = { ...old.tables, ...tables };
  if (Object.keys(all).length > MAX_TABLES)
    throw new AppError('bad-input', sayOfField('tables', say('preferences.tooManyTables')));
  return { ...old, ...rest, ...(tables ? { tables: all } : {}) };
}

const entryOf = (action: string, { cluster_id, name, page, query }: ViewRow) => ({
  action,
  entity: name,
  ...(cluster_id === null ? {} : { clusterId: cluster_id }),
  details: { page, query },
});

/** Null for a list of the platform; throws when the caller does not reach the tenant, or there is none. */
function clusterOf(caller: Caller, { clusterId }: AskedPage): string | null {
  if (clusterId === undefined) return null;
  // Not the tags held there: those of an organization's administrator hold at any name, also one that is no tenant's.
  if (asAccessCaller(caller).entryAt(clusterId) === undefined) throw notFound();
  return clusterId;
}

export function createPreferenceService(deps: PreferenceDeps): PreferenceService {
  return bindDeps(deps, { read, save, views, saveView, deleteView });
}

async function withLocale(deps: PreferenceDeps, caller: Caller, settings: unknown): Promise<Preferences> {
  return {
    ...readable(settings),
    locale: await deps.localeOf(caller),
  };
}

async function read(deps: PreferenceDeps, caller: Caller): Promise<Preferences> {
  return withLocale(deps, caller, await deps.store.settingsOf(caller.userId));
}

async function save(deps: PreferenceDeps, caller: Caller, change: Preferences): Promise<Preferences> {
  const { locale } = change;
  const settings = await deps.store.changeSettings(
    caller.userId,
    deps.clock.now(),
    (old) => merged(readable(old), change),
    async (trx) => {
      if (locale) await deps.saveLocale(caller, locale, trx);
      const details = { names: Object.keys(change) };
      await deps.audit.record({ action: 'preferences.save', who: caller, details }, trx);
    },
  );
  return withLocale(deps, caller, settings);
}

async function views({ store }: PreferenceDeps, caller: Caller, asked: AskedPage): Promise<SavedView[]> {
  const clusterId = clusterOf(caller, asked);
  return (await store.views({ userId: caller.userId, clusterId, page: asked.page })).map(viewOf);
}

async function saveView(
  { store, clock, audit }: PreferenceDeps,
  caller: Caller,
  view: AskedPage & { name: string; query: string },
): Promise<SavedView> {
  const clusterId = clusterOf(caller, view);
  if ((await store.countViews(caller.userId)) >= MAX_VIEWS) {
    throw new AppError('bad-input', say('preferences.tooManyViews', { most: MAX_VIEWS }));
  }
  const { page, name, query } = view;
  const wanted = {
    view_id: newId(),
    user_id: caller.userId,
    cluster_id: clusterId,
    page,
    name,
    query,
    created_at: clock.now(),
  };
  const row = await store.putView(wanted, (trx) => audit.record(entryOf('view.save', wanted), trx));
  return viewOf(row);
}

async function deleteView({ audit, store }: PreferenceDeps, caller: Caller, viewId: string): Promise<void> {
  const lastStep = (trx: QueryExecutorProvider, row: ViewRow) =>
    audit.record(entryOf('view.delete', row), trx);
  if (!(await store.removeView(caller.userId, viewId, lastStep))) throw notFound();
}
