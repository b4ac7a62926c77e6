import type { ContentUpdate, ContentUpdateDetail, ShippedPolicy } from '@tyrian/contract';
import { notFound } from '../../platform/app-error.ts';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { differingParts, inOrder } from './draft-parts.ts';
import type { NativeDetection } from './native-content.ts';
import { type NativeSyncDeps, syncNativeDetections } from './native-sync.ts';
import {
  copiedIn,
  declinedUpdates,
  dropDeclined,
  readPolicy,
  writeDeclined,
  writePolicy,
} from './update-store.ts';
import { workbookFile } from './workbook-file.ts';
import type { CallScope } from './workbook-rights.ts';
import { draftHeadOf, type NativeRow, nativeWorkbooks, workbookBlocks } from './workbook-store.ts';

// Shipped detections that are newer than those of the tenant: what they would change, taken or declined one by one.

/** What is offered in place of a detection that is shipped no longer. */
const GONE = 'gone';

interface Pending {
  readonly row: NativeRow;
  /** Undefined: it is shipped no longer. */
  readonly detection: NativeDetection | undefined;
  readonly offered: string;
}

interface UpdateFilter {
  readonly state: ContentUpdate['state'];
}

/** Updates of shipped detections. */
export interface ShippedUpdates {
  list(scope: CallScope, filter: UpdateFilter): Promise<readonly ContentUpdate[]>;
  /** Throws AppError `not-found`. */
  read(scope: CallScope, workbookId: string): Promise<ContentUpdateDetail>;
  /** Takes or declines all of these at once. Throws AppError `not-found`. */
  decide(scope: CallScope, workbookIds: readonly string[], take: boolean): Promise<void>;
  policy(clusterId: string): Promise<ShippedPolicy>;
  /** From then on they replace those of the tenant at once, the waiting ones now. */
  setPolicy(scope: CallScope, policy: ShippedPolicy): Promise<void>;
}

export function createShippedUpdates(deps: NativeSyncDeps): ShippedUpdates {
  return {
    list: (scope, filter) => list(deps, scope, filter),
    read: (scope, workbookId) => read(deps, scope, workbookId),
    decide: (scope, workbookIds, take) => decide(deps, scope, workbookIds, take),
    policy: (clusterId) => deps.postgres.inTenant(clusterId, (trx) => readPolicy(trx, clusterId)),
    setPolicy: (scope, policy) => setPolicy(deps, scope, policy),
  };
}

async function pendingIn(
  { content }: NativeSyncDeps,
  trx: TenantTransaction,
  clusterId: string,
): Promise<readonly Pending[]> {
  const shipped = new Map(content.map((detection) => [detection.workbookId, detection]));
  return (await nativeWorkbooks(trx, clusterId))
    .filter(({ deleted_at }) => deleted_at === null)
    .map((row) => {
      const detection = shipped.get(row.workbook_id);
      return { row, detection, offered: detection?.hash ?? GONE };
    })
    .filter(({ row, offered }) => row.native_hash !== offered)
    .sort((one, other) => one.row.name.localeCompare(other.row.name, 'en'));
}

async function list(
  deps: NativeSyncDeps,
  { clusterId, scopeId }: CallScope,
  { state }: UpdateFilter,
): Promise<readonly ContentUpdate[]> {
  return deps.postgres.inTenant(clusterId, async (trx) => {
    const all = await pendingIn(deps, trx, clusterId);
    if (all.length === 0) return [];
    const declined = await declinedUpdates(trx, clusterId);
    const found = all.filter(
      ({ row, offered }) => (declined.get(row.workbook_id) === offered) === (state === 'declined'),
    );
    return told(deps, trx, { clusterId, scopeId }, found, state);
  });
}

async function told(
  { rules }: NativeSyncDeps,
  trx: TenantTransaction,
  { clusterId, scopeId }: { readonly clusterId: string; readonly scopeId: string },
  found: readonly Pending[],
  state: ContentUpdate['state'],
): Promise<readonly ContentUpdate[]> {
  const ids = found.map(({ row }) => row.workbook_id);
  const blocks = new Map(
    (await workbookBlocks(trx, clusterId, ids)).map((one) => [one.workbook_id, one.blocks]),
  );
  const copied = await copiedIn(trx, clusterId, scopeId);
  const running = await rules.inScope(trx, clusterId, scopeId, () => 'streamed', ids);
  return found.map(({ row, detection }) => {
    const before = { ...draftHeadOf(row), blocks: blocks.get(row.workbook_id) ?? [] };
    return {
      update_id: `workbook:${row.workbook_id}`,
      kind: 'workbook',
      change: detection ? 'changed' : 'gone',
      ID: row.workbook_id,
      name: row.name,
      of: '',
      from_version: row.version,
      to_version: detection ? row.version + 1 : null,
      parts: detection ? differingParts(before, detection.draft) : [],
      customised: copied.has(row.workbook_id),
      enabled: running.get(row.workbook_id)?.enabled ?? false,
      state,
      offered: null,
    };
  });
}

async function read(
  deps: NativeSyncDeps,
  { clusterId, scopeId }: CallScope,
  workbookId: string,
): Promise<ContentUpdateDetail> {
  return deps.postgres.inTenant(clusterId, async (trx) => {
    const one = (await pendingIn(deps, trx, clusterId)).find(({ row }) => row.workbook_id === workbookId);
    if (!one) throw notFound();
    const declined = (await declinedUpdates(trx, clusterId)).get(workbookId) === one.offered;
    const [update] = await told(deps, trx, { clusterId, scopeId }, [one], declined ? 'declined' : 'open');
    const [held] = await workbookBlocks(trx, clusterId, [workbookId]);
    if (!update || !held) throw notFound();
    const before = workbookFile(inOrder({ ...draftHeadOf(one.row), blocks: held.blocks })).text;
    const after = one.detection ? workbookFile(inOrder(one.detection.draft)).text : null;
    return { ...update, text: { before, after }, query: null, own: null };
  });
}

async function decide(
  deps: NativeSyncDeps,
  scope: CallScope,
  workbookIds: readonly string[],
  take: boolean,
): Promise<void> {
  const { postgres, rules, audit, clock } = deps;
  const { clusterId, scopeId, caller } = scope;
  const details = { kind: 'workbook', updates: workbookIds.length, IDs: workbookIds.slice(0, 50) };
  const scopeIds = await postgres.inTenant(clusterId, async (trx) => {
    const pending = new Map((await pendingIn(deps, trx, clusterId)).map((one) => [one.row.workbook_id, one]));
    const chosen = workbookIds.map((id) => pending.get(id));
    if (chosen.includes(undefined)) throw notFound();
    const action = take ? 'content.update.take' : 'content.update.decline';
    await audit.record(
      { action, who: caller, clusterId, scopeId, entity: 'shipped detections', details },
      trx,
    );
    if (take) {
      await dropDeclined(trx, clusterId, workbookIds);
      return rules.scopesWith(trx, clusterId, workbookIds);
    }
    const declined = chosen.flatMap((one) =>
      one ? [{ workbookId: one.row.workbook_id, offered: one.offered }] : [],
    );
    await writeDeclined(trx, { clusterId, author: caller.name, nowMs: clock.now() }, declined);
    return [];
  });
  if (take) await syncNativeDetections(deps, clusterId, scopeIds, new Set(workbookIds), caller);
}

async function setPolicy(deps: NativeSyncDeps, scope: CallScope, policy: ShippedPolicy): Promise<void> {
  const { postgres, audit, clock, rules } = deps;
  const { clusterId, scopeId, caller } = scope;
  const scopeIds = await postgres.inTenant(clusterId, async (trx) => {
    await writePolicy(trx, { clusterId, author: caller.name, nowMs: clock.now() }, policy);
    const details = { shipped: policy };
    const action = 'content.update.policy';
    await audit.record(
      { action, who: caller, clusterId, scopeId, entity: 'shipped detections', details },
      trx,
    );
    if (policy === 'review') return [];
    const ids = (await pendingIn(deps, trx, clusterId)).map(({ row }) => row.workbook_id);
    return rules.scopesWith(trx, clusterId, ids);
  });
  if (policy === 'at-once') await syncNativeDetections(deps, clusterId, scopeIds, 'all', caller);
}
