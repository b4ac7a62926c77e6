import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { CLICKHOUSE_UID, isRoot, POSTGRES_UID } from './engine-identity.ts';
import {
  pidIn,
  processesNaming,
  type SpawnedServer,
  type SpawnServerOptions,
  spawnServer,
  temporaryData,
} from './testing/spawn-server.ts';

// The life of a whole server on real engines: crashes, kills, second starts. The tests share a data folder and the
// server that the one before has left running, as a life goes; a start takes seconds.

describe('the life of a server and its engines', () => {
  const data = temporaryData();
  const { folder } = data;
  let server: SpawnedServer | null = null;
  const cleanUp: (() => Promise<void> | void)[] = [];
  afterEach(async () => {
    for (const step of cleanUp.splice(0).reverse()) await step();
  });
  afterAll(async () => {
    server?.kill('SIGTERM');
    await server?.ended;
    data.remove();
  });

  /** Starts one on the folder of all, after the one before was killed. */
  async function startAnew(): Promise<SpawnedServer> {
    const started = await spawnServer({ dataFolder: folder });
    server = started;
    void started.ended.then(() => {
      if (server === started) server = null;
    });
    return started;
  }

  const running = async (): Promise<SpawnedServer> => server ?? startAnew();

  /** What watches over an engine ends a moment after the server. */
  const untilGone = (dataFolder: string) =>
    expect.poll(() => processesNaming(dataFolder), { timeout: 60_000 }).toEqual([]);

  /** One that is to fail. */
  async function tryToStart(more: SpawnServerOptions): Promise<SpawnedServer> {
    const failing = await spawnServer({ ...more, untilReady: false });
    cleanUp.push(async () => {
      failing.kill('SIGTERM');
      await failing.ended;
    });
    return failing;
  }

  const pidFile = { clickhouse: 'clickhouse.pid', postgres: 'postgres-watchdog.pid' } as const;
  const engine = (server: SpawnedServer, name: keyof typeof pidFile) => server.engine(name);

  /** A call that any client makes, answered by the envelope. */
  async function callList(server: SpawnedServer) {
    const response = await fetch(`${server.address}/lc/users/access-details`, {
      method: 'GET',
      headers: { ssid: 'no-such-session', connection: 'close' },
    });
    return {
      http: response.status,
      retryAfter: response.headers.get('retry-after'),
      body: await response.json(),
    };
  }

  it('keeps its secrets to its owner', async () => {
    await running();
    for (const name of ['engine-secrets.json', 'tyrian.lock']) {
      expect(statSync(path.join(folder, name)).mode & 0o077, name).toBe(0);
    }
    // Written for the start of the engine, with passwords in them, and gone after it.
    for (const name of ['clickhouse-users.xml', 'clickhouse-config.xml']) {
      expect(existsSync(path.join(folder, name)), name).toBe(false);
    }
    for (const name of ['postgres', 'clickhouse']) {
      expect(statSync(path.join(folder, name)).mode & 0o077, name).toBe(0);
    }
  });

  it.each(['clickhouse', 'postgres'] as const)(
    'starts %s again after a crash and says so meanwhile',
    async (name) => {
      const server = await running();
      process.kill(pidIn(path.join(folder, pidFile[name])), 'SIGKILL');
      await expect
        .poll(() => engine(server, name), { timeout: 30_000, interval: 10 })
        .toMatchObject({ state: expect.not.stringMatching('up') });
      const health = await server.health();
      expect(health?.http).toBe(503);
      // Nothing but the state for whoever has not signed in.
      expect(health?.body).toEqual({ status: 'degraded' });
      await expect
        .poll(() => engine(server, name), { timeout: 60_000 })
        .toMatchObject({ state: 'up', restarts: 1, lastError: 'ended with SIGKILL' });
      expect((await server.health())?.http).toBe(200);
    },
  );

  it('answers 503 with a clear envelope and Retry-After while the records are down', async () => {
    const server = await running();
    expect((await callList(server)).http).toBe(401);
    const postmaster = pidIn(path.join(folder, 'postgres', 'postmaster.pid'));
    process.kill(postmaster, 'SIGKILL');
    await expect
      .poll(() => callList(server).then(({ http }) => http), { timeout: 30_000, interval: 10 })
      .toBe(503);
    process.kill(pidIn(path.join(folder, pidFile.clickhouse)), 'SIGKILL');
    await expect
      .poll(() => engine(server, 'clickhouse'), { timeout: 30_000, interval: 10 })
      .not.toMatchObject({ state: 'up' });
    const answer = await callList(server);
    expect(answer).toMatchObject({ http: 503, retryAfter: '2', body: { status: 'error', data: null } });
    expect(answer.body.message).toMatch(/not available right now/);
    await expect.poll(() => callList(server).then(({ http }) => http), { timeout: 60_000 }).toBe(401);
  });

  it('leaves no orphan when it is killed with -9, and the next start recovers', async () => {
    const server = await running();
    expect(processesNaming(folder).length).toBeGreaterThanOrEqual(3);
    server.kill('SIGKILL');
    expect(await server.ended).toBe('SIGKILL');
    await untilGone(folder);
    const next = await startAnew();
    expect((await next.health())?.http).toBe(200);
    expect(next.output()).not.toContain('Password');
  });

  it('starts at once after kill -9, while the old engines are still ending', async () => {
    const server = await running();
    server.kill('SIGKILL');
    const next = await startAnew();
    expect((await next.health())?.http).toBe(200);
  });

  it('ends PostgreSQL even when its watchdog is killed too', async () => {
    const server = await running();
    const watchdog = pidIn(path.join(folder, pidFile.postgres));
    server.kill('SIGKILL');
    process.kill(watchdog, 'SIGKILL');
    const next = await startAnew();
    expect((await next.health())?.http).toBe(200);
    next.kill('SIGTERM');
    expect(await next.ended).toBe(0);
    await untilGone(folder);
  });

  it.runIf(isRoot())(
    '[S20] takes over the data of a version that ran the engines as nobody and as root',
    async () => {
      server?.kill('SIGTERM');
      await server?.ended;
      const [postgres, clickhouse] = [path.join(folder, 'postgres'), path.join(folder, 'clickhouse')];
      spawnSync('chown', ['-R', '65534:65534', postgres]);
      spawnSync('chown', ['-R', '0:0', clickhouse]);
      const next = await startAnew();
      expect((await next.health())?.http).toBe(200);
      for (const [parent, uid] of [
        [postgres, POSTGRES_UID],
        [clickhouse, CLICKHOUSE_UID],
      ] as const) {
        expect(spawnSync('find', [parent, '!', '-uid', String(uid)]).stdout.toString()).toBe('');
        expect(statSync(parent).mode & 0o777).toBe(0o700);
      }
    },
  );

  it.runIf(isRoot())(
    '[S20] runs everything as the ordinary user who starts it, and ends when that program is gone',
    async () => {
      // `daemon`: initdb wants a user with a name.
      const uid = 1;
      const own = temporaryData();
      cleanUp.push(own.remove);
      chownSync(own.folder, uid, uid);
      const ordinary = await spawnServer({ dataFolder: own.folder, uid });
      expect(ordinary.output()).not.toContain('root');
      for (const name of ['clickhouse', 'postgres']) {
        expect(statSync(path.join(own.folder, name))).toMatchObject({ uid, gid: uid });
      }
      expect(statSync(own.folder).mode & 0o077).toBe(0);
      ordinary.leave();
      expect(await ordinary.ended).toBe(0);
      await untilGone(own.folder);
    },
  );

  it('refuses a second start on the same data folder by name, and harms nothing', async () => {
    const server = await running();
    const second = await tryToStart({ dataFolder: folder });
    expect(await second.ended).toBe(1);
    expect(second.output()).toContain(`${folder} is in use by another Tyrian (process ${server.processId})`);
    expect((await server.health())?.http).toBe(200);
  });

  it.each([['TYRIAN_PORT'], ['TYRIAN_INGEST_PORT']])('names %s when that port is taken', async (variable) => {
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
    cleanUp.push(() => new Promise<void>((resolve) => holder.close(() => resolve())));
    const { port } = holder.address() as { port: number };
    const other = temporaryData();
    cleanUp.push(other.remove);
    const server = await tryToStart({ dataFolder: other.folder, env: { [variable]: String(port) } });
    expect(await server.ended).toBe(1);
    expect(server.output()).toContain(`Port ${port} on 127.0.0.1 is in use`);
    expect(server.output()).toContain(variable);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'stops cleanly on %s, also with a client connected',
    async (signal) => {
      const server = await running();
      // Keeps its connection.
      await (await fetch(`${server.address}/health`)).text();
      server.kill(signal);
      // Groups and wrappers deliver a signal twice.
      server.kill(signal);
      expect(await server.ended).toBe(0);
      await untilGone(folder);
    },
  );
});
