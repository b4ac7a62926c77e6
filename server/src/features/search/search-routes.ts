import {
  cancelTask,
  estimateCost,
  explainSearch,
  explainZeroRows,
  exportSearch,
  fieldValues,
  forgetSearches,
  invokeJob,
  knownValues,
  listFields,
  listSearchHistory,
  listSourceNames,
  listTimezones,
  type Search,
  searchHistogram,
  taskResult,
  taskState,
} from '@tyrian/contract';
import type { FastifyInstance } from 'fastify';
import { bindEndpoint, type Call } from '../../platform/http/bind-endpoint.ts';
import { resolveRange } from './search-range.ts';
import type { SearchServices } from './search-services.ts';

/** Binds the calls of Find. */
export function searchRoutes(app: FastifyInstance, services: SearchServices): void {
  taskRoutes(app, services);
  aidRoutes(app, services);
  fieldRoutes(app, services);
  historyRoutes(app, services);
}

function taskRoutes(app: FastifyInstance, services: SearchServices): void {
  const { tasks, workbookKql, exports, clock, audit, reachOf } = services;
  bindEndpoint(app, invokeJob, async ({ caller, clusterId, input, request }) => {
    const isWorkbook = input.job_type === 'workbook';
    const scopeId = isWorkbook ? input.ScopeID : input.scope_id;
    const kql = isWorkbook ? await workbookKql(clusterId, scopeId, input.ID) : input.query;
    const { from, to, query_timezone: timezone } = input;
    const rowLimit = isWorkbook ? WORKBOOK_ROWS : input.row_limit;
    const queue = isWorkbook ? 'analytics' : input.queue;
    const reach = reachOf(caller, clusterId);
    const search = { scopeId, kql, from, to, timezone, rowLimit, queue, reach };
    const read = { who: caller, source: request.ip, clusterId, scopeId };
    const id = await tasks.invoke(caller, clusterId, search, ({ state, rows }) =>
      audit.record({ action: 'search', ...read, details: { query: kql, from, to, state, rows } }),
    );
    return [{ id, status: 'PENDING' as const }];
  });
  bindEndpoint(app, taskState, ({ caller, clusterId, params }) =>
    tasks.state(caller, clusterId, params.taskid ?? ''),
  );
  bindEndpoint(app, taskResult, ({ caller, clusterId, params, input }) =>
    tasks.result(caller, clusterId, params.taskid ?? '', input),
  );
  bindEndpoint(app, cancelTask, async ({ caller, clusterId, params }) => {
    const id = params.taskid ?? '';
    return { id, task_state: await tasks.cancel(caller, clusterId, id) };
  });
  bindEndpoint(app, exportSearch, async ({ caller, clusterId, input, signal, reply, request }) => {
    const read = { who: caller, source: request.ip, clusterId, scopeId: input.scope_id };
    const { query, from, to, format } = input;
    const file = await exports.open({
      clusterId,
      userId: caller.userId,
      scopes: [input.scope_id],
      reach: reachOf(caller, clusterId),
      kql: input.query,
      range: resolveRange(input, clock.now()),
      format: input.format,
      columns: input.columns,
      bom: input.bom,
      csv: { formulaGuard: input.formula_guard, zone: input.local_times ? input.query_timezone : null },
      signal,
      onEnded: (rows) =>
        audit.record({ action: 'search.export', ...read, details: { query, from, to, format, rows } }),
    });
    reply.header('content-type', file.contentType);
    reply.header('content-disposition', `attachment; filename="tyrian-export.${file.extension}"`);
    return file.body;
  });
}

const WORKBOOK_ROWS = 1000;

function aidRoutes(app: FastifyInstance, { aids, clock, reachOf }: SearchServices): void {
  const asked = (call: Pick<Call<Search>, 'caller' | 'clusterId' | 'input' | 'signal'>) => ({
    clusterId: call.clusterId,
    userId: call.caller.userId,
    scopes: [call.input.scope_id],
    reach: reachOf(call.caller, call.clusterId),
    kql: call.input.query,
    range: resolveRange(call.input, clock.now()),
    signal: call.signal,
  });
  bindEndpoint(app, searchHistogram, (call) =>
    aids.histogram(asked(call), { stackBy: call.input.stack_by, buckets: call.input.buckets }),
  );
  bindEndpoint(app, fieldValues, (call) =>
    aids.fieldValues(asked(call), { field: call.input.field, limit: call.input.limit }),
  );
  bindEndpoint(app, explainZeroRows, (call) => aids.zeroRows(asked(call)));
  bindEndpoint(app, explainSearch, (call) => aids.explain(asked(call)));
}

function fieldRoutes(app: FastifyInstance, services: SearchServices): void {
  const { fields, clock } = services;
  bindEndpoint(app, listFields, ({ clusterId, input }) =>
    fields.fields(clusterId, input.scope_id, input.stream),
  );
  bindEndpoint(app, listSourceNames, ({ clusterId, input }) =>
    fields.sources(clusterId, input.scope_id, resolveRange(input, clock.now())),
  );
  bindEndpoint(app, knownValues, ({ clusterId, input }) => {
    const { scope_id: scopeId, field, stream: streams } = input;
    return services.knownValues.valuesOf(
      { clusterId, scopeId, field, streams },
      resolveRange(input, clock.now()),
    );
  });
  bindEndpoint(app, listTimezones, () => fields.timezones(clock.now()));
  bindEndpoint(app, estimateCost, ({ caller, clusterId, input, signal }) =>
    fields.cost(
      {
        clusterId,
        userId: caller.userId,
        scopeId: input.scope_id,
        kql: input.query,
        range: resolveRange(input, clock.now()),
      },
      signal,
    ),
  );
}

function historyRoutes(app: FastifyInstance, { history }: SearchServices): void {
  bindEndpoint(app, listSearchHistory, async ({ caller, clusterId, input }) => {
    const { scope_id: scopeId, search, before, limit } = input;
    const wanted = { search, before, limit };
    const entries = await history.list(clusterId, caller.userId, scopeId, wanted);
    return entries.map((entry) => ({
      id: entry.id,
      query: entry.query,
      from: entry.from,
      to: entry.to,
      query_timezone: entry.queryTimezone,
      started: entry.startedMs,
      status: entry.status,
      rows: entry.rowCount,
      elapsed_ms: entry.elapsedMs,
    }));
  });
  bindEndpoint(app, forgetSearches, async ({ caller, clusterId, input }) => ({
    removed: await history.hide(clusterId, caller.userId, input.scope_id, input.ids),
  }));
}
