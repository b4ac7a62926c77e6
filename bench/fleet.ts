import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  accessDetails,
  type Endpoint,
  everywhereCases,
  everywhereSignals,
  type InputOf,
  listAllScopes,
  listFleet,
  listTenantUsers,
  login,
  type OutputOf,
  platformSearch,
  readPreferences,
  tenantList,
} from '@tyrian/contract';
import { sql } from 'kysely';
import { hashPassword } from '../server/src/features/auth/password-hash.ts';
import { identityDb } from '../server/src/features/users/identity-tables.ts';
import { agreedAt } from '../server/src/features/users/user-store.ts';
import { readConfig } from '../server/src/platform/config.ts';
import { createLog } from '../server/src/platform/log.ts';
import { type RunningServer, startServer } from '../server/src/start-server.ts';
import { median, timed } from './made-events.ts';

// What a provider with 200 tenants, 1,000 scopes and 2,000 users waits for: every call behind the first page, the tenant
// list, the selectors, Mission Control and the lists over all scopes, over HTTP on real engines. The baseline is the same
// call of the same run with a tenth of the fleet: ten times the fleet should cost no more than ten times as much.
//
// Run: node --import tsx bench/fleet.ts [--tenants 200]

const { values } = parseArgs({ options: { tenants: { type: 'string', default: '200' } } });
const TENANTS = Number(values.tenants);
const SCOPES_OF_EACH = 5;
const USERS_OF_EACH = 10;
const SIGNALS_OF_EACH = 40;
const ORGANIZATIONS = 20;
const ROUNDS = 7;
const PASSWORD = 'Bench-word.42';
const PROVIDER = 'provider@bench.example';
const ROOT = 'root@bench.example';

const signalsOf = (n: number, now: number) => sql`
  insert into signal (cluster_id, signal_id, scope_id, workbook_id, workbook_name, version, finding_key, name, stream,
    stage, tactic, technique, sub_technique, score, confidence, suspects, targets, first_ms, last_ms, created_ms,
    occurrences)
  select ${`fleet${n}`}, ${`signal${n}x`} || s, ${`scope${n}x`} || s % ${SCOPES_OF_EACH}::int + 1, 'wb', 'Workbook', 1,
    's' || s, 'Credential dump ' || s, 'ProcessEvent', 'prod', 'Credential Access', 'T1003', '', 60, 'High', '[]', '[]',
    ${now}::bigint - s * 60000, ${now}::bigint - s * 60000, ${now}, 1
  from generate_series(1, ${SIGNALS_OF_EACH}::int) s`;

/** Adds tenants `from` to `to` with scopes, users and signals; the provider is an analyst in every scope. */
async function grow({ platform }: RunningServer, from: number, to: number): Promise<void> {
  const { postgres, eventStore } = platform;
  const now = Date.now();
  const hash = await hashPassword(PASSWORD);
  const range = sql`generate_series(${from}::int, ${to - 1}::int) n`;
  const run = (statement: ReturnType<typeof sql>) => statement.execute(postgres.platform);
  await run(sql`insert into tenant (cluster_id, cluster_name, product_type, created_ms)
    select 'fleet' || n, 'Customer ' || lpad(n::text, 4, '0'), 'professional', ${now} from ${range}`);
  await run(sql`insert into tenant_organization (cluster_id, org_id, is_primary)
    select 'fleet' || n, 'org' || n % ${ORGANIZATIONS}::int, true from ${range}`);
  await run(sql`insert into tenant_organization (cluster_id, org_id, is_primary)
    select 'fleet' || n, 'provider', false from ${range}`);
  await run(sql`insert into scope (cluster_id, scope_id, scope_name, created_ms)
    select 'fleet' || n, 'scope' || n || 'x' || s, 'Site ' || s, ${now}
    from ${range}, generate_series(1, ${SCOPES_OF_EACH}::int) s`);
  await run(sql`insert into person (user_id, org_id, email, name, user_type, password_hash, password_changed_ms, created_ms)
    select 'user' || n || 'x' || u, 'org' || n % ${ORGANIZATIONS}::int, 'user' || u || '@customer' || n || '.example',
      'User ' || u || ' of customer ' || n, 'general', ${hash}, ${now}, ${now}
    from ${range}, generate_series(1, ${USERS_OF_EACH}::int) u`);
  const everybody = sql`(select 'user' || n || 'x' || u as user_id, n from ${range},
    generate_series(1, ${USERS_OF_EACH}::int) u union all select 'provider', n from ${range})`;
  await run(sql`insert into tenant_access (user_id, cluster_id, access_type)
    select user_id, 'fleet' || n, 'Custom' from ${everybody} e`);
  await run(sql`insert into scope_access (user_id, cluster_id, scope_id, role)
    select e.user_id, s.cluster_id, s.scope_id, 'Security Analyst' from ${everybody} e
    join scope s on s.cluster_id = 'fleet' || e.n`);
  for (let n = from; n < to; n++) {
    await postgres.inTenant(`fleet${n}`, (trx) => signalsOf(n, now).execute(trx));
    await eventStore.ensureTenant(`fleet${n}`);
    await eventStore.command(
      `fleet${n}`,
      `INSERT INTO events (EventUid, TimeGenerated, IngestedTime, Scope, Stream, Raw)
       SELECT generateUUIDv4(), now64(3) - number, now64(3), 'scope${n}x1', 'ProcessEvent', toString(number) FROM numbers(2000)`,
    );
  }
}

async function addPeople({ platform }: RunningServer): Promise<void> {
  const db = identityDb(platform.postgres);
  const now = Date.now();
  const organizations = ['provider', ...Array.from({ length: ORGANIZATIONS }, (_, at) => `org${at}`)];
  await db
    .insertInto('organization')
    .values(organizations.map((org_id) => ({ org_id, name: `Organization ${org_id}`, created_ms: now })))
    .execute();
  const password_hash = await hashPassword(PASSWORD);
  const person = { org_id: 'provider', password_hash, password_changed_ms: now, created_ms: now };
  await db
    .insertInto('person')
    .values([
      {
        ...person,
        ...agreedAt(now),
        user_id: 'provider',
        email: PROVIDER,
        name: 'Provider',
        user_type: 'general',
      },
      { ...person, ...agreedAt(now), user_id: 'rootuser', email: ROOT, name: 'Root', user_type: 'root' },
    ])
    .execute();
}

interface Asked<E extends Endpoint> {
  readonly params?: Readonly<Record<string, string>>;
  readonly input?: InputOf<E>;
}

/** Calls as a browser does. */
function caller(address: string, ssid: string) {
  return async <E extends Endpoint>(
    endpoint: E,
    { params = {}, input }: Asked<E> = {},
  ): Promise<OutputOf<E>> => {
    const url = `${address}${endpoint.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '')}`;
    const isGet = endpoint.method === 'GET';
    const query = isGet && input ? `?${new URLSearchParams(input as Record<string, string>)}` : '';
    const answer = await fetch(url + query, {
      method: endpoint.method,
      headers: { ssid, ...(isGet ? {} : { 'content-type': 'application/json' }) },
      ...(isGet ? {} : { body: JSON.stringify(input ?? {}) }),
    });
    const body = (await answer.json()) as { status: string; message: string; data: OutputOf<E> };
    if (body.status !== 'success') throw new Error(`${endpoint.id}: ${body.message}`);
    return body.data;
  };
}

type Step = readonly [name: string, work: () => Promise<number>];

async function stepsOf(address: string): Promise<readonly Step[]> {
  const signIn = async (emailId: string) => {
    const record = await caller(address, '')(login, { input: { emailId, password: PASSWORD } });
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
      async () => (await asProvider(everywhereSignals, { input: { pagesize: 1000 } })).places.length,
    ],
    [
      'global cases',
      async () => (await asProvider(everywhereCases, { input: { pagesize: 1000 } })).places.length,
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
    await addPeople(server);
    const few = Math.max(4, Math.round(TENANTS / 10));
    await grow(server, 0, few);
    const steps = await stepsOf(server.address ?? '');
    const small = await measure(steps);
    await grow(server, few, TENANTS);
    await sql`analyze`.execute(server.platform.postgres.platform);
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
