import * as contract from '@tyrian/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SenderSetup, senderSetup } from '../ingest/testing/sender-setup.ts';

// Jobs of enrichment on the real engines: a list looks back over stored events, a bucket is built out of a query.

let setup: SenderSetup;
beforeAll(async () => {
  setup = await senderSetup();
});
afterAll(() => setup?.close());

async function call<E extends contract.Endpoint>(endpoint: E, input: Record<string, unknown>) {
  const { company, test } = setup;
  const { clusterId, scope: scope_id } = company.a;
  const ssid = await company.signIn('engineer');
  return test.call(endpoint, { ssid, params: { clusterId }, input: { scope_id, ...input } });
}

const send = async (...events: Record<string, unknown>[]) => {
  const lines = events.map((event) => JSON.stringify(event)).join('\n');
  expect((await setup.post('/ingest/ndjson?source=old', lines)).status).toBe(200);
};

/** Runs a job as a worker would; answers how far it said to be. */
async function run(kind: string, payload: Record<string, string>, signal = new AbortController().signal) {
  const { clusterId, scope: scopeId } = setup.company.a;
  const job = setup.test.composed.jobs.find((one) => one.kind === kind);
  const said: number[] = [];
  const progress = async (done: number) => void said.push(done);
  await job?.run({ scopeId, ...payload }, { clusterId, signal, progress });
  return said;
}

const DAY = 86_400_000;
const now = () => setup.test.platform.clock.now();
const daysAgo = (days: number) => new Date(now() - days * DAY).toISOString();

it('[T-enrichment] a list finds what came in before it: by network, name above, URL, hash and mail address', async () => {
  await send(
    { '@timestamp': daysAgo(40), 'source.ip': '198.51.100.7' },
    { '@timestamp': daysAgo(3), 'source.ip': '198.51.100.7', 'destination.ip': '2001:db8:7::1' },
    { '@timestamp': daysAgo(2), 'source.ip': '198.51.100.8', 'dns.question.name': 'a.b.evil.example' },
    { '@timestamp': daysAgo(2), 'url.full': 'https://host.example/bad/page/#top' },
    { '@timestamp': daysAgo(1), 'file.hash.md5': 'D41D8CD98F00B204E9800998ECF8427E' },
    { '@timestamp': daysAgo(1), 'email.from.address': 'Me@Evil.example', 'source.ip': '192.0.2.1' },
  );
  const list = [
    ...['198.51.100.0/29', '2001:db8:7::/48', 'evil.example', 'http://host.example/bad/page'],
    ...['d41d8cd98f00b204e9800998ecf8427e', 'me@evil.example', '203.0.113.99'],
  ].join('\n');
  const saved = await call(contract.saveEnrichment, {
    ...{ kind: 'indicators', name: 'Late', format: 'lines', content: [list] },
  });
  const { table_id } = saved.data;
  const begun = await call(contract.startHunt, { table_id, start: now() - 10 * DAY, end: now() });
  expect(begun.http, JSON.stringify(begun)).toBe(200);
  const { hunt_id } = begun.data;
  const said = await run('indicator-hunt', { huntId: hunt_id });
  expect([said[0], said.at(-1)]).toEqual([1, 10]);
  const { data } = await call(contract.readHunt, { hunt_id });
  expect(data.hunt).toMatchObject({ state: 'done', indicators: 7, events: 6, covered: data.hunt.from });
  expect(
    data.finds.data.map(({ field, value, indicator }) => `${field} ${value} ${indicator}`).sort(),
  ).toEqual([
    'DnsQuery a.b.evil.example evil.example',
    'DstIpAddr 2001:db8:7::1 2001:db8:7::/48',
    'EmailSender Me@Evil.example me@evil.example',
    'FileHashMd5 D41D8CD98F00B204E9800998ECF8427E d41d8cd98f00b204e9800998ecf8427e',
    'SrcIpAddr 198.51.100.7 198.51.100.0/29',
    'Url https://host.example/bad/page/#top host.example/bad/page',
  ]);
  // Once more, as after a crash: nothing is counted twice.
  await run('indicator-hunt', { huntId: hunt_id });
  expect((await call(contract.readHunt, { hunt_id })).data.hunt.events).toBe(6);
});

it('[T-enrichment] a search that meets more values than it keeps says that it was cut', async () => {
  const most = contract.HUNT_LIMITS.finds;
  const address = (at: number) => `10.77.${at >> 8}.${at & 255}`;
  const found = Array.from({ length: most + 1 }, (_, at) => ({
    '@timestamp': daysAgo(1),
    'source.ip': address(at),
  }));
  await send(...found, { '@timestamp': daysAgo(3), 'source.ip': '10.78.0.1' });
  const list = { kind: 'indicators', name: 'Wide', format: 'lines', content: ['10.76.0.0/14'] } as const;
  const { table_id } = (await call(contract.saveEnrichment, list)).data;
  const hunt = async (start: number, end: number) => {
    const { hunt_id } = (await call(contract.startHunt, { table_id, start, end })).data;
    await run('indicator-hunt', { huntId: hunt_id });
    return (await call(contract.readHunt, { hunt_id, pagesize: 5_000 })).data;
  };
  const cut = await hunt(now() - 10 * DAY, now());
  expect(cut.hunt).toMatchObject({ state: 'done', is_cut: true, events: most });
  expect(cut.finds.total_count).toBe(most);
  expect((await hunt(now() - 4 * DAY, now() - 2 * DAY)).hunt).toMatchObject({ is_cut: false, events: 1 });
});

it('[T-enrichment] a search in stored events is stopped, and says so', async () => {
  const [list] = (await call(contract.listEnrichment, {})).data.data;
  const range = { start: now() - 10 * DAY, end: now() };
  const begun = await call(contract.startHunt, { table_id: list?.table_id, ...range });
  const { hunt_id } = begun.data;
  expect((await call(contract.cancelHunt, { hunt_id })).http).toBe(200);
  expect(await run('indicator-hunt', { huntId: hunt_id })).toEqual([]);
  expect((await call(contract.readHunt, { hunt_id })).data.hunt.state).toBe('canceled');
  expect((await call(contract.cancelHunt, { hunt_id })).http).toBe(409);
});

const bucket = (query: string) => `bucket: Seen
fields: [DvcHostname]
source:
  - sourcetype: kql
    query: |
      ${query}
    enr_key: Host
    enr_values:
      annotate: { Known: "yes" }
      translate: { Events: Count }
`;

it('[T-enrichment] a bucket is built out of a query, and what it knows is added to new events', async () => {
  await send({ 'host.name': 'srv-1' }, { 'host.name': 'SRV-1' }, { 'host.name': 'srv-2' });
  const yaml = bucket(
    'Events | where DvcHostname != "" | summarize Count = count() by Host = tolower(DvcHostname)',
  );
  const preview = await call(contract.previewBucket, { yaml });
  expect(preview.data).toMatchObject({
    ...{ name: 'Seen', fields: ['DvcHostname'] },
    samples: expect.arrayContaining([{ key: 'srv-1', values: { Known: 'yes', Events: '2' } }]),
  });
  const saved = await call(contract.saveBucket, { yaml });
  expect(saved.http, JSON.stringify(saved)).toBe(200);
  const { table_id } = saved.data;
  await run('enrichment-build', { tableId: table_id });
  const { table } = (await call(contract.readEnrichment, { table_id })).data;
  expect(table).toMatchObject({ rows: 2, version: 1, is_building: false, last_build: { error: null } });
  const known = 'toString(Ext.Enrichment.Seen.DvcHostname.Events)';
  await expect
    .poll(async () => {
      await send({ 'host.name': 'Srv-1', 'event.id': 'bucket-1' });
      return (await setup.rows(`SELECT max(${known}) FROM events WHERE Raw LIKE '%bucket-1%'`))[0]?.[0];
    })
    .toBe('2');
  await expect
    .poll(async () => (await call(contract.readEnrichment, { table_id })).data.table.hits_7d, {
      timeout: 20_000,
    })
    .toBeGreaterThan(0);
});

it('[T-enrichment] a bucket that cannot be built says why, and keeps what it had', async () => {
  const table = (await call(contract.listEnrichment, {})).data.data.find(({ kind }) => kind === 'bucket');
  const { table_id = '', revision } = table ?? {};
  const broken = bucket('Events | where Nowhere == 1 | project Host = DvcHostname');
  const saved = await call(contract.saveBucket, { table_id, revision, yaml: broken });
  expect(saved.http, JSON.stringify(saved)).toBe(200);
  await run('enrichment-build', { tableId: table_id });
  const after = (await call(contract.readEnrichment, { table_id })).data.table;
  expect(after).toMatchObject({ rows: 2, version: 1, is_building: false });
  expect(after.last_build?.error?.message).toContain('Count');
  const wrong = await call(contract.previewBucket, { yaml: 'bucket: x\nfields: [Nope]\nsource: []' });
  expect(wrong.http).toBe(422);
  const noYaml = await call(contract.previewBucket, { yaml: 'bucket: [' });
  expect([noYaml.http, JSON.stringify(noYaml)]).toEqual([422, expect.stringContaining('Line 1')]);
});

it('[T-enrichment] a table is switched, built once more and deleted', async () => {
  const table = (await call(contract.listEnrichment, {})).data.data.find(({ kind }) => kind === 'bucket');
  const { table_id = '' } = table ?? {};
  expect((await call(contract.switchEnrichment, { table_id, enabled: false })).http).toBe(200);
  expect((await call(contract.rebuildBucket, { table_id })).http).toBe(200);
  expect((await call(contract.removeEnrichment, { table_id })).http).toBe(200);
  expect((await call(contract.readEnrichment, { table_id })).http).toBe(404);
});
