import {
  createConnector,
  deleteConnector,
  listConnectors,
  setConnectorState,
  testConnector,
  updateConnector,
  validateConnector,
} from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ConnectorSetup, connectorSetup } from './testing/connector-setup.ts';
import { type LogService, startLogService } from './testing/log-service.ts';

let setup: ConnectorSetup;
let service: LogService;
/** Settings of a poller that asks for everything and knows what it has seen. */
const polled = (more: object = {}) => ({ url: `${service.origin}/all`, per_minute: 6_000, ...more });

beforeAll(async () => {
  [setup, service] = await Promise.all([connectorSetup(), startLogService()]);
});
afterAll(async () => {
  await service?.close();
  await setup?.close();
});

async function auditOf(id: string): Promise<readonly string[]> {
  const { rows } = await sql<{ action: string }>`select action from audit_entry
    where details->>'entity' = ${id} or entity = ${id} order by chain_no`.execute(
    setup.test.platform.postgres.platform,
  );
  return rows.map(({ action }) => action);
}

it('[T-CONNECTORS] a test shows records as they would be decoded, stores nothing, and every act is in the trail', async () => {
  service.answer(() => ({
    body: [
      { message: 'Nov 22 07:47:06 srv1 sshd[2211]: Failed password for root from 185.1.2.3 port 55411 ssh2' },
    ],
  }));
  const made = await setup.create('tried', 'http-poller', polled());
  const at = { ssid: await setup.signIn(), params: { clusterId: setup.clusterId } };
  const one = { scope_id: setup.scopeId, connector_id: made.id };
  const { data } = await setup.try(made.id);
  expect(data.records).toMatchObject([
    { stream: 'Authentication', status: 'PAD', fields: { TargetUsername: 'root', SrcIpAddr: '185.1.2.3' } },
  ]);
  expect(data.asked).toBe(`GET ${service.origin}/all`);
  expect(await setup.texts('tried')).toEqual([]);
  await setup.act(made.id, 'stop');
  const changed = await setup.test.call(updateConnector, {
    ...at,
    input: { ...one, revision: made.revision, config: polled({ interval_s: 30 }) },
  });
  expect(changed.data).toMatchObject({
    revision: made.revision + 1,
    config: { interval_s: 30 },
    state: 'stopped',
  });
  const stale = { ...one, revision: made.revision, config: polled() };
  expect((await setup.test.call(updateConnector, { ...at, input: stale })).http).toBe(409);
  // Stopped: it is validated, and fetches nothing.
  await setup.turn();
  expect((await setup.find(made.id)).validation.status).toBe('ok');
  expect(await setup.texts('tried')).toEqual([]);
  await setup.test.call(validateConnector, { ...at, input: one });
  expect((await setup.find(made.id)).validation.status).toBe('pending');
  await setup.test.call(deleteConnector, { ...at, input: one });
  expect(await auditOf(made.id)).toEqual(
    ['create', 'test', 'stop', 'update', 'validate', 'delete'].map((act) => `connector.${act}`),
  );
  // Its name is free again.
  const again = await setup.create('tried', 'http-poller', polled());
  await setup.test.call(deleteConnector, { ...at, input: { ...one, connector_id: again.id } });
});

it('[T-CONNECTORS] tells why it fails, goes on by itself, waits as long as it is asked to, and does not fetch while it is stopped', async () => {
  service.answer(() => ({ status: 401, body: { error: 'token expired' } }));
  const made = await setup.create('failing', 'http-poller', polled());
  await setup.turn();
  const failed = await setup.find(made.id);
  expect(failed).toMatchObject({ state: 'failed', validation: { status: 'failed' } });
  expect(failed.validation.reason?.message).toContain('401: {"error":"token expired"}');
  const test = await setup.try(made.id);
  expect([test.http, test.body.message]).toEqual([409, failed.validation.reason?.message]);
  service.answer(() => ({ body: [{ n: 1 }] }));
  await setup.act(made.id, 'restart');
  await setup.turn();
  expect(await setup.find(made.id)).toMatchObject({ state: 'running', reason: null });
  expect(await setup.texts('failing')).toEqual(['{"n":1}']);
  service.answer(() => ({ status: 429, headers: { 'retry-after': '300' }, body: 'slow down' }));
  await setup.turn(61_000);
  expect(await setup.find(made.id)).toMatchObject({ state: 'running' });
  const before = service.asked.length;
  expect(await setup.turn(290_000)).toBe(0);
  expect(service.asked.length).toBe(before);
  service.answer(() => ({ status: 500, body: 'oops' }));
  for (const wait of [11_000, 11_000, 21_000]) await setup.turn(wait);
  expect(await setup.find(made.id)).toMatchObject({ state: 'failed', next_try: expect.any(Number) });
  service.answer(() => ({ body: [{ n: 1 }, { n: 2 }] }));
  await setup.turn(60_000);
  expect(await setup.find(made.id)).toMatchObject({ state: 'running', reason: null });
  expect(await setup.texts('failing')).toEqual(['{"n":1}', '{"n":2}']);
  await setup.act(made.id, 'stop');
  service.answer(() => ({ body: [{ n: 3 }] }));
  expect(await setup.turn(3_600_000)).toBe(0);
  await setup.act(made.id, 'start');
  expect(await setup.turn()).toBe(1);
  expect(await setup.texts('failing')).toContain('{"n":3}');
  await setup.act(made.id, 'stop');
});

it('[T-CONNECTORS] a failure is told once, whatever is tried meanwhile, and again only after it has run', async () => {
  const { clusterId } = setup;
  const told = async (id: string) => {
    const { rows } = await setup.test.platform.postgres.inTenant(clusterId, (trx) =>
      sql`select kind, details from domain_event where cluster_id = ${clusterId} and object_id = ${id}
        order by event_id`.execute(trx),
    );
    return rows;
  };
  const news = { kind: 'connector.failed', details: { name: 'announced' } };
  service.answer(() => ({ status: 401, body: { error: 'token expired' } }));
  const made = await setup.create('announced', 'http-poller', polled());
  await setup.turn();
  expect(await told(made.id)).toEqual([news]);
  await setup.act(made.id, 'restart');
  await setup.turn();
  await setup.turn(901_000);
  expect((await setup.find(made.id)).state).toBe('failed');
  expect(await told(made.id)).toHaveLength(1);
  service.answer(() => ({ body: [{ n: 1 }] }));
  await setup.turn(901_000);
  expect((await setup.find(made.id)).state).toBe('running');
  // What may pass is no news before the third time.
  service.answer(() => ({ status: 500, body: 'oops' }));
  for (const [wait, count] of [
    [61_000, 1],
    [11_000, 1],
    [21_000, 2],
    [41_000, 2],
  ] as const) {
    await setup.turn(wait);
    expect(await told(made.id)).toHaveLength(count);
  }
  await setup.act(made.id, 'stop');
  const at = { ssid: await setup.signIn(), params: { clusterId } };
  await setup.test.call(deleteConnector, {
    ...at,
    input: { scope_id: setup.scopeId, connector_id: made.id },
  });
});

it('[T-CONNECTORS] keeps secrets: none leaves, none goes to another host, and what is wrong is named with its place', async () => {
  service.answer(() => ({ body: [] }));
  const at = { ssid: await setup.signIn(), params: { clusterId: setup.clusterId } };
  const config = polled({ auth: 'bearer' });
  const create = (name: string, given: object, secrets: object = {}) =>
    setup.test.call(createConnector, {
      ...at,
      input: { scope_id: setup.scopeId, kind: 'http-poller', name, config: given, secrets },
    });
  expect((await create('x', config)).body.message).toContain('secrets.secret');
  expect((await create('x', { url: 'https://<your-org>.okta.com/' })).body.message).toContain('<your-org>');
  expect((await create('x', { url: 'ftp://x' })).body.message).toContain('config.url');
  expect((await create('x', polled({ cursor: 'time' }))).body.message).toContain('config.cursor_path');
  const made = await setup.create('sealed', 'http-poller', config, { secret: 'tok-very-secret-9' });
  expect(made.secrets_set).toEqual(['secret']);
  const listed = await setup.test.call(listConnectors, { ...at, input: { scope_id: setup.scopeId } });
  expect(listed.text).not.toContain('tok-very-secret-9');
  const { rows } = await sql`select row_to_json(c)::text as t from connector c`.execute(
    setup.test.platform.postgres.platform,
  );
  expect(JSON.stringify(rows)).not.toContain('tok-very-secret-9');
  const update = (next: object, secrets: object = {}) =>
    setup.test.call(updateConnector, {
      ...at,
      input: {
        scope_id: setup.scopeId,
        connector_id: made.id,
        revision: made.revision,
        config: next,
        secrets,
      },
    });
  const stolen = await update({ ...config, url: 'https://evil.example/' });
  expect([stolen.http, stolen.body.message]).toEqual([422, expect.stringContaining('secrets.secret')]);
  expect((await update({ ...config, interval_s: 30 })).http).toBe(200);
  await setup.turn();
  expect(service.asked.at(-1)?.headers.authorization).toBe('Bearer tok-very-secret-9');
  await setup.act(made.id, 'stop');
});

it('[T-CONNECTORS][S6-24] belongs to its tenant and scope: engineers see it, administrators change it, others have none such', async () => {
  service.answer(() => ({ body: [] }));
  const made = await setup.create('rights', 'http-poller', polled());
  await setup.act(made.id, 'stop');
  const { test, company } = setup;
  const input = { scope_id: setup.scopeId, connector_id: made.id };
  const params = { clusterId: setup.clusterId };
  const engineer = { ssid: await company.signIn('engineer'), params };
  expect((await test.call(listConnectors, { ...engineer, input })).http).toBe(200);
  expect((await test.call(testConnector, { ...engineer, input })).http).toBe(403);
  const analyst = { ssid: await company.signIn('analyst'), params };
  expect((await test.call(listConnectors, { ...analyst, input })).http).toBe(403);
  // The administrator of the same tenant, asking in another scope.
  const elsewhere = { ...input, scope_id: company.a.otherScope, act: 'start' as const };
  expect(
    (await test.call(setConnectorState, { ssid: await setup.signIn(), params, input: elsewhere })).http,
  ).toBe(404);
});

it('[T-CONNECTORS] a kind that senders push to gives a token once, and takes nothing in while it is stopped', async () => {
  const at = { ssid: await setup.signIn(), params: { clusterId: setup.clusterId } };
  const { data } = await setup.test.call(createConnector, {
    ...at,
    input: { scope_id: setup.scopeId, kind: 'ndjson', name: 'pushed', config: {} },
  });
  const { connector, token } = data;
  expect(connector).toMatchObject({ engine: 'push', state: 'running', validation: { status: 'ok' } });
  const send = async () =>
    (
      await setup.test.ingestApp.inject({
        method: 'POST',
        url: '/ingest/ndjson?source=pushed',
        payload: '{"n":1}\n',
        headers: { authorization: `Bearer ${token}` },
      })
    ).statusCode;
  expect(await send()).toBe(200);
  expect(await setup.find(connector.id)).toMatchObject({ events_24h: 1 });
  await setup.act(connector.id, 'stop');
  setup.test.platform.clock.advance(6_000);
  expect(await send()).toBe(403);
  await setup.act(connector.id, 'start');
  setup.test.platform.clock.advance(6_000);
  expect(await send()).toBe(200);
});
