import type { RoleTag } from '@tyrian/contract';
import * as contract from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../../engines/testing/index.ts';
import { type Company, SEED_ROLES, type SeedRole, seedCompany } from './testing/seed-company.ts';

// Every call that exists × every role × every scope, against rights that are written out here by hand and know
// nothing of the code. What is refused is refused with the same bytes whatever the scope is and whether or not
// it exists; and nothing of tenant B is in any byte sent to the people of tenant A.

const CANARY = 'zqcanary';
const PLACES = ['main', 'other', 'disabled', 'foreign', 'foreignScope', 'foreignCluster', 'missing'] as const;
type TargetScope = (typeof PLACES)[number];

/** Rights of tenant A's people (and of B's engineer, seen from B). */
interface Rights {
  /** Held on the whole platform. */
  readonly everywhere: readonly RoleTag[];
  /** Held in the whole own tenant. */
  readonly tenant: readonly RoleTag[];
  readonly main: readonly RoleTag[];
  readonly other: readonly RoleTag[];
  /** Knows the tenants: `all`, only the `own`, or `none`. */
  readonly reaches: 'all' | 'own' | 'none';
}

const nothing: Rights = { everywhere: [], tenant: [], main: [], other: [], reaches: 'none' };
const RIGHTS: Readonly<Record<SeedRole, Rights>> = {
  root: { ...nothing, everywhere: ['root'], reaches: 'all' },
  rootViewer: { ...nothing, everywhere: ['root-viewer'], reaches: 'all' },
  orgAdmin: { ...nothing, everywhere: ['org-admin'] },
  contentManager: { ...nothing, everywhere: ['content-manager'] },
  tenantAdmin: { ...nothing, tenant: ['tenant-admin'], reaches: 'own' },
  adminEngineer: { ...nothing, tenant: ['tenant-admin'], main: ['engineer'], reaches: 'own' },
  engineer: { ...nothing, main: ['engineer'], other: ['engineer'], reaches: 'own' },
  analyst: { ...nothing, main: ['analyst'], reaches: 'own' },
  viewer: { ...nothing, main: ['viewer'], reaches: 'own' },
  noAccess: nothing,
  engineerOfB: { ...nothing, main: ['engineer'], other: ['engineer'], reaches: 'own' },
};

const ENDPOINTS = (Object.values(contract) as unknown[]).filter(
  (value): value is contract.Endpoint =>
    typeof value === 'object' && value !== null && 'access' in value && 'path' in value && 'method' in value,
);

let test: TestApp;
let company: Company;
const ssids = {} as Record<SeedRole, string>;

beforeAll(async () => {
  test = await testApp();
  company = await seedCompany(test.platform);
  const { platform } = test.platform.postgres;
  const b = company.b.clusterId;
  await sql`update tenant set cluster_name = ${`${CANARY} tenant`} where cluster_id = ${b}`.execute(platform);
  await sql`update scope set scope_name = ${CANARY} || scope_name where cluster_id = ${b}`.execute(platform);
  await sql`update person set name = ${`${CANARY} person`} where user_id = 'uengineerofb'`.execute(platform);
  for (const role of SEED_ROLES) ssids[role] = await company.signIn(role);
  const made = await test.call(contract.createCase, {
    ssid: ssids.engineerOfB,
    params: { clusterId: b },
    input: { scope_id: company.b.scope, case_name: `${CANARY} case`, tags: [CANARY] },
  });
  expect(made.http).toBe(200);
});
afterAll(() => test?.close());

function idsOf(role: SeedRole, target: TargetScope): { clusterId: string; scope_id: string } {
  const [own, foreign] = role === 'engineerOfB' ? [company.b, company.a] : [company.a, company.b];
  switch (target) {
    case 'main':
      return { clusterId: own.clusterId, scope_id: own.scope };
    case 'other':
      return { clusterId: own.clusterId, scope_id: own.otherScope };
    case 'disabled':
      return { clusterId: own.clusterId, scope_id: own.disabledScope };
    case 'foreign':
      return { clusterId: foreign.clusterId, scope_id: foreign.scope };
    case 'foreignScope':
      return { clusterId: own.clusterId, scope_id: foreign.scope };
    case 'foreignCluster':
      return { clusterId: foreign.clusterId, scope_id: own.scope };
    case 'missing':
      return { clusterId: 'nosuchtenant', scope_id: 'nosuchscope1' };
  }
}

/** Whether a caller holds what a call asks for, by the hand-written rights. */
function mayCall(role: SeedRole, access: contract.Access, target: TargetScope): boolean {
  if (access.kind !== 'roles') return true;
  const rights = RIGHTS[role];
  const holds = (...tags: (readonly RoleTag[])[]) => tags.flat().some((tag) => access.tags.includes(tag));
  if (access.in === 'platform') {
    return holds(rights.everywhere, rights.tenant, rights.main, rights.other);
  }
  const isOwn = ['main', 'other', 'disabled', 'foreignScope'].includes(target);
  const isThere = target !== 'missing' && (isOwn ? rights.reaches !== 'none' : rights.reaches === 'all');
  if (!isThere) return false;
  if (access.in === 'cluster') {
    return isOwn
      ? holds(rights.everywhere, rights.tenant, rights.main, rights.other)
      : holds(rights.everywhere);
  }
  if (target === 'main') return holds(rights.everywhere, rights.tenant, rights.main);
  if (target === 'other') return holds(rights.everywhere, rights.tenant, rights.other);
  // Root knows the scopes of every tenant; nobody reaches a disabled one or a pair that does not belong together.
  return target === 'foreign' && holds(rights.everywhere);
}

/** Calls that, allowed and with nothing but a scope, would really do something: make or remove a demo, end the session. */
const isHeavy = (endpoint: contract.Endpoint) =>
  ['demo.add', 'demo.remove', 'sso.end'].includes(endpoint.name);

let calls = 0;
const nextAddress = () => `10.${(++calls >> 16) & 255}.${(calls >> 8) & 255}.${calls & 255}`;

function send(endpoint: contract.Endpoint, target: { clusterId: string; scope_id: string }, ssid?: string) {
  const names = [...endpoint.path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '');
  const params = Object.fromEntries(names.map((name) => [name, 'missing']));
  const wantsScope = endpoint.access.kind === 'roles' && endpoint.access.in === 'scope';
  return test.call(endpoint, {
    ...(ssid === undefined ? {} : { ssid }),
    params: { ...params, clusterId: target.clusterId, scopeId: target.scope_id },
    // Each from an address of its own: what is measured is rights, not how often one may ask.
    remoteAddress: nextAddress(),
    input: wantsScope ? { scope_id: target.scope_id } : {},
  });
}

const REFUSED = JSON.stringify({
  status: 'failed',
  message: 'user not authorised',
  data: null,
  code: 'not-authorised',
  messageCode: 'session.notAuthorised',
  messageValues: {},
});
const NO_SESSION = JSON.stringify({
  status: 'invalid',
  message: 'Invalid',
  data: null,
  code: 'invalid-session',
  messageCode: 'session.invalid',
  messageValues: {},
});

/** The scopes that make a difference to a call. */
function targetsFor(endpoint: contract.Endpoint): readonly TargetScope[] {
  const { access } = endpoint;
  if (access.kind === 'roles' && access.in === 'scope') return PLACES;
  if (!endpoint.path.includes(':clusterId')) return ['main'];
  return ['main', 'foreign', 'missing'];
}

describe('rights', () => {
  const bound = () =>
    ENDPOINTS.filter((endpoint) => test.app.hasRoute({ method: endpoint.method, url: endpoint.path }));

  it('[S6-01][S7-01][S8-03] call × role × scope: allowed and refused as written out by hand', async () => {
    let cells = 0;
    let refusedCells = 0;
    const wrong: string[] = [];
    const check = async (endpoint: contract.Endpoint, role: SeedRole, target: TargetScope) => {
      const allowed = mayCall(role, endpoint.access, target);
      cells++;
      if (!allowed) refusedCells++;
      if (allowed && isHeavy(endpoint)) return;
      const answer = await send(endpoint, idsOf(role, target), ssids[role]);
      const cell = `${endpoint.name} ${endpoint.path} as ${role} at ${target}: ${answer.http} ${answer.text.slice(0, 120)}`;
      const right = allowed
        ? answer.http !== 401 && answer.http < 500 && (answer.text !== REFUSED || !isCertain(endpoint))
        : answer.http === 403 && answer.text === REFUSED;
      if (!right) wrong.push(`${allowed ? 'refused' : 'let in'}: ${cell}`);
      if (isOfA(role) && answer.text.includes(CANARY)) wrong.push(`leaks: ${cell}`);
    };
    for (const endpoint of bound()) {
      if (endpoint.access.kind === 'public') continue;
      for (const target of targetsFor(endpoint)) {
        await Promise.all(SEED_ROLES.map((role) => check(endpoint, role, target)));
      }
    }
    console.log(`rights: ${bound().length} calls, ${cells} cells, ${refusedCells} of them refused`);
    expect(wrong).toEqual([]);
    expect(cells).toBeGreaterThan(1000);
  }, 240_000);

  it('[S7-01][S8-01] without a session every call but the public ones is refused before anything is looked at', async () => {
    let cells = 0;
    const wrong: string[] = [];
    for (const endpoint of bound()) {
      for (const ssid of [undefined, 'not-a-session']) {
        const answer = await send(endpoint, idsOf('engineer', 'main'), ssid);
        cells++;
        const open = endpoint.access.kind === 'public';
        const isRefused = answer.http === 401 && answer.text === NO_SESSION;
        if (open === isRefused) wrong.push(`${endpoint.name}: ${answer.http} ${answer.text}`);
      }
    }
    console.log(`rights: ${cells} cells without a session`);
    expect(wrong).toEqual([]);
  });

  it('a call about one scope without naming it is refused as malformed', async () => {
    for (const endpoint of bound()) {
      const { access } = endpoint;
      if (access.kind !== 'roles' || access.in !== 'scope' || endpoint.path.includes(':scopeId')) continue;
      const params = Object.fromEntries(
        [...endpoint.path.matchAll(/:(\w+)/g)].map((match) => [match[1] ?? '', 'missing']),
      );
      const answer = await test.call(endpoint, {
        ssid: ssids.engineer,
        params: { ...params, clusterId: company.a.clusterId },
        remoteAddress: nextAddress(),
      });
      expect([answer.http, endpoint.name]).toEqual([422, endpoint.name]);
    }
  });

  it('every scope of a list is checked, and every name that a body may give it', async () => {
    const { a, b } = company;
    const ask = (input: object) =>
      test.call(contract.listCases, { ssid: ssids.engineer, params: { clusterId: a.clusterId }, input });
    expect((await ask({ scope_id: a.scope, scope_ids: [a.scope, b.scope] })).http).toBe(403);
    expect((await ask({ scope_id: a.scope, ScopeID: b.scope })).http).toBe(403);
    expect((await ask({ scope_id: [a.scope] })).http).toBe(422);
    expect((await ask({ scope_id: a.scope, scope_ids: [a.otherScope] })).http).toBe(200);
    expect((await ask({ scope_id: 'all' })).http).toBe(403);
    expect((await ask({ scope_id: a.scope.toUpperCase() })).http).toBe(403);
  });
});

/** A call for every session may still refuse by itself, when the path names a cluster out of reach. */
const isCertain = (endpoint: contract.Endpoint) =>
  endpoint.access.kind === 'roles' || !endpoint.path.includes(':clusterId');

/** The people of tenant A who know nothing of B: no root, and no administrator of the organization that owns both. */
const isOfA = (role: SeedRole) =>
  !['root', 'rootViewer', 'orgAdmin', 'contentManager', 'engineerOfB'].includes(role);
