import * as contract from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type TestApp, testApp } from '../../../engines/testing/index.ts';
import { injectEndpoint } from '../../../engines/testing/inject-endpoint.ts';
import { REFUSED_BY_STORE } from '../../../platform/http/answer-error.ts';
import { seedSignals } from '../../cases/testing/seed-signals.ts';
import { type Choice, seededChoice } from '../../search/testing/seeded-choice.ts';
import {
  bodyText,
  HOSTILE_NUMBERS,
  HOSTILE_SHAPES,
  HOSTILE_TEXTS,
  HUGE_VALUES,
  hostileBodies,
  longestTexts,
} from './testing/hostile-values.ts';
import { type Company, SEED_PASSWORD, type SeedRole, seedCompany } from './testing/seed-company.ts';
import {
  type Json,
  type KnownValues,
  type Leaf,
  type Sample,
  spoiled,
  validSample,
} from './testing/valid-sample.ts';

// Every call that exists, by somebody who may make it, with one field of a good input spoiled at a time: no answer
// is a 500, nothing is refused by PostgreSQL that the edge or the feature should have refused, and the neighbour's
// engineer is answered as before. TYRIAN_HOSTILE_SEED and TYRIAN_HOSTILE_CASES choose other and more cases.

const SEED = Number(process.env.TYRIAN_HOSTILE_SEED ?? 1);
const CASES = Number(process.env.TYRIAN_HOSTILE_CASES ?? 9);
/** Whole bodies that are wrong, of each call. */
const BODIES = 4;

/** What is outside and away is told as such: the mail server that the calls here have set up does not exist. */
const MAY_BE_AWAY = /^The mail server rejected the email: /;

/** Calls that are left out, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'demo.add': 'takes no input and makes a whole demo company',
  'demo.remove': 'takes no input and removes the demo company',
};

const ENDPOINTS = (Object.values(contract) as unknown[]).filter(
  (value): value is contract.Endpoint =>
    typeof value === 'object' && value !== null && 'access' in value && 'path' in value && 'method' in value,
);

let test: TestApp;
let company: Company;
/** Whom and what administrators change, so that the callers themselves stay. */
let victims: Company;
let known: KnownValues;
const ssids: Partial<Record<SeedRole, string>> = {};

beforeAll(async () => {
  test = await testApp();
  company = await seedCompany(test.platform);
  victims = await seedCompany(test.platform, 'v');
  const { a } = company;
  const now = test.platform.clock.now();
  await seedSignals(test.platform.postgres, { clusterId: a.clusterId, scopeId: a.scope }, [
    { id: 'signal1', firstMs: now - 1000 },
  ]);
  const ssid = await company.signIn('engineer');
  ssids.engineer = ssid;
  const at = { ssid, params: { clusterId: a.clusterId } };
  const made = await test.call(contract.createCase, {
    ...at,
    input: { scope_id: a.scope, case_name: 'Case' },
  });
  const workbook = await test.call(contract.addWorkbook, {
    ...at,
    input: { scope_id: a.scope, properties: { name: 'Workbook' } },
  });
  const saved = await test.call(contract.saveQuery, {
    ...at,
    input: { scope_id: a.scope, name: 'Saved', text: 'print 1' },
  });
  const query = { job_type: 'kql', scope_id: a.scope, query: 'print x=1' };
  const task = await test.call(contract.invokeJob, { ...at, input: query });
  known = {
    case_id: made.data.case_id,
    'case_ids[]': [made.data.case_id],
    ID: workbook.data.ID,
    'IDs[]': [workbook.data.ID],
    workbook_id: workbook.data.ID,
    signal_id: 'signal1',
    'signal_ids[]': ['signal1'],
    task_id: task.data[0]?.id,
    id: saved.data.id,
    query: 'Events | take 1',
    body: 'Events | take 1',
    user_filter: '(mail={email})',
    'cluster_ids[]': [a.clusterId],
    start: now - 3_600_000,
    end: now,
    'from:integer': now - 3_600_000,
    'to:integer': now,
    'from:string': 'now-1h',
    'to:string': 'now',
    field: 'Raw',
    clusterId: victims.a.clusterId,
    orgId: victims.orgId,
    primary_org_id: victims.orgId,
    user_id: victims.userIds.viewer,
    'user_ids[]': [victims.userIds.viewer],
    handler: company.userIds.engineer,
    host: '127.0.0.1',
    port: 9,
    filter_key: ['name', 'score', 'tags', 'mode', 'suspect', 'case_id', 'created', 'false_positive'],
    file_name: 'list.csv',
    'fields[]': ['name'],
    time_zone: 'UTC',
    cron: '0 * * * *',
    query_timezone: 'UTC',
    password: SEED_PASSWORD,
    old_password: SEED_PASSWORD,
    emailId: company.emailOf('viewer'),
    duration: '1h',
    interval: 60_000,
  };
});
afterAll(() => test?.close());

/** Who may make a call and is allowed the most. */
function roleFor({ access }: contract.Endpoint): SeedRole | null {
  if (access.kind === 'public') return null;
  if (access.kind === 'session') return 'adminEngineer';
  const may = (tag: contract.RoleTag) => access.tags.includes(tag);
  if (may('engineer')) return 'engineer';
  if (may('root')) return 'root';
  if (may('tenant-admin')) return 'tenantAdmin';
  if (may('content-manager')) return 'contentManager';
  if (may('org-admin')) return 'orgAdmin';
  return may('analyst') ? 'analyst' : 'viewer';
}

/** The scope of calls that act in one; administrators change another, so that the first stays. */
const scopeOf = ({ access }: contract.Endpoint): string =>
  access.kind === 'roles' && access.in === 'scope' ? company.a.scope : company.a.otherScope;

const paramsOf = (endpoint: contract.Endpoint): Readonly<Record<string, string>> => ({
  clusterId: endpoint.path.startsWith('/lc/') ? victims.a.clusterId : company.a.clusterId,
  scopeId: scopeOf(endpoint),
  orgId: victims.orgId,
  userId: endpoint.path.startsWith('/lc/') ? victims.userIds.viewer : company.userIds.viewer,
  user_id: company.userIds.adminEngineer,
  taskid: String(known.task_id),
  name: 'maintenance_banner',
  type: 'datanode',
  id: 'clickhouse',
});

let calls = 0;
const nextAddress = () => `10.${(++calls >> 16) & 255}.${(calls >> 8) & 255}.${calls & 255}`;

interface Shot {
  readonly endpoint: contract.Endpoint;
  readonly what: string;
  readonly url: string;
  readonly payload?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Percent-encodes any text, halves of surrogate pairs as the three bytes that a sloppy sender writes. */
const encoded = (text: string): string =>
  [...text].map((one) => (one.isWellFormed() ? encodeURIComponent(one) : '%ED%A0%80')).join('');

const urlOf = (endpoint: contract.Endpoint, params: Readonly<Record<string, string>>): string =>
  endpoint.path.replace(/:(\w+)/g, (_all, name: string) => encoded(params[name] ?? 'missing'));

const inBody = ({ method }: contract.Endpoint) => method === 'POST' || method === 'PUT';

function shotOf(endpoint: contract.Endpoint, what: string, value: unknown): Shot {
  const url = urlOf(endpoint, paramsOf(endpoint));
  if (inBody(endpoint)) {
    return { endpoint, what, url, payload: bodyText(value), headers: { 'content-type': 'application/json' } };
  }
  const pairs = Object.entries((value ?? {}) as Json).map(
    ([name, one]) => `${encoded(name)}=${encoded(typeof one === 'string' ? one : bodyText(one))}`,
  );
  return { endpoint, what, url: `${url}?${pairs.join('&')}` };
}

function valuesFor({ schema }: Leaf, choice: Choice): readonly unknown[] {
  if (choice.once(4)) return HOSTILE_SHAPES;
  if (schema.type === 'integer' || schema.type === 'number') return HOSTILE_NUMBERS;
  if (schema.type === 'string') return [...HOSTILE_TEXTS, ...longestTexts(schema)];
  return choice.once(2) ? HOSTILE_SHAPES : HOSTILE_TEXTS;
}

/** What is fired at one call: spoiled samples, whole bodies, path parameters. */
function* shotsAt(endpoint: contract.Endpoint, index: number): Generator<Shot> {
  const scope_id = scopeOf(endpoint);
  const own =
    endpoint.access.kind === 'session'
      ? { user_id: company.userIds.adminEngineer, clusterId: company.a.clusterId }
      : {};
  const here = { ...known, scope_id, ScopeID: scope_id, 'scope_ids[]': [scope_id], ...own };
  const choice = seededChoice(SEED, index);
  let sample: Sample = validSample(endpoint, choice, here);
  yield shotOf(endpoint, 'a good input', sample.value);
  for (let at = 0; at < CASES; at++) {
    sample = validSample(endpoint, choice, here);
    const leaf = choice.of(sample.leaves);
    const value = choice.of(valuesFor(leaf, choice));
    const name = `${leaf.path.join('.') || 'body'} = ${JSON.stringify(value).slice(0, 80)}`;
    yield shotOf(endpoint, name, spoiled(sample.value, leaf.path, value));
  }
  for (const name of new Set([...endpoint.path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? ''))) {
    const value = choice.of(HOSTILE_TEXTS);
    yield {
      endpoint,
      what: `:${name} = ${JSON.stringify(value)}`,
      url: urlOf(endpoint, { ...paramsOf(endpoint), [name]: value }),
    };
  }
  if (!inBody(endpoint)) return;
  const good = bodyText(sample.value);
  const url = urlOf(endpoint, paramsOf(endpoint));
  for (let at = 0; at < BODIES; at++) {
    const { name, payload, headers } = choice.of(hostileBodies(good));
    yield { endpoint, what: name, url, payload, headers };
  }
  const leaf = choice.of(sample.leaves);
  yield shotOf(
    endpoint,
    `huge ${leaf.path.join('.')}`,
    spoiled(sample.value, leaf.path, choice.of(HUGE_VALUES)),
  );
}

async function fire({ endpoint, url, payload, headers }: Shot) {
  const role = roleFor(endpoint);
  const send = async () => {
    if (role !== null) ssids[role] ??= await company.signIn(role);
    return injectEndpoint(test.app, endpoint, {
      method: endpoint.method,
      url,
      remoteAddress: nextAddress(),
      headers: { ...headers, ...(role === null ? {} : { ssid: ssids[role] }) },
      ...(payload === undefined ? {} : { payload }),
    });
  };
  const answer = await send();
  if (answer.statusCode !== 401 || role === null) return answer;
  // A call before has ended the session.
  delete ssids[role];
  return send();
}

const takesAway = ({ method, path }: contract.Endpoint) =>
  method === 'DELETE' || /delete|remove|disconnect|logout|invalidate|sessions\/end/.test(path);

/** The engineer of the other tenant searches and lists as ever. */
async function expectNeighbourIsServed(): Promise<void> {
  const at = { ssid: await company.signIn('engineerOfB'), params: { clusterId: company.b.clusterId } };
  const started = await test.call(contract.invokeJob, {
    ...at,
    input: { job_type: 'kql', scope_id: company.b.scope, query: 'print x=1' },
  });
  expect(started.http).toBe(200);
  const params = { ...at.params, taskid: started.data[0]?.id ?? '' };
  await expect
    .poll(async () => (await test.call(contract.taskState, { ...at, params })).body.task_stage, {
      timeout: 30_000,
    })
    .toBe('EXECUTED');
  const rows = await test.call(contract.taskResult, { ...at, params });
  expect([rows.http, rows.body.result]).toEqual([200, [{ x: 1 }]]);
  const cases = await test.call(contract.listCases, { ...at, input: { scope_id: company.b.scope } });
  expect(cases.http).toBe(200);
}

/** The answer to a call of an administrator or engineer, the body written out as it is sent. */
async function answerTo(role: SeedRole, endpoint: contract.Endpoint, payload: string) {
  ssids[role] ??= await company.signIn(role);
  return test.app.inject({
    method: endpoint.method,
    url: urlOf(endpoint, { ...paramsOf(endpoint), userId: company.userIds.viewer }),
    remoteAddress: nextAddress(),
    headers: { 'content-type': 'application/json', ssid: ssids[role] },
    payload,
  });
}

describe('hostile input', () => {
  it('[S04][S17] text that the audit trail could not hold is refused, and the act is not done', async () => {
    const scope = `"scope_id":"${company.a.scope}"`;
    const { platform } = test.platform.postgres;
    const entries = async () =>
      Number((await sql<{ n: string }>`select count(*) n from audit_entry`.execute(platform)).rows[0]?.n);
    // Signing in leaves an entry of its own.
    ssids.root ??= await company.signIn('root');
    const before = await entries();
    for (const bad of ['\\ud800', '\\u0000']) {
      const acts = [
        ['engineer', contract.invokeJob, `{"job_type":"kql",${scope},"query":"Events | take 2 // ${bad}"}`],
        ['engineer', contract.exportSearch, `{${scope},"query":"Events // ${bad}","format":"csv"}`],
        ['root', contract.savePerson, `{"user_type":"org_admin","phone":"1${bad}"}`],
        ['root', contract.savePerson, `{"status":"disabled","phone":"2${bad}"}`],
        ['root', contract.createOrganization, `{"name":"Ghost ${bad}"}`],
      ] as const;
      for (const [role, endpoint, payload] of acts) {
        const answer = await answerTo(role, endpoint, payload);
        expect([answer.statusCode, answer.json().message]).toEqual([
          422,
          expect.stringContaining('contains a character that cannot be stored'),
        ]);
      }
    }
    expect(await entries()).toBe(before);
    const person =
      await sql`select user_type, status from person where user_id = ${company.userIds.viewer}`.execute(
        platform,
      );
    expect(person.rows).toEqual([{ user_type: 'general', status: 'enabled' }]);
  });

  it('[S17][S04] at every call: never a 500, and nothing that only PostgreSQL refused', async () => {
    const wrong: string[] = [];
    const codes = new Map<number, number>();
    let logged: unknown[] = [];
    const warn = vi.spyOn(test.platform.log, 'warn').mockImplementation((...said: unknown[]) => {
      if (said[1] === REFUSED_BY_STORE) logged.push(said);
    });
    const error = vi.spyOn(test.platform.log, 'error').mockImplementation((...said: unknown[]) => {
      logged.push(said);
    });
    let good = 0;
    const bound = ENDPOINTS.filter((one) => test.app.hasRoute({ method: one.method, url: one.path }));
    // What takes things away comes last, so that they are there for the others.
    bound.sort((a, b) => Number(takesAway(a)) - Number(takesAway(b)));
    for (const [index, endpoint] of bound.entries()) {
      if (endpoint.name in LEFT_OUT) continue;
      for (const shot of shotsAt(endpoint, index)) {
        logged = [];
        const answer = await fire(shot);
        codes.set(answer.statusCode, (codes.get(answer.statusCode) ?? 0) + 1);
        if (shot.what === 'a good input' && answer.statusCode < 300) good++;
        const said = `${endpoint.name} ${endpoint.method} ${endpoint.path}, ${shot.what}: ${answer.statusCode} ${answer.payload.slice(0, 150)}`;
        const isAway = answer.statusCode === 503 && MAY_BE_AWAY.test(answer.json().message);
        if (answer.statusCode >= 500 && !isAway) wrong.push(said);
        if (logged.length > 0) wrong.push(`${JSON.stringify(logged).slice(0, 300)} ${said}`);
      }
    }
    warn.mockRestore();
    error.mockRestore();
    console.log(`hostile input, seed ${SEED}: ${bound.length} calls, ${good} took a good input`, codes);
    expect(wrong).toEqual([]);
    expect(good).toBeGreaterThan(bound.length / 2);
    await expectNeighbourIsServed();
  }, 600_000);
});
