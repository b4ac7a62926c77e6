import { EXTRACTOR_LIMITS, type Extractor, say } from '@tyrian/contract';
import { AppError, notFound } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Postgres, TenantTransaction } from '../../platform/postgres/postgres.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import type { ExtractorLibrary } from './extractor-library.ts';
import {
  type ExtractorRow,
  insertExtractor,
  lockExtractors,
  nextId,
  ownExtractors,
  samplesIn,
  setOff,
  switchedOff,
  updateExtractor,
} from './extractor-store.ts';
import { fullNative, fullOwn, namesIn, pairsOf } from './extractor-view.ts';
import { nativeExtractors } from './native-extractors.ts';

// What every change of extractors is made of: one change of a tenant at a time, at the revision that its author saw.

export interface ExtractionScope {
  readonly caller: Caller;
  readonly clusterId: string;
  readonly scopeId: string;
}

export interface ExtractorsDeps {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly audit: AuditService;
  readonly library: ExtractorLibrary;
}

export const changedMeanwhile = () => new AppError('conflict', say('extractors.changedMeanwhile'));

/** Everything of a tenant that decisions are made of. */
export async function stateOf(trx: TenantTransaction, clusterId: string) {
  const own = await ownExtractors(trx, clusterId);
  return { own, off: await switchedOff(trx, clusterId), native: nativeExtractors() };
}
export type State = Awaited<ReturnType<typeof stateOf>>;

/** Changes extractors: one change of a tenant at a time, known here at once. */
export async function changing<T>(
  { postgres, library }: ExtractorsDeps,
  { clusterId }: ExtractionScope,
  work: (trx: TenantTransaction, state: State) => Promise<T>,
): Promise<T> {
  const result = await postgres.inTenant(clusterId, async (trx) => {
    await lockExtractors(trx, clusterId);
    return work(trx, await stateOf(trx, clusterId));
  });
  library.forget(clusterId);
  return result;
}

export function noted(
  { audit }: ExtractorsDeps,
  trx: TenantTransaction,
  { clusterId, scopeId, caller }: ExtractionScope,
  action: string,
  entity: number,
  details: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  return audit.record({ action, who: caller, clusterId, scopeId, entity: String(entity), details }, trx);
}

/** One of the tenant's own. Native ones are refused by name, others do not exist. */
export function ownOf({ own, native }: State, id: number): ExtractorRow {
  if (native.has(id)) throw new AppError('conflict', say('extractors.nativeReadOnly'));
  const row = own.find(({ extractor_id }) => extractor_id === id);
  if (!row) throw notFound();
  return row;
}

export async function told(
  { clock }: ExtractorsDeps,
  trx: TenantTransaction,
  { clusterId, scopeId }: ExtractionScope,
  id: number,
): Promise<Extractor> {
  const { own, off, native } = await stateOf(trx, clusterId);
  const row = own.find(({ extractor_id }) => extractor_id === id);
  const { natives, clones } = pairsOf(id, row, own, native);
  const instead = [
    ...natives
      .filter((one) => !off.has(one.id))
      .map((one) => ({ extractor_id: one.id, name: one.sourceName })),
    ...clones.filter(({ enabled }) => enabled).map(({ extractor_id, name }) => ({ extractor_id, name })),
  ];
  const shipped = native.get(id);
  if (shipped) return fullNative(shipped, off, instead);
  if (!row) throw notFound();
  return fullOwn(row, {
    samples: [...(await samplesIn(trx, { clusterId, scopeId, id }))],
    instead,
    nowMs: clock.now(),
  });
}

export async function added(
  { clock }: ExtractorsDeps,
  trx: TenantTransaction,
  { clusterId, caller }: ExtractionScope,
  { own }: State,
  draft: { readonly yaml: string; readonly clonedFrom: number | null },
): Promise<number> {
  if (own.length >= EXTRACTOR_LIMITS.own)
    throw new AppError('conflict', say('extractors.tooMany', { most: EXTRACTOR_LIMITS.own }));
  const id = await nextId(trx, clusterId, EXTRACTOR_LIMITS.firstOwnId);
  const nowMs = clock.now();
  await insertExtractor(trx, clusterId, {
    ...namesIn(draft.yaml),
    ...{ extractor_id: id, author: caller.name, cloned_from: draft.clonedFrom, version: 0, yaml: '' },
    ...{
      enabled: false,
      draft: draft.yaml,
      draft_by: caller.name,
      revision: 1,
      created: nowMs,
      updated: nowMs,
    },
  });
  return id;
}

/** Changes one of the tenant's own, at the revision that the caller saw. */
export async function changed(
  { clock }: ExtractorsDeps,
  trx: TenantTransaction,
  { clusterId }: ExtractionScope,
  row: ExtractorRow,
  change: Partial<ExtractorRow>,
): Promise<void> {
  const next = { ...row, ...change, updated: clock.now() };
  // As long as nothing is published, the draft says what it is called.
  const names = next.version === 0 && next.draft !== null ? namesIn(next.draft) : {};
  if (!(await updateExtractor(trx, clusterId, { ...next, ...names }))) throw changedMeanwhile();
}

/** Switches off whatever takes the place of the extractor: one of a pair reads at a time. */
export async function yieldTo(
  deps: ExtractorsDeps,
  trx: TenantTransaction,
  scope: ExtractionScope,
  id: number,
): Promise<void> {
  const { own, off, native } = await stateOf(trx, scope.clusterId);
  const row = own.find(({ extractor_id }) => extractor_id === id);
  const { natives, clones } = pairsOf(id, row, own, native);
  const by = { by: scope.caller.name, nowMs: deps.clock.now() };
  for (const { id: other } of natives.filter((one) => !off.has(one.id))) {
    await setOff(trx, scope.clusterId, { id: other, off: true, ...by });
    await noted(deps, trx, scope, 'extractor.disable', other, { instead: id });
  }
  for (const clone of clones.filter(({ enabled }) => enabled)) {
    await changed(deps, trx, scope, clone, { enabled: false });
    await noted(deps, trx, scope, 'extractor.disable', clone.extractor_id, { instead: id });
  }
}
