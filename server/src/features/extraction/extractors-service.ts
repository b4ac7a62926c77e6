import {
  type checkExtractor,
  EXTRACTOR_LIMITS,
  type Extractor,
  type ExtractorItem,
  type listExtractors,
  matchesFilters,
  type OutputOf,
  type publishExtractor,
  type restoreExtractorVersion,
  type saveExtractor,
  say,
  sayAgain,
} from '@tyrian/contract';
import type { z } from 'zod';
import { AppError, notFound } from '../../platform/app-error.ts';
import { bindDeps } from '../../platform/bind-deps.ts';
import { type CheckedDraft, checkExtractorDraft } from './check-extractor.ts';
import {
  added,
  changed,
  changedMeanwhile,
  changing,
  type ExtractionScope,
  type ExtractorsDeps,
  noted,
  ownOf,
  type State,
  stateOf,
  told,
  yieldTo,
} from './extractor-changes.ts';
import {
  deleteExtractor,
  findOwn,
  findVersion,
  keepVersion,
  putSamples,
  samplesIn,
  setOff,
  versionsOf,
} from './extractor-store.ts';
import {
  isNativeId,
  itemOf,
  itemOfNative,
  namesIn,
  nativeOf,
  othersOf,
  withoutId,
} from './extractor-view.ts';
import { nativeExtractors } from './native-extractors.ts';

// Extractors as engineers see them. They hold in the whole tenant; samples belong to the scope of the call.

type Parsed<E extends { readonly input: z.ZodType }> = z.output<E['input']>;

export type ExtractorsService = ReturnType<typeof createExtractorsService>;

export function createExtractorsService(deps: ExtractorsDeps) {
  return bindDeps(deps, {
    list,
    read,
    check,
    save,
    publish,
    discard,
    setEnabled,
    clone,
    remove,
    versions,
    viewVersion,
    restore,
    clearSamples,
  });
}

async function list(deps: ExtractorsDeps, scope: ExtractionScope, input: Parsed<typeof listExtractors>) {
  const { own, off, native } = await deps.postgres.inTenant(scope.clusterId, (trx) =>
    stateOf(trx, scope.clusterId),
  );
  const nowMs = deps.clock.now();
  const all = [
    ...own.map((row) => itemOf(row, nowMs)).reverse(),
    ...[...native.values()].map((one) => itemOfNative(one, off)),
  ];
  const found = all.filter((item) =>
    matchesFilters(input.addfilters, (key) => {
      if (key === 'text') return [item.name, item.source_type, item.author, String(item.extractor_id)];
      const value = item[key as keyof ExtractorItem] ?? null;
      return typeof value === 'boolean' ? String(value) : value;
    }),
  );
  const start = (input.pageno - 1) * input.pagesize;
  return { data: found.slice(start, start + input.pagesize), total_count: found.length };
}

function read(deps: ExtractorsDeps, scope: ExtractionScope, id: number): Promise<Extractor> {
  return deps.postgres.inTenant(scope.clusterId, (trx) => told(deps, trx, scope, id));
}

async function checkedDraft(
  { clock, library }: ExtractorsDeps,
  clusterId: string,
  { own, off, native }: State,
  draft: { readonly yaml: string; readonly samples: readonly string[]; readonly id: number | undefined },
): Promise<CheckedDraft> {
  const row = own.find(({ extractor_id }) => extractor_id === draft.id);
  return checkExtractorDraft({
    ...draft,
    others: othersOf(draft.id, row, own, native, off),
    added: await library.addedNames(clusterId),
    nowMs: clock.now(),
  });
}

async function check(
  deps: ExtractorsDeps,
  { clusterId }: ExtractionScope,
  input: Parsed<typeof checkExtractor>,
): Promise<OutputOf<typeof checkExtractor>> {
  const state = await deps.postgres.inTenant(clusterId, (trx) => stateOf(trx, clusterId));
  const { extractor_id: id, yaml, samples } = input;
  const { checks, ok } = await checkedDraft(deps, clusterId, state, { yaml, samples, id });
  return { checks: [...checks], ok };
}

function save(
  deps: ExtractorsDeps,
  scope: ExtractionScope,
  input: Parsed<typeof saveExtractor>,
): Promise<Extractor> {
  const { clusterId, scopeId, caller } = scope;
  return changing(deps, scope, async (trx, state) => {
    let id = input.extractor_id;
    if (id === undefined) id = await added(deps, trx, scope, state, { yaml: input.yaml, clonedFrom: null });
    else {
      const row = ownOf(state, id);
      if (row.revision !== input.revision) throw changedMeanwhile();
      await changed(deps, trx, scope, row, { draft: input.yaml, draft_by: caller.name });
    }
    await putSamples(trx, { clusterId, scopeId, id }, input.samples);
    const answer = await told(deps, trx, scope, id);
    await noted(deps, trx, scope, 'extractor.save', id, { name: answer.name, samples: input.samples.length });
    return answer;
  });
}

/** The first thing that keeps a draft from being published. */
function assertPublishable({ checks, ok }: CheckedDraft): void {
  if (ok) return;
  const failing = checks.flatMap(({ findings }) => findings).find(({ result }) => result === 'fail');
  const reason = failing ? sayAgain(failing) : '';
  throw new AppError('bad-input', say('extractors.checkFails', { reason }), { checks });
}

function publish(
  deps: ExtractorsDeps,
  scope: ExtractionScope,
  input: Parsed<typeof publishExtractor>,
): Promise<Extractor> {
  const { clusterId, scopeId, caller } = scope;
  const { extractor_id: id, revision, comment } = input;
  return changing(deps, scope, async (trx, state) => {
    const row = ownOf(state, id);
    if (row.revision !== revision) throw changedMeanwhile();
    if (row.draft === null) throw new AppError('conflict', say('extractors.noDraft'));
    const samples = await samplesIn(trx, { clusterId, scopeId, id });
    assertPublishable(await checkedDraft(deps, clusterId, state, { yaml: row.draft, samples, id }));
    const version = row.version + 1;
    const yaml = row.draft;
    const enabled = row.version === 0 || row.enabled;
    await changed(deps, trx, scope, row, {
      ...namesIn(yaml),
      version,
      yaml,
      enabled,
      draft: null,
      draft_by: null,
    });
    const kept = { version, yaml, comment, author: caller.name, created: deps.clock.now() };
    await keepVersion(trx, clusterId, id, kept, EXTRACTOR_LIMITS.versions);
    if (enabled) await yieldTo(deps, trx, scope, id);
    const answer = await told(deps, trx, scope, id);
    await noted(deps, trx, scope, 'extractor.publish', id, { name: answer.name, version, comment, enabled });
    return answer;
  });
}

function discard(
  deps: ExtractorsDeps,
  scope: ExtractionScope,
  input: { readonly extractor_id: number; readonly revision: number },
): Promise<Extractor> {
  return changing(deps, scope, async (trx, state) => {
    const row = ownOf(state, input.extractor_id);
    if (row.version === 0) throw new AppError('conflict', say('extractors.nothingPublished'));
    if (row.revision !== input.revision) throw changedMeanwhile();
    if (row.draft === null) throw new AppError('conflict', say('extractors.noDraft'));
    await changed(deps, trx, scope, row, { draft: null, draft_by: null });
    await noted(deps, trx, scope, 'extractor.draft.discard', row.extractor_id, { name: row.name });
    return told(deps, trx, scope, row.extractor_id);
  });
}

function setEnabled(
  deps: ExtractorsDeps,
  scope: ExtractionScope,
  input: { readonly extractor_id: number; readonly enabled: boolean },
): Promise<Extractor> {
  const { extractor_id: id, enabled } = input;
  return changing(deps, scope, async (trx, state) => {
    if (isNativeId(id)) {
      if (!state.native.has(id)) throw notFound();
      const by = { by: scope.caller.name, nowMs: deps.clock.now() };
      await setOff(trx, scope.clusterId, { id, off: !enabled, ...by });
    } else {
      const row = ownOf(state, id);
      if (row.version === 0) throw new AppError('conflict', say('extractors.neverPublished'));
      await changed(deps, trx, scope, row, { enabled });
    }
    if (enabled) await yieldTo(deps, trx, scope, id);
    const answer = await told(deps, trx, scope, id);
    const action = enabled ? 'extractor.enable' : 'extractor.disable';
    await noted(deps, trx, scope, action, id, { name: answer.name });
    return answer;
  });
}

function clone(deps: ExtractorsDeps, scope: ExtractionScope, id: number): Promise<Extractor> {
  return changing(deps, scope, async (trx, state) => {
    const shipped = state.native.get(id);
    const row = shipped ? undefined : ownOf(state, id);
    const yaml = withoutId(shipped?.yaml ?? (row?.yaml || (row?.draft ?? '')));
    const clonedFrom = row ? (nativeOf(row) ?? id) : id;
    const cloneId = await added(deps, trx, scope, state, { yaml, clonedFrom });
    const answer = await told(deps, trx, scope, cloneId);
    await noted(deps, trx, scope, 'extractor.clone', cloneId, { name: answer.name, from: id });
    return answer;
  });
}

function remove(deps: ExtractorsDeps, scope: ExtractionScope, id: number): Promise<{ extractor_id: number }> {
  return changing(deps, scope, async (trx, state) => {
    const row = ownOf(state, id);
    await deleteExtractor(trx, scope.clusterId, id);
    const root = nativeOf(row);
    // The native one that it stood for reads again.
    if (row.enabled && root !== null)
      await setOff(trx, scope.clusterId, {
        id: root,
        off: false,
        by: scope.caller.name,
        nowMs: deps.clock.now(),
      });
    await noted(deps, trx, scope, 'extractor.remove', id, { name: row.name, version: row.version });
    return { extractor_id: id };
  });
}

function versions({ postgres }: ExtractorsDeps, { clusterId }: ExtractionScope, id: number) {
  return postgres.inTenant(clusterId, async (trx) => {
    if (!nativeExtractors().has(id) && !(await findOwn(trx, clusterId, id))) throw notFound();
    return [...(await versionsOf(trx, clusterId, id))];
  });
}

async function viewVersion(
  { postgres }: ExtractorsDeps,
  { clusterId }: ExtractionScope,
  input: { readonly extractor_id: number; readonly version: number },
) {
  const { extractor_id: id, version } = input;
  const found = await postgres.inTenant(clusterId, (trx) => findVersion(trx, clusterId, id, version));
  if (!found) throw notFound();
  return found;
}

function restore(
  deps: ExtractorsDeps,
  scope: ExtractionScope,
  input: Parsed<typeof restoreExtractorVersion>,
): Promise<Extractor> {
  const { extractor_id: id, version, revision } = input;
  return changing(deps, scope, async (trx, state) => {
    const row = ownOf(state, id);
    const found = await findVersion(trx, scope.clusterId, id, version);
    if (!found) throw notFound();
    if (row.revision !== revision) throw changedMeanwhile();
    await changed(deps, trx, scope, row, { draft: found.yaml, draft_by: scope.caller.name });
    await noted(deps, trx, scope, 'extractor.restore', id, { name: row.name, version });
    return told(deps, trx, scope, id);
  });
}

function clearSamples(
  deps: ExtractorsDeps,
  scope: ExtractionScope,
  id: number,
): Promise<{ extractor_id: number }> {
  const { clusterId, scopeId } = scope;
  return changing(deps, scope, async (trx, state) => {
    const row = ownOf(state, id);
    await putSamples(trx, { clusterId, scopeId, id }, []);
    await noted(deps, trx, scope, 'extractor.samples.remove', id, { name: row.name });
    return { extractor_id: id };
  });
}
