import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { type TestPlatform, testPlatform } from '../../engines/testing/index.ts';
import { withDatabase } from '../../engines/testing/start-test-engines.ts';
import type { TenantTransaction } from './postgres.ts';
import { runPostgresMigrations } from './run-postgres-migrations.ts';

interface ThingTable {
  cluster_id: string;
  name: string;
}

describe('PostgreSQL', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await testPlatform();
    await sql`create table thing (cluster_id text not null, name text not null)`.execute(
      platform.postgres.platform,
    );
    await sql`select tyrian_secure('thing')`.execute(platform.postgres.platform);
  });
  afterAll(() => platform.close());

  const things = (clusterId: string) =>
    platform.postgres.inTenant(clusterId, (trx) =>
      trx.withTables<{ thing: ThingTable }>().selectFrom('thing').select('name').execute(),
    );
  const add = (clusterId: string, row: ThingTable) =>
    platform.postgres.inTenant(clusterId, (trx) =>
      trx.withTables<{ thing: ThingTable }>().insertInto('thing').values(row).execute(),
    );

  it('shows a tenant its own rows only, whatever the statement says', async () => {
    await add('a', { cluster_id: 'a', name: 'of a' });
    await add('b', { cluster_id: 'b', name: 'of b' });
    expect(await things('a')).toEqual([{ name: 'of a' }]);
    expect(await things('b')).toEqual([{ name: 'of b' }]);
  });

  it('refuses to write a row of another tenant', async () => {
    await expect(add('a', { cluster_id: 'b', name: 'planted' })).rejects.toThrow('row-level security');
    expect(await things('b')).toEqual([{ name: 'of b' }]);
  });

  it('shows nothing of tenants outside a tenant', async () => {
    const { rows } = await sql`select * from thing`.execute(platform.postgres.platform);
    expect(rows).toEqual([]);
  });

  it('forgets the tenant when the transaction ends', async () => {
    await things('a');
    const { rows } = await sql<{ who: string; tenant: string | null }>`
      select current_user as who, current_setting('tyrian.cluster_id', true) as tenant`.execute(
      platform.postgres.platform,
    );
    expect(rows[0]?.who).toBe('tyrian');
    expect(rows[0]?.tenant ?? '').toBe('');
  });

  it('takes a tenant by any name as a name', async () => {
    const odd = "a'), set_config('role', 'tyrian";
    await add(odd, { cluster_id: odd, name: 'of an odd name' });
    expect(await things(odd)).toEqual([{ name: 'of an odd name' }]);
    expect(await things('a')).toEqual([{ name: 'of a' }]);
  });

  it('binds a transaction to its tenant in the message that begins it', async () => {
    await things('a');
    const query = vi.spyOn(pg.Client.prototype, 'query');
    await things('a');
    const texts = query.mock.calls.map(([text]) => String(text));
    query.mockRestore();
    expect(texts).toEqual([
      expect.stringMatching(/^begin; select set_config\('tyrian.cluster_id', 'a', true\)/),
      'select "name" from "thing"',
      'commit',
    ]);
  });

  it('rolls back when the work fails', async () => {
    await expect(
      platform.postgres.inTenant('c', async (trx) => {
        await trx
          .withTables<{ thing: ThingTable }>()
          .insertInto('thing')
          .values({ cluster_id: 'c', name: 'x' })
          .execute();
        throw new Error('half way');
      }),
    ).rejects.toThrow('half way');
    expect(await things('c')).toEqual([]);
  });

  describe('statements at once', () => {
    const added = (trx: TenantTransaction, clusterId: string, name: string) =>
      trx
        .withTables<{ thing: ThingTable }>()
        .insertInto('thing')
        .values({ cluster_id: clusterId, name })
        .execute();

    it('are sent before one of them is answered, and then their commit', async () => {
      await things('d');
      const told: string[] = [];
      const { query } = pg.Client.prototype;
      const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
        this: pg.Client,
        ...given: unknown[]
      ) {
        const text = String(given[0]).slice(0, 6);
        told.push(text);
        const answer = Reflect.apply(query, this, given) as Promise<unknown>;
        return answer.finally(() => told.push(`${text} answered`));
      } as typeof query);
      try {
        await platform.postgres.atOnce('d', (trx) => [added(trx, 'd', 'one'), added(trx, 'd', 'two')]);
      } finally {
        spy.mockRestore();
      }
      expect(told.slice(0, 3)).toEqual(['begin;', 'insert', 'insert']);
      expect(told.filter((text) => text.endsWith('answered'))).toHaveLength(4);
      expect(await things('d')).toEqual([{ name: 'one' }, { name: 'two' }]);
    });

    it('have not happened when one fails, and tell the first error', async () => {
      const failing = platform.postgres.atOnce('e', (trx) => [
        added(trx, 'e', 'one'),
        added(trx, 'f', 'of another tenant'),
        added(trx, 'e', 'two'),
      ]);
      await expect(failing).rejects.toThrow('row-level security');
      expect(await things('e')).toEqual([]);
      expect(await things('f')).toEqual([]);
    });

    it('have not happened when one cannot even be sent', async () => {
      const unsent = Promise.reject(new Error('not written'));
      await expect(platform.postgres.atOnce('g', (trx) => [added(trx, 'g', 'one'), unsent])).rejects.toThrow(
        'not written',
      );
      expect(await things('g')).toEqual([]);
    });

    it('are refused after the end of their transaction, where no tenant is set', async () => {
      let late: TenantTransaction | undefined;
      await platform.postgres.inTenant('h', async (trx) => {
        late = trx;
      });
      if (!late) throw new Error('no transaction');
      await expect(added(late, 'h', 'late')).rejects.toThrow('after the end of its transaction');
      expect(await things('h')).toEqual([]);
    });

    it('of a transaction need a tenant that the engine can be told', async () => {
      for (const clusterId of ['', 'a\0b']) {
        await expect(things(clusterId)).rejects.toThrow('needs a cluster id');
      }
    });
  });

  it('delivers notifications', async () => {
    const heard: string[] = [];
    const stop = await platform.postgres.listen('news', (payload) => heard.push(payload));
    await platform.postgres.notify('news', 'hello');
    await expect.poll(() => heard).toEqual(['hello']);
    await stop();
  });

  it('refuses a migration that changed after it was applied, and applies new ones once', async () => {
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(
      platform.postgres.platform,
    );
    const url = withDatabase(inject('testEngines').postgresUrl, String(rows[0]?.name));
    const pool = new pg.Pool({ connectionString: url });
    // `end` does not wait for the connections: the database may be dropped while one still closes.
    pool.on('error', () => undefined);
    pool.on('connect', (client) => client.on('error', () => undefined));
    const file = { name: '9001_probe.sql', number: 9001, text: 'create table probe (a int);' };
    try {
      await runPostgresMigrations(pool, platform.log, [file]);
      await runPostgresMigrations(pool, platform.log, [file]);
      await expect(
        runPostgresMigrations(pool, platform.log, [{ ...file, text: '-- changed' }]),
      ).rejects.toThrow('append-only');
      const broken = { name: '9002_broken.sql', number: 9002, text: 'create table half (a int); nonsense;' };
      await expect(runPostgresMigrations(pool, platform.log, [broken])).rejects.toThrow('9002_broken.sql');
      const half = await pool.query("select to_regclass('half') as found");
      expect(half.rows[0].found).toBeNull();
    } finally {
      await pool.end();
    }
  });
});
