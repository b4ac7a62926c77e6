import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestPlatform, testPlatform } from '../../engines/testing/index.ts';

let platform: TestPlatform;
let clusterId: string;
beforeAll(async () => {
  platform = await testPlatform();
  clusterId = await platform.newTenant();
  await platform.eventStore.prepareCountries();
});
afterAll(() => platform.close());

const ask = (sql: string) => platform.eventStore.rows(clusterId, { sql, scopes: 'all' });

const updated = () =>
  platform.eventStore.systemRows<{ uuid: string; comment: string }>(
    "select uuid, comment from system.dictionaries where database = 'tyrian_reference' and name = 'ip_country'",
  );

it('loads once for each version, however often it is asked', async () => {
  const before = await updated();
  const other = await testPlatform();
  await other.eventStore.prepareCountries();
  await other.close();
  expect(await updated()).toEqual(before);
  expect(before).toHaveLength(1);
  expect(before[0]?.comment).toMatch(/^\d+\.\d+\.\d+$/);
});

it('holds every range of both kinds of address', async () => {
  const kinds = await platform.eventStore.systemRows<{ network: string; many: number }>(
    `select multiIf(network = 4, 'v4', network = 6, 'v6', 'part') as network, count() > 100 as many
     from merge('tyrian_reference', '^ip_country_range_') group by 1 order by 1`,
  );
  expect(kinds.map((one) => one.network)).toEqual(['part', 'v4', 'v6']);
  expect(kinds.every((one) => one.many)).toBe(true);
});

it.each([
  "select * from merge('tyrian_reference', '.*')",
  'select * from tyrian_reference.ip_country',
  "select * from dictionary('tyrian_reference.ip_country')",
  'select * from system.dictionaries',
  'system reload dictionary tyrian_reference.ip_country',
])('gives the querying user the look-up alone: %s', async (statement) => {
  await expect(ask(statement)).rejects.toMatchObject({ name: 'EventStoreError' });
});

it('keeps the password in the definition hidden from the querying user', async () => {
  const shown = 'show create dictionary tyrian_reference.ip_country';
  for (const sql of [shown, `${shown} settings format_display_secrets_in_show_and_select = 1`]) {
    const text = await ask(sql).then(
      ({ rows }) => JSON.stringify(rows),
      (error: Error) => error.message,
    );
    expect(text).toMatch(/PASSWORD '\[HIDDEN\]'|privileges/);
  }
});
