import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  accessDetails,
  crossTenantCases,
  crossTenantSignals,
  listAllScopes,
  listFleet,
  listTenantUsers,
  login,
  platformSearch,
  readPreferences,
  tenantList,
} from '@tyrian/contract';
import {
  addFleetPeople,
  FLEET_PASSWORD,
  growFleet,
  PROVIDER,
  ROOT,
  SCOPES_OF_EACH,
  USERS_OF_EACH,
} from '../server/src/features/identity/users/testing/seed-fleet.ts';
import { readConfig } from '../server/src/platform/config.ts';
import { createLog } from '../server/src/platform/log.ts';
import { startServer } from '../server/src/start-server.ts';
import { caller } from './call-endpoint.ts';
import { median, timed } from './made-events.ts';

// What a provider with 200 tenants, 1,000 scopes and 2,000 users waits for: every call behind the first page, the tenant
// list, the selectors, Mission Control and the lists over all scopes, over HTTP on real engines. The baseline is the same
// call of the same run with a tenth of the fleet: ten times the fleet should cost no more than ten times as much.
//
// Run: node --import tsx bench/fleet.ts [--tenants 200]

const { values } = parseArgs({ options: { tenants: { type: 'string', default: '200' } } });
const TENANTS = Number(values.tenants);
const ROUNDS = 7;

type Step = readonly [name: string, work: () => Promise<number>];

async function stepsOf(address: string): Promise<readonly Step[]> {
  const signIn = async (emailId: string) => {
    const record = await caller(address, '')(login, { input: { emailId, password: FLEET_PASSWORD } });
    if (!('access' in record)) throw new Error('a second step is asked for');
    return record;
  };
  const [root, provider] = [await signIn(ROOT), await signIn(PROVIDER)];
  const [asRoot, asProvider] = [caller(address, root.SSID), caller(address, provider.SSID)];
  const wholeList = { size: 1000, query: '', add_filter: [], page: 1 };
  return [
    [
      'sign-in of the provider until the first page can show',
      async () => {
        const { SSID, access } = await signIn(PROVIDER);
        const call = caller(address, SSID);
        await call(tenantList, { input: wholeList });
        await call(readPreferences);
        return access.length;
      },
    ],
    ['access-details of the provider', async () => (await asProvider(accessDetails)).access.length],
    ['access-details of root', async () => (await asRoot(accessDetails)).access.length],
    ['tenant list, root', async () => (await asRoot(tenantList, { input: wholeList })).total_count],
    [
      'scope selector, provider',
      async () => (await asProvider(listAllScopes, { input: { pagesize: 1000 } })).total_count,
    ],
    [
      'Mission Control',
      async () => (await asRoot(listFleet, { input: { pageno: 1, pagesize: 1000 } })).total_count,
    ],
    [
      'users of a tenant',
      async () =>
        (await asRoot(listTenantUsers, { params: { clusterId: 'fleet3' }, input: { pagesize: 1000 } }))
          .total_count,
    ],
    [
      'palette: users',
      async () => (await asRoot(platformSearch, { input: { query: 'customer 1' } })).people.length,
    ],
    [
      'global signals',
      async () => (await asProvider(crossTenantSignals, { input: { pagesize: 1000 } })).tenants.length,
    ],
    [
      'global cases',
      async () => (await asProvider(crossTenantCases, { input: { pagesize: 1000 } })).tenants.length,
    ],
  ];
}

async function measure(steps: readonly Step[]): Promise<Map<string, { ms: number; rows: number }>> {
  const figures = new Map<string, { ms: number; rows: number }>();
  for (const [name, work] of steps) {
    await work();
    const times = [];
    let rows = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const one = await timed(work);
      times.push(one.ms);
      rows = one.rows;
    }
    figures.set(name, { ms: median(times), rows });
  }
  return figures;
}

async function main(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'tyrian-bench-'));
  chmodSync(folder, 0o711);
  const config = readConfig({ TYRIAN_DATA: folder, TYRIAN_PORT: '0' });
  const server = await startServer({ config, checkout: folder, log: createLog('error'), roles: ['api'] });
  try {
    await addFleetPeople(server.platform);
    const few = Math.max(4, Math.round(TENANTS / 10));
    await growFleet(server.platform, 0, few);
    const steps = await stepsOf(server.address ?? '');
    const small = await measure(steps);
    await growFleet(server.platform, few, TENANTS);
    const large = await measure(steps);
    process.stdout.write(
      `${TENANTS} tenants, ${TENANTS * SCOPES_OF_EACH} scopes, ${TENANTS * USERS_OF_EACH} users\n`,
    );
    for (const [name, { ms, rows }] of large) {
      const before = small.get(name)?.ms ?? Number.NaN;
      process.stdout.write(
        `${name}: ${ms.toFixed(0)} ms for ${rows}; with ${few} tenants ${before.toFixed(0)} ms; ratio ${(ms / before).toFixed(1)}\n`,
      );
    }
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
