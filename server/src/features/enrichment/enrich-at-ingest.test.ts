import * as contract from '@tyrian/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SenderSetup, senderSetup } from '../ingest/testing/sender-setup.ts';

// An event comes in over HTTP and has its country, system, site, indicator and asset; a change of a list holds for what
// comes in a moment later; what belongs to another scope or tenant is never used.

let setup: SenderSetup;
beforeAll(async () => {
  setup = await senderSetup();
});
afterAll(() => setup?.close());

type Input = Record<string, unknown>;

async function call<E extends contract.Endpoint>(endpoint: E, input: Input, tenant: 'a' | 'b' = 'a') {
  const { company, test } = setup;
  const { clusterId, scope: scope_id } = company[tenant];
  const ssid = await company.signIn(tenant === 'a' ? 'engineer' : 'engineerOfB');
  return test.call(endpoint, { ssid, params: { clusterId }, input: { scope_id, ...input } });
}

const send = async (...events: Input[]) => {
  const lines = events.map((event) => JSON.stringify(event)).join('\n');
  expect((await setup.post('/ingest/ndjson?source=net', lines)).status).toBe(200);
};

const cells = async (mark: string, columns: string) =>
  (await setup.rows(`SELECT ${columns} FROM events WHERE Raw LIKE '%${mark}%' ORDER BY EventUid`))[0];

const event = (mark: string, more: Input) => ({ 'event.id': mark, 'source.ip': '10.1.2.3', ...more });

it('[T-enrichment] an event gets country, system and kind of its addresses, and says by which data', async () => {
  await send(event('geo-1', { 'destination.ip': '8.8.8.8' }));
  const [type, country, asn, organization, source, by] =
    (await cells(
      'geo-1',
      'DstIpType, DstGeoCountry, toString(DstAsn), DstAsOrganization, SrcIpType, EnrichedBy',
    )) ?? [];
  expect([type, country, asn, source]).toEqual(['PUBLIC', 'United States', '15169', 'PRIVATE']);
  expect(organization).toContain('Google');
  expect(by).toMatch(/^geo@country:\d{4}-\d\d-\d\d,asn:\d{4}-\d\d-\d\d$/);
});

it('[T-enrichment] networks of the tenant and a list of indicators hold a moment after they are saved', async () => {
  const networks = ['network,site,country,latitude,longitude', '10.1.0.0/16,Oslo,Norway,59.9,10.7'];
  const saved = await call(contract.saveEnrichment, {
    ...{ kind: 'networks', name: 'Sites' },
    content: [networks.join('\n')],
  });
  expect(saved.http, JSON.stringify(saved)).toBe(200);
  const list = ['# feed', '203.0.113.0/24', 'evil.example', 'no indicator at all'].join('\n');
  const listed = await call(contract.saveEnrichment, {
    ...{ kind: 'indicators', name: 'Feed', format: 'lines', confidence: 80 },
    content: [list],
  });
  expect(listed.data).toMatchObject({ rows: 2, fault_count: 1 });
  const columns =
    'SrcSite, SrcGeoCountry, ThreatIndicator, ThreatField, ThreatList, toString(ThreatConfidence)';
  const both = { 'destination.ip': '203.0.113.77', 'dns.question.name': 'x.evil.example' };
  await expect
    .poll(async () => {
      await send(event('ioc-1', both));
      return (await setup.rows("SELECT max(ThreatList) FROM events WHERE Raw LIKE '%ioc-1%'"))[0]?.[0];
    })
    .toBe('Feed');
  await send(event('ioc-2', both));
  expect(await cells('ioc-2', columns)).toEqual([
    ...['Oslo', 'Norway', '203.0.113.0/24', 'DstIpAddr', 'Feed', '80'],
  ]);
  const listedNow = (await call(contract.listEnrichment, {})).data;
  expect(listedNow.data.map(({ name, rows }) => [name, rows])).toEqual([
    ['Sites', 1],
    ['Feed', 2],
  ]);
});

it('[T-enrichment] an asset is the one of the time of the event, and expired indicators do not match', async () => {
  const assets = [
    'host,owner,valid_from,valid_until',
    'pc-7,Ann,2026-01-01,2026-02-01',
    'PC-7,Bob,2026-02-01,',
  ].join('\n');
  await call(contract.saveEnrichment, { kind: 'assets', name: 'Inventory', content: [assets] });
  const list = 'indicator,valid_until,label\nold.example,2020-01-01,Old\nnew.example,2999-01-01,Botnet';
  await call(contract.saveEnrichment, { kind: 'indicators', name: 'Dated', content: [list] });
  const at = (mark: string, time: string, name: string) =>
    event(mark, { '@timestamp': time, 'host.name': 'Pc-7', 'dns.question.name': name });
  const owner = 'toString(Ext.Enrichment.Inventory.DvcHostname.owner)';
  await expect
    .poll(async () => {
      await send(at('asset-0', '2026-01-15T00:00:00Z', 'a.example'));
      return (await setup.rows(`SELECT max(${owner}) FROM events WHERE Raw LIKE '%asset-0%'`))[0]?.[0];
    })
    .toBe('Ann');
  await send(
    at('asset-1', '2026-01-31T23:59:59Z', 'old.example'),
    at('asset-2', '2026-02-01T00:00:00Z', 'new.example'),
    at('asset-3', '2025-12-31T00:00:00Z', 'new.example'),
  );
  const found = `${owner}, ThreatList, ThreatCategory`;
  expect(await cells('asset-1', found)).toEqual(['Ann', '', '']);
  expect(await cells('asset-2', found)).toEqual(['Bob', 'Dated', 'Botnet']);
  expect((await cells('asset-3', found))?.slice(1)).toEqual(['Dated', 'Botnet']);
});

it('[T-enrichment] an event says which step, table, key and version added what', async () => {
  const forged = { Enrichment: { Trace: ['["indicators","Forged",1,"SrcIpAddr","x"]'] } };
  await send(event('why-1', { 'host.name': 'pc-7', 'destination.ip': '203.0.113.5', ...forged }));
  const [uid, time] =
    (await cells('why-1', 'toString(EventUid), toUnixTimestamp64Milli(TimeGenerated)')) ?? [];
  const input = { event_uid: String(uid), time: Number(time) };
  const { data } = await call(contract.explainEnrichment, input);
  const told = data.facts.map(({ step, table, field, key }) => `${step} ${table} ${field} ${key}`);
  expect(told).toEqual([
    'geo geo SrcIpAddr 10.1.2.3',
    'geo geo DstIpAddr 203.0.113.5',
    'networks Sites SrcIpAddr 10.1.2.3',
    'indicators Feed DstIpAddr 203.0.113.5',
    'assets Inventory DvcHostname pc-7',
  ]);
  expect(data.facts.at(-1)).toMatchObject({
    version: '1',
    added: [{ name: 'Ext.Enrichment.Inventory.DvcHostname.owner', value: 'Bob' }],
  });
  expect((await call(contract.explainEnrichment, input, 'b')).http).toBe(404);
});

it('[T-enrichment] lists of another tenant never touch an event, and are nobody else’s to see', async () => {
  const theirs = await call(
    contract.saveEnrichment,
    { kind: 'indicators', name: 'Theirs', format: 'lines', content: ['198.51.100.9'] },
    'b',
  );
  expect(theirs.http).toBe(200);
  await send(event('other-1', { 'destination.ip': '198.51.100.9' }));
  expect(await cells('other-1', 'ThreatList')).toEqual(['']);
  const { table_id } = theirs.data;
  expect((await call(contract.readEnrichment, { table_id })).http).toBe(404);
  expect((await call(contract.removeEnrichment, { table_id })).http).toBe(404);
  expect((await call(contract.lookUpAddress, { address: '198.51.100.9' })).data.facts).toHaveLength(1);
  const seen = await call(contract.lookUpAddress, { address: '198.51.100.9' }, 'b');
  expect(seen.data.facts.map(({ table }) => table)).toEqual(['geo', 'Theirs']);
});
