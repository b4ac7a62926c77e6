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
import { entryComesLater } from '../../platform/http/call-context.ts';
import { readEntry } from './read-entry.ts';
import { resolveRange } from './search-range.ts';
import type { SearchServices } from './search-services.ts';

/** Binds the calls of Find. */
export function searchRoutes(app: FastifyInstance, services: SearchServices): void {
  taskRoutes(app, services);
  exportRoute(app, services);
  aidRoutes(app, services);
  fieldRoutes(app, services);
  historyRoutes(app, services);
}

function taskRoutes(app: FastifyInstance, services: SearchServices): void {
  const { tasks, workbookKql, reachOf } = services;
  bindEndpoint(app, invokeJob, async ({ caller, clusterId, input }) => {
    const isWorkbook = input.job_type === 'workbook';
    const scopeId = isWorkbook ? input.ScopeID : input.scope_id;
    const kql = isWorkbook ? await workbookKql(clusterId, scopeId, input.ID) : input.query;
    const { from, to, query_timezone: timezone } = input;
    const { row_limit: rowLimit, sort } = isWorkbook ? NO_CHOICE : input;
    const queue = isWorkbook ? 'analytics' : input.queue;
    const reach = reachOf(caller, clusterId);
    const search = { scopeId, kql, from, to, timezone, rowLimit, sort, queue, reach };
    const pageRows = isWorkbook ? 0 : input.page_rows;
    const { task, result } = await tasks.invoke(caller, clusterId, search, pageRows);
    entryComesLater();
    const { id, stage } = task;
    return [{ id, status: 'PENDING' as const, task_stage: stage, ...(result ? { result } : {}) }];
  });
  bindEndpoint(app, taskState, ({ caller, clusterId, params, input, signal }) =>
    tasks.state(caller, clusterId, params.taskid ?? '', { ...input, signal }),
  );
  bindEndpoint(app, taskResult, ({ caller, clusterId, params, input }) =>
    tasks.result(caller, clusterId, params.taskid ?? '', input),
  );
  bindEndpoint(app, cancelTask, async ({ caller, clusterId, params }) => {
    const id = params.taskid ?? '';
    return { id, task_state: await tasks.cancel(caller, clusterId, id) };
  });
}

function exportRoute(app: FastifyInstance, { exports, clock, audit, reachOf }: SearchServices): void {
  bindEndpoint(app, exportSearch, async ({ caller, clusterId, input, signal, reply, request }) => {
    const { scope_id: scopeId, query, format } = input;
    const range = resolveRange(input, clock.now());
    const file = await exports.open({
      clusterId,
      userId: caller.userId,
      scopes: [scopeId],
      reach: reachOf(caller, clusterId),
      kql: query,
      range,
      format,
      columns: input.columns,
      bom: input.bom,
      csv: { formulaGuard: input.formula_guard, zone: input.local_times ? input.query_timezone : null },
      signal,
      note: ({ state, rows, scopes }) => {
        const entry = readEntry(
          'search.export',
          { clusterId, scopeId, query, range, scopes },
          { state, format, rows },
        );
        // The body is pulled by the socket, outside of the call.
        return audit.record({ ...entry, who: caller, source: request.ip });
      },
    });
    reply.header('content-type', file.contentType);
    reply.header('content-disposition', `attachment; filename="tyrian-export.${file.extension}"`);
    return file.body;
  });
}

/** A workbook's rows come as its query gives them. */
const NO_CHOICE = { row_limit: undefined, sort: undefined };

function aidRoutes(app: FastifyInstance, { aids, clock, audit, reachOf }: SearchServices): void {
  type AidCall = Pick<Call<Search>, 'caller' | 'clusterId' | 'input' | 'signal'>;
  const asked = (call: AidCall, scopes = new Set<string>()) => ({
    clusterId: call.clusterId,
    userId: call.caller.userId,
    scopes: [call.input.scope_id],
    reach: reachOf(call.caller, call.clusterId),
    kql: call.input.query,
    range: resolveRange(call.input, clock.now()),
    signal: call.signal,
    onScopes: (read: readonly string[]) => {
      for (const scope of read) scopes.add(scope);
    },
  });
  /** The answer, once the entry of the read is written. */
  const told = async <T>(
    action: string,
    call: AidCall,
    read: (asking: ReturnType<typeof asked>) => Promise<T>,
    details: (answer: T) => { readonly rows: number },
  ): Promise<T> => {
    const scopes = new Set<string>();
    const asking = asked(call, scopes);
    const { clusterId, kql: query, range } = asking;
    const answer = await read(asking);
    const where = { clusterId, scopeId: call.input.scope_id, query, range, scopes };
    await audit.record(readEntry(action, where, details(answer)));
    return answer;
  };
  bindEndpoint(app, searchHistogram, (call) => {
    const { stack_by: stackBy, buckets } = call.input;
    return told(
      'search.histogram',
      call,
      (asking) => aids.histogram(asking, { stackBy, buckets }),
      ({ total }) => ({ stack_by: stackBy, rows: total }),
    );
  });
  bindEndpoint(app, fieldValues, (call) => {
    const { field, limit } = call.input;
    return told(
      'search.field_values',
      call,
      (asking) => aids.fieldValues(asking, { field, limit }),
      ({ values }) => ({ field, rows: values.length }),
    );
  });
  bindEndpoint(app, explainZeroRows, (call) =>
    told('search.zero_rows', call, aids.zeroRows, ({ steps }) => ({ rows: steps.length })),
  );
  bindEndpoint(app, explainSearch, (call) => aids.explain(asked(call)));
}

function fieldRoutes(app: FastifyInstance, services: SearchServices): void {
  const { fields, clock, audit } = services;
  bindEndpoint(app, listFields, async ({ clusterId, input }) => {
    const { scope_id: scopeId, stream: streams } = input;
    const found = await fields.fields(clusterId, scopeId, streams);
    // Each comes with a value out of the newest events.
    const details = { streams, rows: found.length };
    await audit.record({ action: 'search.fields', clusterId, scopeId, details });
    return found;
  });
  bindEndpoint(app, listSourceNames, async ({ clusterId, input }) => {
    const scopeId = input.scope_id;
    const range = resolveRange(input, clock.now());
    const found = await fields.sources(clusterId, scopeId, range);
    const read = { clusterId, scopeId, query: '', range };
    await audit.record(readEntry('search.sources', read, { rows: found.length }));
    return found;
  });
  bindEndpoint(app, knownValues, async ({ clusterId, input }) => {
    const { scope_id: scopeId, field, stream: streams } = input;
    const range = resolveRange(input, clock.now());
    const found = await services.knownValues.valuesOf({ clusterId, scopeId, field, streams }, range);
    const read = { clusterId, scopeId, query: '', range };
    const details = { field, streams, rows: found.values.length };
    await audit.record(readEntry('search.known_values', read, details));
    return found;
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

function historyRoutes(app: FastifyInstance, { history, audit }: SearchServices): void {
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
      times: entry.times,
    }));
  });
  bindEndpoint(app, forgetSearches, async ({ caller, clusterId, input }) => {
    const { scope_id: scopeId, ids } = input;
    const removed = await history.hide(clusterId, caller.userId, scopeId, ids, (trx, changed) =>
      audit.record({ action: 'search.forget', clusterId, scopeId, details: { ids, changed } }, trx),
    );
    return { removed };
  });
}
