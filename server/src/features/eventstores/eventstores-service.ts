import {
  type changeEventstore,
  EVENTSTORE_LIMITS,
  type Eventstore,
  type EventstoreColumn,
  type EventstorePreview,
  type listEventstores,
  type OutputOf,
  type previewEventstore,
  type readEventstore,
  type removeEventstore,
  say,
  type uploadEventstore,
} from '@tyrian/contract';
import type { z } from 'zod';
import { AppError, notFound } from '../../platform/app-error.ts';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { ScopeRef } from '../../platform/scope-ref.ts';
import { readRows } from './eventstore-rows.ts';
import {
  deleteStore,
  findStore,
  lastUploads,
  listStores,
  type StoreRow,
  updateStore,
} from './eventstore-store.ts';
import { eventstoreOf } from './eventstore-view.ts';
import type { CallerInScope, EventstoresDeps } from './eventstores-deps.ts';
import { takeFile } from './take-file.ts';

// Tables that were uploaded into a scope: listed, looked into, changed, deleted. take-file.ts takes their rows.

type Parsed<E extends { readonly input: z.ZodType }> = z.output<E['input']>;

export interface EventstoresService {
  list(
    scope: CallerInScope,
    input: Parsed<typeof listEventstores>,
  ): Promise<OutputOf<typeof listEventstores>>;
  read(scope: CallerInScope, storeId: string): Promise<OutputOf<typeof readEventstore>>;
  preview(
    scope: CallerInScope,
    input: Parsed<typeof previewEventstore>,
    signal: AbortSignal,
  ): Promise<EventstorePreview>;
  /** Throws `bad-input` for what is no table, `conflict` for a name that is taken. */
  upload(
    scope: CallerInScope,
    input: Parsed<typeof uploadEventstore>,
    signal: AbortSignal,
  ): Promise<OutputOf<typeof uploadEventstore>>;
  change(
    scope: CallerInScope,
    input: Parsed<typeof changeEventstore>,
  ): Promise<OutputOf<typeof changeEventstore>>;
  /** Throws `conflict` when something names it and that is not confirmed. */
  remove(
    scope: CallerInScope,
    input: Parsed<typeof removeEventstore>,
  ): Promise<OutputOf<typeof removeEventstore>>;
  /** A table of the scope for its rows. Throws `not-found`. */
  find(scope: ScopeRef, storeId: string): Promise<StoreRow>;
}

export function createEventstoresService(deps: EventstoresDeps): EventstoresService {
  return bindDeps(deps, { list, read, preview, upload: takeFile, change, remove, find });
}

async function find({ postgres }: EventstoresDeps, scope: ScopeRef, storeId: string): Promise<StoreRow> {
  const store = await postgres.inTenant(scope.clusterId, (trx) => findStore(trx, scope, storeId));
  if (!store) throw notFound();
  return store;
}

async function all(deps: EventstoresDeps, scope: ScopeRef): Promise<readonly Eventstore[]> {
  const { stores, uploads } = await deps.postgres.inTenant(scope.clusterId, async (trx) => ({
    stores: await listStores(trx, scope),
    uploads: await lastUploads(trx, scope),
  }));
  const users = await deps.namedBy(
    scope,
    stores.map(({ name }) => name),
  );
  const last = new Map(uploads.map((upload) => [upload.store_id, upload]));
  return stores.map((store) =>
    eventstoreOf(store, last.get(store.store_id), users.get(store.name)?.length ?? 0),
  );
}

async function list(deps: EventstoresDeps, scope: CallerInScope, input: Parsed<typeof listEventstores>) {
  const { pageno, pagesize, search } = input;
  const wanted = search.trim().toLowerCase();
  const found = (await all(deps, scope)).filter(
    ({ name, description, file }) =>
      wanted === '' || [name, description, file].some((text) => text.toLowerCase().includes(wanted)),
  );
  return { data: found.slice((pageno - 1) * pagesize, pageno * pagesize), total_count: found.length };
}

async function read(deps: EventstoresDeps, scope: CallerInScope, storeId: string) {
  const row = await find(deps, scope, storeId);
  const store = (await all(deps, scope)).find((one) => one.store_id === storeId);
  if (!store) throw notFound();
  const samples: string[][] = [];
  for await (const batch of readRows(deps.events, scope, row, EVENTSTORE_LIMITS.previewRows))
    samples.push(...batch.map((cells) => [...cells]));
  const named = await deps.namedBy(scope, [store.name]);
  const { clusterId, scopeId, caller } = scope;
  await deps.audit.record({
    action: 'eventstore.read',
    who: caller,
    ...{ clusterId, scopeId },
    entity: store.name,
    details: { rows: samples.length },
  });
  return { store, samples, named_by: [...(named.get(store.name) ?? [])] };
}

async function preview(
  { parser }: EventstoresDeps,
  _scope: CallerInScope,
  input: Parsed<typeof previewEventstore>,
  signal: AbortSignal,
): Promise<EventstorePreview> {
  const bytes = typeof input.file === 'string' ? Buffer.from(input.file, 'base64') : input.file;
  const { table } = await parser.parse({ bytes, samples: EVENTSTORE_LIMITS.previewRows }, signal);
  return {
    format: table.format,
    rows: table.rows,
    columns: [...table.columns],
    samples: table.samples.map((row) => [...row]),
    sheet: table.sheet,
  };
}

async function change(deps: EventstoresDeps, scope: CallerInScope, input: Parsed<typeof changeEventstore>) {
  const { clusterId, scopeId, caller } = scope;
  const revision = await deps.postgres.inTenant(clusterId, async (trx) => {
    const store = await findStore(trx, scope, input.store_id, true);
    if (!store) throw notFound();
    if (store.revision !== input.revision)
      throw new AppError('conflict', say('eventstores.changedMeanwhile'));
    const columns = retyped(store.columns, input.types);
    const next = {
      ...store,
      columns,
      description: input.description,
      changed_by: caller.name,
      changed: deps.clock.now(),
    };
    const made = await updateStore(trx, scope, next);
    const details = { types: input.types.length };
    await deps.audit.record(
      { action: 'eventstore.change', who: caller, clusterId, scopeId, entity: store.name, details },
      trx,
    );
    return made;
  });
  deps.changed(clusterId);
  return { revision };
}

function retyped(
  columns: readonly EventstoreColumn[],
  types: readonly EventstoreColumn[],
): EventstoreColumn[] {
  const unknown = types.find(({ name }) => !columns.some((column) => column.name === name));
  if (unknown) throw new AppError('bad-input', say('eventstores.noColumn', { name: unknown.name }));
  const chosen = new Map(types.map(({ name, type }) => [name, type]));
  return columns.map(({ name, type }) => ({ name, type: chosen.get(name) ?? type }));
}

async function remove(deps: EventstoresDeps, scope: CallerInScope, input: Parsed<typeof removeEventstore>) {
  const { clusterId, scopeId, caller } = scope;
  const { store_id } = input;
  const { name } = await find(deps, scope, store_id);
  const users = (await deps.namedBy(scope, [name])).get(name) ?? [];
  if (users.length > 0 && !input.confirm_used)
    throw new AppError('conflict', say('eventstores.inUse', { count: users.length, name }), {
      named_by: users,
    });
  await deps.postgres.inTenant(clusterId, async (trx) => {
    const store = await findStore(trx, scope, store_id, true);
    if (!store) throw notFound();
    await deleteStore(trx, scope, store_id, deps.clock.now());
    const details = { rows: store.row_count, named_by: users.length };
    await deps.audit.record(
      { action: 'eventstore.delete', who: caller, clusterId, scopeId, entity: name, details },
      trx,
    );
  });
  deps.changed(clusterId);
  return { store_id };
}
