import { clusterAuditTrail, createCase, exportList } from '@tyrian/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../engines/testing/index.ts';
import { seedSignals } from '../cases/testing/seed-signals.ts';
import { type Company, type SeedRole, seedCompany } from '../identity/users/testing/seed-company.ts';

const NOW = Date.UTC(2026, 5, 10, 12);
let test: TestApp;
let company: Company;

beforeAll(async () => {
  test = await testApp({ nowMs: NOW });
  company = await seedCompany(test.platform);
  const ssid = await company.signIn('engineer');
  const { clusterId, scope, otherScope } = company.a;
  for (const [scope_id, case_name] of [
    [scope, '=HYPERLINK("http://evil.example")'],
    [scope, 'Plain, with a comma'],
    [otherScope, 'Of the branch'],
  ]) {
    await test.call(createCase, { ssid, params: { clusterId }, input: { scope_id, case_name } });
  }
  await seedSignals(test.platform.postgres, { clusterId, scopeId: scope }, [
    { id: 'sig1', firstMs: NOW, suspects: [{ type: 'user', value: 'mallory' }] },
  ]);
});
afterAll(() => test?.close());

async function take(role: SeedRole, input: Record<string, unknown>, tenant = company.a) {
  return test.call(exportList, {
    ssid: await company.signIn(role),
    params: { clusterId: tenant.clusterId },
    input: { scope_id: tenant.scope, file_name: 'list', ...input },
  });
}

describe('lists as files', () => {
  it('[C042][S7-41] hold what the filters hold, with row count, filters and zone, and no formula', async () => {
    const answer = await take('analyst', {
      entity: 'cases',
      fields: ['case_name', 'status', 'created', 'handler.name'],
      timezone: 'Asia/Tokyo',
      selection: { sort_by: 'case_name', sort_order: 'asc' },
    });
    expect(answer.headers['content-disposition']).toBe("attachment; filename*=UTF-8''list.csv");
    const lines = answer.text.trim().split('\r\n');
    expect(lines[0]).toBe('"# cases: 2 rows, times in Asia/Tokyo"');
    expect(lines[1]).toContain('sort_by');
    expect(lines[2]).toBe('case_name,status,created,handler.name');
    expect(lines[3]).toMatch(/^"'=HYPERLINK\(""http:\/\/evil.example""\)",OPEN,2026-06-10 21:00:00,$/);
    expect(lines[4]).toMatch(/^"Plain, with a comma",OPEN,/);
    expect(lines).toHaveLength(5);
  });

  it('[C042] are NDJSON too, of signals, workbooks and tokens', async () => {
    const fields = ['signal_id', 'suspects'];
    const { text } = await take('analyst', { entity: 'signals', format: 'ndjson', fields });
    const [head, signal] = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(head.export).toMatchObject({ entity: 'signals', rows: 1 });
    expect(signal).toEqual({ signal_id: 'sig1', suspects: [{ type: 'user', value: 'mallory' }] });
    expect((await take('analyst', { entity: 'workbooks', fields: ['properties.name'] })).http).toBe(200);
    expect((await take('engineer', { entity: 'tokens', fields: ['app_name'] })).http).toBe(200);
    expect((await take('analyst', { entity: 'tokens', fields: ['app_name'] })).http).toBe(403);
    expect((await take('engineer', { entity: 'sources', fields: ['source'] })).http).toBe(200);
    expect((await take('analyst', { entity: 'sources', fields: ['source'] })).http).toBe(403);
  });

  it('[C042] are of one scope, refused elsewhere, and written down', async () => {
    const input = { entity: 'cases', fields: ['case_name'] };
    expect((await take('engineer', input)).text).not.toContain('branch');
    expect((await take('engineer', input, company.b)).http).toBe(403);
    expect((await take('viewer', input)).http).toBe(403);
    expect((await take('analyst', { ...input, timezone: 'Mars' })).http).toBe(422);
    expect((await take('analyst', { ...input, file_name: '../x' })).http).toBe(422);
    const bad = await take('analyst', { ...input, selection: { sort_by: 'nothing' } });
    expect(bad.body.message).toContain('selection.sort_by');
    const trail = await test.call(clusterAuditTrail, {
      ssid: await company.signIn('tenantAdmin'),
      params: { clusterId: company.a.clusterId },
      input: {},
    });
    expect(trail.text).toContain('cases.export');
  });
});
