import { type ScopeItem, say, sayOfField } from '@tyrian/contract';
import type { QueryExecutorProvider } from 'kysely';
import { AppError, notFound } from '../../../platform/app-error.ts';
import { bindDeps } from '../../../platform/bind-deps.ts';
import type { EventStore } from '../../../platform/clickhouse/event-store.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { newId } from '../../../platform/new-id.ts';
import type { Postgres } from '../../../platform/postgres/postgres.ts';
import type { AuditService } from '../audit/audit-service.ts';
import { identityDb } from '../identity-tables.ts';
import { isViolation } from '../users/pg-violation.ts';
import { deleteOtherRows, deleteScopeEvents, type ScopeEventStore } from './delete-scope-events.ts';
import { deleteTenantRows } from './delete-tenant-rows.ts';
import { deleteScopeRow, findScope, insertScope, updateScopeName, whyScopeStays } from './scope-store.ts';
import { updateScopeStatus } from './tenant-store.ts';

// Changing the scopes of a tenant. A scope is disabled before it can be deleted: by then nothing is written to it
// and nobody reads it, and whoever did it by mistake has lost nothing.

/** Who acts, and from which address. */
export interface Actor {
  readonly caller: Caller;
  readonly source: string;
}

export interface ScopeService {
  /** Makes a scope, or renames the one whose id is given. Throws AppError `conflict` when the name is taken. */
  save(
    actor: Actor,
    clusterId: string,
    scope: { readonly scope_id?: string | undefined; readonly scope_name: string },
  ): Promise<ScopeItem>;
  setStatus(actor: Actor, clusterId: string, scopeId: string, isEnabled: boolean): Promise<void>;
  /** Throws AppError `conflict` while the scope is enabled, and for the last one of a tenant. */
  remove(actor: Actor, clusterId: string, scopeId: string): Promise<void>;
}

export interface ScopeDeps {
  readonly postgres: Postgres;
  readonly eventStore: ScopeEventStore & Pick<EventStore, 'ensureTenant'>;
  readonly clock: Clock;
  readonly audit: AuditService;
}

interface ScopeServiceParts extends ScopeDeps {
  readonly db: ReturnType<typeof identityDb>;
}

export function createScopeService(deps: ScopeDeps): ScopeService {
  const { postgres } = deps;
  const db = identityDb(postgres);
  const parts: ScopeServiceParts = { ...deps, db };
  return bindDeps(parts, { save, setStatus, remove });
}

function record(
  { audit }: ScopeServiceParts,
  trx: QueryExecutorProvider,
  { caller, source }: Actor,
  action: string,
  clusterId: string,
  scopeId: string,
  details: Record<string, unknown>,
) {
  return audit.record({ action, who: caller, source, clusterId, scopeId, entity: scopeId, details }, trx);
}

async function orTaken<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isViolation(error, 'unique')) throw error;
    throw new AppError('conflict', sayOfField('scope_name', say('tenants.scopeNameTaken', { name })));
  }
}

async function save(
  parts: ScopeServiceParts,
  actor: Actor,
  clusterId: string,
  { scope_id, scope_name }: { readonly scope_id?: string | undefined; readonly scope_name: string },
): Promise<ScopeItem> {
  if (scope_id === undefined) {
    const scopeId = newId();
    await orTaken(scope_name, () =>
      parts.db.transaction().execute(async (trx) => {
        await insertScope(trx, { clusterId, scopeId, name: scope_name, now: parts.clock.now() });
        await record(parts, trx, actor, 'scope.create', clusterId, scopeId, { scope_name });
      }),
    );
    return { scope_id: scopeId, scope_name, is_enabled: true };
  }
  return orTaken(scope_name, () =>
    parts.db.transaction().execute(async (trx) => {
      const before = await findScope(trx, clusterId, scope_id);
      const renamed = await updateScopeName(trx, clusterId, scope_id, scope_name);
      if (!renamed) throw notFound();
      const details = { from: before?.scope_name, to: scope_name };
      await record(parts, trx, actor, 'scope.rename', clusterId, scope_id, details);
      return renamed;
    }),
  );
}

async function setStatus(
  parts: ScopeServiceParts,
  actor: Actor,
  clusterId: string,
  scopeId: string,
  isEnabled: boolean,
): Promise<void> {
  await parts.db.transaction().execute(async (trx) => {
    const before = await findScope(trx, clusterId, scopeId);
    if (!before || !(await updateScopeStatus(trx, clusterId, scopeId, isEnabled))) throw notFound();
    const { scope_name } = before;
    const details = before.is_enabled === isEnabled ? { scope_name, changed: 0 } : { scope_name };
    const action = isEnabled ? 'scope.enable' : 'scope.disable';
    await record(parts, trx, actor, action, clusterId, scopeId, details);
  });
}

async function remove(
  parts: ScopeServiceParts,
  actor: Actor,
  clusterId: string,
  scopeId: string,
): Promise<void> {
  const { db, postgres, eventStore } = parts;
  const before = await findScope(db, clusterId, scopeId);
  refuse(await whyScopeStays(db, clusterId, scopeId));
  // The scope goes last: a deletion that was cut short is repeated and finds what is left.
  await deleteTenantRows(postgres, clusterId, scopeId, (trx) =>
    record(parts, trx, actor, 'scope.delete', clusterId, scopeId, { scope_name: before?.scope_name }),
  );
  await eventStore.ensureTenant(clusterId);
  await deleteScopeEvents(eventStore, clusterId, scopeId);
  await deleteOtherRows(eventStore, clusterId, scopeId);
  refuse(await deleteScopeRow(db, clusterId, scopeId));
}

function refuse(why: 'missing' | 'enabled' | 'last' | null): void {
  if (why === null) return;
  if (why === 'missing') throw notFound();
  throw new AppError('conflict', say(why === 'enabled' ? 'tenants.disableScopeFirst' : 'tenants.lastScope'));
}
