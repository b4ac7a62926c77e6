import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import * as contract from '@tyrian/contract';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { callServer } from './cli/call-server.ts';
import { dropDatabase } from './engines/testing/drop-database.ts';
import { type SpawnedServer, spawnServer, temporaryData } from './engines/testing/spawn-server.ts';
import { startShards, type TestShards } from './engines/testing/start-shards.ts';
import { withDatabase } from './engines/testing/start-test-engines.ts';
import { detectionDraft } from './features/detections/testing/detection-app.ts';
import { type Company, SEED_PASSWORD, seedCompany } from './features/identity/users/testing/seed-company.ts';
import { ingestFeature } from './features/ingest/ingest-feature.ts';
import { archiveOf, windowsRule } from './features/rules/testing/rule-imports.ts';
import { readConfig } from './platform/config.ts';
import { createLog } from './platform/log.ts';
import { newId } from './platform/new-id.ts';
import { createPostgres, type Postgres } from './platform/postgres/postgres.ts';
import { timestamp } from './platform/postgres/timestamp.ts';
import { type RunningServer, startServer } from './start-server.ts';

// An installation on several machines: two shards, two processes for the console, one for senders, two workers, all in
// processes of their own on the same engines. Its parts are killed one after the other.

const MINUTE = 60_000;
/** Polls wait for the end of something, however busy the machine is. */
const PATIENCE_MS = 150_000;
vi.setConfig({ testTimeout: 3 * PATIENCE_MS });
/** Not row by row, so that every minute is a window of its own. */
const PER_USER =
  "ProcessEvent | where ProcessName endswith 'tool.exe' | summarize take_any(DvcHostname) by ActorUsername";
const log = createLog('silent');
const database = `machines_${newId()}`;
const folders = Array.from({ length: 6 }, temporaryData);
const servers: SpawnedServer[] = [];
let shards: TestShards;
let admin: Postgres;
/** A process without a role, in which the test looks at and writes into the stores. */
let office: RunningServer;
let company: Company;
/** What every process of the installation is started with. */
let env: Readonly<Record<string, string>>;
let ssid: string;
let token: string;
const [first, second, senders, worker, colleague] = [0, 1, 2, 3, 4] as const;
const at = (position: number) => servers[position] as SpawnedServer;

beforeAll(async () => {
  shards = await startShards();
  const { postgresUrl } = inject('testEngines');
  admin = createPostgres({ url: postgresUrl, log, maxConnections: 1 });
  await sql`create database ${sql.id(database)}`.execute(admin.platform);
  env = {
    ...shards.env,
    TYRIAN_POSTGRES_URL: withDatabase(postgresUrl, database),
    TYRIAN_SECRET_KEY: 'one key for all of these machines',
  };
  const dataOf = (position: number) => folders[position]?.folder ?? '';
  const config = readConfig({ ...env, TYRIAN_DATA: dataOf(5) });
  office = await startServer({ config, checkout: dataOf(5), log, roles: [] });
  const roles = ['api', 'api', 'ingest', 'worker', 'worker'];
  const started = roles.map((role, position) =>
    spawnServer({
      dataFolder: dataOf(position),
      env,
      args: ['--role', role],
      untilReady: role !== 'worker',
    }),
  );
  servers.push(...(await Promise.all(started)));
  company = await seedCompany(office.platform);
  const { clusterId, scope: scopeId } = company.a;
  const source = { clusterId, scopeId, name: 'agents', kind: 'http', networks: [], by: null } as const;
  const { sources } = ingestFeature(office.platform, { audit: company.identity.audit });
  token = (await sources.create(source)).token ?? '';
  const signedIn = await callServer(
    at(first).address,
    contract.login,
    {},
    {
      emailId: company.emailOf('engineer'),
      password: SEED_PASSWORD,
    },
  );
  ssid = 'SSID' in signedIn ? signedIn.SSID : '';
});
afterAll(async () => {
  for (const server of servers) server.kill('SIGKILL');
  await Promise.all(servers.map((server) => server.ended));
  await office?.stop();
  await shards?.close();
  await dropDatabase(admin, database);
  await admin.close();
  for (const { remove } of folders) remove();
});

function ask<E extends contract.Endpoint>(
  position: number,
  endpoint: E,
  input: object,
  params: Readonly<Record<string, string>> = {},
): Promise<contract.OutputOf<E>> {
  const scope = { clusterId: company.a.clusterId, scopeId: company.a.scope, ...params };
  const isOfTask = endpoint.path.includes(':taskid');
  const whole = { ...(isOfTask ? {} : { scope_id: company.a.scope }), ...input } as contract.InputOf<E>;
  return callServer(at(position).address, endpoint, scope, whole, ssid);
}

/** Sends so many events to the process for senders; the answer says that they are durable. */
async function send(count: number, mark: string): Promise<number> {
  const lines = Array.from({ length: count }, (_, n) => JSON.stringify({ event: `${mark} ${n}` }));
  const response = await fetch(`${at(senders).ingestAddress}/services/collector`, {
    method: 'POST',
    headers: { authorization: `Splunk ${token}`, connection: 'close' },
    body: lines.join('\n'),
  });
  return response.status;
}

/** The answer of a search that one process runs and another is asked for. */
async function search(query: string, run: number = first, read: number = second) {
  const [task] = await ask(run, contract.invokeJob, {
    job_type: 'kql',
    query,
    from: 'now-24h',
    to: 'now',
  });
  const taskid = task?.id ?? '';
  const state = () => ask(read, contract.taskState, {}, { taskid });
  await expect
    .poll(async () => (await state()).task_stage, { timeout: PATIENCE_MS })
    .toMatch(/EXECUTED|FAILURE/);
  return ask(read, contract.taskResult, { pagesize: 1000, form: 'rows' }, { taskid });
}
const found = async (mark: string): Promise<number> => {
  const { rows } = await search(`Events | where Raw contains '${mark}' | count`);
  return Number(rows[0]?.[0]);
};

/** Events of the past, one a minute, each of another user. */
async function storePast(
  mark: string,
  minutes: number,
  more: (n: number) => object = () => ({}),
): Promise<number> {
  const now = Math.floor(Date.now() / MINUTE) * MINUTE;
  const lines = Array.from({ length: minutes }, (_, n) => {
    const time = new Date(now - (n + 2) * MINUTE + 1000).toISOString();
    const ProcessName = 'c:\\lab\\tool.exe';
    const who = { ActorUsername: `${mark}-${n}`, DvcHostname: 'pc-1', ProcessName };
    const where = {
      Scope: company.a.scope,
      Stream: 'ProcessEvent',
      ParseStatus: 'PAD',
      EventUid: randomUUID(),
    };
    return JSON.stringify({ ...where, TimeGenerated: time, IngestedTime: time, ...who, ...more(n) });
  });
  const body = Buffer.from(`${lines.join('\n')}\n`);
  await office.platform.eventStore.insertRows(company.a.clusterId, body, { dedupToken: newId() });
  return now - (minutes + 3) * MINUTE;
}

async function addRule(mark: string, since: number): Promise<string> {
  const query = PER_USER.replace('| summarize', `| where ActorUsername startswith '${mark}-' | summarize`);
  const { ID } = await ask(second, contract.addWorkbook, {
    properties: detectionDraft(query, { name: `Tool use ${mark}`, schedule: { mode: 'off' } as never }),
  });
  await ask(second, contract.editWorkbook, {
    ID,
    version: 1,
    properties: detectionDraft(query, { name: `Tool use ${mark}` }),
  });
  await ask(second, contract.setWorkbookVisibility, { ID, enabled: false });
  await ask(second, contract.setWorkbookVisibility, { ID, enabled: true, backfill_from: since });
  return ID;
}
const titleOf = (n: number) => `Marker ${n}`;
/** A pack of so many rules, imported as from the console; each finds the events of one marker. */
async function importRules(count: number): Promise<contract.PackRule[]> {
  const files = Array.from({ length: count }, (_, n) => [
    `marker-${n}.yml`,
    windowsRule(titleOf(n), `CommandLine|contains: 'marker-${n}-end'`),
  ]);
  const { import_id } = await ask(second, contract.beginRuleImport, { pack: 'Markers' });
  const bytes = archiveOf(Object.fromEntries(files)).toString('base64');
  await ask(second, contract.sendRuleImportPart, { import_id, part: 0, bytes });
  await ask(second, contract.startRuleImport, { import_id });
  const state = async () => (await ask(second, contract.readRuleImport, { import_id })).state;
  await expect.poll(state, { timeout: PATIENCE_MS }).toBe('done');
  return (await ask(second, contract.listRules, { pagesize: 500 })).data;
}
const inTenant = <T>(statement: RawBuilder<T>) =>
  office.platform.postgres.inTenant(company.a.clusterId, (trx) => statement.execute(trx));
/** The rules of packs are covered from then on only, as after a time without workers. */
async function rewind(since: number): Promise<void> {
  const from = timestamp(since);
  // Its events were stored past the process for senders, which marks when something came in.
  await inTenant(sql`insert into arrival_mark (cluster_id, scope_id, range_from, range_to)
    values (${company.a.clusterId}, ${company.a.scope}, ${from}, now()) on conflict do nothing`);
  await inTenant(sql`update rule_group set covered_until = ${from}, due_at = ${timestamp(since + MINUTE)}, windows_done = 0
    where scope_id = ${company.a.scope} and schedule = 'streamed'`);
  await inTenant(sql`update rule set covered_from = ${from}, covered_until = ${from}, due_at = ${timestamp(since + MINUTE)},
    group_windows = 0, enabled_at = ${from} where workbook_id like 'sigma-%'`);
}
/** Whether a worker is evaluating them, and how far they are covered. */
async function turnOfPack(): Promise<{ isHeld: boolean; until: number }> {
  const { rows } = await inTenant(sql<{ held: boolean; until: number }>`
    select lease_owner is not null as held, covered_until as until from rule_group
    where scope_id = ${company.a.scope} and schedule = 'streamed'`);
  return { isHeld: rows[0]?.held ?? false, until: Number(rows[0]?.until) };
}
async function titlesFound(): Promise<string[]> {
  const { data } = await ask(second, contract.listSignals, { pagesize: 500, view: 'all' });
  return data.flatMap(({ name }) => (name.startsWith('Marker ') ? [name] : [])).sort();
}
const healthOf = async (ID: string) => (await ask(second, contract.ruleHealth, { IDs: [ID] }))[0];
const usersFound = async (ID: string) => {
  const { data } = await ask(second, contract.listSignals, {
    addfilters: [{ filter_key: 'workbook_id', filter_value: ID }],
    pagesize: 500,
  });
  return data.map(({ name }) => name).sort();
};
/** Whoever held it is gone, or waits: the minute of that is not waited for. */
const moveTimeOn = () =>
  office.platform.postgres.inTenant(company.a.clusterId, (trx) =>
    sql`with freed as (update rule_group set lease_until = 'epoch', lease_owner = null returning 1)
      update rule set lease_until = 'epoch', lease_owner = null, retry_at = 'epoch' where enabled`.execute(
      trx,
    ),
  );

/** Stops a process outside of its transactions, so that it holds up nobody. */
async function pause(position: number): Promise<void> {
  for (;;) {
    at(position).kill('SIGSTOP');
    await sleep(600);
    const { rows } = await sql<{ held: number }>`
      select count(*)::int as held from pg_stat_activity where datname = current_database()
        and state = 'idle in transaction' and state_change < now() - interval '500 ms'`.execute(
      office.platform.postgres.platform,
    );
    if (rows[0]?.held === 0) return;
    at(position).kill('SIGCONT');
    await sleep(50);
  }
}

describe('two shards, two consoles, one ingest process, two workers', () => {
  it('[T-machines] sessions and searches of one process hold in the other, over the events of both shards', async () => {
    expect(await send(400, 'quiet')).toBe(200);
    await expect.poll(() => found('quiet'), { timeout: PATIENCE_MS }).toBe(400);
    const there = await office.platform.eventStore.systemRows<{ n: string }>(
      `SELECT count() AS n FROM \`${await office.platform.eventStore.tablesDatabase(company.a.clusterId)}\`.events`,
    );
    for (const { n } of there) expect(Number(n)).toBeGreaterThan(100);
    const result = await search("Events | where Raw contains 'quiet'");
    expect(result.total_count).toBe(400);
    expect(result.notices).toEqual([]);
  });

  it('[T-machines] a worker that is killed in the middle of its windows loses none: the other one takes them up', async () => {
    const minutes = 30;
    const since = await storePast('worker', minutes);
    // Stopped, not ended: what is due is for the first worker alone.
    await pause(colleague);
    const ID = await addRule('worker', since);
    await expect
      .poll(async () => (await healthOf(ID))?.windows_done ?? 0, { timeout: PATIENCE_MS, interval: 20 })
      .toBeGreaterThan(2);
    at(worker).kill('SIGKILL');
    expect(await at(worker).ended).toBe('SIGKILL');
    expect((await usersFound(ID)).length).toBeLessThan(minutes);
    at(colleague).kill('SIGCONT');
    await moveTimeOn();
    await expect
      .poll(async () => (await usersFound(ID)).length, { timeout: PATIENCE_MS, interval: 500 })
      .toBe(minutes);
    expect(new Set(await usersFound(ID)).size).toBe(minutes);
    expect(await healthOf(ID)).toMatchObject({ covered_from: since, gaps: [], failures_in_a_row: 0 });
    const ledger = await ask(second, contract.ruleLedger, { ID, pagesize: 1000 });
    const windows = [...ledger.data].reverse();
    expect(windows[0]?.from).toBe(since);
    for (const [index, window] of windows.entries()) {
      if (index > 0) expect(window.from).toBe(windows[index - 1]?.to);
      expect(window.state).toBe('done');
    }
  });

  it('[T-machines] a worker and an engine that are killed in the middle of a pack of rules change none of its signals', async () => {
    const [count, minutes] = [120, 40];
    const rules = await importRules(count);
    await pause(colleague);
    const since = await storePast('pack', minutes, (n) => ({
      CommandLine: `run marker-${n * 3}-end`,
      EventVendor: 'Microsoft',
      EventType: 'ProcessCreated',
    }));
    await ask(second, contract.switchRules, { rule_ids: rules.map(({ rule_id }) => rule_id), enabled: true });
    await rewind(since);
    const dataFolder = folders[worker]?.folder ?? '';
    const extra = await spawnServer({ dataFolder, env, args: ['--role', 'worker'], untilReady: false });
    servers.push(extra);
    await expect
      .poll(async () => (await turnOfPack()).isHeld, { timeout: PATIENCE_MS, interval: 20 })
      .toBe(true);
    extra.kill('SIGKILL');
    await shards.kill(0);
    expect(await extra.ended).toBe('SIGKILL');
    expect(await turnOfPack()).toEqual({ isHeld: true, until: since });
    at(colleague).kill('SIGCONT');
    await moveTimeOn();
    await sleep(1000);
    await shards.start(0);
    const expected = Array.from({ length: minutes }, (_, n) => titleOf(n * 3)).sort();
    await expect
      .poll(async () => (await titlesFound()).length, { timeout: PATIENCE_MS, interval: 500 })
      .toBeGreaterThanOrEqual(minutes);
    expect(await titlesFound()).toEqual(expected);
    for (const { gaps } of await ask(second, contract.ruleHealth, { IDs: rules.map((rule) => rule.rule_id) }))
      expect(gaps).toEqual([]);
  });

  it('[T-machines] a console that is killed takes no session with it: the other one answers on', async () => {
    at(first).kill('SIGKILL');
    expect(await at(first).ended).toBe('SIGKILL');
    const result = await search("Events | where Raw contains 'quiet'", second);
    expect(result.total_count).toBe(400);
  });

  it('[T-machines] without a shard answers are parts and say so, senders are answered, and detections wait', async () => {
    const minutes = 20;
    const since = await storePast('shard', minutes);
    await shards.kill(1);
    const part = await search("Events | where Raw contains 'quiet'", second);
    expect(part.total_count).toBeGreaterThan(100);
    expect(part.total_count).toBeLessThan(300);
    expect(part.notices).toMatchObject([{ code: 'shards-missing', values: { shards: '2' } }]);
    const counted = await search("Events | where Raw contains 'quiet' | count", second);
    expect(Number(counted.rows[0]?.[0])).toBe(part.total_count);
    expect(counted.notices).toMatchObject([{ code: 'shards-missing' }]);
    // Acknowledged means durable: they wait beside the process for senders.
    expect(await send(100, 'dark')).toBe(200);
    const ID = await addRule('shard', since);
    await expect
      .poll(async () => (await healthOf(ID))?.failures_in_a_row ?? 0, { timeout: PATIENCE_MS })
      .toBeGreaterThan(0);
    expect((await healthOf(ID))?.covered_until).toBe(since);
    expect(await usersFound(ID)).toEqual([]);

    await shards.start(1);
    await expect
      .poll(async () => (await search("Events | where Raw contains 'dark'", second)).total_count, {
        timeout: PATIENCE_MS,
        interval: 500,
      })
      .toBe(100);
    const whole = await search("Events | where Raw contains 'quiet'", second);
    expect(whole).toMatchObject({ total_count: 400, notices: [] });
    await moveTimeOn();
    await expect
      .poll(async () => (await usersFound(ID)).length, { timeout: PATIENCE_MS, interval: 500 })
      .toBe(minutes);
    expect(await healthOf(ID)).toMatchObject({ covered_from: since, gaps: [], failures_in_a_row: 0 });
  });

  it('[T-machines] a shard that another one takes the place of is asked on: either may be the one that is away', async () => {
    await shards.kill(0);
    await expect
      .poll(async () => (await search("Events | where Raw contains 'quiet'", second)).notices, {
        timeout: PATIENCE_MS,
      })
      .toMatchObject([{ code: 'shards-missing', values: { shards: '1' } }]);
    await expect.poll(() => send(50, 'dusk'), { timeout: PATIENCE_MS }).toBe(200);
    await shards.start(0);
    await expect
      .poll(async () => (await search("Events | where Raw contains 'dusk'", second)).total_count, {
        timeout: PATIENCE_MS,
        interval: 500,
      })
      .toBeGreaterThanOrEqual(50);
  });
});
