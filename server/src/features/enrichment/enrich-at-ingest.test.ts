import * as contract from '@tyrian/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seedCompany } from '../identity/users/testing/seed-company.ts';
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
  await send(
    event('ioc-1', { 'destination.ip': '203.0.113.77' }),
    event('ioc-2', { 'dns.question.name': 'a.b.evil.example' }),
  );
  const columns = 'SrcSite, SrcGeoCountry, ThreatIndicator, ThreatField, ThreatList, toString(ThreatConfidence)';
  await expect
    .poll(async () => {
      await send(event('ioc-1b', { 'destination.ip': '203.0.113.77' }));
      return (await cells('ioc-1b', 'max(ThreatList)'))?.[0];
    })
    .toBe('Feed');
  await send(event('ioc-3', { 'destination.ip': '203.0.113.77', 'dns.question.name': 'x.evil.example' }));
  expect(await cells('ioc-3', columns)).toEqual([
    ...['Oslo', 'Norway', '203.0.113.0/24', 'DstIpAddr', 'Feed', '80'],
  ]);
});
