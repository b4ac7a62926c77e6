import * as contract from '@tyrian/contract';
import { say, sayOfField } from '@tyrian/contract';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../platform/app-error.ts';
import { bindEndpoint, type Call } from '../../platform/http/bind-endpoint.ts';
import type { ScopeRef } from '../../platform/scope-ref.ts';
import type { CaseService } from './case-service.ts';
import type { CaseActor } from './case-tables.ts';

const scopeOf = (call: Call<{ scope_id: string }>): ScopeRef => ({
  clusterId: call.clusterId,
  scopeId: call.input.scope_id,
});
const actorOf = ({ caller, request }: Call<unknown>): CaseActor => ({
  userId: caller.userId,
  name: caller.name,
  source: request.ip,
});
const pageOf = ({ pageno, pagesize }: { pageno: number; pagesize: number }) => ({
  limit: pagesize,
  offset: (pageno - 1) * pagesize,
});

function checkedTimezone(timezone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: timezone }).resolvedOptions().timeZone;
  } catch {
    throw new AppError('bad-input', sayOfField('timezone', say('reasons.timeZone')));
  }
}

/** Binds the calls that read cases. */
function registerReading(app: FastifyInstance, cases: CaseService): void {
  bindEndpoint(app, contract.listCases, (call) => {
    const { input } = call;
    return cases.list(
      scopeOf(call),
      { ...input, filters: input.addfilters },
      { ...pageOf(input), sortBy: input.sort_by, sortOrder: input.sort_order },
    );
  });
  bindEndpoint(app, contract.caseListStats, (call) =>
    cases.listStats(scopeOf(call), { ...call.input, filters: call.input.addfilters }),
  );
  bindEndpoint(app, contract.caseStats, (call) =>
    cases.days(scopeOf(call), call.input.start, call.input.end),
  );
  bindEndpoint(app, contract.caseInfo, (call) => cases.info(scopeOf(call), call.input.case_id));
  bindEndpoint(app, contract.listCaseSignals, (call) =>
    cases.signalList(scopeOf(call), call.input.case_id, pageOf(call.input)),
  );
  bindEndpoint(app, contract.listCaseEntities, (call) => cases.entities(scopeOf(call), call.input.case_id));
  bindEndpoint(app, contract.caseGraph, (call) => cases.graph(scopeOf(call), call.input.case_id));
  bindEndpoint(app, contract.caseFigures, (call) => cases.figures(scopeOf(call), call.input.case_id));
  bindEndpoint(app, contract.caseHistory, (call) =>
    cases.history(scopeOf(call), call.input.case_id, pageOf(call.input)),
  );
  bindEndpoint(app, contract.listCaseNotes, (call) => cases.notes(scopeOf(call), call.input.case_ids));
  bindEndpoint(app, contract.exportCases, async (call) => {
    const { case_ids: caseIds, format } = call.input;
    const timezone = checkedTimezone(call.input.timezone);
    const text = await cases.exportCases(scopeOf(call), actorOf(call), { caseIds, format, timezone });
    call.reply
      .header('content-type', format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson')
      .header('content-disposition', `attachment; filename="cases.${format}"`);
    return text;
  });
}

/** Binds the calls that change cases. */
function registerChanges(app: FastifyInstance, cases: CaseService): void {
  bindEndpoint(app, contract.createCase, (call) => {
    const { input } = call;
    return cases.create(scopeOf(call), actorOf(call), {
      name: input.case_name,
      severity: input.severity,
      handlerId: input.handler ?? null,
      signalIds: input.signal_ids,
      includeSimilar: input.include_similar,
      tags: input.tags,
    });
  });
  bindEndpoint(app, contract.editCase, (call) => {
    const { case_id: caseId, case_name: name, severity, tags, revision } = call.input;
    return cases.edit(scopeOf(call), actorOf(call), { caseId, name, severity, tags, revision });
  });
  bindEndpoint(app, contract.changeCaseStatus, async (call) => {
    const { case_id, case_ids, status, resolution = null, note = '' } = call.input;
    const change = { status, resolution, note };
    if (case_ids) return cases.changeManyStatuses(scopeOf(call), actorOf(call), case_ids, change);
    const changed = await cases.changeStatus(scopeOf(call), actorOf(call), case_id ?? '', change);
    return { changed: [changed], refused: [] };
  });
  bindEndpoint(app, contract.assignCase, (call) =>
    cases.assign(scopeOf(call), actorOf(call), { caseId: call.input.case_id, userId: call.input.user_id }),
  );
  bindEndpoint(app, contract.addCaseSignals, (call) =>
    cases.addSignals(scopeOf(call), actorOf(call), {
      caseId: call.input.case_id,
      signalIds: call.input.signal_ids,
      includeSimilar: call.input.include_similar,
    }),
  );
  bindEndpoint(app, contract.removeCaseSignal, (call) =>
    cases.removeSignal(scopeOf(call), actorOf(call), {
      caseId: call.input.case_id,
      signalId: call.input.signal_id,
    }),
  );
  bindEndpoint(app, contract.addCaseEntity, (call) => {
    const { case_id: caseId, type, value, role } = call.input;
    return cases.addEntity(scopeOf(call), actorOf(call), { caseId, type, value, role });
  });
  bindEndpoint(app, contract.addCaseEntities, (call) => {
    const { case_id: caseId, role, entities } = call.input;
    return cases.addEntities(scopeOf(call), actorOf(call), { caseId, role, entities });
  });
  bindEndpoint(app, contract.addCaseNote, (call) =>
    cases.addNote(scopeOf(call), actorOf(call), {
      caseId: call.input.case_id,
      notes: call.input.notes,
      tags: call.input.tag_list,
    }),
  );
}

export function registerCaseRoutes(app: FastifyInstance, cases: CaseService): void {
  registerReading(app, cases);
  registerChanges(app, cases);
}
