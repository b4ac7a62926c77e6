import dgram from 'node:dgram';
import net from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SenderSetup, senderSetup } from './testing/sender-setup.ts';

let setup: SenderSetup;
let ports: { udp: number; tcp: number };

beforeAll(async () => {
  setup = await senderSetup();
  await setup.feature.work.start();
  ports = setup.feature.work.ports().syslog;
});
afterAll(() => setup.close());

function sendUdp(...messages: readonly (string | Buffer)[]): Promise<void> {
  const socket = dgram.createSocket('udp4');
  const sent = messages.map(
    (message) =>
      new Promise<void>((resolve) => socket.send(message, ports.udp, '127.0.0.1', () => resolve())),
  );
  return Promise.all(sent).then(() => {
    socket.close();
  });
}

/** Sends the pieces one after another over one connection; true when the server took them all. */
function sendTcp(...pieces: readonly (string | Buffer)[]): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(ports.tcp, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.on('close', (hadError) => resolve(!hadError));
    socket.on('connect', async () => {
      for (const piece of pieces) {
        socket.write(piece);
        await new Promise((next) => setTimeout(next, 20));
      }
      socket.end();
    });
    socket.resume();
  });
}

async function untilCount(where: string, expected: number): Promise<void> {
  await expect.poll(() => setup.count(where), { timeout: 10_000 }).toBe(expected);
}

it('counts what unknown senders send and stores nothing of it', async () => {
  await sendUdp('<34>1 2026-01-01T00:00:00Z h app - - - unknown');
  await sendTcp('<34>1 2026-01-01T00:00:00Z h app - - - unknown\n');
  await new Promise((resolve) => setTimeout(resolve, 400));
  await setup.feature.sources.flush();
  const refused = (await setup.feature.sources.refusals()).find(
    ({ reason }) => reason === 'unknown-syslog-sender',
  );
  expect(refused).toMatchObject({ address: '127.0.0.1', value: 2 });
  expect(await setup.count()).toBe(0);
});

it('takes both protocols and both framings from the networks of a source', async () => {
  const { clusterId, scope: scopeId, otherScope } = setup.company.a;
  const source = { clusterId, scopeId, name: 'syslog', kind: 'syslog', by: null } as const;
  await setup.giveNetworks('127.0.0.0/8');
  await setup.feature.sources.create({ ...source, networks: ['127.0.0.0/8'] });
  await expect(
    setup.feature.sources.create({ ...source, scopeId: otherScope, networks: ['127.0.0.0/8'] }),
  ).rejects.toThrow('in use');
  await expect(setup.feature.sources.create({ ...source, name: 'none', networks: [] })).rejects.toThrow(
    'network',
  );
  setup.test.platform.clock.advance(6_000);

  await sendUdp(
    '<34>1 2026-01-01T00:00:00.5Z host1 su 77 ID47 [ex@1 a="b \\] c"] it happened',
    '<13>Jan  5 10:00:00 host2 sshd[99]: Failed password for root from 203.0.113.9 port 4022 ssh2',
    '<190>CEF:0|V|P|1|100|Blocked|8|src=192.0.2.1 dst=192.0.2.2 dpt=443 act=deny msg=a b\\=c',
    Buffer.from('<13>two\nlines in one datagram'),
  );
  await untilCount("SourceName = 'syslog'", 4);
  expect(
    await setup.rows(
      "SELECT Stream, DvcHostname, TargetUsername, toString(SrcIpAddr), DvcAction, SourceAddress FROM events WHERE SourceType IN ('sshd', 'cef') ORDER BY Stream",
    ),
  ).toEqual([
    ['Authentication', 'host2', 'root', '203.0.113.9', '', '127.0.0.1'],
    ['NetworkSession', '', '', '192.0.2.1', 'deny', '127.0.0.1'],
  ]);
  expect(
    await setup.rows(
      "SELECT Message, Facility, ProcessId, toString(Ext.MsgId) FROM events WHERE DvcHostname = 'host1'",
    ),
  ).toEqual([['it happened', 'auth', 77, 'ID47']]);
  expect(await setup.count("Raw = '<13>two\\nlines in one datagram'")).toBe(1);

  const counted = (text: string) => `${Buffer.byteLength(text)} ${text}`;
  const tcp = (n: number, more = '') => `<14>1 2026-01-02T00:00:00Z t app - - - tcp ${n}${more}`;
  const joined = `${counted(tcp(1, '\nwith a newline'))}${counted(tcp(2))}`;
  expect(await sendTcp(joined.slice(0, 30), joined.slice(30), `${tcp(3)}\r\n${tcp(4)}\n`, tcp(5))).toBe(true);
  await untilCount("Message LIKE 'tcp %'", 5);
  expect(await setup.count("Message = 'tcp 1\\nwith a newline'")).toBe(1);
});

it('cuts overlong messages, marks them, and goes on behind them', async () => {
  const long = `<14>long ${'x'.repeat(3 * 1024 * 1024)}`;
  await sendTcp(`${long}\n<14>after the line\n`, `${long.length} ${long}`, '<14>after the count\n');
  await untilCount("Message IN ('after the line', 'after the count')", 2);
  await untilCount("startsWith(Raw, '<14>long ')", 2);
  expect(
    await setup.rows("SELECT DISTINCT length(Raw) FROM events WHERE startsWith(Raw, '<14>long ')"),
  ).toEqual([[1024 * 1024]]);
});

it('stores two equal datagrams twice', async () => {
  await sendUdp('<14>same', '<14>same');
  await untilCount("Raw = '<14>same'", 2);
  await sendUdp('<14>same');
  await untilCount("Raw = '<14>same'", 3);
});
