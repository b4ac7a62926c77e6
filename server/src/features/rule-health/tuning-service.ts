import {
  type askTuning,
  type listTuning,
  type OutputOf,
  type resolveTuning,
  say,
  type TuningRequest,
} from '@tyrian/contract';
import type { z } from 'zod';
import { AppError, notFound } from '../../platform/app-error.ts';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { Clock } from '../../platform/clock.ts';
import { writeEvents } from '../../platform/events/write-events.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { newId } from '../../platform/new-id.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import { isSignalOf } from '../signals/rule-noise.ts';
import { closeRequest, insertRequest, lockRequest, openByRule, pageRequests } from './tuning-store.ts';

// Requests to tune a rule: whoever triages its signals asks, the engineers of the scope hear of it and close it.

export interface CallerInScope {
  readonly caller: Caller;
  readonly clusterId: string;
  readonly scopeId: string;
}

interface TuningDeps {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly audit: AuditService;
  /** The name of a workbook or of a rule of a pack in a scope; null when there is none such. */
  readonly nameOf: (clusterId: string, scopeId: string, id: string) => Promise<string | null>;
}

type Parsed<E extends { readonly input: z.ZodType }> = z.output<E['input']>;

export interface TuningService {
  /** Throws `not-found` for a rule or a signal that is not there, `conflict` when too many are open. */
  ask(scope: CallerInScope, input: Parsed<typeof askTuning>): Promise<OutputOf<typeof askTuning>>;
  list(
    scope: CallerInScope,
    input: Parsed<typeof listTuning>,
  ): Promise<{ data: TuningRequest[]; total_count: number }>;
  /** Throws `not-found`, `conflict` when it is closed already. */
  resolve(scope: CallerInScope, input: Parsed<typeof resolveTuning>): Promise<OutputOf<typeof resolveTuning>>;
}

/** Open requests of one rule. */
const MOST_OPEN = 50;

export function createTuningService(deps: TuningDeps): TuningService {
  return bindDeps(deps, { ask, list, resolve });
}

async function ask(deps: TuningDeps, scope: CallerInScope, input: Parsed<typeof askTuning>) {
  const { postgres, clock, audit } = deps;
  const { clusterId, scopeId, caller } = scope;
  const { ID: workbookId, comment, signal_id: signalId = null } = input;
  const workbookName = await deps.nameOf(clusterId, scopeId, workbookId);
  if (workbookName === null) throw notFound();
  const requestId = newId();
  const atMs = clock.now();
  await postgres.inTenant(clusterId, async (trx) => {
    if (signalId !== null && !(await isSignalOf(trx, { clusterId, scopeId, workbookId }, signalId)))
      throw notFound();
    const open = (await openByRule(trx, clusterId, scopeId, workbookId)).get(workbookId) ?? 0;
    if (open >= MOST_OPEN) throw new AppError('conflict', say('rules.tooManyTuning', { most: MOST_OPEN }));
    const by = { userId: caller.userId, name: caller.name };
    await insertRequest(trx, scope, { requestId, workbookId, workbookName, signalId, comment, atMs, by });
    await writeEvents(trx, [
      {
        ...{ clusterId, scopeId, kind: 'rule.tuning', objectId: workbookId, actor: by, atMs },
        details: { name: workbookName },
      },
    ]);
    const details = { rule: workbookName, comment, ...(signalId === null ? {} : { signal: signalId }) };
    const entry = {
      action: 'detection.tuning',
      who: caller,
      clusterId,
      scopeId,
      entity: workbookId,
      details,
    };
    await audit.record(entry, trx);
  });
  return { request_id: requestId };
}

function list({ postgres }: TuningDeps, scope: CallerInScope, input: Parsed<typeof listTuning>) {
  return postgres.inTenant(scope.clusterId, (trx) => pageRequests(trx, scope, input));
}

async function resolve(deps: TuningDeps, scope: CallerInScope, input: Parsed<typeof resolveTuning>) {
  const { clusterId, scopeId, caller } = scope;
  const { request_id: requestId, resolution } = input;
  await deps.postgres.inTenant(clusterId, async (trx) => {
    const request = await lockRequest(trx, scope, requestId);
    if (!request) throw notFound();
    if (!request.isOpen) throw new AppError('conflict', say('rules.tuningClosed'));
    const atMs = deps.clock.now();
    await closeRequest(trx, scope, requestId, { resolution, author: caller.name, atMs });
    const details = { rule: request.workbookName, resolution };
    const entity = request.workbookId;
    const entry = { action: 'detection.tuned', who: caller, clusterId, scopeId, entity, details };
    await deps.audit.record(entry, trx);
  });
  return { request_id: requestId };
}
