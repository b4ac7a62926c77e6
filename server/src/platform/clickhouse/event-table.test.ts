import { EVENT_COLUMNS, READING_COLUMN, RETENTION_COLUMN } from '@tyrian/catalog';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestPlatform, testPlatform } from '../../engines/testing/index.ts';

// The catalog says what the table holds; this is the proof that the definition in db/clickhouse agrees.

describe('the table of events', () => {
  let platform: TestPlatform;
  let clusterId: string;
  beforeAll(async () => {
    platform = await testPlatform();
    clusterId = await platform.newTenant();
  });
  afterAll(() => platform.close());

  const canonical = (type: string) =>
    type.replace(
      /JSON\(([^)]*)\)/,
      (_all, options: string) => `JSON(${options.split(', ').sort().join(', ')})`,
    );

  it('has the columns of the catalog, in order and type', async () => {
    const { rows } = await platform.eventStore.rows(clusterId, {
      sql: `select name, type from system.columns where database = currentDatabase() and table = 'events' order by position`,
      scopes: 'all',
    });
    expect(rows.map(([name, type]) => `${name} ${canonical(String(type))}`)).toEqual(
      [...EVENT_COLUMNS, RETENTION_COLUMN, READING_COLUMN].map(
        (column) => `${column.name} ${canonical(column.stored)}`,
      ),
    );
  });

  it('has the text index on lower(Raw) and one on each time, and a bloom filter where the catalog says', async () => {
    const { rows } = await platform.eventStore.rows(clusterId, {
      sql: `select create_table_query from system.tables where database = currentDatabase() and name = 'events'`,
      scopes: 'all',
    });
    const found = String(rows[0]?.[0]).matchAll(/INDEX \w+ (\S+) TYPE (\w+)/g);
    const wanted = EVENT_COLUMNS.filter((column) => column.index === 'bloom').map(
      (c) => `bloom_filter ${c.name}`,
    );
    expect([...found].map(([, expression, type]) => `${type} ${expression}`).sort()).toEqual(
      [...wanted, 'minmax IngestedTime', 'minmax TimeGenerated', 'text lower(Raw)'].sort(),
    );
  });

  it('[T-asking] a day into which nothing comes any more is merged into one part with the index of the text', async () => {
    const tables = await platform.eventStore.rows(clusterId, {
      sql: `select name from system.tables where database = currentDatabase() and engine_full like
        '%min_age_to_force_merge_seconds = 21600, min_age_to_force_merge_on_partition_only = 1, enable_max_bytes_limit_for_min_age_to_force_merge = 1%' order by name`,
      scopes: 'all',
    });
    expect(tables.rows.flat()).toEqual(['event_figures', 'events', 'host_figures']);
    const quiet = await platform.newTenant();
    const time = new Date(Date.now() - 86_400_000).toISOString();
    for (let insert = 0; insert < 3; insert += 1) {
      const lines = Array.from({ length: 2_000 }, (_, n) =>
        JSON.stringify({
          TimeGenerated: time,
          IngestedTime: time,
          Scope: 's1',
          Raw: `insert${insert} line${n}`,
        }),
      );
      const body = Buffer.from(`${lines.join('\n')}\n`);
      await platform.eventStore.insertRows(quiet, body, { dedupToken: `insert ${insert}` });
    }
    const parts = () =>
      platform.eventStore.systemRows<{ held: string; index: string }>(
        `select toString(rows) as held, toString(secondary_indices_compressed_bytes) as index from system.parts
         where database = {database:String} and table = 'events' and active`,
        { database: `tenant_${quiet}` },
      );
    const bytes = (await parts()).reduce((sum, { index }) => sum + Number(index), 0);
    // Nobody waits six hours for it here.
    await platform.eventStore.command(
      quiet,
      'ALTER TABLE events MODIFY SETTING min_age_to_force_merge_seconds = 1',
    );
    await expect
      .poll(async () => (await parts()).map(({ held }) => held), { timeout: 120_000 })
      .toEqual(['6000']);
    expect(Number((await parts())[0]?.index)).toBeGreaterThan(2 * bytes);
  });
});
