import {
  codedText,
  type InputOf,
  type KqlFunction,
  type KqlFunctionVersion,
  type OutputOf,
  type ServerMessage,
  type saveFunction,
  say,
  type shareFunction,
} from '@tyrian/contract';
import type { FunctionCheck, SavedFunction } from '@tyrian/kql';
import { AppError, notAuthorised, notFound } from '../../platform/app-error.ts';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import { isViolation } from '../identity/users/pg-violation.ts';
import { compileRefusal } from '../search/compile-refusal.ts';
import type { FunctionLibrary } from './function-library.ts';
import type { FunctionRow, FunctionStore, FunctionText, Told } from './function-store.ts';

// Functions of a tenant: what is saved compiles, names nothing that names it, and takes no name that means something
// else. Content managers share a function by giving it to other tenants that they may reach.

export interface FunctionActor {
  readonly caller: Caller;
  /** Address of the caller. */
  readonly source: string;
}

export interface FunctionService {
  list(actor: FunctionActor, clusterId: string): Promise<KqlFunction[]>;
  versions(clusterId: string, name: string): Promise<KqlFunctionVersion[]>;
  save(
    actor: FunctionActor,
    clusterId: string,
    wanted: FunctionDraft,
  ): Promise<OutputOf<typeof saveFunction>>;
  remove(actor: FunctionActor, clusterId: string, name: string): Promise<void>;
  share(actor: FunctionActor, from: string, name: string, targets: readonly string[]): Promise<Shared[]>;
}

type FunctionDraft = Required<Omit<InputOf<typeof saveFunction>, 'version'>> & {
  readonly version?: number | undefined;
};

/** `reason`: why not; '' when it was. */
type Shared = OutputOf<typeof shareFunction>['results'][number];

export interface FunctionServiceDeps {
  readonly store: FunctionStore;
  readonly library: FunctionLibrary;
  readonly clock: Clock;
  readonly audit: AuditService;
  /** Compiles a function beside those of the tenant. */
  readonly check: (clusterId: string, userId: string, wanted: SavedFunction) => Promise<FunctionCheck>;
  /** Whether the caller is a content manager of the tenant. */
  readonly manages: (caller: Caller, clusterId: string) => Promise<boolean>;
}

const MAX_PER_TENANT = 500;

export function createFunctionService(deps: FunctionServiceDeps): FunctionService {
  return bindDeps(deps, { list, versions, save, remove, share });
}

async function find(
  { store }: FunctionServiceDeps,
  clusterId: string,
  name: string,
): Promise<FunctionRow | undefined> {
  return (await store.list(clusterId)).find((row) => row.name === name);
}

async function checked(
  { library, check }: FunctionServiceDeps,
  { caller }: FunctionActor,
  clusterId: string,
  wanted: SavedFunction,
) {
  library.forget(clusterId);
  const result = await check(clusterId, caller.userId, wanted);
  if (result.ok) return result;
  throw compileRefusal(result.diagnostics, say('functions.hasErrors'));
}

async function put(
  { store, library }: FunctionServiceDeps,
  clusterId: string,
  row: FunctionRow,
  before: FunctionRow | undefined,
  told: Told,
): Promise<void> {
  if (before) {
    if (!(await store.change(clusterId, row, before.version, told))) throw changedMeanwhile();
  } else {
    if ((await store.list(clusterId)).length >= MAX_PER_TENANT)
      throw new AppError('conflict', say('functions.tooMany', { most: MAX_PER_TENANT }));
    await store.add(clusterId, row, told).catch((error: unknown) => {
      if (isViolation(error, 'unique'))
        throw new AppError('conflict', say('functions.nameTaken', { name: row.name }));
      throw error;
    });
  }
  library.forget(clusterId);
}

function rowOf(
  { clock }: FunctionServiceDeps,
  actor: FunctionActor,
  wanted: FunctionText,
  before: FunctionRow | undefined,
) {
  return {
    name: wanted.name,
    parameters: wanted.parameters,
    body: wanted.body,
    description: wanted.description,
    version: (before?.version ?? 0) + 1,
    shared: before?.shared ?? false,
    changed_by: actor.caller.name,
    created_at: before?.created_at ?? clock.now(),
    updated_at: clock.now(),
  };
}

function entryOf(actor: FunctionActor, action: string, clusterId: string, row: FunctionRow) {
  return {
    action,
    who: actor.caller,
    source: actor.source,
    clusterId,
    entity: row.name,
    details: { version: row.version },
  };
}

function note({ audit }: FunctionServiceDeps, ...what: Parameters<typeof entryOf>): Told {
  return (trx) => audit.record(entryOf(...what), trx);
}

async function list(
  { store }: FunctionServiceDeps,
  actor: FunctionActor,
  clusterId: string,
): Promise<KqlFunction[]> {
  const rows = await store.list(clusterId);
  return rows.map((row) => shown(row, actor.caller, clusterId));
}

async function versions(
  { store }: FunctionServiceDeps,
  clusterId: string,
  name: string,
): Promise<KqlFunctionVersion[]> {
  const rows = await store.versions(clusterId, name);
  if (rows.length === 0) throw notFound();
  return rows.map(({ updated_at, ...row }) => ({ ...textOf(row), ...row, updated: updated_at }));
}

async function save(
  deps: FunctionServiceDeps,
  actor: FunctionActor,
  clusterId: string,
  wanted: FunctionDraft,
): Promise<OutputOf<typeof saveFunction>> {
  const before = await find(deps, clusterId, wanted.name);
  if (before && !isEditable(before, actor.caller, clusterId)) throw notAuthorised();
  if (before && wanted.version === undefined)
    throw new AppError('conflict', say('functions.nameTaken', { name: wanted.name }));
  if (!before && wanted.version !== undefined) throw notFound();
  if (before && before.version !== wanted.version) throw changedMeanwhile();
  const result = await checked(deps, actor, clusterId, wanted);
  const row = rowOf(deps, actor, wanted, before);
  await put(deps, clusterId, row, before, note(deps, actor, 'function.save', clusterId, row));
  const warnings = result.diagnostics.map(({ message }) => message);
  const columns = result.columns.map(({ name, type }) => ({ name, type }));
  return { saved: shown(row, actor.caller, clusterId), kind: result.kind, columns, warnings };
}

async function remove(
  deps: FunctionServiceDeps,
  actor: FunctionActor,
  clusterId: string,
  name: string,
): Promise<void> {
  const rows = await deps.store.list(clusterId);
  const row = rows.find((one) => one.name === name);
  if (!row) throw notFound();
  if (!isEditable(row, actor.caller, clusterId)) throw notAuthorised();
  const user = rows.find((one) => one.name !== name && names(one, name));
  if (user) throw new AppError('conflict', say('functions.inUse', { user: user.name, name }));
  await deps.store.remove(clusterId, name, note(deps, actor, 'function.delete', clusterId, row));
  deps.library.forget(clusterId);
}

async function share(
  deps: FunctionServiceDeps,
  actor: FunctionActor,
  from: string,
  name: string,
  targets: readonly string[],
): Promise<Shared[]> {
  const row = await find(deps, from, name);
  if (!row) throw notFound();
  const give = async (clusterId: string): Promise<ServerMessage | null> => {
    if (!(await deps.manages(actor.caller, clusterId))) return say('functions.tenantOutOfReach');
    const before = await find(deps, clusterId, name);
    if (before && !before.shared && clusterId !== from) return say('functions.tenantHasOwn');
    const given = { ...rowOf(deps, actor, row, before), shared: true };
    try {
      await checked(deps, actor, clusterId, row);
      await put(deps, clusterId, given, before, note(deps, actor, 'function.share', clusterId, given));
    } catch (error) {
      if (error instanceof AppError && error.kind !== 'unavailable') return error.said;
      throw error;
    }
    return null;
  };
  const results: Shared[] = [];
  for (const cluster_id of new Set([from, ...targets])) {
    const why = await give(cluster_id);
    if (why === null) results.push({ cluster_id, shared: true, reason: '' });
    else {
      const { message: reason, ...code } = codedText(why);
      results.push({ cluster_id, shared: false, reason, ...code });
    }
  }
  if (results.every(({ shared }) => !shared)) {
    const entry = entryOf(actor, 'function.share', from, row);
    await deps.audit.record({ ...entry, details: { version: row.version, changed: 0 } });
  }
  return results;
}

const changedMeanwhile = () => new AppError('conflict', say('functions.changedMeanwhile'));

const isEditable = (row: FunctionRow, caller: Caller, clusterId: string): boolean => {
  const tags = caller.tagsAt(clusterId);
  return tags.includes('content-manager') || (!row.shared && tags.includes('engineer'));
};

const names = ({ body, parameters }: FunctionRow, name: string): boolean =>
  new RegExp(`\\b${name}\\b`).test(`${parameters} ${body}`);

const textOf = ({ name, parameters, body, description }: FunctionText): FunctionText => ({
  name,
  parameters,
  body,
  description,
});

const shown = (row: FunctionRow, caller: Caller, clusterId: string): KqlFunction => ({
  ...textOf(row),
  version: row.version,
  shared: row.shared,
  editable: isEditable(row, caller, clusterId),
  changed_by: row.changed_by,
  created: row.created_at,
  updated: row.updated_at,
});
