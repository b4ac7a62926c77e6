import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ConnectorSetup, connectorSetup } from './testing/connector-setup.ts';
import { type LogService, startLogService } from './testing/log-service.ts';

// Who works on a connector, and what is left when a process ends in the middle.

let setup: ConnectorSetup;
let service: LogService;

beforeAll(async () => {
  [setup, service] = await Promise.all([connectorSetup(), startLogService()]);
});
afterAll(async () => {
  await service?.close();
  await setup?.close();
});

const config = (more: object = {}) => ({ url: `${service.origin}/all`, per_minute: 6_000, ...more });
const never = new Promise<never>(() => undefined);
const textsOf = async (source: string) => [...(await setup.texts(source))].sort();

it.each(['before it is stored', 'after it is stored'])(
  '[T-CONNECTORS] a process that ends %s leaves a piece that another stores once',
  async (when) => {
    const name = `killed ${when}`;
    service.answer(() => ({ body: [{ n: 1 }, { n: 2 }] }));
    const { id } = await setup.create(name, 'http-poller', config());
    let reached: () => void = () => undefined;
    const isThere = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const dying = setup.otherRunner({
      ingest: async (...given) => {
        if (when === 'after it is stored') await setup.feature.ingest.ingest(...given);
        reached();
        return never;
      },
    });
    void dying.runDue();
    await isThere;
    // What the service says now differs from what was fetched.
    service.answer(() => ({ body: [{ n: 2 }, { n: 3 }] }));
    expect(await setup.turn()).toBe(0);
    expect(await setup.turn(21_000)).toBe(1);
    expect(await textsOf(name)).toEqual(['{"n":1}', '{"n":2}', '{"n":3}']);
    await setup.act(id, 'stop');
  },
);

it('[T-CONNECTORS] a process that lost its lease writes nothing any more', async () => {
  service.answer(() => ({ body: [{ n: 1 }] }));
  const { id } = await setup.create('lost', 'http-poller', config());
  let goOn: () => void = () => undefined;
  let reached: () => void = () => undefined;
  const isThere = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const waits = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const slow = setup.otherRunner({
    ingest: async (...given) => {
      reached();
      await waits;
      return setup.feature.ingest.ingest(...given);
    },
  });
  const turn = slow.runDue();
  await isThere;
  expect(await setup.turn(21_000)).toBe(1);
  const after = async () =>
    (
      await sql`select position, due_at from connector where connector_id = ${id}`.execute(
        setup.test.platform.postgres.platform,
      )
    ).rows;
  const kept = await after();
  goOn();
  await turn;
  expect(await after()).toEqual(kept);
  expect(await textsOf('lost')).toEqual(['{"n":1}']);
  await setup.act(id, 'stop');
});

it('[T-CONNECTORS] a connector is stopped within seconds, in the middle of a request', async () => {
  let asked: () => void = () => undefined;
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  service.answer(async ({ url }) => {
    if (url.searchParams.get('page') === '1') return { body: [{ n: 1 }] };
    asked();
    await never;
    return {};
  });
  const { id } = await setup.create(
    'endless',
    'http-poller',
    config({ query: [{ name: 'page', value: '{page}' }], pagination: 'page', page_size: 1 }),
  );
  const process = setup.otherRunner();
  await process.start();
  try {
    await isAsked;
    const startedMs = performance.now();
    await setup.act(id, 'stop');
    const leases = async () =>
      (
        await sql`select from connector where connector_id = ${id} and lease_owner is not null`.execute(
          setup.test.platform.postgres.platform,
        )
      ).rows.length;
    await expect.poll(leases, { timeout: 20_000, interval: 50 }).toBe(0);
    expect(performance.now() - startedMs).toBeLessThan(10_000);
    expect(await textsOf('endless')).toEqual(['{"n":1}']);
    expect(await setup.find(id)).toMatchObject({ state: 'stopped', reason: null });
  } finally {
    await process.stop();
  }
});

it('[T-CONNECTORS] one tenant with many due connectors leaves turns for others', async () => {
  service.answer(() => ({ body: [] }));
  const made = [];
  for (let n = 0; n < 7; n += 1) made.push(await setup.create(`many ${n}`, 'http-poller', config()));
  expect(await setup.turn()).toBe(4);
  expect(await setup.turn()).toBe(3);
  for (const { id } of made) await setup.act(id, 'stop');
});
