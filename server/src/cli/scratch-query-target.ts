import { rmSync } from 'node:fs';
import { startEmbeddedClickhouse } from '../engines/clickhouse/embedded-clickhouse.ts';
import { engineSecrets } from '../engines/engine-secrets.ts';
import { scratchFolder } from '../engines/scratch-engines.ts';
import { createKqlCompiler } from '../features/search/kql-compiler.ts';
import { createQueryPlaces } from '../features/search/query-places.ts';
import { createQueryService, type QueryService } from '../features/search/query-service.ts';
import { createEventStore } from '../platform/clickhouse/clickhouse-event-store.ts';
import { systemClock } from '../platform/clock.ts';
import { createLog } from '../platform/log.ts';
import type { QueryAnswer, QueryTarget } from './query-target.ts';

// An engine of its own in a temporary folder, for queries that bring their data along (print, datatable, range).
// The tables are there and empty.

const TENANT = 'scratch';
const SCOPE = 'scratch';
/** One query may take this long; a batch must not hang on one of its lines. */
const QUERY_LIMIT_MS = 10_000;

/** Starts the engine; `close` stops it and removes the folder. */
export async function openScratchTarget(): Promise<QueryTarget> {
  const dataFolder = scratchFolder('tyrian-query-');
  const remove = (): void => rmSync(dataFolder, { recursive: true, force: true });
  const log = createLog('silent');
  try {
    const secrets = engineSecrets(dataFolder);
    const engine = await startEmbeddedClickhouse({ dataFolder, secrets, log, durable: false });
    const events = createEventStore({
      url: engine.url,
      ingest: { user: 'ingest', password: secrets.clickhouseIngest },
      query: { user: 'query', password: secrets.clickhouseQuery },
      keepAlive: false,
      log,
    });
    const compiler = createKqlCompiler();
    const noFields = async () => ({ version: 'none', fields: [], extFields: [] });
    const queries = createQueryService({
      events,
      compiler,
      seenFields: { fieldsOf: noFields, sampledFieldsOf: noFields },
      places: createQueryPlaces(),
      clock: systemClock,
    });
    await events.ensureTenant(TENANT);
    // Both compilers load the language service now, so that it does not count against the limit of the first queries.
    const load = (kql: string) => queries.compile({ clusterId: TENANT, scopes: [SCOPE], kql });
    await Promise.all([load('print 1'), load('print 2')]);
    return {
      run: (kql) => runLimited(queries, kql),
      close: async () => {
        await compiler.close();
        await events.close();
        await engine.stop();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

async function runLimited(queries: QueryService, kql: string): Promise<QueryAnswer> {
  const signal = AbortSignal.timeout(QUERY_LIMIT_MS);
  try {
    const request = { clusterId: TENANT, scopes: [SCOPE], kql, queue: 'interactive', signal } as const;
    const results = await queries.runTables(request);
    const tables = results.map(({ name, columns, rows }) => ({ name, columns, rows }));
    const [first] = tables;
    if (!first) throw new Error('the query gave no table');
    const { columns, rows } = first;
    return first.name === '' ? { columns, rows } : { columns, rows, tables };
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new Error(`stopped after ${QUERY_LIMIT_MS / 1000} seconds`);
  }
}
