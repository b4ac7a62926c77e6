import * as contract from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../../engines/testing/index.ts';
import { type Company, type SeedRole, seedCompany } from '../users/testing/seed-company.ts';

// Every call × people who have not accepted what is in force. The calls that stay open are written out by hand.

const STILL_OPEN = ['account.acceptEula', 'account.acceptPolicy', 'account.readAccess', 'sso.end'];
const ROLES: readonly SeedRole[] = [
  'root',
  'orgAdmin',
  'contentManager',
  'tenantAdmin',
  'engineer',
  'viewer',
];

let test: TestApp;
let company: Company;

beforeAll(async () => {
  test = await testApp();
  company = await seedCompany(test.platform);
});
afterAll(() => test?.close());

const ENDPOINTS = (Object.values(contract) as unknown[]).filter(
  (value): value is contract.Endpoint =>
    typeof value === 'object' && value !== null && 'access' in value && 'path' in value && 'method' in value,
);
const bound = () =>
  ENDPOINTS.filter(
    (one) => one.access.kind !== 'public' && test.app.hasRoute({ method: one.method, url: one.path }),
  );

const setVersions = (role: SeedRole, eula: number, policy: number) =>
  sql`update person set eula_version = ${eula}, policy_version = ${policy}
    where user_id = ${company.userIds[role]}`.execute(test.platform.postgres.platform);

function send(endpoint: contract.Endpoint, ssid: string) {
  const names = [...endpoint.path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '');
  const params = Object.fromEntries(names.map((name) => [name, 'missing']));
  return test.call(endpoint, {
    ssid,
    params: { ...params, clusterId: company.a.clusterId, scopeId: company.a.scope },
    input: { scope_id: company.a.scope },
  });
}

const refusal = (due: readonly contract.Agreement[]) =>
  JSON.stringify({
    status: 'failed',
    message: contract.MESSAGES.agreementsDue,
    data: { due },
    code: 'agreements-due',
    messageCode: 'session.agreementsDue',
    messageValues: {},
  });

describe('agreements', () => {
  it('[S2-79][C015][C020] refuse every call but their own and the ends of a session', async () => {
    const wrong: string[] = [];
    let cells = 0;
    const states = [
      [0, 0, ['eula', 'policy']],
      [contract.AGREEMENT_VERSIONS.eula, 0, ['policy']],
      // Accepted once, and counted up since.
      [contract.AGREEMENT_VERSIONS.eula - 1, contract.AGREEMENT_VERSIONS.policy, ['eula']],
    ] as const;
    for (const role of ROLES) {
      const ssid = await company.signIn(role);
      // What is due is one question for all roles: with something accepted two of them are asked.
      const asked = role === 'root' || role === 'analyst' ? states : states.slice(0, 1);
      for (const [eula, policy, due] of asked) {
        await setVersions(role, eula, policy);
        for (const endpoint of bound()) {
          if (STILL_OPEN.includes(endpoint.name)) continue;
          const answer = await send(endpoint, ssid);
          cells++;
          if (answer.http !== 403 || answer.text !== refusal(due)) {
            wrong.push(`${endpoint.name} as ${role}: ${answer.http} ${answer.text.slice(0, 100)}`);
          }
        }
      }
    }
    console.log(`agreements: ${bound().length} calls, ${cells} cells`);
    expect(wrong).toEqual([]);
    expect(
      bound()
        .filter((one) => one.access.kind === 'session' && one.access.beforeAgreements)
        .map((one) => one.name)
        .sort(),
    ).toEqual(STILL_OPEN);
  }, 120_000);

  it('[S2-79][C019] open everything once both are accepted, and tell until then what is due', async () => {
    await setVersions('analyst', 0, 0);
    const ssid = await company.signIn('analyst');
    const { SSID, EULA, isPolicyAccepted } = (await test.call(contract.accessDetails, { ssid })).data;
    expect([SSID, EULA, isPolicyAccepted]).toEqual([ssid, false, false]);
    const params = { user_id: company.userIds.analyst };
    await test.call(contract.acceptPolicy, { ssid, params, input: { isPolicyAccepted: true } });
    expect((await test.call(contract.listClusters, { ssid })).text).toBe(refusal(['eula']));
    await test.call(contract.acceptEula, { ssid });
    expect((await test.call(contract.listClusters, { ssid })).http).toBe(200);
  });

  it('[C004][C007] do not keep anybody from leaving', async () => {
    await setVersions('noAccess', 0, 0);
    const one = await company.signIn('noAccess');
    expect((await test.call(contract.logout, { input: { ssid: one } })).http).toBe(200);
    expect((await test.call(contract.accessDetails, { ssid: one })).http).toBe(401);
    const other = await company.signIn('noAccess');
    const params = { clusterId: company.a.clusterId };
    expect((await test.call(contract.invalidateSession, { ssid: other, params })).http).toBe(200);
    expect((await test.call(contract.accessDetails, { ssid: other })).http).toBe(401);
  });
});
