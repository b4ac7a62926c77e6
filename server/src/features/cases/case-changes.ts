import {
  type CaseStatus,
  ensureEscaped,
  mentionsIn,
  type Resolution,
  readNote,
  refuseStatusChange,
  type ServerMessage,
  type Severity,
  type StatusRefusal,
  say,
  turnClock,
} from '@tyrian/contract';
import { AppError, notFound } from '../../platform/app-error.ts';
import { newId } from '../../platform/new-id.ts';
import type { ScopeRef } from '../../platform/scope-ref.ts';
import {
  type CaseDeps,
  type CaseEvent,
  type CaseWork,
  changeCase,
  MAX_NAMED,
  recordAct,
  systemNote,
  tellCase,
} from './case-context.ts';
import { figuresAfterChange, gatherSignals, joinSignals, tellSignals } from './case-evidence-changes.ts';
import { insertHistory, insertNotes, type NoteToAdd } from './case-journal-store.ts';
import { insertCase, lockCase, nextCaseNumber, updateCase } from './case-store.ts';
import { type CaseActor, type CaseRow, caseDb } from './case-tables.ts';
import { resolutionWord, severityWord, statusWord } from './case-words.ts';

// The acts on a case: create, edit, assign, move to another status, note. Each is one transaction that writes
// the case, its history and the system note together.

export interface CaseToCreate {
  readonly name: string;
  readonly severity: Severity;
  readonly handlerId: string | null;
  readonly signalIds: readonly string[];
  readonly includeSimilar: boolean;
  readonly tags: readonly string[];
}

async function handlerNamed(deps: CaseDeps, scope: ScopeRef, userId: string) {
  const handler = await deps.findHandler(scope.clusterId, scope.scopeId, userId);
  if (!handler) throw notFound(say('cases.nobodyHandles'));
  return handler;
}

const createdFrom = (count: number, name: string): ServerMessage => {
  if (count === 0) return say('notes.created', { name });
  return count === 1
    ? say('notes.createdFromSignal', { name })
    : say('notes.createdFromSignals', { name, count });
};

const assigned = (handlerId: string | null): CaseEvent[] =>
  handlerId === null ? [] : [{ kind: 'case.assigned', details: { act: 'assign', handler_id: handlerId } }];

export async function createCase(
  deps: CaseDeps,
  scope: ScopeRef,
  actor: CaseActor,
  input: CaseToCreate,
): Promise<CaseRow> {
  const handler = input.handlerId === null ? null : await handlerNamed(deps, scope, input.handlerId);
  return deps.postgres.inTenant(scope.clusterId, async (trx) => {
    const db = caseDb(trx);
    const now = deps.clock.now();
    const signals = await gatherSignals(deps, trx, scope, input.signalIds, input.includeSimilar);
    const row: CaseRow = {
      cluster_id: scope.clusterId,
      case_id: newId(),
      scope_id: scope.scopeId,
      number: await nextCaseNumber(db, scope.clusterId),
      case_name: input.name,
      status: 'OPEN',
      severity: input.severity,
      handler_id: handler?.user_id ?? null,
      handler_name: handler?.name ?? null,
      resolution: null,
      tags: [...new Set(input.tags)],
      created_at: now,
      created_by: actor.name,
      updated_at: now,
      closed_at: null,
      status_since: now,
      worked_ms: 0,
      on_hold_ms: 0,
      oldest_signal_at: null,
      risk_score: 0,
      signal_count: 0,
      artifact_count: 0,
      notes_count: 0,
      revision: 0,
    };
    await insertCase(db, row);
    await insertHistory(db, row, actor, { action: 'create', to: row.case_name }, now);
    const work = { trx, db, row, now };
    const added = await joinSignals(deps, work, actor, signals);
    await insertNotes(db, row, [systemNote(createdFrom(added, actor.name))], now);
    const made = await updateCase(db, row, await figuresAfterChange(deps, work), now);
    const { case_name: name, severity, handler_id: handlerId, tags } = row;
    const ids = signals.slice(0, MAX_NAMED).map((signal) => signal.signal_id);
    const details = { name, severity, handler: handlerId, tags, signals: ids, added };
    const told: CaseEvent[] = [{ kind: 'case.created', details: { severity } }, ...assigned(handlerId)];
    await recordAct(deps, work, actor, 'case.create', details, told);
    return made;
  });
}

export interface CaseEdit {
  readonly caseId: string;
  readonly revision: number;
  readonly name?: string | undefined;
  readonly severity?: Severity | undefined;
  readonly tags?: readonly string[] | undefined;
}

export function editCase(
  deps: CaseDeps,
  scope: ScopeRef,
  actor: CaseActor,
  edit: CaseEdit,
): Promise<CaseRow> {
  return changeCase(deps, scope, edit.caseId, async (work) => {
    const { db, row, now } = work;
    if (edit.revision !== row.revision) {
      throw new AppError('conflict', say('cases.changedMeanwhile'), {
        revision: row.revision,
      });
    }
    const { name, severity } = edit;
    const tags = edit.tags && [...new Set(edit.tags)];
    const notes: NoteToAdd[] = [];
    if (name !== undefined && name !== row.case_name) {
      await insertHistory(db, row, actor, { action: 'name', from: row.case_name, to: name }, now);
    }
    if (severity !== undefined && severity !== row.severity) {
      await insertHistory(db, row, actor, { action: 'severity', from: row.severity, to: severity }, now);
      notes.push(
        systemNote(
          say('notes.severityChanged', {
            from: severityWord(row.severity),
            to: severityWord(severity),
            name: actor.name,
          }),
        ),
      );
    }
    if (tags && tags.join('\n') !== row.tags.join('\n')) {
      const change = { action: 'tags', from: row.tags.join(', '), to: tags.join(', ') } as const;
      await insertHistory(db, row, actor, change, now);
    }
    if (notes.length > 0) await insertNotes(db, row, notes, now);
    const change = {
      ...(name === undefined ? {} : { case_name: name }),
      ...(severity === undefined ? {} : { severity }),
      ...(tags === undefined ? {} : { tags }),
    };
    const edited = await updateCase(db, row, change, now);
    const before = { case_name: row.case_name, severity: row.severity, tags: row.tags };
    await recordAct(deps, work, actor, 'case.edit', { before, after: change });
    return edited;
  });
}

export async function assignCase(
  deps: CaseDeps,
  scope: ScopeRef,
  actor: CaseActor,
  input: { readonly caseId: string; readonly userId: string | null },
): Promise<CaseRow> {
  const handler = input.userId === null ? null : await handlerNamed(deps, scope, input.userId);
  return changeCase(deps, scope, input.caseId, async (work) => {
    const { db, row, now } = work;
    const told = { from: row.handler_id, to: handler?.user_id ?? null };
    if (told.from === told.to) {
      await recordAct(deps, work, actor, 'case.assign', { ...told, changed: 0 }, []);
      return row;
    }
    if (!handler && row.status === 'IN-PROGRESS') {
      throw new AppError('conflict', say('cases.needsHandler'));
    }
    const change = { action: 'handler', from: row.handler_name, to: handler?.name ?? null } as const;
    await insertHistory(db, row, actor, change, now);
    const { name } = actor;
    const said = handler
      ? say('notes.handlerSet', { handler: handler.name, name })
      : say('notes.handlerRemoved', { name });
    await insertNotes(db, row, [systemNote(said)], now);
    const to = { handler_id: handler?.user_id ?? null, handler_name: handler?.name ?? null };
    const updated = await updateCase(db, row, to, now);
    const events = handler ? assigned(handler.user_id) : undefined;
    await recordAct(deps, work, actor, 'case.assign', told, events);
    return updated;
  });
}

export interface StatusChange {
  readonly status: CaseStatus;
  readonly resolution: Resolution | null;
  readonly note: string;
}

function statusRefusal(refusal: StatusRefusal, from: CaseStatus, to: CaseStatus): ServerMessage {
  switch (refusal) {
    case 'same-status':
      return say('cases.sameStatus', { status: statusWord(to) });
    case 'transition':
      return say('cases.transition', { from: statusWord(from), to: statusWord(to) });
    case 'handler-missing':
      return say('cases.handlerMissing');
    case 'resolution-missing':
      return say('cases.resolutionMissing');
  }
}

/** The on-hold entry is two notes: the phrase, and then who did it (specification, section 4). */
function statusNotes(actor: CaseActor, from: CaseStatus, change: StatusChange): NoteToAdd[] {
  if (change.status === 'ON-HOLD') return [systemNote(say('notes.onHold')), systemNote(actor.name)];
  const values = { from: statusWord(from), to: statusWord(change.status), name: actor.name };
  if (change.status !== 'CLOSED' || !change.resolution) {
    return [systemNote(say('notes.statusChanged', values))];
  }
  return [systemNote(say('notes.closedAs', { ...values, resolution: resolutionWord(change.resolution) }))];
}

/** Moves a case that is held; throws `conflict` before anything is written when it cannot go there. */
async function moveToStatus(
  deps: CaseDeps,
  work: CaseWork,
  actor: CaseActor,
  change: StatusChange,
): Promise<CaseRow> {
  const { db, row, now } = work;
  const { status, resolution } = change;
  const refusal = refuseStatusChange({
    from: row.status,
    to: status,
    hasHandler: row.handler_id !== null,
    resolution,
  });
  if (refusal) throw new AppError('conflict', statusRefusal(refusal, row.status, status), { refusal });
  const written = ensureEscaped(change.note);
  const outcome = { resolution: status === 'CLOSED' ? resolution : null, note: written };
  await insertHistory(db, row, actor, { action: 'status', from: row.status, to: status, ...outcome }, now);
  await tellSignals(deps, work, actor, outcome.resolution);
  const note: NoteToAdd[] =
    written === ''
      ? []
      : [{ notes: written, author: actor.name, authorId: actor.userId, kind: 'user', tags: [] }];
  await insertNotes(db, row, [...statusNotes(actor, row.status, change), ...note], now);
  const clock = turnClock(
    { statusSince: row.status_since, workedMs: row.worked_ms, onHoldMs: row.on_hold_ms },
    row.status,
    now,
  );
  return updateCase(
    db,
    row,
    {
      status,
      status_since: clock.statusSince,
      worked_ms: clock.workedMs,
      on_hold_ms: clock.onHoldMs,
      closed_at: status === 'CLOSED' ? now : null,
      resolution: status === 'CLOSED' ? resolution : null,
    },
    now,
  );
}

const statusEvent = (from: CaseStatus, { status: to }: StatusChange): CaseEvent => ({
  kind: 'case.changed',
  details: { act: 'status', from, to },
});

export function changeStatus(
  deps: CaseDeps,
  scope: ScopeRef,
  actor: CaseActor,
  caseId: string,
  change: StatusChange,
): Promise<CaseRow> {
  const work = async (held: CaseWork) => {
    const moved = await moveToStatus(deps, held, actor, change);
    const details = { from: held.row.status, to: change.status, resolution: change.resolution };
    const told = [statusEvent(held.row.status, change)];
    await recordAct(deps, held, actor, 'case.status', { ...details, note_length: change.note.length }, told);
    return moved;
  };
  return changeCase(deps, scope, caseId, work, true);
}

export interface StatusChanges {
  readonly changed: readonly CaseRow[];
  readonly refused: readonly { readonly caseId: string; readonly said: ServerMessage }[];
}

/** Moves many cases in one transaction with one entry of the audit trail; those that cannot go there stay. */
export function changeStatuses(
  deps: CaseDeps,
  scope: ScopeRef,
  actor: CaseActor,
  caseIds: readonly string[],
  change: StatusChange,
): Promise<StatusChanges> {
  return deps.postgres.inTenant(scope.clusterId, async (trx) => {
    const db = caseDb(trx);
    const now = deps.clock.now();
    const changed: CaseRow[] = [];
    const refused: { caseId: string; said: ServerMessage }[] = [];
    // In one order, so that two of these never wait for each other.
    for (const caseId of [...new Set(caseIds)].sort()) {
      const row = await lockCase(db, scope, caseId);
      try {
        if (!row) throw notFound();
        changed.push(await moveToStatus(deps, { trx, db, row, now }, actor, change));
        await tellCase(trx, row, actor, now, [statusEvent(row.status, change)]);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        refused.push({ caseId, said: error.said });
      }
    }
    const { source, ...who } = actor;
    const cases = changed.slice(0, MAX_NAMED).map((row) => row.case_id);
    const { status: to, resolution, note } = change;
    const details = { to, resolution, note_length: note.length, changed: changed.length, cases };
    await deps.audit.record(
      { action: 'case.status', who, source, ...scope, details: { ...details, refused: refused.length } },
      trx,
    );
    // Answered in the order in which they were named.
    const at = new Map(caseIds.map((caseId, index) => [caseId, index]));
    const positionOf = (caseId: string) => at.get(caseId) ?? 0;
    return {
      changed: changed.sort((one, two) => positionOf(one.case_id) - positionOf(two.case_id)),
      refused: refused.sort((one, two) => positionOf(one.caseId) - positionOf(two.caseId)),
    };
  });
}

export function addNote(
  deps: CaseDeps,
  scope: ScopeRef,
  actor: CaseActor,
  input: { readonly caseId: string; readonly notes: string; readonly tags: readonly string[] },
) {
  return changeCase(deps, scope, input.caseId, async (work) => {
    const { db, row, now } = work;
    const mentioned = await mentionedBy(deps, scope, input.notes);
    const [note] = await insertNotes(
      db,
      row,
      [
        {
          notes: ensureEscaped(input.notes),
          author: actor.name,
          authorId: actor.userId,
          kind: 'user',
          tags: input.tags,
        },
      ],
      now,
    );
    if (!note) throw new Error('a note that was just added is not there');
    await insertHistory(db, row, actor, { action: 'note' }, now);
    const told: CaseEvent[] = [{ kind: 'case.noted', details: { act: 'note', mentions: mentioned } }];
    const details = { length: input.notes.length, tags: input.tags, mentions: mentioned };
    await recordAct(deps, work, actor, 'case.note', details, told);
    return note;
  });
}

/** Whom a note mentions among those who may see the case; everybody else stays a name in a text. */
async function mentionedBy(deps: CaseDeps, scope: ScopeRef, notes: string): Promise<string[]> {
  const text = readNote(ensureEscaped(notes));
  if (!text.includes('@')) return [];
  const people = await deps.handlersOf(scope.clusterId, scope.scopeId);
  return mentionsIn(text, people).slice(0, MAX_MENTIONED);
}

const MAX_MENTIONED = 50;
