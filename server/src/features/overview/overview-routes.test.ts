import { scopeOverview } from '@tyrian/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../engines/testing/index.ts';
import { type Company, seedCompany } from '../identity/users/testing/seed-company.ts';
import { insertEvents } from '../search/testing/insert-events.ts';
import { sliceOf } from './overview-service.ts';

const NOW = Date.UTC(2026, 5, 10, 12);
const HOUR = 3_600_000;

let server: TestApp;
let company: Company;

beforeAll(async () => {
  server = await testApp({ nowMs: NOW });
  company = await seedCompany(server.platform);
  const { eventStore } = server.platform;
  const { a, b } = company;
  await insertEvents(eventStore, a.clusterId, 120, (n) => ({
    Scope: a.scope,
    Stream: n % 3 === 0 ? 'Dns' : 'ProcessEvent',
    TimeGenerated: NOW - HOUR - n * 60_000,
    SourceName: n % 4 === 0 ? 'dns-resolver' : 'agents',
    DvcHostname: `host${n % 2}`,
    ParseStatus: n % 10 === 0 ? 'PER' : 'PAD',
    Raw: `event ${n}`,
  }));
  await insertEvents(eventStore, a.clusterId, 6, (n) => ({
    Scope: a.scope,
    Stream: 'Signals',
    TimeGenerated: NOW - HOUR,
    SourceName: 'tyrian-detections',
    DetectionName: `Something on host${n}`,
    DetectionScore: [10, 9, 7, 5, 2, 2][n],
    Ext: { WorkbookName: n < 4 ? 'Guessed password' : 'Rare domain' },
  }));
  await insertEvents(eventStore, a.clusterId, 5, () => ({
    Scope: a.otherScope,
    Stream: 'Dns',
    TimeGenerated: NOW - HOUR,
    SourceName: 'other-scope',
  }));
  await insertEvents(eventStore, b.clusterId, 5, () => ({
    Scope: b.scope,
    Stream: 'Dns',
    TimeGenerated: NOW - HOUR,
    SourceName: 'other-tenant',
  }));
});
afterAll(() => server?.close());

const read = async (role: Parameters<Company['signIn']>[0], scope_id = company.a.scope) =>
  server.call(scopeOverview, {
    ssid: await company.signIn(role),
    params: { clusterId: company.a.clusterId },
    input: { scope_id, start: NOW - 24 * HOUR, end: NOW },
  });

describe('the overview of a scope', () => {
  it('counts events by stream and time, signals by band, and what comes most', async () => {
    const { http, data, text } = await read('viewer');
    expect(http).toBe(200);
    expect(data.totals).toEqual({ events: 120, signals: 6, sources: 2, unparsed: 12 });
    expect(data.signals).toEqual({ critical: 2, high: 1, medium: 1, low: 2 });
    expect(data.interval_ms).toBe(15 * 60_000);
    const dns = data.events.filter((point) => point.stream === 'Dns');
    expect(dns.reduce((sum, point) => sum + point.count, 0)).toBe(40);
    expect(data.events.every((point) => point.time % data.interval_ms === 0)).toBe(true);
    expect(data.top_detections).toEqual([
      { name: 'Guessed password', count: 4 },
      { name: 'Rare domain', count: 2 },
    ]);
    expect(data.top_sources).toEqual([
      { name: 'agents', count: 90 },
      { name: 'dns-resolver', count: 30 },
    ]);
    // Both sent their last event an hour or more ago; the range ends now.
    expect(data.silent_sources).toEqual([{ name: 'agents', last_event: NOW - HOUR - 60_000 }]);
    expect(text).not.toContain('other-scope');
    expect(text).not.toContain('other-tenant');
  });

  it('[S6-18] opens to viewers, analysts and engineers of the scope, and to nobody else', async () => {
    for (const role of ['viewer', 'analyst', 'engineer'] as const)
      expect((await read(role)).http, role).toBe(200);
    for (const role of ['tenantAdmin', 'noAccess', 'root', 'engineerOfB'] as const) {
      expect((await read(role)).http, role).toBeGreaterThanOrEqual(403);
    }
    expect((await read('viewer', company.a.otherScope)).http).toBeGreaterThanOrEqual(403);
  });

  it('keeps every range under 96 slices', () => {
    for (const hours of [0.1, 1, 24, 24 * 7, 24 * 90, 24 * 365]) {
      expect((hours * HOUR) / sliceOf(0, hours * HOUR), `${hours} h`).toBeLessThanOrEqual(96);
    }
  });
});
