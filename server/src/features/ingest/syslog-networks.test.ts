import { X509Certificate } from 'node:crypto';
import dgram from 'node:dgram';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import tls from 'node:tls';
import {
  collectionStatus,
  createSource,
  giveSyslogGrant,
  listSyslogGrants,
  takeSyslogGrant,
} from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { selfSignedCertificate } from '../../platform/http/testing/self-signed-certificate.ts';
import { SEED_ROLES, type SeedRole } from '../identity/users/testing/seed-company.ts';
import { type IngestFeature, ingestFeature } from './ingest-feature.ts';
import { type SenderSetup, senderSetup } from './testing/sender-setup.ts';

// Tenant A tries to get the syslog of tenant B: by claiming its addresses, wider or narrower ones, its certificate.

let setup: SenderSetup;
let feature: IngestFeature;
let folder: string;
let client: ReturnType<typeof selfSignedCertificate>;
let server: ReturnType<typeof selfSignedCertificate>;
let ports: { udp: number; tcp: number; tls: number | null };

beforeAll(async () => {
  setup = await senderSetup();
  folder = mkdtempSync(path.join(tmpdir(), 'tyrian-syslog-'));
  const inFolder = (name: string) => selfSignedCertificate(mkdtempSync(path.join(folder, name)));
  server = inFolder('server');
  client = inFolder('client');
  const { platform } = setup.test;
  const config = {
    ...platform.config,
    tls: server,
    syslogClientCa: client.cert,
    syslogPort: 0,
    syslogTlsPort: 0,
  };
  feature = ingestFeature({ ...platform, config }, { audit: setup.company.identity.audit });
  await feature.work.start();
  ports = feature.work.ports().syslog;
});
afterAll(async () => {
  await feature.work.stop();
  await setup.close();
  rmSync(folder, { recursive: true, force: true });
});

type Proof = { networks?: string[]; certificates?: string[]; with_token?: boolean };

/** An engineer makes a syslog source. */
async function claim(side: 'a' | 'b', name: string, proof: Proof, scope?: string) {
  const { clusterId, scope: own } = setup.company[side];
  return setup.test.call(createSource, {
    ssid: await setup.company.signIn(side === 'a' ? 'engineer' : 'engineerOfB'),
    params: { clusterId },
    input: { scope_id: scope ?? own, source_name: name, kind: 'syslog', ...proof },
  });
}

const give = async (
  side: 'a' | 'b',
  what: { network?: string; certificate?: string },
  role: SeedRole = 'root',
) =>
  setup.test.call(giveSyslogGrant, {
    ssid: await setup.company.signIn(role),
    input: { cluster_id: setup.company[side].clusterId, ...what },
  });

/** The look-up of senders is remembered for five seconds. */
const forget = () => setup.test.platform.clock.advance(6_000);

async function sendFrom(address: string, text: string): Promise<void> {
  const socket = dgram.createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, address, resolve));
  await new Promise<void>((resolve) => socket.send(text, ports.udp, '127.0.0.1', () => resolve()));
  socket.close();
}

const countOf = async (side: 'a' | 'b', where: string) => {
  const { clusterId } = setup.company[side];
  const query = `SELECT count() FROM events WHERE ${where}`;
  return Number(
    (await setup.test.platform.eventStore.rows(clusterId, { sql: query, scopes: 'all' })).rows[0]?.[0],
  );
};
const untilOnly = async (side: 'a' | 'b', where: string, expected = 1) => {
  await expect.poll(() => countOf(side, where), { timeout: 15_000 }).toBe(expected);
  expect(await countOf(side === 'a' ? 'b' : 'a', where)).toBe(0);
};
const refusals = async (reason: string) => {
  await feature.sources.flush();
  const all = (await feature.sources.refusals()).filter((one) => one.reason === reason);
  return all.reduce((sum, { value }) => sum + value, 0);
};

it('[S03] only root gives networks, and no two overlap in either direction', async () => {
  for (const role of SEED_ROLES) {
    if (role === 'root') continue;
    expect([role, (await give('a', { network: '198.18.0.0/16' }, role)).http]).toEqual([role, 403]);
  }
  expect((await give('b', { network: '127.0.0.2/31' })).http).toBe(200);
  for (const network of ['127.0.0.2/32', '127.0.0.0/8', '0.0.0.0/0', '127.0.0.2/31'])
    for (const side of ['a', 'b'] as const) expect((await give(side, { network })).http).toBe(409);
  expect((await give('a', { network: '10.0.0.1/8' })).http).toBe(422);
  expect((await give('a', {})).http).toBe(422);
  const unknown = await setup.test.call(giveSyslogGrant, {
    ssid: await setup.company.signIn('root'),
    input: { cluster_id: 'nosuchtenant', network: '203.0.113.0/24' },
  });
  expect(unknown.http).toBe(404);
  // Two at once: one wins.
  const race = await Promise.all([
    give('a', { network: '192.0.2.0/24' }),
    give('b', { network: '192.0.2.128/25' }),
  ]);
  expect(race.map(({ http }) => http).sort()).toEqual([200, 409]);
  const listed = await setup.test.call(listSyslogGrants, { ssid: await setup.company.signIn('root') });
  expect(listed.data.grants.map(({ network }) => network)).toContain('127.0.0.2/31');
});

it('[S03] A cannot claim what B has, nothing wider, nothing free, and cannot tell them apart', async () => {
  expect((await claim('b', 'syslog', { networks: ['127.0.0.2/31'] })).http).toBe(200);
  await sendFrom('127.0.0.2', '<13>1 - h a - - - BEFORE secret of B');
  await untilOnly('b', "Raw LIKE '%BEFORE secret%'");
  const wanted = [
    '127.0.0.2/32',
    '127.0.0.2/31',
    '127.0.0.0/8',
    '0.0.0.0/0',
    '::/0',
    '10.0.0.0/8',
    '203.0.113.0/24',
  ];
  const answers = await Promise.all(wanted.map((network) => claim('a', 'mine', { networks: [network] })));
  for (const answer of answers) expect(answer.http).toBe(422);
  const said = answers.map(({ text }, n) => text.replaceAll(wanted[n] ?? '', 'NETWORK'));
  expect(new Set(said).size).toBe(1);
  expect(said[0]).toContain("ask the platform's administrator");
  forget();
  await sendFrom('127.0.0.2', '<13>1 - h a - - - AFTER secret of B');
  await untilOnly('b', "Raw LIKE '%AFTER secret%'");
});

it('[S03] a tenant refines its own networks between its scopes', async () => {
  expect((await give('a', { network: '127.0.1.0/24' })).http).toBe(200);
  const { otherScope } = setup.company.a;
  expect((await claim('a', 'wide', { networks: ['127.0.1.0/24'] })).http).toBe(200);
  expect((await claim('a', 'narrow', { networks: ['127.0.1.7/32'] }, otherScope)).http).toBe(200);
  expect((await claim('a', 'again', { networks: ['127.0.1.7/32'] })).http).toBe(409);
  expect((await claim('a', 'half', { networks: ['127.0.1.9/32', '127.0.2.0/24'] })).http).toBe(422);
  forget();
  await sendFrom('127.0.1.7', '<13>1 - h a - - - refined');
  await untilOnly('a', "Raw LIKE '%refined%' AND SourceName = 'narrow'");
});

/** Sends over TLS; resolves when the connection is closed. */
function sendTls(text: string, files?: { cert: string; key: string; pem: string }): Promise<void> {
  return new Promise((resolve) => {
    const own = files === undefined ? {} : { cert: files.pem, key: readFileSync(files.key) };
    const socket = tls.connect({ host: '127.0.0.1', port: ports.tls ?? 0, ca: server.pem, ...own });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
    socket.on('secureConnect', () => socket.end(text));
    socket.resume();
  });
}

it('[S03] a client certificate decides whatever the address; a wrong one stores nothing and is counted', async () => {
  const fingerprint = new X509Certificate(client.pem).fingerprint256;
  expect((await claim('b', 'by-certificate', { certificates: [fingerprint] })).http).toBe(422);
  expect((await give('b', { certificate: fingerprint })).http).toBe(200);
  expect((await give('a', { certificate: fingerprint.replaceAll(':', '').toLowerCase() })).http).toBe(409);
  const stolen = await claim('a', 'stolen', { certificates: [fingerprint] });
  const free = await claim('a', 'stolen', { certificates: ['no.such.name'] });
  expect(stolen.http).toBe(422);
  const bare = fingerprint.replaceAll(':', '').toLowerCase();
  expect(stolen.text.replaceAll(bare, 'X')).toBe(free.text.replaceAll('no.such.name', 'X'));
  // The address of this connection, 127.0.0.1, belongs to A.
  expect((await give('a', { network: '127.0.0.1/32' })).http).toBe(200);
  expect((await claim('a', 'local', { networks: ['127.0.0.1/32'] })).http).toBe(200);
  forget();
  await sendTls('<13>1 - h a - - - not yet named\n', client);
  await expect.poll(() => refusals('unknown-syslog-certificate'), { timeout: 10_000 }).toBe(1);
  expect((await claim('b', 'by-certificate', { certificates: [fingerprint] })).http).toBe(200);
  forget();
  await sendTls('<13>1 - h a - - - by certificate\n', client);
  await untilOnly('b', "Raw LIKE '%by certificate%' AND SourceName = 'by-certificate'");
  await sendTls('<13>1 - h a - - - without certificate\n');
  await untilOnly('a', "Raw LIKE '%without certificate%' AND SourceName = 'local'");
  const foreign = selfSignedCertificate(mkdtempSync(path.join(folder, 'foreign')));
  await sendTls('<13>1 - h a - - - not signed by ours\n', foreign);
  await expect.poll(() => refusals('wrong-syslog-certificate'), { timeout: 10_000 }).toBe(1);
  for (const side of ['a', 'b'] as const)
    expect(await countOf(side, "Raw LIKE '%not yet named%' OR Raw LIKE '%not signed%'")).toBe(0);
});

const SD = (token: string) => `[tyrian@32473 token="${token}"]`;

it('[S03] a token in structured data decides, is not stored, and a wrong one stores nothing and is counted', async () => {
  const made = await claim('b', 'by-token', { with_token: true });
  const token = made.data.token ?? '';
  expect(token).toMatch(/^tyr_/);
  // From an address of A, over UDP and TCP; beside other elements, and alone.
  await sendFrom('127.0.0.1', `<13>1 - h a - - ${SD(token)} alone by token`);
  const socket = net.connect(ports.tcp, '127.0.0.1');
  socket.end(`<13>1 - h a - - [ex@1 k="v \\] ${'['}"]${SD(token)}[ex@2 k="v"] beside by token\n`);
  await untilOnly('b', "Raw LIKE '%by token%' AND SourceName = 'by-token'", 2);
  const { clusterId } = setup.company.b;
  const query = "SELECT Raw FROM events WHERE SourceName = 'by-token' ORDER BY Raw";
  const { rows } = await setup.test.platform.eventStore.rows(clusterId, { sql: query, scopes: 'all' });
  expect(rows.flat()).toEqual([
    '<13>1 - h a - - - alone by token',
    '<13>1 - h a - - [ex@1 k="v \\] ["][ex@2 k="v"] beside by token',
  ]);
  await sendFrom('127.0.0.1', `<13>1 - h a - - ${SD('tyr_wrongwrongwrongwrong')} wrong one`);
  // A token of HTTP is none of syslog, and the other way round.
  await sendFrom('127.0.0.1', `<13>1 - h a - - ${SD(setup.token)} wrong two`);
  await expect.poll(() => refusals('wrong-syslog-token'), { timeout: 10_000 }).toBe(2);
  expect((await setup.post('/ingest/ndjson', 'x', { authorization: `Bearer ${token}` })).status).toBe(401);
  for (const side of ['a', 'b'] as const) expect(await countOf(side, "Raw LIKE '%wrong%'")).toBe(0);
  // In the text it is no token: whoever gets text into a message cannot turn it away.
  await sendFrom('127.0.0.1', `<13>1 - h a - - - text ${SD('tyr_wrongwrongwrongwrong')} of a message`);
  await untilOnly('a', "Raw LIKE '%text [tyrian@32473%'");
});

it('[S03] what is taken back is refused within seconds; source, trail and list say so', async () => {
  const ssid = await setup.company.signIn('root');
  const { grants } = (
    await setup.test.call(listSyslogGrants, { ssid, input: { cluster_id: setup.company.b.clusterId } })
  ).data;
  const grant = grants.find(({ network }) => network === '127.0.0.2/31');
  const taken = await setup.test.call(takeSyslogGrant, { ssid, input: { grant_id: grant?.grant_id } });
  expect(taken.http).toBe(200);
  expect((await setup.test.call(takeSyslogGrant, { ssid, input: { grant_id: grant?.grant_id } })).http).toBe(
    404,
  );
  forget();
  const before = await refusals('unknown-syslog-sender');
  await sendFrom('127.0.0.2', '<13>1 - h a - - - too late');
  await expect.poll(() => refusals('unknown-syslog-sender'), { timeout: 10_000 }).toBe(before + 1);
  const { clusterId, scope } = setup.company.b;
  const status = await setup.test.call(collectionStatus, {
    ssid: await setup.company.signIn('engineerOfB'),
    params: { clusterId },
    input: { scope_id: scope },
  });
  const source = status.data.sources.find(({ source_name }) => source_name === 'syslog');
  expect(source?.notice).toContain('127.0.0.2/31 was taken back');
  // Now it may be given to A; B's trail has both acts, A's has its own.
  expect((await give('a', { network: '127.0.0.2/31' })).http).toBe(200);
  const entries = async (side: 'a' | 'b') => {
    const { rows } = await sql<{
      act: string;
    }>`select action || ' ' || (details->>'network') as act from audit_entry
      where cluster_id = ${setup.company[side].clusterId}`.execute(setup.test.platform.postgres.platform);
    return rows.map(({ act }) => act);
  };
  expect(await entries('b')).toEqual(
    expect.arrayContaining(['syslog-grant.give 127.0.0.2/31', 'syslog-grant.take 127.0.0.2/31']),
  );
  expect(await entries('a')).toContain('syslog-grant.give 127.0.0.2/31');
});

it('[S15] a disabled scope takes no syslog in', async () => {
  const { clusterId, scope } = setup.company.a;
  const enable = (isEnabled: boolean) =>
    sql`update scope set is_enabled = ${isEnabled} where cluster_id = ${clusterId} and scope_id = ${scope}`.execute(
      setup.test.platform.postgres.platform,
    );
  await enable(false);
  forget();
  await sendFrom('127.0.0.1', '<13>1 - h a - - - into a disabled scope');
  await feature.sources.flush();
  const counted = async () => {
    await feature.sources.flush();
    const all = await feature.sources.status(clusterId, scope);
    return all.find(({ source_name }) => source_name === 'local')?.counts['refused_scope-disabled'];
  };
  await expect.poll(counted, { timeout: 10_000 }).toBe(1);
  expect(await countOf('a', "Raw LIKE '%into a disabled scope%'")).toBe(0);
  await enable(true);
});
