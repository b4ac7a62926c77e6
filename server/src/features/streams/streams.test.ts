import {
  addWorkbook,
  checkStreamImpact,
  createSource,
  listDropRules,
  listStreams,
  readSourceAccount,
  readUtilization,
  removeDropRule,
  saveDropRule,
  saveSubscription,
  streamAnalytics,
} from '@tyrian/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { detectionDraft } from '../detections/testing/detection-app.ts';
import type { SeedRole } from '../identity/users/testing/seed-company.ts';
import { type SenderSetup, senderSetup } from '../ingest/testing/sender-setup.ts';

let setup: SenderSetup;
beforeAll(async () => {
  setup = await senderSetup();
});
afterAll(() => setup?.close());

const at = async (role: SeedRole, input: Record<string, unknown>) => ({
  ssid: await setup.company.signIn(role),
  params: { clusterId: setup.company.a.clusterId },
  input: { scope_id: setup.company.a.scope, ...input },
});
const sshd = (n: number) =>
  `<38>Nov 22 07:47:0${n} srv1 sshd[2211]: Failed password for root from 185.1.2.3 port 5541${n} ssh2`;
const send = (...lines: string[]) => setup.post('/ingest/ndjson', lines.join('\n'));
const streams = async (search_type = 'online') =>
  (await setup.test.call(listStreams, await at('engineer', { search_type }))).data.streams;
const impact = async (change: Record<string, unknown>) =>
  (await setup.test.call(checkStreamImpact, await at('engineer', { change }))).data;

it('[C121][C111][S2-36] tells of each stream its volume, its readers and how long it is kept', async () => {
  await send(sshd(1), sshd(2), '{"user":"bo"}');
  const kql = (query: string) => detectionDraft(query, {});
  for (const [query, name] of [
    ['Authentication | where TimeGenerated > ago(30d)', 'Long memory'],
    ['Dns | take 1', 'Names'],
  ] as const) {
    const added = await setup.test.call(
      addWorkbook,
      await at('engineer', { properties: { ...kql(query), name } }),
    );
    expect(added.http, added.text).toBe(200);
  }
  const found = await streams();
  const auth = found.find(({ stream }) => stream === 'Authentication');
  expect(auth).toMatchObject({
    is_online: true,
    events: 2,
    retention_days: null,
    retention_set_in: 'default',
  });
  expect(auth?.raw_bytes).toBeGreaterThan(150);
  expect(auth?.enriched_bytes).toBeGreaterThanOrEqual(auth?.raw_bytes ?? 0);
  expect(auth?.total_wb).toBeGreaterThanOrEqual(1);
  expect((await streams('current_month')).map(({ events }) => events)).toEqual(
    found.map(({ events }) => events),
  );
  const figures = await setup.test.call(streamAnalytics, await at('engineer', { stream: 'Authentication' }));
  expect(figures.data).toMatchObject({
    days: [{ events: 2, unparsed: 0 }],
    sources: [{ source: 'sender', events: 2 }],
  });
  expect(figures.data.extractors).toHaveLength(1);
  for (const role of ['analyst', 'viewer', 'engineerOfB'] as const)
    expect((await setup.test.call(listStreams, await at(role, {}))).http).toBe(403);
});

it('[T-FILTER-IMPACT] before a retention or a drop is saved it says which detections would go blind', async () => {
  const kept = await impact({ kind: 'retention', stream: 'Authentication', retention_days: 7 });
  expect(kept.rules).toMatchObject([{ name: 'Long memory', reason: 'look-back', look_back_s: 30 * 86_400 }]);
  expect(kept.events_24h).toBe(2);
  expect((await impact({ kind: 'retention', stream: 'Authentication', retention_days: 60 })).rules).toEqual(
    [],
  );
  const dropped = await impact({ kind: 'drop', stream: 'Authentication' });
  const reasons = new Map(dropped.rules.map(({ name, reason }) => [name, reason]));
  expect(reasons.get('Long memory')).toBe('stream-gone');
  expect(reasons.has('Names')).toBe(false);
  const part = await impact({ kind: 'drop', stream: 'Authentication', source_id: setup.sourceId });
  expect(part.rules.find(({ name }) => name === 'Long memory')?.reason).toBe('part-of-stream');
  const foreign = await at('engineer', { change: { kind: 'drop', stream: 'Dns', source_id: 'nobody' } });
  expect((await setup.test.call(checkStreamImpact, foreign)).http).toBe(404);
});

it('[T-FILTER-IMPACT][T-ACCOUNTING] what a rule drops is counted as rejected, and stored again once the rule is gone', async () => {
  const { call, platform } = setup.test;
  const rule = { stream: 'Authentication', source_id: setup.sourceId, reason: 'A scanner of ours' };
  const made = await call(saveDropRule, await at('engineer', rule));
  expect(made.http, made.text).toBe(200);
  expect((await call(saveDropRule, await at('engineer', rule))).http).toBe(409);
  expect((await call(saveDropRule, await at('engineer', { ...rule, stream: 'Nowhere' }))).http).toBe(422);
  expect((await call(saveDropRule, await at('analyst', rule))).http).toBe(403);
  const listed = (await call(listDropRules, await at('engineer', {}))).data;
  expect(listed).toMatchObject([{ stream: 'Authentication', source: 'sender', reason: 'A scanner of ours' }]);
  const before = await setup.count("Stream = 'Authentication'");
  platform.clock.set(platform.clock.now() + 6_000);
  await send(sshd(3), '{"user":"cy"}', sshd(4));
  expect(await setup.count("Stream = 'Authentication'")).toBe(before);
  const input = { source_id: setup.sourceId, span: 'day', count: 1 };
  const account = (await call(readSourceAccount, await at('engineer', input))).data;
  expect(account).toMatchObject({ imbalance: 0, reasons: [{ reason: 'dropped-by-rule', count: 2 }] });
  expect(account.rows).toMatchObject([{ accepted: 6, stored: 4, rejected: 2 }]);
  // Another source of the scope goes on.
  const other = (await call(createSource, await at('engineer', { source_name: 'other' }))).data.token;
  await setup.post('/ingest/ndjson', sshd(5), { authorization: `Bearer ${other}` });
  expect(await setup.count("Stream = 'Authentication'")).toBe(before + 1);
  await call(removeDropRule, await at('engineer', { rule_id: made.data.rule_id }));
  platform.clock.set(platform.clock.now() + 6_000);
  await send(sshd(6));
  expect(await setup.count("Stream = 'Authentication'")).toBe(before + 2);
});

it('[S2-50][S6-05] utilization tells the month by day against what is subscribed, by stream and by source', async () => {
  const { call } = setup.test;
  const read = async (role: SeedRole) => {
    const ssid = await setup.company.signIn(role);
    return call(readUtilization, { ssid, params: { clusterId: setup.company.a.clusterId }, input: {} });
  };
  const subscribe = async (role: SeedRole, subscribed_bytes: number | null) => {
    const ssid = await setup.company.signIn(role);
    const input = { subscribed_bytes };
    return (await call(saveSubscription, { ssid, params: { clusterId: setup.company.a.clusterId }, input }))
      .http;
  };
  // The account of a source is written every ten seconds, and before it is read.
  await call(readSourceAccount, await at('engineer', { source_id: setup.sourceId }));
  expect((await read('tenantAdmin')).data).toMatchObject({ subscribed_bytes: null, excess_days: 0 });
  expect([await subscribe('tenantAdmin', 100), await subscribe('root', 100)]).toEqual([403, 200]);
  const { data } = await read('tenantAdmin');
  const today = data.days.at(-1);
  expect(data).toMatchObject({ subscribed_bytes: 100, buffer_bytes: 200, excess_days: 1, billed_bytes: 0 });
  expect(today).toMatchObject({ excess_day: 1, overage_bytes: (today?.raw_bytes ?? 0) - 100 });
  expect(data.raw_bytes).toBe(today?.raw_bytes);
  expect(data.sources.map(({ source }) => source).sort()).toEqual(['other', 'sender']);
  expect(data.streams.some(({ stream }) => stream === 'Authentication')).toBe(true);
  expect((await read('engineer')).http).toBe(403);
});
