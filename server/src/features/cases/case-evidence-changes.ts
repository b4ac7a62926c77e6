import { type Resolution, type Signal, say } from '@tyrian/contract';
import { AppError, notFound } from '../../platform/app-error.ts';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import type { ScopeRef } from '../../platform/scope-ref.ts';
import {
  type CaseDeps,
  type CaseWork,
  changeCase,
  MAX_NAMED,
  recordAct,
  systemNote,
} from './case-context.ts';
import { caseEntities } from './case-evidence.ts';
import { insertHistory, insertNotes } from './case-journal-store.ts';
import {
  deleteSignal,
  insertSignals,
  selectAddedEntities,
  selectSignals,
  updateCase,
  upsertEntity,
} from './case-store.ts';
import type { CaseActor, CaseRow, CaseTables } from './case-tables.ts';
import { caseKey } from './case-view.ts';

// Signals and entities of a case: added, taken away, and what that does to its figures.

/** How far back "similar" looks. */
const SIMILAR_MS = 24 * 3_600_000;

/** The signals asked for, with similar ones. Throws AppError `not-found` when one is not in the scope. */
export async function gatherSignals(
  deps: CaseDeps,
  trx: TenantTransaction,
  scope: ScopeRef,
  signalIds: readonly string[],
  includeSimilar: boolean,
): Promise<readonly Signal[]> {
  const wanted = [...new Set(signalIds)];
  if (wanted.length === 0) return [];
  const { clusterId, scopeId } = scope;
  const found = await deps.signals.getMany(trx, clusterId, scopeId, wanted);
  if (found.length < wanted.length) throw notFound(say('cases.signalNotFound'));
  if (!includeSimilar) return found;
  const since = deps.clock.now() - SIMILAR_MS;
  const similar = await deps.signals.similar(trx, clusterId, scopeId, wanted, since);
  const more = similar.filter((id) => !wanted.includes(id));
  return more.length === 0
    ? found
    : [...found, ...(await deps.signals.getMany(trx, clusterId, scopeId, more))];
}

/** Joins signals to a case; answers how many were new to it. */
export async function joinSignals(
  deps: CaseDeps,
  work: CaseWork,
  actor: CaseActor,
  signals: readonly Signal[],
): Promise<number> {
  const { db, trx, row, now } = work;
  const added = await insertSignals(
    db,
    signals.map((signal) => ({
      cluster_id: row.cluster_id,
      case_id: row.case_id,
      signal_id: signal.signal_id,
      score: signal.score,
      raised_at: signal.created,
      added_at: now,
      added_by: actor.name,
    })),
  );
  if (added.length === 0) return 0;
  await deps.signals.markInCase(trx, row.cluster_id, added, markOf(row, actor));
  const names = signals.filter((signal) => added.includes(signal.signal_id)).map((signal) => signal.name);
  await insertHistory(db, row, actor, { action: 'add_signal', to: namesShown(names) }, now);
  return added.length;
}

const markOf = (row: CaseRow, actor: CaseActor) => ({
  caseId: row.case_id,
  caseKey: caseKey(row.number),
  author: actor.name,
});

function namesShown(names: readonly string[]): string {
  const shown = names.slice(0, 5).join(', ');
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown;
}

const signalsAdded = (count: number, name: string) =>
  count === 1 ? say('notes.signalAdded', { name }) : say('notes.signalsAdded', { count, name });

/** Risk, counts and oldest signal of a case as they follow from its signals and entities. */
export async function figuresAfterChange(
  deps: CaseDeps,
  { db, trx, row }: Pick<CaseWork, 'db' | 'trx' | 'row'>,
): Promise<Pick<CaseRow, 'risk_score' | 'signal_count' | 'artifact_count' | 'oldest_signal_at'>> {
  const links = await selectSignals(db, row);
  const signals = await signalsOf(deps, trx, row, links);
  const entities = caseEntities(signals, await selectAddedEntities(db, row));
  return {
    risk_score: links.reduce((sum, link) => sum + link.score, 0),
    signal_count: links.length,
    artifact_count: entities.length,
    oldest_signal_at: links.length > 0 ? Math.min(...links.map((link) => link.raised_at)) : null,
  };
}

/** The signals behind the links, in the order of the links. */
export async function signalsOf(
  deps: CaseDeps,
  trx: TenantTransaction,
  row: CaseRow,
  links: readonly CaseTables['case_signal'][],
): Promise<Signal[]> {
  if (links.length === 0) return [];
  const ids = links.map((link) => link.signal_id);
  const found = await deps.signals.getMany(trx, row.cluster_id, row.scope_id, ids);
  const byId = new Map(found.map((signal) => [signal.signal_id, signal]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Adds signals to a case; answers the row and how many were new. */
export function addSignals(
  deps: CaseDeps,
  scope: ScopeRef,
  actor: CaseActor,
  input: { readonly caseId: string; readonly signalIds: readonly string[]; readonly includeSimilar: boolean },
): Promise<{ row: CaseRow; added: number }> {
  return changeCase(deps, scope, input.caseId, async (work) => {
    const { db, row, now } = work;
    const signals = await gatherSignals(deps, work.trx, scope, input.signalIds, input.includeSimilar);
    const added = await joinSignals(deps, work, actor, signals);
    const told = { changed: added, signals: signals.slice(0, MAX_NAMED).map((signal) => signal.signal_id) };
    const note = () => recordAct(deps, work, actor, 'case.signals.add', told);
    if (added === 0) {
      await note();
      return { row, added };
    }
    await insertNotes(db, row, [systemNote(signalsAdded(added, actor.name))], now);
    const grown = await updateCase(db, row, await figuresAfterChange(deps, work), now);
    await note();
    return { row: grown, added };
  });
}

/**
 * What closing and reopening mean for the signals of a case: closed as false positive, those that no other case holds
 * are false positives; opened again, those that it made so are not.
 */
export async function tellSignals(
  deps: CaseDeps,
  { db, trx, row }: CaseWork,
  actor: CaseActor,
  resolution: Resolution | null,
): Promise<void> {
  const isFalse = resolution === 'false_positive';
  if (!isFalse && row.resolution !== 'false_positive') return;
  const ids = (await selectSignals(db, row)).map((link) => link.signal_id);
  await deps.signals.markFalsePositive(trx, row.cluster_id, ids, isFalse, markOf(row, actor));
}

/** Takes a signal out of a case. Throws `not-found` when it is not in it. */
export function removeSignal(
  deps: CaseDeps,
  scope: ScopeRef,
  actor: CaseActor,
  input: { readonly caseId: string; readonly signalId: string },
): Promise<CaseRow> {
  return changeCase(deps, scope, input.caseId, async (work) => {
    const { db, row, now, trx } = work;
    if (!(await deleteSignal(db, row, input.signalId))) throw notFound(say('cases.signalNotFound'));
    const [signal] = await deps.signals.getMany(trx, scope.clusterId, scope.scopeId, [input.signalId]);
    await deps.signals.unmarkInCase(trx, scope.clusterId, [input.signalId], markOf(row, actor));
    const name = signal?.name ?? input.signalId;
    await insertHistory(db, row, actor, { action: 'remove_signal', from: name }, now);
    await insertNotes(
      db,
      row,
      [systemNote(say('notes.signalRemoved', { signal: name, name: actor.name }))],
      now,
    );
    const left = await updateCase(db, row, await figuresAfterChange(deps, work), now);
    await recordAct(deps, work, actor, 'case.signals.remove', { signals: [input.signalId] });
    return left;
  });
}

type EntityToAdd = Pick<CaseTables['case_entity'], 'type' | 'value' | 'role'>;

const isSame = (one: { type: string; value: string }, two: { type: string; value: string }) =>
  one.type === two.type && one.value === two.value;

/** Writes an entity and its history; false when it is in the case with that role already. */
async function putEntity(work: CaseWork, actor: CaseActor, signals: readonly Signal[], wanted: EntityToAdd) {
  const { db, row, now } = work;
  const { type, value, role } = wanted;
  const known = caseEntities(signals, await selectAddedEntities(db, row)).find((one) => isSame(one, wanted));
  if (known && (known.role === role || known.role === 'both')) return false;
  await upsertEntity(db, {
    cluster_id: row.cluster_id,
    case_id: row.case_id,
    type,
    value,
    role: known?.added ? 'both' : role,
    added_at: now,
    added_by: actor.name,
  });
  await insertHistory(db, row, actor, { action: 'add_entity', to: `${type} ${value} (${role})` }, now);
  return true;
}

/** Adds an entity by hand. Throws `conflict` when it is in the case with that role already. */
export function addEntity(
  deps: CaseDeps,
  scope: ScopeRef,
  actor: CaseActor,
  input: { readonly caseId: string } & EntityToAdd,
) {
  return changeCase(deps, scope, input.caseId, async (work) => {
    const { db, row, now, trx } = work;
    const { type, value, role } = input;
    const signals = await signalsOf(deps, trx, row, await selectSignals(db, row));
    if (!(await putEntity(work, actor, signals, { type, value, role }))) {
      throw new AppError('conflict', say('cases.entityKnown'));
    }
    await updateCase(db, row, await figuresAfterChange(deps, work), now);
    const all = caseEntities(signals, await selectAddedEntities(db, row));
    const entity = all.find((one) => isSame(one, input));
    if (!entity) throw new Error('an entity that was just added is not there');
    await recordAct(deps, work, actor, 'case.entity.add', { type, value, role });
    return entity;
  });
}

/** Adds several entities by hand; answers how many were new. */
export function addEntities(
  deps: CaseDeps,
  scope: ScopeRef,
  actor: CaseActor,
  input: {
    readonly caseId: string;
    readonly role: EntityToAdd['role'];
    readonly entities: readonly Pick<EntityToAdd, 'type' | 'value'>[];
  },
): Promise<{ added: number; unchanged: number }> {
  return changeCase(deps, scope, input.caseId, async (work) => {
    const { db, row, now, trx } = work;
    const { role } = input;
    const signals = await signalsOf(deps, trx, row, await selectSignals(db, row));
    const added: string[] = [];
    for (const { type, value } of input.entities) {
      if (await putEntity(work, actor, signals, { type, value, role })) added.push(`${type} ${value}`);
    }
    if (added.length > 0) await updateCase(db, row, await figuresAfterChange(deps, work), now);
    await recordAct(deps, work, actor, 'case.entity.add', { role, changed: added.length, entities: added });
    return { added: added.length, unchanged: input.entities.length - added.length };
  });
}
