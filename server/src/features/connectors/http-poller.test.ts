import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ConnectorSetup, connectorSetup } from './testing/connector-setup.ts';
import { type LogService, startLogService } from './testing/log-service.ts';

let setup: ConnectorSetup;
let service: LogService;

beforeAll(async () => {
  [setup, service] = await Promise.all([connectorSetup(), startLogService()]);
});
afterAll(async () => {
  await service?.close();
  await setup?.close();
});

const record = (n: number, time: number) => ({
  id: n,
  published: new Date(time).toISOString(),
  text: `event ${n}`,
});
const ids = async (source: string) =>
  (await setup.texts(source)).map((raw) => (JSON.parse(String(raw)) as { id: number }).id);

it('[T-CONNECTORS] a poller validates, stores what it fetches page by page, and goes on from its cursor', async () => {
  const start = setup.test.platform.clock.now();
  const log = Array.from({ length: 5 }, (_, n) => record(n + 1, start - 60_000 + n * 1_000));
  service.answer(({ url }) => {
    const since = Date.parse(url.searchParams.get('since') ?? '');
    const at = Number(url.searchParams.get('at') ?? 0);
    const found = log.filter(({ published }) => Date.parse(published) >= since);
    const more = found.length > at + 2;
    const next = new URL(url.href);
    next.searchParams.set('at', String(at + 2));
    return {
      body: { data: { items: found.slice(at, at + 2) } },
      ...(more ? { headers: { link: `<${url.href}>; rel="self", <${next.href}>; rel="next"` } } : {}),
    };
  });
  const made = await setup.create(
    'polled',
    'http-poller',
    {
      url: `${service.origin}/logs`,
      query: [{ name: 'since', value: '{since}' }],
      ...{ auth: 'header', auth_header: 'X-Key', records_path: 'data.items', pagination: 'link-header' },
      ...{ cursor: 'time', cursor_path: 'published', overlap_s: 30 },
      per_minute: 6_000,
    },
    { secret: 'k-secret-1' },
  );
  expect(made).toMatchObject({
    state: 'running',
    validation: { status: 'pending' },
    secrets_set: ['secret'],
  });
  expect(await setup.turn()).toBe(1);
  expect(await ids('polled')).toEqual([1, 2, 3, 4, 5]);
  expect(service.asked.every(({ headers }) => headers['x-key'] === 'k-secret-1')).toBe(true);
  expect(await setup.find(made.id)).toMatchObject({
    ...{ state: 'running', validation: { status: 'ok' }, events_24h: 5, last_event: expect.any(Number) },
  });
  // Not due yet; then two more, one of them late, and all of the overlap again.
  expect(await setup.turn(5_000)).toBe(0);
  log.push(record(6, start + 1_000), record(7, start - 59_000 + 1_500));
  expect(await setup.turn(60_000)).toBe(1);
  expect([...(await ids('polled'))].sort()).toEqual([1, 2, 3, 4, 5, 6, 7]);
});
