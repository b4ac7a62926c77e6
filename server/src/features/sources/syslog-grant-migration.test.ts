import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../engines/testing/index.ts';
import { type Company, seedCompany } from '../identity/users/testing/seed-company.ts';

let test: TestApp;
let company: Company;

beforeAll(async () => {
  test = await testApp();
  company = await seedCompany(test.platform);
});
afterAll(() => test.close());

it('[S03] at the update the older of two overlapping sources keeps its network, and the younger says why it has none', async () => {
  const db = test.platform.postgres.platform;
  const text = readFileSync(
    new URL('../../../../db/postgres/0022_syslog_networks.sql', import.meta.url),
    'utf8',
  );
  // The part that looks at the sources from before, on sources made as they were made then.
  const start = text.indexOf('alter table ingest_source no force');
  const put = async (side: 'a' | 'b', id: string, ms: number, networks: string[]) => {
    const { clusterId, scope } = company[side];
    await sql`insert into ingest_source
      (cluster_id, source_id, scope_id, source_name, kind, networks, created_by, created_ms)
      values (${clusterId}, ${id}, ${scope}, ${id}, 'syslog', ${networks}::cidr[], 'x', ${ms})`.execute(db);
    for (const network of networks)
      await sql`insert into ingest_sender (network, cluster_id, source_id)
        values (${network}, ${clusterId}, ${id})`.execute(db);
  };
  await sql`alter table ingest_source no force row level security`.execute(db);
  await put('b', 'older', 1, ['127.0.0.2/31']);
  await put('b', 'wider', 2, ['127.0.0.0/28']);
  await put('a', 'thief', 3, ['127.0.0.2/32']);
  await put('a', 'greedy', 4, ['0.0.0.0/0']);
  await put('a', 'honest', 5, ['10.1.0.0/16', '10.1.2.0/24']);
  await sql.raw(text.slice(start)).execute(db);
  const grants = await sql`select cluster_id, network::text from syslog_grant order by network`.execute(db);
  expect(grants.rows).toEqual([
    { cluster_id: company.a.clusterId, network: '10.1.0.0/16' },
    { cluster_id: company.b.clusterId, network: '127.0.0.0/28' },
  ]);
  const senders = await sql<{
    source_id: string;
  }>`select distinct source_id from ingest_sender order by 1`.execute(db);
  expect(senders.rows.map(({ source_id }) => source_id)).toEqual(['honest', 'older', 'wider']);
  await sql`alter table ingest_source no force row level security`.execute(db);
  const said = await sql<{ source_id: string; cut: boolean }>`select source_id,
    notice like 'its networks are not%' as cut from ingest_source where notice is not null order by 1`.execute(
    db,
  );
  await sql`alter table ingest_source force row level security`.execute(db);
  expect(said.rows).toEqual([
    { source_id: 'greedy', cut: true },
    { source_id: 'thief', cut: true },
  ]);
});
