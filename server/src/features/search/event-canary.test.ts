import * as contract from '@tyrian/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../engines/testing/index.ts';
import { type Company, type SeedRole, seedCompany } from '../identity/users/testing/seed-company.ts';
import { insertEvents } from './testing/insert-events.ts';

// Events of tenant B, and of a scope of tenant A that an analyst may not see, carry a word that exists nowhere
// else: in columns, in the raw text, in the names and values of Ext. Everything that the analyst of tenant A can
// ask is asked, honestly and not; the word must be in no byte of any answer, headers included.

const CANARY = 'zqcanary';
const ANALYST: SeedRole = 'analyst';

let test: TestApp;
let company: Company;
let ssid: string;
const seen: string[] = [];

beforeAll(async () => {
  test = await testApp();
  company = await seedCompany(test.platform);
  const { a, b } = company;
  const plant = (clusterId: string, scope: string, word: string) =>
    insertEvents(test.platform.eventStore, clusterId, 50, (n) => ({
      TimeGenerated: Date.now() - n * 60_000,
      Scope: scope,
      Stream: n % 2 === 0 ? 'ProcessEvent' : 'Dns',
      ParseStatus: 'PAD',
      SourceName: `${word}-source`,
      DvcHostname: `${word}-host`,
      ActorUsername: `${word}-user`,
      CommandLine: `run ${word} now`,
      DnsQuery: `${word}.example`,
      Ext: { [`${word}_field`]: `${word}-value`, plain: n },
      Raw: `raw text of ${word}`,
    }));
  await plant(b.clusterId, b.scope, CANARY);
  await plant(a.clusterId, a.otherScope, CANARY);
  await plant(a.clusterId, a.scope, 'ordinary');
  await plantTable(b.clusterId, b.scope, 'engineerOfB');
  await plantTable(a.clusterId, a.otherScope, 'engineer');
  ssid = await company.signIn(ANALYST);
});
afterAll(() => test?.close());

/** A table whose name, columns and rows hold the word. */
async function plantTable(clusterId: string, scope_id: string, role: SeedRole): Promise<void> {
  const file = Buffer.from(`${CANARY}_column\n${CANARY}-cell\n`).toString('base64');
  const input = { scope_id, file, file_name: 'a.csv', name: `${CANARY}_table`, description: CANARY };
  const params = { clusterId };
  const { http, text } = await test.call(contract.uploadEventstore, {
    ...{ ssid: await company.signIn(role), params, input },
  });
  expect(http, text).toBe(200);
}

async function ask(endpoint: contract.Endpoint, clusterId: string, input: object, params: object = {}) {
  const answer = await test.call(endpoint, { ssid, params: { clusterId, ...params }, input });
  seen.push(`${endpoint.name} ${JSON.stringify(answer.headers)} ${answer.text}`);
  return answer;
}

/** Runs a query to its end and reads what it found. Words of the query never contain the whole canary. */
async function search(clusterId: string, scopeId: string, query: string, as = ssid): Promise<string> {
  const invoked = await test.call(contract.invokeJob, {
    ssid: as,
    params: { clusterId },
    input: { job_type: 'kql', scope_id: scopeId, query, from: 'now-24h', to: 'now' },
  });
  if (as === ssid) seen.push(`C110 ${query} ${invoked.text}`);
  const task = invoked.http === 200 ? invoked.data[0]?.id : undefined;
  if (!task) return invoked.text;
  for (let wait = 0; wait < 3_000; wait++) {
    const state = await test.call(contract.taskState, { ssid: as, params: { clusterId, taskid: task } });
    if (as === ssid) seen.push(state.text);
    if (['EXECUTED', 'FAILURE'].includes(state.body.task_stage)) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const result = await test.call(contract.taskResult, { ssid: as, params: { clusterId, taskid: task } });
  if (as === ssid) seen.push(result.text);
  return as === ssid ? result.text : task;
}

const leaks = () => seen.filter((text) => text.includes(CANARY)).map((text) => text.slice(0, 300));

describe('canary events', () => {
  it('[S1-01] the canary is really there for its own tenant', async () => {
    const own = await company.signIn('engineerOfB');
    const { clusterId, scope } = company.b;
    const task = await search(clusterId, scope, 'Events | where Raw contains "zqcan"', own);
    const answer = await test.call(contract.taskResult, { ssid: own, params: { clusterId, taskid: task } });
    expect(answer.text).toContain(CANARY);
  });

  it('[S1-01][C110][C120] no query of another tenant’s analyst finds it', async () => {
    const { a, b } = company;
    const queries = [
      'Events',
      'Events | where Raw contains "zqcan"',
      'search "zqcan*"',
      'union withsource=T * | where DvcHostname startswith "zqcan"',
      'ProcessEvent | summarize make_set(ActorUsername), make_set(Scope)',
      `Events | where Scope == "${a.otherScope}" or Scope == "${b.scope}"`,
      `database("tenant_${b.clusterId}").events`,
      `['tenant_${b.clusterId}.events'] | take 10`,
      `let t = materialize(Events | take 100); t | join kind=fullouter (Dns) on DnsQuery`,
      'Events | summarize count() by tostring(Ext.zqcan), SourceName',
      'Events | getschema',
      'union zqcan*',
      'union withsource=T zqcan*, Events | take 100',
      'let name = strcat("zqcan", "ary_table"); table(name)',
      "['eventstore_rows'] | take 10",
      `database("tenant_${b.clusterId}").eventstore_rows`,
      'Events | extend All = pack_all() | project All | take 100',
    ];
    for (const query of queries) await search(a.clusterId, a.scope, query);
    for (const [cluster, scope] of [
      [b.clusterId, b.scope],
      [a.clusterId, b.scope],
      [b.clusterId, a.scope],
      [a.clusterId, a.otherScope],
    ] as const) {
      await search(cluster, scope, 'Events');
    }
    expect(seen.length).toBeGreaterThan(queries.length);
    expect(leaks()).toEqual([]);
  });

  it('[C106][C107][C109][C119] nor do fields, sources, cost, values, exports, plans or tasks of others tell it', async () => {
    const { a, b } = company;
    const ofB = await company.signIn('engineerOfB');
    const foreignTask = await search(b.clusterId, b.scope, 'Events | where Raw contains "zqcan"', ofB);
    const range = { from: 'now-24h', to: 'now', query: 'Events' };
    const scopes = [
      [a.clusterId, a.scope],
      [a.clusterId, a.otherScope],
      [b.clusterId, b.scope],
      [a.clusterId, b.scope],
    ] as const;
    for (const [clusterId, scope_id] of scopes) {
      const scopeInput = { scope_id };
      await ask(contract.listFields, clusterId, scopeInput);
      await ask(contract.listSourceNames, clusterId, { ...scopeInput, from: 'now-24h', to: 'now' });
      await ask(contract.estimateCost, clusterId, { ...scopeInput, ...range });
      await ask(contract.searchHistogram, clusterId, { ...scopeInput, ...range, stack_by: 'SourceName' });
      for (const field of ['SourceName', 'DvcHostname', 'Scope', 'Ext.plain']) {
        await ask(contract.fieldValues, clusterId, { ...scopeInput, ...range, field });
      }
      await ask(contract.explainZeroRows, clusterId, {
        ...scopeInput,
        ...range,
        query: 'Events | where Raw contains "zqcan"',
      });
      await ask(contract.explainSearch, clusterId, { ...scopeInput, ...range });
      for (const format of contract.EXPORT_FORMATS) {
        await ask(contract.exportSearch, clusterId, { ...scopeInput, ...range, format });
      }
      await ask(contract.listSearchHistory, clusterId, scopeInput);
      await ask(contract.readCatalog, clusterId, scopeInput);
      await ask(contract.listEventstores, clusterId, scopeInput);
      for (const endpoint of [contract.taskState, contract.taskResult, contract.cancelTask]) {
        const answer = await ask(endpoint, clusterId, {}, { taskid: foreignTask });
        expect([403, 404], `${endpoint.name} ${answer.text}`).toContain(answer.http);
      }
    }
    expect(leaks()).toEqual([]);
  });
});
