import {
  explainSearch,
  exportSearch,
  type InputOf,
  invokeJob,
  searchHistogram,
  taskResult,
  taskState,
} from '@tyrian/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../engines/testing/index.ts';
import { type Company, type SeedRole, seedCompany } from '../identity/users/testing/seed-company.ts';
import { insertEvents } from './testing/insert-events.ts';

// workspace() and its kin read other scopes of the tenant that the user may search, and nothing else. Tenant B holds a
// canary that must not come out, nor a sign that B is there.

const NOW = Date.UTC(2026, 5, 10, 12);
const CANARY = 'canary-of-tenant-b';
let server: TestApp;
let company: Company;
let otherName = '';
const sessions: Partial<Record<SeedRole, string>> = {};

beforeAll(async () => {
  server = await testApp({ nowMs: NOW });
  company = await seedCompany(server.platform);
  for (const role of ['engineer', 'analyst'] as const) sessions[role] = await company.signIn(role);
  const put = (tenant: 'a' | 'b', scope: string, name: string, count: number) =>
    insertEvents(server.platform.eventStore, company[tenant].clusterId, count, (n) => ({
      Scope: scope,
      Stream: 'Dns',
      SourceType: 'sysmon',
      TimeGenerated: NOW - (n + 1) * 1000,
      DnsQuery: name,
      Raw: name,
    }));
  await put('a', company.a.scope, 'here.example', 3);
  await put('a', company.a.otherScope, 'there.example', 5);
  await put('b', company.b.scope, CANARY, 7);
  const { rows } = await namesOfScopes();
  otherName = rows.find(({ scope_id }) => scope_id === company.a.otherScope)?.scope_name ?? '';
});
afterAll(() => server?.close());

const namesOfScopes = async () => ({
  rows: (await server.platform.postgres.platform
    .withTables<{ scope: { scope_id: string; scope_name: string } }>()
    .selectFrom('scope')
    .select(['scope_id', 'scope_name'])
    .execute()) as { scope_id: string; scope_name: string }[],
});
const at = (role: SeedRole) => ({ ssid: sessions[role] ?? '', params: { clusterId: company.a.clusterId } });
const asked = (query: string) => ({ scope_id: company.a.scope, query, from: 'now-24h', to: 'now' });

async function rowsOf(query: string, role: SeedRole = 'engineer') {
  const input = { job_type: 'kql', ...asked(query) } as InputOf<typeof invokeJob>;
  const started = await server.call(invokeJob, { ...at(role), input });
  const params = { clusterId: company.a.clusterId, taskid: started.data[0]?.id ?? '' };
  for (;;) {
    const { body, text } = await server.call(taskState, { ...at(role), params });
    if (body.task_stage === 'FAILURE') return { rows: null, text };
    if (body.task_stage === 'EXECUTED') break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const form = { form: 'rows', pagesize: 100 } as const;
  const { body, text } = await server.call(taskResult, { ...at(role), params, input: form });
  return { rows: 'rows' in body ? body.rows : null, text };
}

describe('scopes that a query names', () => {
  it('[C060] a scope of the tenant is read by name and by id, beside the one that is open', async () => {
    const { otherScope, clusterId } = company.a;
    for (const named of [
      `workspace("${otherName}")`,
      `workspace('${otherScope}')`,
      `app("${otherName.toUpperCase()}")`,
      `database("${otherScope}")`,
      `cluster("${clusterId}").database("${otherName}")`,
    ])
      expect((await rowsOf(`${named}.Dns | summarize count() by DnsQuery`)).rows, named).toEqual([
        ['there.example', 5],
      ]);
    const both = `union withsource=T Dns, workspace("${otherName}").Dns | summarize count() by DnsQuery | sort by DnsQuery asc`;
    expect((await rowsOf(both)).rows).toEqual([
      ['here.example', 3],
      ['there.example', 5],
    ]);
    const view = `let far = () { workspace("${otherName}").DnsEvents }; far | join kind=inner (Dns | extend k=1) on $left.Computer == $right.DvcHostname | count`;
    expect((await rowsOf(view)).rows).toEqual([[15]]);
    expect((await rowsOf('Dns | count')).rows).toEqual([[3]]);
  });

  it('[C060] charts and exports read the same scope', async () => {
    const query = `workspace("${otherName}").Dns`;
    const chart = await server.call(searchHistogram, { ...at('engineer'), input: asked(query) });
    expect(chart.data.total).toBe(5);
    const file = await server.call(exportSearch, {
      ...at('engineer'),
      input: { ...asked(`${query} | project DnsQuery`), format: 'csv' },
    });
    expect(file.text.match(/there\.example/g)).toHaveLength(5);
    expect(file.text).not.toContain('here.example\n');
  });

  it('[S6-21] what is out of reach and what does not exist are refused in the same words', async () => {
    const { rows: scopes } = await namesOfScopes();
    const nameOfB = scopes.find(({ scope_id }) => scope_id === company.b.scope)?.scope_name ?? '';
    const refusalOf = async (role: SeedRole, named: string) => {
      const answer = await server.call(explainSearch, { ...at(role), input: asked(`${named}.Dns | take 5`) });
      expect(answer.http, named).toBe(422);
      expect(answer.text).not.toContain(CANARY);
      return (JSON.parse(answer.text) as { message: string }).message;
    };
    const nowhere = await refusalOf('analyst', 'workspace("nowhere")');
    for (const name of [otherName, company.a.otherScope, company.a.disabledScope, company.b.scope])
      expect(await refusalOf('analyst', `workspace("${name}")`)).toBe(nowhere);
    const noCluster = await refusalOf('engineer', 'cluster("nowhere").database("x")');
    for (const cluster of [company.b.clusterId, 'Beta'])
      expect(await refusalOf('engineer', `cluster("${cluster}").database("${nameOfB}")`)).toBe(noCluster);
  });

  it('the canary of another tenant never comes out', async () => {
    for (const query of [
      `workspace("${company.b.scope}").Dns`,
      `union workspace("${company.b.scope}").Dns, Dns`,
      `database("tenant_${company.b.clusterId}").events`,
      `workspace(strcat("${company.b.scope}", "")).Dns`,
      `workspace("${otherName}' OR 1=1 --").Dns`,
      `table("workspace('${company.b.scope}').Dns")`,
    ])
      for (const role of ['engineer', 'analyst'] as const) {
        const { rows, text } = await rowsOf(query, role);
        expect(rows, query).toBeNull();
        expect(text).not.toContain(CANARY);
      }
  });
});
