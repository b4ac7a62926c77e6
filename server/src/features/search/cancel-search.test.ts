import { cancelTask, invokeJob, taskState } from '@tyrian/contract';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { type TestApp, testApp } from '../../engines/testing/index.ts';
import { basicAuthorization } from '../../platform/clickhouse/event-store-options.ts';
import { type Company, seedCompany } from '../identity/users/testing/seed-company.ts';

let server: TestApp;
let company: Company;

beforeAll(async () => {
  server = await testApp();
  company = await seedCompany(server.platform);
});
afterAll(() => server?.close());

/** Would count for years. */
const ENDLESS = 'range x from 1 to 9999999999999999 step 2 | summarize sum(x % 7)';

it('[C119] stops a search on the engine', async () => {
  const ssid = await company.signIn('engineer');
  const { clusterId, scope } = company.a;
  const input = { job_type: 'kql' as const, scope_id: scope, query: ENDLESS };
  const { data } = await server.call(invokeJob, { ssid, params: { clusterId }, input });
  const params = { clusterId, taskid: data[0]?.id ?? '' };
  const running = () => countQueriesOf(clusterId);
  await expect.poll(running, { timeout: 60_000, interval: 50 }).toBeGreaterThan(0);
  const answer = await server.call(cancelTask, { ssid, params });
  expect(answer.data.task_state).toBe('REVOKED');
  // How soon is what bench/cancel-query.ts measures; on its own it would end in years.
  await expect.poll(running, { timeout: 60_000, interval: 10 }).toBe(0);
  const { body } = await server.call(taskState, { ssid, params });
  expect(body).toMatchObject({ task_stage: 'FAILURE', task_state: 'REVOKED' });
});

/** The query user sees no system tables, so the engine is asked as the user who writes. */
async function countQueriesOf(clusterId: string): Promise<number> {
  const { url, ingest } = inject('testEngines').clickhouse;
  const response = await fetch(url, {
    method: 'POST',
    body: `SELECT count() FROM system.processes WHERE user = 'query' AND current_database = 'tenant_${clusterId}'
      AND query NOT LIKE '%distinctJSONPaths%' AND query NOT LIKE '%GROUP BY Scope, Stream%'`,
    headers: { authorization: basicAuthorization(ingest) },
  });
  return Number(await response.text());
}
