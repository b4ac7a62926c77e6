import { type SavedKind, type SavedQuery, type saveQuery, say } from '@tyrian/contract';
import type { z } from 'zod';
import { AppError, notAuthorised, notFound } from '../../platform/app-error.ts';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { newId } from '../../platform/new-id.ts';
import type { ScopeRef } from '../../platform/scope-ref.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import { isViolation } from '../identity/users/pg-violation.ts';
import type { SavedQueryRow, SavedQueryStore, Told } from './saved-query-store.ts';

// Saved queries and snippets: who sees and who changes which. A text of somebody else that is not shared does not
// exist for the caller, in the answer as in the refusal.

export interface SavedQueryService {
  list(actor: SavedActor, scope: ScopeRef, kind: SavedKind): Promise<SavedQuery[]>;
  read(actor: SavedActor, scope: ScopeRef, id: string): Promise<SavedQuery>;
  save(actor: SavedActor, scope: ScopeRef, wanted: SavedDraft): Promise<SavedQuery>;
  remove(actor: SavedActor, scope: ScopeRef, id: string): Promise<void>;
  restore(actor: SavedActor, scope: ScopeRef, id: string): Promise<SavedQuery>;
}

export interface SavedActor {
  readonly caller: Caller;
  /** Address of the caller. */
  readonly source: string;
}

export type SavedDraft = Omit<z.output<(typeof saveQuery)['input']>, 'scope_id'>;

const MAX_PER_USER = 1000;
const RESTORABLE_MS = 24 * 3_600_000;

interface SavedQueryServiceDeps {
  readonly store: SavedQueryStore;
  readonly clock: Clock;
  readonly audit: AuditService;
}

export function createSavedQueryService(deps: SavedQueryServiceDeps): SavedQueryService {
  return bindDeps(deps, { list, read, save, remove, restore });
}

async function seen(
  { store }: SavedQueryServiceDeps,
  actor: SavedActor,
  scope: ScopeRef,
  id: string,
): Promise<SavedQueryRow> {
  const row = await store.find(scope, id);
  if (!row || row.deleted_at !== null || !isSeenBy(row, actor)) throw notFound();
  return row;
}

async function changeable(
  deps: SavedQueryServiceDeps,
  actor: SavedActor,
  scope: ScopeRef,
  id: string,
): Promise<SavedQueryRow> {
  const row = await seen(deps, actor, scope, id);
  if (!isEditable(row, actor, scope)) throw notAuthorised();
  return row;
}

function told(
  { audit }: SavedQueryServiceDeps,
  action: string,
  { caller, source }: SavedActor,
  scope: ScopeRef,
  row: SavedQueryRow,
): Told {
  return (trx) =>
    audit.record(
      {
        action: `${row.kind === 'snippet' ? 'snippet' : 'saved_query'}.${action}`,
        who: caller,
        source,
        ...scope,
        entity: row.id,
        details: { name: row.name, shared: row.shared },
      },
      trx,
    );
}

async function write(
  deps: SavedQueryServiceDeps,
  action: string,
  actor: SavedActor,
  scope: ScopeRef,
  row: SavedQueryRow,
  change: Partial<SavedQueryRow>,
): Promise<SavedQueryRow> {
  const next = { ...row, ...change, version: row.version + 1 };
  const { id: _id, scope_id: _scope, ...values } = next;
  const tell = told(deps, action, actor, scope, next);
  const isWritten = await named(next.name, () => deps.store.change(scope, row.id, row.version, values, tell));
  if (!isWritten) throw changedMeanwhile(row.version + 1);
  return next;
}

async function add(
  deps: SavedQueryServiceDeps,
  actor: SavedActor,
  scope: ScopeRef,
  draft: SavedDraft,
): Promise<SavedQueryRow> {
  const { caller } = actor;
  if ((await deps.store.count(scope, caller.userId)) >= MAX_PER_USER)
    throw new AppError('too-many', say('search.tooManySaved', { most: MAX_PER_USER }));
  const now = deps.clock.now();
  const row: SavedQueryRow = {
    ...columnsOf(draft),
    id: newId(),
    scope_id: scope.scopeId,
    kind: draft.kind,
    owner_id: caller.userId,
    owner_name: caller.name,
    version: 1,
    created_at: now,
    updated_at: now,
    deleted_at: null,
  };
  await named(row.name, () => deps.store.add(scope, row, told(deps, 'create', actor, scope, row)));
  return row;
}

async function edit(
  deps: SavedQueryServiceDeps,
  actor: SavedActor,
  scope: ScopeRef,
  id: string,
  draft: SavedDraft,
) {
  const row = await changeable(deps, actor, scope, id);
  if (draft.version !== undefined && draft.version !== row.version) throw changedMeanwhile(row.version);
  // Whoever helps with a shared text can't take it away from the others.
  const shared = row.owner_id === actor.caller.userId ? draft.shared : true;
  return write(deps, 'change', actor, scope, row, {
    ...columnsOf(draft),
    shared,
    updated_at: deps.clock.now(),
  });
}

async function list(
  { store }: SavedQueryServiceDeps,
  actor: SavedActor,
  scope: ScopeRef,
  kind: SavedKind,
): Promise<SavedQuery[]> {
  return (await store.list(scope, actor.caller.userId, kind)).map((row) => viewOf(row, actor, scope));
}

async function read(
  deps: SavedQueryServiceDeps,
  actor: SavedActor,
  scope: ScopeRef,
  id: string,
): Promise<SavedQuery> {
  return viewOf(await seen(deps, actor, scope, id), actor, scope);
}

async function save(
  deps: SavedQueryServiceDeps,
  actor: SavedActor,
  scope: ScopeRef,
  draft: SavedDraft,
): Promise<SavedQuery> {
  const { id } = draft;
  const row =
    id === undefined ? await add(deps, actor, scope, draft) : await edit(deps, actor, scope, id, draft);
  return viewOf(row, actor, scope);
}

async function remove(
  deps: SavedQueryServiceDeps,
  actor: SavedActor,
  scope: ScopeRef,
  id: string,
): Promise<void> {
  const row = await changeable(deps, actor, scope, id);
  await write(deps, 'delete', actor, scope, row, { deleted_at: deps.clock.now() });
}

async function restore(
  deps: SavedQueryServiceDeps,
  actor: SavedActor,
  scope: ScopeRef,
  id: string,
): Promise<SavedQuery> {
  const row = await deps.store.find(scope, id);
  const isKept = row?.deleted_at != null && row.deleted_at > deps.clock.now() - RESTORABLE_MS;
  if (!row || !isKept || !isSeenBy(row, actor)) throw notFound();
  if (!isEditable(row, actor, scope)) throw notAuthorised();
  const back = await write(deps, 'restore', actor, scope, row, { deleted_at: null });
  return viewOf(back, actor, scope);
}

const isSeenBy = (row: SavedQueryRow, { caller }: SavedActor): boolean =>
  row.shared || row.owner_id === caller.userId;

const isEditable = (row: SavedQueryRow, { caller }: SavedActor, { clusterId, scopeId }: ScopeRef): boolean =>
  row.owner_id === caller.userId || (row.shared && caller.tagsAt(clusterId, scopeId).includes('engineer'));

function columnsOf(draft: SavedDraft) {
  const folders = draft.folder.split('/').map((name) => name.trim());
  return {
    name: draft.name,
    description: draft.description,
    folder: folders.filter((name) => name !== '').join('/'),
    tags: [...new Set(draft.tags)],
    body: draft.text,
    range_from: draft.range?.from ?? null,
    range_to: draft.range?.to ?? null,
    shared: draft.shared,
  };
}

function viewOf(row: SavedQueryRow, actor: SavedActor, scope: ScopeRef): SavedQuery {
  const { range_from: from, range_to: to } = row;
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    description: row.description,
    folder: row.folder,
    tags: row.tags,
    text: row.body,
    range: from !== null && to !== null ? { from, to } : null,
    shared: row.shared,
    owner: row.owner_id,
    owner_name: row.owner_name,
    editable: isEditable(row, actor, scope),
    version: row.version,
    created: row.created_at,
    updated: row.updated_at,
  };
}

const changedMeanwhile = (version: number) =>
  new AppError('conflict', say('search.savedChanged'), { version });

async function named<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isViolation(error, 'unique')) throw new AppError('conflict', say('search.savedNameTaken', { name }));
    throw error;
  }
}
