import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Endpoint, listOrganizations, login, searchHistogram } from '@tyrian/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isRoot } from './engines/engine-identity.ts';
import { pidIn, temporaryData } from './engines/testing/spawn-server.ts';
import { type Company, SEED_PASSWORD, seedCompany } from './features/identity/users/testing/seed-company.ts';
import { type Config, readConfig } from './platform/config.ts';
import { createLog } from './platform/log.ts';
import { type RunningServer, startServer } from './start-server.ts';

// A whole server whose event store is ended: by a signal it is, by connections that strangers or our own client break
// off it must not be. And the processes of its engines as another user of the machine meets them.

/** The library takes four seconds from a fatal error to its end. */
const END_TAKES_MS = 6_000;
const NOBODY = { uid: 65_534, gid: 65_534 };

const data = temporaryData();
let server: RunningServer;
let company: Company;
const ssids = { root: '', engineer: '' };
beforeAll(async () => {
  const env = { TYRIAN_DATA: data.folder, TYRIAN_PORT: '0', TYRIAN_INGEST_PORT: '0' };
  const config: Config = readConfig(env);
  server = await startServer({ config, checkout: data.folder, log: createLog('silent'), roles: ['api'] });
  company = await seedCompany(server.platform);
  ssids.root = await company.signIn('root');
  ssids.engineer = await company.signIn('engineer');
  await server.platform.eventStore.ensureTenant(company.a.clusterId);
});
afterAll(async () => {
  await server?.stop();
  data.remove();
});

const engine = () => server.platform.engineHealth().find(({ name }) => name === 'clickhouse');
const enginePid = () => pidIn(path.join(data.folder, 'clickhouse.pid'));

async function call(who: keyof typeof ssids, endpoint: Endpoint, input: unknown, clusterId = '') {
  const url = endpoint.path.replace(':clusterId', clusterId);
  const response = await fetch(`${server.address}${url}`, {
    method: endpoint.method,
    headers: { ssid: ssids[who], connection: 'close', 'content-type': 'application/json' },
    ...(endpoint.method === 'GET' ? {} : { body: JSON.stringify(input) }),
  });
  return { http: response.status, body: (await response.json()) as { message: string } };
}

const search = () =>
  call('engineer', searchHistogram, { scope_id: company.a.scope, query: 'Events' }, company.a.clusterId);

/** Where the engine listens, which every process of the machine can find out. */
function listensAt(): { host: string; port: number } {
  const inodes = spawnSync('ls', ['-l', `/proc/${enginePid()}/fd`]).stdout.toString();
  for (const line of readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1)) {
    const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/);
    if (state !== '0A' || !inodes.includes(`socket:[${inode}]`)) continue;
    const [address = '', port = ''] = local.split(':');
    const host = [6, 4, 2, 0].map((at) => Number.parseInt(address.slice(at, at + 2), 16)).join('.');
    return { host, port: Number.parseInt(port, 16) };
  }
  throw new Error('the engine listens nowhere');
}

/** Sends the beginning of a request and takes the connection back. */
async function resetAmidHead(): Promise<void> {
  const socket = connect(listensAt());
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.write('GET / HT');
  await sleep(200);
  socket.resetAndDestroy();
}

describe('the event store and aborted requests', () => {
  it('[S10] outlives searches and inserts that our side gives up, and a server that is killed', async () => {
    const { eventStore } = server.platform;
    const { clusterId } = company.a;
    const before = enginePid();
    const long = 'x'.repeat(1_000_000);
    const given: Promise<unknown>[] = [];
    for (let n = 0; n < 36; n++) {
      const controller = new AbortController();
      const { signal } = controller;
      const asked = [
        { sql: 'select sum(sleepEachRow(0.01)) from numbers(100000) settings max_block_size = 10' },
        { sql: 'select number, randomPrintableASCII(1000) from numbers(10000000)' },
        // A head of a megabyte, which takes more than one write.
        { sql: 'select {p:String}', params: { p: long } },
      ][n % 3] as { sql: string };
      given.push(eventStore.rows(clusterId, { ...asked, scopes: 'all', signal }).catch(() => 'given up'));
      const body = Buffer.from(`{"Scope":"s","Stream":"Generic","Raw":"${long}"}\n`.repeat(4));
      given.push(
        eventStore.insertRows(clusterId, body, { dedupToken: `${n}`, signal }).catch(() => 'given up'),
      );
      await sleep(n % 7);
      controller.abort();
    }
    expect(await Promise.all(given)).toContain('given up');
    const killed = [0, 5, 50].map(killAmidRequests);
    await Promise.all(killed);
    await sleep(END_TAKES_MS);
    expect(engine()).toMatchObject({ state: 'up', restarts: 0 });
    expect(enginePid()).toBe(before);
  });

  it('[S10] outlives a reset in the middle of a head', async () => {
    const before = enginePid();
    await resetAmidHead();
    await sleep(END_TAKES_MS);
    expect((await search()).http).toBe(200);
    expect(engine()).toMatchObject({ state: 'up', restarts: 0 });
    expect(enginePid()).toBe(before);
  });

  it('[S10] is back at once when it was killed; what needs only the records goes on', async () => {
    expect((await search()).http).toBe(200);
    process.kill(enginePid(), 'SIGKILL');
    await expect.poll(() => engine()?.state, { timeout: 30_000, interval: 2 }).not.toBe('up');
    const [searched, listed, signedIn] = await Promise.all([
      search(),
      call('root', listOrganizations, {}),
      call('root', login, { emailId: company.emailOf('root'), password: SEED_PASSWORD }),
    ]);
    expect(searched).toMatchObject({ http: 503, body: { message: expect.stringMatching(/try again/) } });
    expect(listed.http).toBe(200);
    expect(signedIn.http).toBe(200);
    await expect
      .poll(engine, { timeout: 60_000 })
      .toMatchObject({ state: 'up', restarts: 1, lastError: { text: 'ended with SIGKILL' } });
    expect((await search()).http).toBe(200);
  });
});

/** A process that asks and inserts as our server does, killed after so many milliseconds of it. */
async function killAmidRequests(afterMs: number): Promise<void> {
  const { host, port } = listensAt();
  const secrets = JSON.parse(readFileSync(path.join(data.folder, 'engine-secrets.json'), 'utf8'));
  const script = `
    const http = require('node:http');
    const auth = 'ingest:${secrets.clickhouseIngest}';
    for (let n = 0; n < 20; n++) {
      const query = n % 2 ? 'select number from numbers(1000000000)' : 'insert into tenant_${company.a.clusterId}.events format JSONEachRow';
      const request = http.request({ host: '${host}', port: ${port}, method: 'POST', auth, path: '/?query=' + encodeURIComponent(query) });
      request.on('error', () => undefined);
      request.on('response', (answer) => answer.once('data', () => undefined));
      request.write(Buffer.alloc(3_000_000, 32));
    }
    process.stdout.write('on the way');`;
  const child: ChildProcess = spawn(process.execPath, ['-e', script], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await new Promise((resolve) => child.stdout?.once('data', resolve));
  await sleep(afterMs);
  child.kill('SIGKILL');
  await new Promise((resolve) => child.once('close', resolve));
}

const uidsOf = (processId: number): number[] =>
  (/^Uid:\s+(.*)$/m.exec(readFileSync(`/proc/${processId}/status`, 'utf8'))?.[1] ?? '')
    .split(/\s+/)
    .map(Number);

describe.runIf(isRoot() && process.platform === 'linux')('the engines of a server that root started', () => {
  const postmaster = () => pidIn(path.join(data.folder, 'postgres', 'postmaster.pid'));

  it('[S20] run as users of their own', () => {
    const postgres = uidsOf(postmaster());
    const clickhouse = uidsOf(enginePid());
    for (const uids of [postgres, clickhouse]) {
      expect(new Set(uids).size).toBe(1);
      expect([0, NOBODY.uid]).not.toContain(uids[0]);
    }
    expect(postgres[0]).not.toBe(clickhouse[0]);
  });

  it('[S20] cannot be read or signalled by a process of nobody', () => {
    const store = path.join(data.folder, 'clickhouse', 'status');
    for (const file of ['postgres/PG_VERSION', 'engine-secrets.json', 'clickhouse/status', 'secret-key']) {
      const full = path.join(data.folder, file);
      expect(statSync(full).size, file).toBeGreaterThan(0);
      const read = spawnSync('cat', [full], NOBODY);
      expect(read.status, file).not.toBe(0);
      expect(read.stderr.toString(), file).toContain('Permission denied');
    }
    expect(spawnSync('ls', [path.dirname(store)], NOBODY).status).not.toBe(0);
    for (const processId of [postmaster(), enginePid()]) {
      const signalled = spawnSync('sh', ['-c', `kill -0 ${processId}`], NOBODY);
      expect(signalled.status).not.toBe(0);
      expect(spawnSync('cat', [`/proc/${processId}/environ`], NOBODY).status).not.toBe(0);
    }
  });

  it('[S20] says in one line that the server itself keeps the rights of root', () => {
    expect(server.notices.filter((line) => line.includes('as root'))).toHaveLength(1);
  });
});
