import type { ContentUpdate, ContentUpdateDetail, WorkbookDraft } from '@tyrian/contract';
import { notFound } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Postgres, TenantTransaction } from '../../platform/postgres/postgres.ts';
import type { RuleControl } from '../detections/rule-control.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import { differingParts, inOrder } from './draft-parts.ts';
import {
  type CopyRow,
  declinedUpdates,
  dropDeclined,
  setBasedOn,
  staleCopies,
  writeDeclined,
} from './update-store.ts';
import { workbookFile } from './workbook-file.ts';
import type { CallScope } from './workbook-rights.ts';
import { draftOf, findVersion, findWorkbook } from './workbook-store.ts';

// Copies whose original has changed since. Nothing is merged: who has looked at the difference says so, and the copy counts
// as based on the version that they saw.

export interface CopyUpdatesDeps {
  readonly postgres: Postgres;
  readonly rules: RuleControl;
  readonly audit: AuditService;
  readonly clock: Clock;
}

/** Updates of copies. */
export interface CopyUpdates {
  list(
    scope: CallScope,
    filter: { readonly state: ContentUpdate['state'] },
  ): Promise<readonly ContentUpdate[]>;
  /** Throws AppError `not-found`. */
  read(scope: CallScope, workbookId: string): Promise<ContentUpdateDetail>;
  /** Notes them as looked at, or declines them until the original changes again. Throws AppError `not-found`. */
  decide(scope: CallScope, workbookIds: readonly string[], take: boolean): Promise<void>;
}

export function createCopyUpdates(deps: CopyUpdatesDeps): CopyUpdates {
  return {
    list: (scope, filter) => list(deps, scope, filter.state),
    read: (scope, workbookId) => read(deps, scope, workbookId),
    decide: (scope, workbookIds, take) => decide(deps, scope, workbookIds, take),
  };
}

const offeredOf = ({ now }: CopyRow): string => `v${now}`;

interface Drafts {
  readonly base: WorkbookDraft;
  readonly original: WorkbookDraft;
  readonly own: WorkbookDraft;
}

async function draftsOf(
  trx: TenantTransaction,
  { clusterId, scopeId }: CallScope,
  copy: CopyRow,
): Promise<Drafts> {
  const base = await findVersion(trx, clusterId, copy.original_id, copy.based_on);
  const original = await findWorkbook(trx, clusterId, scopeId, copy.original_id);
  const own = await findWorkbook(trx, clusterId, scopeId, copy.id);
  if (!base || !original || !own) throw notFound();
  return { base: base.draft, original: draftOf(original), own: draftOf(own) };
}

/** A copy has another name and folder than its original: these are no change of it. */
const asOriginal = ({ base, own }: Drafts): WorkbookDraft => ({
  ...own,
  name: base.name,
  directory: base.directory,
});

async function told(
  { rules }: CopyUpdatesDeps,
  trx: TenantTransaction,
  scope: CallScope,
  copies: readonly CopyRow[],
  state: ContentUpdate['state'],
): Promise<readonly ContentUpdate[]> {
  const { clusterId, scopeId } = scope;
  const ids = copies.map(({ id }) => id);
  const running = await rules.inScope(trx, clusterId, scopeId, () => 'streamed', ids);
  const updates: ContentUpdate[] = [];
  for (const copy of copies) {
    const drafts = await draftsOf(trx, scope, copy);
    updates.push({
      update_id: `copy:${copy.id}`,
      kind: 'copy',
      change: 'changed',
      ID: copy.id,
      name: copy.name,
      of: copy.original,
      from_version: copy.based_on,
      to_version: copy.now,
      parts: differingParts(drafts.base, drafts.original),
      customised: differingParts(drafts.base, asOriginal(drafts)).length > 0,
      enabled: running.get(copy.id)?.enabled ?? false,
      state,
      offered: null,
    });
  }
  return updates;
}

function list(
  deps: CopyUpdatesDeps,
  scope: CallScope,
  state: ContentUpdate['state'],
): Promise<readonly ContentUpdate[]> {
  const { clusterId, scopeId } = scope;
  return deps.postgres.inTenant(clusterId, async (trx) => {
    const copies = await staleCopies(trx, clusterId, scopeId);
    if (copies.length === 0) return [];
    const declined = await declinedUpdates(trx, clusterId);
    const isDeclined = (copy: CopyRow) => declined.get(copy.id) === offeredOf(copy);
    const found = copies.filter((copy) => isDeclined(copy) === (state === 'declined'));
    return told(deps, trx, scope, found, state);
  });
}

function read(deps: CopyUpdatesDeps, scope: CallScope, workbookId: string): Promise<ContentUpdateDetail> {
  const { clusterId, scopeId } = scope;
  return deps.postgres.inTenant(clusterId, async (trx) => {
    const copy = (await staleCopies(trx, clusterId, scopeId)).find(({ id }) => id === workbookId);
    if (!copy) throw notFound();
    const declined = (await declinedUpdates(trx, clusterId)).get(workbookId) === offeredOf(copy);
    const [update] = await told(deps, trx, scope, [copy], declined ? 'declined' : 'open');
    const drafts = await draftsOf(trx, scope, copy);
    if (!update) throw notFound();
    const before = workbookFile(inOrder(drafts.base)).text;
    return {
      ...update,
      text: { before, after: workbookFile(inOrder(drafts.original)).text },
      query: null,
      own: { before, after: workbookFile(inOrder(asOriginal(drafts))).text },
    };
  });
}

function decide(
  { postgres, audit, clock }: CopyUpdatesDeps,
  { clusterId, scopeId, caller }: CallScope,
  workbookIds: readonly string[],
  take: boolean,
): Promise<void> {
  return postgres.inTenant(clusterId, async (trx) => {
    const copies = new Map((await staleCopies(trx, clusterId, scopeId)).map((copy) => [copy.id, copy]));
    const chosen = workbookIds.flatMap((id) => copies.get(id) ?? []);
    if (chosen.length < new Set(workbookIds).size) throw notFound();
    if (take) {
      for (const { id, now } of chosen) await setBasedOn(trx, clusterId, id, now);
      await dropDeclined(trx, clusterId, workbookIds);
    } else {
      const declined = chosen.map((copy) => ({ workbookId: copy.id, offered: offeredOf(copy) }));
      await writeDeclined(trx, { clusterId, author: caller.name, nowMs: clock.now() }, declined);
    }
    const details = { kind: 'copy', updates: chosen.length, IDs: workbookIds.slice(0, 50) };
    const action = take ? 'content.update.take' : 'content.update.decline';
    await audit.record({ action, who: caller, clusterId, scopeId, entity: 'copies', details }, trx);
  });
}
