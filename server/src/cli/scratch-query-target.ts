import type { QueryService } from '../features/search/query-service.ts';
import { openScratchQueries } from '../features/search/scratch-queries.ts';
import type { QueryAnswer, QueryTarget } from './query-target.ts';

// An engine of its own in a temporary folder, for queries that bring their data along (print, datatable, range).
// The tables are there and empty.

const TENANT = 'scratch';
const SCOPE = 'scratch';
/** One query may take this long; a batch must not hang on one of its lines. */
const QUERY_LIMIT_MS = 10_000;

/** Starts the engine; `close` stops it and removes the folder. */
export async function openScratchTarget(): Promise<QueryTarget> {
  const { queries, close } = await openScratchQueries('tyrian-query-', TENANT);
  // Both compilers load the language service now, so that it does not count against the limit of the first queries.
  const load = (kql: string) => queries.compile({ clusterId: TENANT, scopes: [SCOPE], kql });
  try {
    await Promise.all([load('print 1'), load('print 2')]);
  } catch (error) {
    await close();
    throw error;
  }
  return { run: (kql) => runLimited(queries, kql), close };
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
