import * as contract from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type TestApp, testApp } from '../../../engines/testing/index.ts';
import { seedSignals } from '../../cases/testing/seed-signals.ts';
import { insertEvents } from '../../search/testing/insert-events.ts';
import { seededChoice } from '../../search/testing/seeded-choice.ts';
import { type Company, SEED_PASSWORD, type SeedRole, seedCompany } from './testing/seed-company.ts';
import { type KnownValues, validSample } from './testing/valid-sample.ts';

// Every call that exists, by people of one company, with the ids of what another company has: its tenant, scopes,
// cases, workbooks, signals, tasks, queries, sources, tokens, people. Nothing of the other company is in any answer, and
// not one of its rows is another afterwards. New endpoints take part by themselves.

const CANARY = 'zqvictim';
const ATTACKERS: readonly SeedRole[] = ['engineer', 'analyst', 'tenantAdmin', 'orgAdmin'];
/** Each round makes other inputs of every call. */
const ROUNDS = Number(process.env.TYRIAN_FOREIGN_ROUNDS ?? 1);

const ENDPOINTS = (Object.values(contract) as unknown[]).filter(
  (value): value is contract.Endpoint =>
    typeof value === 'object' &&
    value !== null &&
    'access' in value &&
    'path' in value &&
    (value as contract.Endpoint).access.kind !== 'public',
);
/** Ends the attacker's own session or account, which every later call needs. */
const LEFT_OUT = new Set(['signIn.logout', 'passwords.change', 'sso.end', 'sessions.end']);

let test: TestApp;
let own: Company;
let victim: Company;
let known: KnownValues;
let params: Readonly<Record<string, string>>;
const ssids = new Map<SeedRole, string>();

/** What the victim has, each named by the canary; answers the ids. */
async function makeVictim(): Promise<void> {
  const { a } = victim;
  const now = test.platform.clock.now();
  const scope = { clusterId: a.clusterId, scopeId: a.scope };
  await seedSignals(test.platform.postgres, scope, [{ id: 'vsignal1', name: CANARY, firstMs: now - 1000 }]);
  await insertEvents(test.platform.eventStore, a.clusterId, 5, (n) => ({
    TimeGenerated: now - n * 60_000,
    Scope: a.scope,
    Stream: 'ProcessEvent',
    ParseStatus: 'PAD',
    SourceName: CANARY,
    Raw: `raw text of ${CANARY}`,
  }));
  const ssid = await victim.signIn('engineer');
  const make = async <E extends contract.Endpoint>(endpoint: E, input: object) => {
    const answer = await test.call(endpoint, {
      ssid,
      params: { clusterId: a.clusterId },
      input: { scope_id: a.scope, ...input },
    });
    expect(answer.http, `${endpoint.name} ${answer.text}`).toBe(200);
    return answer.data;
  };
  const made = await make(contract.createCase, { case_name: CANARY });
  const workbook = await make(contract.addWorkbook, { properties: { name: CANARY } });
  const saved = await make(contract.saveQuery, { name: CANARY, text: `print "${CANARY}"` });
  const source = await make(contract.createSource, { source_name: CANARY });
  const token = await make(contract.createApiToken, { app_name: CANARY, capabilities: ['search'] });
  const view = await make(contract.saveView, { page: 'find', name: CANARY, query: 'a=b' });
  await make(contract.saveFunction, { name: CANARY, body: 'print 1' });
  const tasks = await make(contract.invokeJob, { job_type: 'kql', query: `print "${CANARY}"` });
  const task = tasks[0]?.id ?? '';
  known = {
    case_id: made.case_id,
    'case_ids[]': [made.case_id],
    ID: workbook.ID,
    'IDs[]': [workbook.ID],
    workbook_id: workbook.ID,
    signal_id: 'vsignal1',
    'signal_ids[]': ['vsignal1'],
    task_id: task,
    id: saved.id,
    'ids[]': [saved.id],
    source_id: source.source.source_id,
    token_id: token.item.token_id,
    view_id: view.view_id,
    clusterId: a.clusterId,
    'cluster_ids[]': [a.clusterId],
    orgId: victim.orgId,
    primary_org_id: victim.orgId,
    user_id: victim.userIds.viewer,
    'user_ids[]': [victim.userIds.viewer],
    handler: victim.userIds.engineer,
    query: `workspace("Alphav").Events | union workspace("${a.clusterId}").Events | take 5`,
    start: now - 3_600_000,
    end: now,
    'from:integer': now - 3_600_000,
    'to:integer': now,
    'from:string': 'now-1h',
    'to:string': 'now',
    field: 'Raw',
    file_name: 'list.csv',
    'fields[]': ['name'],
    password: SEED_PASSWORD,
  };
  params = {
    taskid: task,
    scopeId: a.scope,
    orgId: victim.orgId,
    userId: victim.userIds.viewer,
    user_id: victim.userIds.viewer,
    type: 'api',
    id: 'missing',
    name: 'detections',
    token: 'missing',
  };
  const at = { ssid, params: { clusterId: a.clusterId, taskid: task } };
  const hasEnded = async () => expect((await test.call(contract.taskState, at)).text).toContain('SUCCESS');
  await vi.waitFor(hasEnded, { timeout: 60_000 });
}

beforeAll(async () => {
  test = await testApp();
  own = await seedCompany(test.platform);
  victim = await seedCompany(test.platform, 'v');
  await makeVictim();
  for (const role of ATTACKERS) ssids.set(role, await own.signIn(role));
});
afterAll(() => test?.close());

/** A fingerprint of every row of the victim, by table. */
async function rowsOfVictim(): Promise<Record<string, string>> {
  const { platform } = test.platform.postgres;
  const { rows: columns } = await sql<{ table: string; column: string }>`
    select c.relname as "table", a.attname as "column" from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and a.attname in ('cluster_id', 'org_id')
    order by 1, 2`.execute(platform);
  const prints: Record<string, string> = {};
  for (const { table, column } of columns) {
    const id = column === 'org_id' ? victim.orgId : victim.a.clusterId;
    const { rows } = await sql<{ print: string }>`
      select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as print
      from ${sql.table(table)} t where ${sql.ref(column)} = ${id}`.execute(platform);
    prints[`${table}.${column}`] = rows[0]?.print ?? '';
  }
  return prints;
}

/** Where a call says that it is made: everything of the victim's, or one of the two ids the attacker's own. */
const PLACES = [
  { path: 'own', scope: 'own' },
  { path: 'own', scope: 'victim' },
  { path: 'victim', scope: 'own' },
  { path: 'victim', scope: 'victim' },
] as const;

interface Try {
  readonly endpoint: contract.Endpoint;
  readonly role: SeedRole;
  readonly path: 'own' | 'victim';
  readonly scope: 'own' | 'victim';
}

function* tries(): Generator<Try> {
  for (const endpoint of ENDPOINTS.filter(({ name }) => !LEFT_OUT.has(name))) {
    const namesCluster = endpoint.path.includes(':clusterId');
    for (const role of ATTACKERS) {
      for (const target of PLACES) {
        if (target.path === 'own' || namesCluster) yield { endpoint, role, ...target };
      }
    }
  }
}

let calls = 0;

async function attack({ endpoint, role, path, scope }: Try): Promise<void> {
  calls += 1;
  const scopeId = (scope === 'own' ? own : victim).a.scope;
  const clusterId = (path === 'own' ? own : victim).a.clusterId;
  const scopeFields = { scope_id: scopeId, ScopeID: scopeId, 'scope_ids[]': [scopeId] };
  const { value } = validSample(endpoint, seededChoice(1, calls), { ...known, ...scopeFields });
  const answer = await test.call(endpoint, {
    ssid: ssids.get(role) ?? '',
    params: { ...params, clusterId, ...(scope === 'own' ? { scopeId } : {}) },
    input: value,
    remoteAddress: `10.9.${(calls >> 8) & 255}.${calls & 255}`,
  });
  const what = `${endpoint.name} as ${role}, path ${path}, scope ${scope}: ${answer.text.slice(0, 400)}`;
  expect(answer.http, what).toBeLessThan(500);
  // A list of time zones, say, is the same in every tenant.
  if (path === 'victim' && endpoint.access.kind === 'roles')
    expect(answer.http, what).toBeGreaterThanOrEqual(400);
  // What the caller wrote may stand in the answer to it.
  if (!JSON.stringify(value ?? '').includes(CANARY)) expect(answer.text, what).not.toContain(CANARY);
}

describe('the ids of another company', () => {
  it('open nothing and change nothing, on any endpoint', async () => {
    const before = await rowsOfVictim();
    for (let round = 0; round < ROUNDS; round++) for (const one of tries()) await attack(one);
    expect(calls).toBeGreaterThan(ENDPOINTS.length * ATTACKERS.length);
    process.stdout.write(`${calls} calls with the ids of another company\n`);
    expect(await rowsOfVictim()).toEqual(before);
  });
});
