import { EVENT_COLUMNS, RETENTION_COLUMN } from '@tyrian/catalog';
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
      [...EVENT_COLUMNS, RETENTION_COLUMN].map((column) => `${column.name} ${canonical(column.stored)}`),
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
});
