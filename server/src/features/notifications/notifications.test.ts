import * as contract from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../engines/testing/index.ts';
import type { EventConsumer } from '../../platform/events/event-consumer.ts';
import { drainAll } from '../../platform/events/testing/drain-all.ts';
import { writeEvents } from '../../platform/events/write-events.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import { OFF } from '../detections/scheduler-machine.ts';
import { tellFailing } from '../detections/tell-failing.ts';
import {
  type Company,
  SEED_ROLES,
  type SeedRole,
  seedCompany,
} from '../identity/users/testing/seed-company.ts';
import { recordOccurrences } from '../signals/signal-recorder.ts';
import { noteSilentSources } from '../sources/silent-sources.ts';

// Every kind from the act to the list of whoever is told, and nobody else's.

let test: TestApp;
let company: Company;
const ssids = {} as Record<SeedRole, string>;
let drain: () => Promise<number>;
let at = Date.UTC(2026, 4, 5, 9);

beforeAll(async () => {
  test = await testApp({ nowMs: at });
  company = await seedCompany(test.platform);
  for (const role of SEED_ROLES) ssids[role] = await company.signIn(role);
  const maker = test.composed.work.find((work) => work.name === 'notifications');
  if (!maker) throw new Error('the server makes no notifications');
  drain = () => drainAll(test.platform.postgres, maker as EventConsumer);
  await drain();
});
afterAll(() => test?.close());
beforeEach(async () => {
  at += 60_000;
  test.platform.clock.set(at);
  await sql`delete from notification`.execute(test.platform.postgres.platform);
  await sql`delete from notification_switch`.execute(test.platform.postgres.platform);
});

const call = <E extends contract.Endpoint>(endpoint: E, role: SeedRole, input: object = {}) =>
  test.call(endpoint, { ssid: ssids[role], params: { clusterId: company.a.clusterId }, input });
const inCase = (endpoint: contract.Endpoint, role: SeedRole, input: object) =>
  call(endpoint, role, { scope_id: company.a.scope, ...input });
const listOf = async (role: SeedRole) => (await call(contract.listNotifications, role)).data;
const newCase = async (by: SeedRole, input: object = {}) =>
  (await inCase(contract.createCase, by, { case_name: 'Odd sign-in', ...input })).data as contract.Case;
/** Who has how many, of those who have any. */
const told = async () => {
  await drain();
  const counts = await Promise.all(
    SEED_ROLES.map(async (role) => [role, (await listOf(role)).data.length] as const),
  );
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
};

/** Raises signals of one rule in tenant A's main scope, as the scheduler records them. */
const raise = (count: number, { score = 9, stage = 'prod', scopeId = company.a.scope } = {}) =>
  test.platform.postgres.inTenant(company.a.clusterId, (trx) =>
    recordOccurrences(
      trx,
      {
        clusterId: company.a.clusterId,
        scopeId,
        workbookId: 'rule1',
        workbookName: 'DCSync by non-DC account',
        version: 1,
        stage,
        stream: 'SecurityEvent',
        signal: {
          score,
          confidence: 'High',
          tactic: 't',
          technique: 'T1003',
          sub_technique: '',
          tags: [],
        } as never,
      },
      Array.from({ length: count }, (_, index) => ({
        occurrenceId: `o${at}${index}`,
        finding: {
          key: `k${at}${index}`,
          name: `DCSync from pc-${index}`,
          suspects: [{ type: 'host', value: `pc-${index}` }],
          targets: [],
        },
        stream: 'SecurityEvent',
        rowCount: 1,
        firstMs: at,
        lastMs: at,
        ingestedMs: at,
        eventUids: [],
        moreEvents: 0,
        fields: {},
      })) as never,
      at,
    ),
  );

describe('[R-C34] notifications', () => {
  it('a critical signal is told to the analysts and engineers of its scope; many of one rule are one line', async () => {
    await raise(1);
    expect(await told()).toEqual({ adminEngineer: 1, engineer: 1, analyst: 1 });
    const [first] = (await listOf('analyst')).data;
    expect(first).toMatchObject({
      kind: 'critical_signal',
      clusterId: company.a.clusterId,
      cluster_name: 'Alpha',
      scope_name: 'Main',
      count: 1,
      details: { name: 'DCSync from pc-0', score: 9, workbook_name: 'DCSync by non-DC account' },
      actor: null,
      read: false,
    });
    at += 1000;
    await raise(700);
    await drain();
    const again = await listOf('analyst');
    expect(again.data).toHaveLength(1);
    expect(again.data[0]).toMatchObject({ notification_id: first?.notification_id, count: 701 });
    // Once read, what comes is a line of its own.
    expect((await call(contract.readNotifications, 'analyst')).data).toEqual({ changed: 1 });
    at += 1000;
    await raise(1);
    await drain();
    expect((await listOf('analyst')).data.map((one) => [one.count, one.read])).toEqual([
      [1, false],
      [701, true],
    ]);
    expect((await listOf('engineer')).data.map((one) => one.count)).toEqual([702]);
  });

  it('a signal that is not critical, or of a rule under construction, wakes nobody', async () => {
    await raise(1, { score: 8 });
    at += 1000;
    await raise(1, { stage: 'test' });
    expect(await told()).toEqual({});
  });

  it('who has no role in a scope hears nothing of it', async () => {
    await raise(1, { scopeId: company.a.otherScope });
    expect(await told()).toEqual({ engineer: 1 });
  });

  it('an assignment is told to the handler, unless it is their own', async () => {
    const made = await newCase('engineer');
    const assign = (by: SeedRole, to: SeedRole | null) =>
      inCase(contract.assignCase, by, {
        case_id: made.case_id,
        user_id: to === null ? null : company.userIds[to],
      });
    await assign('analyst', 'analyst');
    expect(await told()).toEqual({});
    await assign('analyst', 'engineer');
    expect(await told()).toEqual({ engineer: 1 });
    expect((await listOf('engineer')).data[0]).toMatchObject({
      kind: 'case_assigned',
      object_id: made.case_id,
      details: { case_key: made.case_key, name: 'Odd sign-in' },
      actor: 'analyst of Harbour',
    });
    await newCase('engineer', { handler: company.userIds.analyst });
    expect(await told()).toEqual({ engineer: 1, analyst: 1 });
  });

  it('a mention is told to those who may see the case, and stays a word for everybody else', async () => {
    const { case_id } = await newCase('engineer');
    const note = (by: SeedRole, notes: string) => inCase(contract.addCaseNote, by, { case_id, notes });
    await note('engineer', 'cc @viewer of Harbour, @engineerOfB of Harbour, @engineer of Harbour, @nobody');
    expect(await told()).toEqual({});
    await note('engineer', contract.escapeNote('@analyst of Harbour: "look" & <see>'));
    expect(await told()).toEqual({ analyst: 1 });
    expect((await listOf('analyst')).data[0]).toMatchObject({ kind: 'case_mention', object_id: case_id });
    await note('analyst', 'ask @engineer@harbour.example');
    expect(await told()).toEqual({ analyst: 1, engineer: 1 });
    const { data } = await call(contract.listScopeUsers, 'analyst', {
      scope_id: company.a.scope,
      handlers_only: true,
    });
    expect(data.data.map((one) => one.user_id).sort()).toEqual(
      ['uadminengineer', 'uanalyst', 'uengineer'].sort(),
    );
  });

  it('a rule that fails for the third time is told to engineers, once', async () => {
    const key = { clusterId: company.a.clusterId, scopeId: company.a.scope, workbookId: 'rule1' };
    for (const failuresInARow of [1, 2, 3, 4, 5]) {
      await test.platform.postgres.inTenant(key.clusterId, (trx) =>
        tellFailing(trx, key, 'Reverse shell', { ...OFF, failuresInARow }, at),
      );
    }
    expect(await told()).toEqual({ adminEngineer: 1, engineer: 1 });
    expect((await listOf('engineer')).data[0]).toMatchObject({
      kind: 'rule_failing',
      count: 1,
      object_id: 'rule1',
      details: { name: 'Reverse shell' },
    });
  });

  it('a source that went silent is told to engineers and the tenant administrator once, and again after it has sent', async () => {
    const { data } = await inCase(contract.createSource, 'engineer', { source_name: 'mail-gateway' });
    const { source } = data as { source: contract.Source };
    const sent = (atMs: number) =>
      test.platform.postgres.inTenant(company.a.clusterId, (trx) =>
        sql`insert into ingest_counter (cluster_id, source_id, name, value, updated_at)
          values (${company.a.clusterId}, ${source.source_id}, 'stored', 1, ${timestamp(atMs)})
          on conflict (cluster_id, source_id, name) do update set updated_at = excluded.updated_at`.execute(
          trx,
        ),
      );
    const hour = 3_600_000;
    const look = (atMs: number) => noteSilentSources(test.platform.postgres, atMs);
    await sent(at);
    expect(await look(at + hour - 1)).toBe(0);
    expect(await Promise.all([look(at + hour), look(at + hour)]).then(([a, b]) => a + b)).toBe(1);
    expect(await look(at + 2 * hour)).toBe(0);
    expect(await told()).toEqual({ adminEngineer: 1, engineer: 1, tenantAdmin: 1 });
    expect((await listOf('tenantAdmin')).data[0]).toMatchObject({
      kind: 'source_silent',
      object_id: source.source_id,
      details: { name: 'mail-gateway', last_event: at },
    });
    await sent(at + 3 * hour);
    expect(await look(at + 3 * hour + 1)).toBe(0);
    expect(await look(at + 4 * hour)).toBe(1);
    // A source that stopped long ago is no news.
    await sent(at + 5 * hour);
    expect(await look(at + 5 * hour + 1)).toBe(0);
    expect(await look(at + 50 * hour)).toBe(0);
  });

  it('a right that is lost takes the line with it, and an act of another tenant is never told', async () => {
    await raise(1);
    expect(await told()).toMatchObject({ analyst: 1 });
    const { clusterId, scope } = company.a;
    const grant = (role: contract.ScopeRole) =>
      company.identity.users.grant({
        userId: company.userIds.analyst,
        clusterId,
        accessType: 'Custom',
        roles: { [scope]: role },
      });
    await grant('Viewer');
    expect((await listOf('analyst')).data).toEqual([]);
    const live = await call(contract.liveNews, 'analyst', { clusterId, scope_id: scope });
    expect(live.data.unread).toBe(0);
    await grant('Security Analyst');
    expect((await listOf('analyst')).data).toHaveLength(1);
    // An event that names a user of elsewhere makes nothing.
    await test.platform.postgres.inTenant(company.b.clusterId, (trx) =>
      writeEvents(trx, [
        {
          clusterId: company.b.clusterId,
          scopeId: company.b.scope,
          kind: 'case.assigned',
          objectId: 'c1',
          actor: null,
          details: { name: 'secret of B', case_key: 'CASE-1', handler_id: company.userIds.analyst },
          atMs: at,
        },
      ]),
    );
    await drain();
    expect(JSON.stringify(await listOf('analyst'))).not.toContain('secret of B');
    const { rows } = await sql`select 1 from notification where cluster_id = ${company.b.clusterId}`.execute(
      test.platform.postgres.platform,
    );
    expect(rows).toEqual([]);
  });

  it('everybody marks and clears their own alone', async () => {
    await raise(1);
    await drain();
    const [mine] = (await listOf('analyst')).data;
    const read = (role: SeedRole, ids?: string[]) =>
      call(contract.readNotifications, role, ids ? { notification_ids: ids } : {});
    expect((await read('engineer', [mine?.notification_id ?? ''])).data.changed).toBe(0);
    expect((await listOf('analyst')).unread).toBe(1);
    expect((await read('analyst', [mine?.notification_id ?? ''])).data.changed).toBe(1);
    expect(await listOf('analyst')).toMatchObject({ unread: 0, data: [{ read: true }] });
    expect((await call(contract.clearNotifications, 'analyst')).data.changed).toBe(1);
    expect((await listOf('analyst')).data).toEqual([]);
    expect((await listOf('engineer')).data).toHaveLength(1);
  });

  it('a switch that is off keeps a kind away; it is nobody else’s, and its change is in the trail', async () => {
    const set = (input: object) => call(contract.setNotificationSwitch, 'analyst', input);
    expect((await set({ kind: 'critical_signal', in_console: false, by_mail: false })).http).toBe(200);
    expect((await set({ kind: 'nosuch', in_console: false, by_mail: false })).http).toBe(422);
    await raise(1);
    expect(await told()).toEqual({ adminEngineer: 1, engineer: 1 });
    const { data } = await call(contract.listNotificationSwitches, 'analyst');
    expect(data).toMatchObject({ mail_is_set_up: false, mails_per_hour: 5 });
    expect(data.data).toHaveLength(contract.NOTIFICATION_KINDS.length);
    expect(data.data[0]).toEqual({ kind: 'critical_signal', in_console: false, by_mail: false });
    expect(data.data[1]).toMatchObject({ in_console: true, by_mail: false });
    const { rows } = await sql`select entity from audit_entry where action = 'notification.switch'`.execute(
      test.platform.postgres.platform,
    );
    expect(rows).toEqual([{ entity: 'critical_signal' }]);
  });

  it('a user keeps the newest 200, for thirty days', async () => {
    const events = (count: number, atMs: number) =>
      test.platform.postgres.inTenant(company.a.clusterId, (trx) =>
        writeEvents(
          trx,
          Array.from({ length: count }, (_, index) => ({
            clusterId: company.a.clusterId,
            scopeId: company.a.scope,
            kind: 'case.assigned' as const,
            objectId: `case${index}`,
            actor: null,
            details: { name: `case ${index}`, case_key: 'CASE-1', handler_id: company.userIds.analyst },
            atMs: atMs + index,
          })),
        ),
      );
    await events(230, at);
    await drain();
    const list = await listOf('analyst');
    expect([list.data.length, list.data[0]?.object_id, list.data.at(-1)?.object_id]).toEqual([
      200,
      'case229',
      'case30',
    ]);
    test.platform.clock.set(at + 31 * 86_400_000);
    await events(1, at + 31 * 86_400_000);
    await drain();
    test.platform.clock.set(at);
    expect((await listOf('analyst')).data).toHaveLength(1);
  });
});
