import {
  createSource,
  deleteCollection,
  editCollection,
  listCollection,
  listUnparsed,
  readSourceAccount,
} from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import type { SeedRole } from '../identity/users/testing/seed-company.ts';
import { type SenderSetup, senderSetup } from '../ingest/testing/sender-setup.ts';
import { type AccountLine, createAccountStore } from './account-store.ts';
import { learnSilence, noteVolumes } from './learn-sources.ts';
import { noteSilentSources } from './silent-sources.ts';

let setup: SenderSetup;
beforeAll(async () => {
  setup = await senderSetup();
});
afterAll(() => setup?.close());

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const at = async (role: SeedRole, input: Record<string, unknown>) => ({
  ssid: await setup.company.signIn(role),
  params: { clusterId: setup.company.a.clusterId },
  input: { scope_id: setup.company.a.scope, ...input },
});
const listed = async (role: SeedRole = 'engineer', input: Record<string, unknown> = {}) =>
  (await setup.test.call(listCollection, await at(role, input))).data;
const account = async (input: Record<string, unknown> = {}) =>
  (await setup.test.call(readSourceAccount, await at('engineer', { source_id: setup.sourceId, ...input })))
    .data;
const newSource = async (source_name: string) =>
  (await setup.test.call(createSource, await at('engineer', { source_name }))).data.source.source_id;

it('[T-ACCOUNTING] what came in is accounted for by source and minute, and agrees with the event store', async () => {
  const lines = [
    '{"EventID":4624,"Channel":"Security","TargetUserName":"ada","LogonType":3}',
    '<38>Nov 22 07:47:06 srv1 sshd[2211]: Failed password for root from 185.1.2.3 port 55411 ssh2',
    'nothing that an extractor knows',
  ].join('\n');
  expect((await setup.post('/ingest/ndjson', lines)).status).toBe(200);
  const bulk =
    '{"create":{}}\n{"a":1}\n{"update":{"_id":"1"}}\n{"doc":{}}\nnonsense\n{"create":{}}\n{"b":2}\n';
  await setup.post('/logs/_bulk', bulk, { 'content-type': 'application/x-ndjson' });
  expect((await setup.post('/ingest/ndjson', 'x', { 'content-encoding': 'gzip' })).status).toBe(400);
  const seen = await account();
  expect(seen.imbalance).toBe(0);
  const [row] = seen.rows;
  expect(row).toMatchObject({ spooled: 0, unparsed: 3, imbalance: 0 });
  expect(row?.accepted).toBe((row?.stored ?? 0) + (row?.rejected ?? 0));
  expect(row?.stored).toBe(5);
  expect(row?.rejected).toBeGreaterThanOrEqual(1);
  expect(row?.raw_bytes).toBeGreaterThan(50);
  const reasons = Object.fromEntries(seen.reasons.map(({ reason, count }) => [reason, count]));
  expect(reasons).toMatchObject({ 'unsupported-action': 1, 'refused_not-gzip': 1 });
  expect(seen.in_store).toBe(5);
  for (const span of ['hour', 'day'])
    expect((await account({ span, count: 2 })).rows[0]?.accepted).toBe(row?.accepted);
});

it('[S2-37][T-ACCOUNTING] collection status tells of each source what it became, and finds it', async () => {
  const all = await listed();
  const sender = all.data.find(({ source }) => source === 'sender');
  expect(sender).toMatchObject({
    kind: 'http',
    status: 'active',
    events_24h: 5,
    unparsed_24h: 3,
    stored_24h: 5,
    silence_s: 3_600,
    silence_set_s: null,
    volume: 'usual',
  });
  expect(sender?.hours.at(-1)).toBe(5);
  expect(sender?.extractors.length).toBeGreaterThan(0);
  expect(sender?.streams.length).toBeGreaterThan(0);
  expect(all.totals).toMatchObject({ imbalance: 0, events_24h: 5, unparsed_24h: 3 });
  // A name that a sender gives is a line of its own.
  await setup.post('/services/collector/event', '{"event":"hello there","source":"appliance-7"}');
  const named = (await listed('engineer', { text: 'APPLIANCE' })).data;
  expect(named).toMatchObject([{ source: 'appliance-7', source_id: null, kind: 'named', events_24h: 1 }]);
  expect((await listed('engineer', { status: 'inactive' })).data).toEqual([]);
  const unparsed = await setup.test.call(listUnparsed, await at('engineer', { source: 'sender' }));
  expect(unparsed.data).toHaveLength(3);
  expect(unparsed.data.find(({ raw }) => raw === 'nothing that an extractor knows')?.status).toBe('NLF');
  const { a, b } = setup.company;
  const foreign = await setup.test.call(readSourceAccount, {
    ssid: await setup.company.signIn('engineerOfB'),
    params: { clusterId: b.clusterId },
    input: { scope_id: b.scope, source_id: setup.sourceId },
  });
  expect([foreign.http, a.clusterId === b.clusterId]).toEqual([404, false]);
});

it('[S2-37] a description is edited in place; only what is inactive is deleted, by the tenant administrator alone', async () => {
  const { call } = setup.test;
  const source_id = setup.sourceId;
  const edited = await call(
    editCollection,
    await at('engineer', { source_id, description: 'HQ firewall', silence_s: 900 }),
  );
  expect(edited.http).toBe(200);
  const sender = (await listed()).data.find((one) => one.source_id === source_id);
  expect(sender).toMatchObject({ description: 'HQ firewall', silence_s: 900, silence_set_s: 900 });
  await call(editCollection, await at('engineer', { source_id, silence_s: null }));
  expect((await listed()).data.find((one) => one.source_id === source_id)).toMatchObject({
    description: 'HQ firewall',
    silence_s: 3_600,
  });
  expect((await call(deleteCollection, await at('tenantAdmin', { source_id }))).http).toBe(409);
  const idle = await newSource('never-sent');
  expect((await call(deleteCollection, await at('engineer', { source_id: idle }))).http).toBe(403);
  expect((await call(deleteCollection, await at('tenantAdmin', { source_id: idle }))).http).toBe(200);
  expect((await listed()).data.some((one) => one.source_id === idle)).toBe(false);
});

const line = (sourceId: string, atMs: number, accepted: number): AccountLine => ({
  clusterId: setup.company.a.clusterId,
  sourceId,
  minuteMs: Math.floor(atMs / 60_000) * 60_000,
  ...{
    firstMs: atMs,
    lastMs: atMs,
    accepted,
    stored: accepted,
    spooled: 0,
    rejected: 0,
    unparsed: 0,
    rawBytes: 0,
  },
  reasons: {},
});
const eventsOf = async (sourceId: string) => {
  const { rows } = await setup.test.platform.postgres.inTenant(setup.company.a.clusterId, (trx) =>
    sql<{ kind: string; details: Record<string, unknown> }>`select kind, details from domain_event
      where cluster_id = ${setup.company.a.clusterId} and object_id = ${sourceId} order by event_id`.execute(
      trx,
    ),
  );
  return rows;
};

it('[T-SILENCE] a source is silent by its own pauses; one outage teaches nothing; silence and return are told', async () => {
  const { postgres } = setup.test.platform;
  const store = createAccountStore(postgres);
  const sourceId = await newSource('nightly');
  const start = Date.UTC(2026, 0, 5);
  // Six hours of pause each day, and once two days of it.
  for (const hours of [0, 6, 30, 36, 60, 66, 114, 120, 138])
    await store.add([line(sourceId, start + hours * HOUR, 10)]);
  const now = start + 138 * HOUR;
  expect(await learnSilence(postgres, now)).toBeGreaterThanOrEqual(1);
  const learned = (await listed()).data.find((one) => one.source_id === sourceId)?.silence_learned_s;
  // The third longest pause of a day is the one of 24 hours, and half of it more.
  expect(learned).toBe(36 * 3_600);
  expect(await learnSilence(postgres, now)).toBe(0);
  const sent = (atMs: number) =>
    postgres.inTenant(setup.company.a.clusterId, (trx) =>
      sql`insert into ingest_counter (cluster_id, source_id, name, value, updated_at)
        values (${setup.company.a.clusterId}, ${sourceId}, 'stored', 1, ${timestamp(atMs)})
        on conflict (cluster_id, source_id, name) do update set updated_at = excluded.updated_at`.execute(
        trx,
      ),
    );
  await sent(now);
  await noteSilentSources(postgres, now + 35 * HOUR);
  expect(await eventsOf(sourceId)).toEqual([]);
  await noteSilentSources(postgres, now + 36 * HOUR);
  await noteSilentSources(postgres, now + 37 * HOUR);
  await sent(now + 38 * HOUR);
  await noteSilentSources(postgres, now + 38 * HOUR + 60_000);
  expect((await eventsOf(sourceId)).map(({ kind }) => kind)).toEqual(['source.silent', 'source.back']);
  // Somebody says that it may be silent as long as it likes.
  await setup.test.call(editCollection, await at('engineer', { source_id: sourceId, silence_s: 0 }));
  await noteSilentSources(postgres, now + 400 * HOUR);
  expect(await eventsOf(sourceId)).toHaveLength(2);
});

it('[T-SILENCE] a jump and a drop against the same hour of the days before are told once each', async () => {
  const { postgres } = setup.test.platform;
  const store = createAccountStore(postgres);
  const sourceId = await newSource('mail');
  const hour = Date.UTC(2026, 1, 2, 9);
  const days = [1, 2, 3, 4, 5, 6].map((back) => line(sourceId, hour - back * DAY, 2_000));
  await store.add([...days, line(sourceId, hour, 9_000), line(sourceId, hour + DAY, 100)]);
  const look = (ms: number) => noteVolumes(postgres, ms + HOUR + 240_000);
  expect([await look(hour), await look(hour), await look(hour + DAY), await look(hour - DAY)]).toEqual([
    1, 0, 1, 0,
  ]);
  expect(
    (await eventsOf(sourceId)).map(({ kind, details }) => [kind, details.state, details.events]),
  ).toEqual([
    ['source.volume', 'high', 9_000],
    ['source.volume', 'low', 100],
  ]);
});

it('[T-ACCOUNTING] old accounts go: minutes after two days, hours after five weeks, days after thirteen months', async () => {
  const { postgres } = setup.test.platform;
  const store = createAccountStore(postgres);
  const sourceId = await newSource('old');
  const now = Date.UTC(2026, 5, 1, 12);
  const scope = { clusterId: setup.company.a.clusterId, scopeId: setup.company.a.scope, sourceId };
  const ages = [1, 3, 40, 420].map((days) => line(sourceId, now - days * DAY, 1));
  await store.add(ages.map((one) => ({ ...one, reasons: { lost: 1 } })));
  expect(await store.prune(now, 10_000)).toBeGreaterThan(0);
  const left = async (span: 'minute' | 'hour' | 'day') => (await store.rows(scope, span, 0)).length;
  expect([await left('minute'), await left('hour'), await left('day')]).toEqual([1, 2, 3]);
  expect(await store.reasons(scope, 'minute', 0, sourceId)).toMatchObject([{ reason: 'lost', value: 1 }]);
});
