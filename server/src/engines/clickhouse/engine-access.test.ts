import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import {
  basicAuthorization,
  type ClickhouseAccount,
  type EventStoreOptions,
} from '../../platform/clickhouse/event-store-options.ts';
import { engineSecrets } from '../engine-secrets.ts';
import { freeLoopbackAddress } from '../loopback-address.ts';
import { openScratchClickhouse, type ScratchClickhouse } from '../scratch-clickhouse.ts';
import { scratchFolder } from '../scratch-engines.ts';
import { REFUSAL, writeClickhouseFiles } from './clickhouse-config.ts';
import { grantsText } from './clickhouse-grants.ts';
import { findLibrary } from './embedded-clickhouse.ts';

// What a process of the same machine, or a web page in a browser on it, gets out of the engine: nothing. And what our
// own users get beyond their work: nothing either.

type Access = Omit<EventStoreOptions, 'log'>;
const PAGE = fileURLToPath(new URL('../../../../docs/engine-grants.md', import.meta.url));
const CHILD = fileURLToPath(new URL('clickhouse-child.cjs', import.meta.url));

let scratch: ScratchClickhouse;
const folder = mkdtempSync(path.join(tmpdir(), 'tyrian-readable-'));
const readable = path.join(folder, 'for-all');
beforeAll(async () => {
  scratch = await openScratchClickhouse('tyrian-access-');
  chmodSync(folder, 0o755);
  writeFileSync(readable, 'nothing of the engine', { mode: 0o644 });
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await scratch?.close();
});

async function send(url: string, headers: Record<string, string>, body = 'SELECT currentUser()') {
  const answer = await fetch(url, { method: 'POST', body, headers: { ...headers, connection: 'close' } });
  return { http: answer.status, text: await answer.text(), headers: answer.headers };
}

const asUser = (access: Access, account: ClickhouseAccount, sql: string, more = '') =>
  send(`${access.url}/${more}`, { authorization: basicAuthorization(account) }, sql);

const USERS = ['default', 'ingest', 'query', 'patient', 'root', 'admin', ''];
const PASSWORDS = ['', 'wrong'];
const HOSTS = ['127.0.0.1', '127.0.0.2', '127.0.0.255'];

/** Every way in which ClickHouse takes a name and a password. */
function waysIn(user: string, password: string): { query: string; headers: Record<string, string> }[] {
  const text = new URLSearchParams({ user, password }).toString();
  return [
    { query: '', headers: {} },
    { query: `?${text}`, headers: {} },
    { query: `?user=${user}`, headers: {} },
    { query: '', headers: { 'X-ClickHouse-User': user, 'X-ClickHouse-Key': password } },
    { query: '', headers: { 'X-ClickHouse-User': user } },
    { query: '', headers: { authorization: basicAuthorization({ user, password }) } },
  ];
}

/** The answers of all ways in but refusals; the engine is asked at the port it has, on many addresses. */
async function lettingIn(url: string): Promise<string[]> {
  const found: string[] = [];
  const { port, hostname } = new URL(url);
  for (const host of [...HOSTS, hostname]) {
    for (const user of USERS) {
      const tries = PASSWORDS.flatMap((password) => waysIn(user, password));
      const answers = await Promise.all(
        tries.map(({ query, headers }) => send(`http://${host}:${port}/${query}`, headers).catch(() => null)),
      );
      for (const [at, answer] of answers.entries()) {
        const isRefused =
          answer === null ? host !== hostname : answer.http === 401 && answer.text === REFUSAL;
        if (!isRefused)
          found.push(`${host} ${user} ${JSON.stringify(tries[at])}: ${answer?.http} ${answer?.text}`);
      }
    }
  }
  return found;
}

describe.each([
  ['the embedded engine', () => inject('testEngines').clickhouse as Access],
  ['the scratch engine', () => scratch.access],
])('%s', (_name, accessOf) => {
  it('[S01] lets nobody in without a password, by no name, from no loopback address', async () => {
    const access = accessOf();
    expect((await asUser(access, access.query, 'SELECT currentUser()')).text.trim()).toBe('query');
    expect(await lettingIn(access.url)).toEqual([]);
    for (const page of ['ping', 'play', 'dashboard', 'replicas_status', 'metrics']) {
      expect(await send(`${access.url}/${page}`, {}), page).toMatchObject({
        http: 401,
        text: REFUSAL,
      });
    }
  });

  it('[S01] listens on an address that is not 127.0.0.1', () => {
    const { hostname } = new URL(accessOf().url);
    if (process.platform === 'linux') expect(hostname).not.toBe('127.0.0.1');
    expect(hostname).toMatch(/^127\./);
  });

  it('[S01] shows no answer to a web page', async () => {
    const access = accessOf();
    const origin = { origin: 'http://localhost:29600' };
    for (const query of ['', '?add_http_cors_header=1', '?add_http_cors_header=1&user=default']) {
      const answer = await send(`${access.url}/${query}`, origin);
      expect(answer.http).toBe(401);
      expect(answer.headers.has('access-control-allow-origin')).toBe(false);
    }
    for (const account of [access.ingest, access.query]) {
      const signed = { ...origin, authorization: basicAuthorization(account) };
      const plain = await send(access.url, signed);
      expect(plain.http).toBe(200);
      const asked = await send(`${access.url}/?add_http_cors_header=1`, signed);
      expect(asked.text).toContain('add_http_cors_header should not be changed');
      for (const { headers } of [plain, asked])
        expect(headers.has('access-control-allow-origin')).toBe(false);
    }
  });
});

const DENIED = /Not enough privileges|should not be changed|must be inside|PATH_ACCESS_DENIED/;
const REACHING_OUT = [
  `SELECT * FROM file('/etc/passwd', 'LineAsString')`,
  `SELECT * FROM filesystem('/etc')`,
  `SELECT * FROM url('http://127.0.0.1:1/', 'CSV', 'a String')`,
  `SELECT * FROM remote('127.0.0.1', system.one)`,
  `SELECT * FROM remoteSecure('127.0.0.1', system.one)`,
  `SELECT * FROM postgresql('127.0.0.1:1', 'a', 'b', 'c', 'd')`,
  `SELECT * FROM mysql('127.0.0.1:1', 'a', 'b', 'c', 'd')`,
  `SELECT * FROM s3('http://127.0.0.1:1/bucket/x.csv', 'CSV', 'a String')`,
  `SELECT * FROM sqlite('/tmp/x.db', 'y')`,
  `SELECT * FROM hdfs('hdfs://127.0.0.1:1/x', 'CSV', 'a String')`,
  `SELECT * FROM odbc('DSN=x', 'a', 'b')`,
  `SELECT * FROM jdbc('DSN=x', 'a', 'b')`,
  `SELECT * FROM azureBlobStorage('http://127.0.0.1:1/', 'a', 'b', 'CSV', 'auto', 'a String')`,
  `SELECT * FROM mongodb('127.0.0.1:1', 'a', 'b', 'c', 'd', 'a String')`,
  `SELECT * FROM redis('127.0.0.1:1', 'a', 'a String')`,
  `INSERT INTO FUNCTION file('/tmp/x.csv', 'CSV', 'a String') VALUES ('x')`,
  `INSERT INTO FUNCTION url('http://127.0.0.1:1/', 'CSV', 'a String') VALUES ('x')`,
  'SELECT * FROM system.users',
  'SELECT * FROM system.grants',
  'SELECT * FROM system.server_settings',
  'SHOW CREATE USER default',
  'CREATE USER mine',
  'GRANT ALL ON *.* TO query',
  'CREATE FUNCTION mine AS (x) -> x',
  'CREATE TABLE tenant_x.f (a String) ENGINE = File(CSV)',
  `CREATE DATABASE tenant_x ENGINE = Filesystem('/etc')`,
  `CREATE DATABASE mine`,
  'SYSTEM SHUTDOWN',
  'SYSTEM FLUSH LOGS',
  `BACKUP DATABASE tenant_x TO Disk('x', 'y')`,
  'SELECT addressToLine(1)',
];

describe("our users' rights", () => {
  /** How far the kernel confines an engine, as its process says. */
  let confined: string | undefined;

  it.each(['ingest', 'query'] as const)(
    '[S01] %s reaches no file, network, user or system table',
    async (name) => {
      const { access } = scratch;
      for (const sql of REACHING_OUT) {
        const answer = await asUser(access, access[name], sql);
        expect(answer.http, `${sql}: ${answer.text}`).not.toBe(200);
        expect(answer.text, sql).toMatch(DENIED);
      }
      const program = await asUser(access, access[name], `SELECT * FROM executable('id', 'CSV', 'a String')`);
      expect(program.text).toMatch(/does not exist inside user scripts folder|Not enough privileges/);
    },
  );

  it('[S01] ingest keeps its tables on its own disk', async () => {
    const { access } = scratch;
    await asUser(access, access.ingest, 'CREATE DATABASE tenant_disks');
    for (const disk of [
      `type = 'web', endpoint = 'http://127.0.0.1:1/'`,
      `type = 'local', path = '/tmp/x/'`,
    ]) {
      const sql = `CREATE TABLE tenant_disks.x (a Int8) ENGINE = MergeTree ORDER BY a SETTINGS disk = disk(${disk})`;
      expect((await asUser(access, access.ingest, sql)).text).toMatch(DENIED);
    }
  });

  it('[S01] lets the library itself, as default, do nothing but begin to listen', async () => {
    const scratchData = scratchFolder('tyrian-default-');
    try {
      const listen = await freeLoopbackAddress();
      const files = writeClickhouseFiles(scratchData, listen, engineSecrets(scratchData), null);
      const grants = path.join(files.folder, 'grants.txt');
      writeFileSync(files.startSql, `SHOW GRANTS INTO OUTFILE '${grants}';\nSELECT * FROM system.users;\n`);
      const argument = { library: findLibrary(), ...files, ports: [listen.port], peerPorts: [], uid: null };
      const child = spawn(process.execPath, [CHILD, JSON.stringify(argument)], {
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      const said = await wordsOf(child);
      confined = /^confined: (.*)$/m.exec(said)?.[1];
      expect(readFileSync(grants, 'utf8').trim()).toBe('GRANT SYSTEM LISTEN ON *.* TO default');
      expect(said).toContain('default: Not enough privileges');
    } finally {
      rmSync(scratchData, { recursive: true, force: true });
    }
  });

  it('[S01] the engine reads no foreign file, runs no program and connects nowhere', async ({ skip }) => {
    if (confined !== 'files and connections') skip('this kernel cannot confine the engine (Landlock 4)');
    const { access } = scratch;
    for (const account of [access.ingest, access.query]) {
      const answer = await asUser(access, account, `SELECT file('${readable}')`);
      expect(answer.text).toContain('Permission denied');
    }
    await asUser(access, access.ingest, 'CREATE DATABASE IF NOT EXISTS tyrian_reference');
    for (const [source, said] of [
      [`EXECUTABLE(command 'id' FORMAT 'CSV')`, 'Child process was exited'],
      [`FILE(PATH '${readable}' FORMAT 'LineAsString')`, 'not inside'],
      [`POSTGRESQL(HOST '127.0.0.1' PORT 1 USER 'a' PASSWORD 'b' DB 'c' TABLE 'd')`, 'Permission denied'],
    ] as const) {
      const made = `CREATE OR REPLACE DICTIONARY tyrian_reference.out (a UInt64, b String) PRIMARY KEY a
        SOURCE(${source}) LAYOUT(FLAT()) LIFETIME(0)`;
      await asUser(access, access.ingest, made);
      const answer = await asUser(access, access.ingest, 'SELECT * FROM tyrian_reference.out');
      expect(answer.http, source).not.toBe(200);
      expect(answer.text, source).toContain(said);
    }
  });

  it('[S01] has the grants that docs/engine-grants.md prints, and no other', async () => {
    const { access } = scratch;
    const page =
      /### Grants of the engine's users\n\n```sql\n([\s\S]*?)\n```/.exec(readFileSync(PAGE, 'utf8'))?.[1] ??
      '';
    expect(page).toBe(grantsText());
    for (const name of ['ingest', 'query', 'patient'] as const) {
      const account = access[name] ?? access.query;
      const { text } = await asUser(access, account, 'SHOW GRANTS');
      const printed = page.split('\n').filter((line) => line.endsWith(` TO ${name}`));
      expect(text.trim().split('\n').sort()).toEqual(printed.sort());
    }
  });
});

async function wordsOf(child: ChildProcess): Promise<string> {
  const words: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => words.push(String(chunk)));
  await new Promise((resolve) => child.on('close', resolve));
  return words.join('');
}
