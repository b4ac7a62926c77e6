import { clusterAuditTrail, uploadEvents } from '@tyrian/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SenderSetup, senderSetup } from '../ingest/testing/sender-setup.ts';

// Files of events that a person uploads to a source.

let setup: SenderSetup;

beforeAll(async () => {
  setup = await senderSetup();
});
afterAll(() => setup.close());

async function send(
  piece: Record<string, unknown>,
  role: 'engineer' | 'analyst' | 'engineerOfB' = 'engineer',
) {
  const { clusterId, scope } = setup.company[role === 'engineerOfB' ? 'b' : 'a'];
  return setup.test.call(uploadEvents, {
    ssid: await setup.company.signIn(role),
    params: { clusterId },
    input: {
      ...{ scope_id: scope, source_id: setup.sourceId, upload_id: 'u1', piece: 0, format: 'lines' },
      ...{ file_name: 'a.log', ...piece },
      file: Buffer.from(String(piece.file ?? 'x\n')).toString('base64'),
    },
  });
}

it('[uploads.sendPiece] stores lines and rows of tables in their source, and a piece that comes again once', async () => {
  const lines = { file: '{"user.name":"ada"}\nplain words\n' };
  expect((await send(lines)).data).toEqual({
    ...{ received: 2, stored: 2, parse_error: 0, no_extractor: 2, is_repeat: false },
  });
  expect((await send(lines)).data).toMatchObject({ stored: 2, is_repeat: true });
  expect((await send({ file: 'other\n' })).http).toBe(409);
  const csv = { format: 'csv', upload_id: 'u2', file: 'src_ip;text\n192.0.2.1;"a;b"\n192.0.2.2;c\n' };
  expect((await send(csv)).data).toMatchObject({ stored: 2 });
  expect(
    await setup.rows(
      "SELECT SourceName, SrcIpAddr, toString(Ext.text) FROM events WHERE SrcIpAddr != '' ORDER BY SrcIpAddr",
    ),
  ).toEqual([
    ['sender', '192.0.2.1', 'a;b'],
    ['sender', '192.0.2.2', 'c'],
  ]);
  expect(await setup.count()).toBe(4);
  // What cannot be read of an event log is an event that says so.
  const evtx = await send({ format: 'evtx', upload_id: 'u3', file: 'ElfFile\0 no chunks' });
  expect(evtx.data).toMatchObject({ stored: 1 });
  // Another file under that name is refused, and nothing of it is stored.
  const before = await setup.count();
  const other = await send({ format: 'evtx', upload_id: 'u4', file: 'a text' });
  expect([other.http, other.body.messageCode]).toEqual([422, 'uploads.noEventLog']);
  expect(await setup.count()).toBe(before);
});

it('[uploads.sendPiece] knows neither the sources of another tenant nor those that ended, and lets only engineers', async () => {
  expect((await send({}, 'engineerOfB')).http).toBe(404);
  expect((await send({}, 'analyst')).http).toBe(403);
  expect((await send({ source_id: 'none' })).http).toBe(404);
});

it('[uploads.sendPiece] leaves an entry for each piece in the trail of the tenant', async () => {
  const trail = await setup.test.call(clusterAuditTrail, {
    ssid: await setup.company.signIn('tenantAdmin'),
    params: { clusterId: setup.company.a.clusterId },
    input: { action: 'source.upload' },
  });
  expect(trail.text).toContain('"file":"a.log"');
});
