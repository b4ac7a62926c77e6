import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../engines/testing/index.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import { type Company, seedCompany } from '../identity/users/testing/seed-company.ts';
import { createSignalRelease } from './release-signals.ts';

const NOW = Date.UTC(2026, 5, 10, 12);
const DAY_MS = 86_400_000;
let test: TestApp;
let company: Company;

beforeAll(async () => {
  test = await testApp({ nowMs: NOW });
  company = await seedCompany(test.platform);
});
afterAll(() => test?.close());

/** So many signals of one kind, a minute apart, from `last` back. */
const add = (
  clusterId: string,
  scopeId: string,
  kind: string,
  count: number,
  last: number,
  more: { readonly triaged?: boolean; readonly caseId?: string } = {},
) =>
  test.platform.postgres.inTenant(clusterId, (trx) =>
    sql`insert into signal (cluster_id, signal_id, scope_id, workbook_id, workbook_name, version, finding_key, name,
        stream, stage, tactic, technique, sub_technique, score, confidence, suspects, targets, first_at, last_at,
        created_at, occurrences, triaged_at, case_ids)
      select ${clusterId}, ${kind}::text || n, ${scopeId}, 'wb', 'Workbook', 1, ${kind}::text || n, ${kind}::text, 'ProcessEvent', 'prod',
        'Execution', 'T1059', '', 60, 'High', '[]', '[]', ${timestamp(last)} - n * interval '1 minute',
        ${timestamp(last)} - n * interval '1 minute', ${timestamp(last)}, 1, ${timestamp(more.triaged ? last : null)}, ${more.caseId ? [more.caseId] : []}::text[]
      from generate_series(1, ${count}::int) n`.execute(trx),
  );

const countByKind = async (clusterId: string) =>
  test.platform.postgres.inTenant(clusterId, async (trx) => {
    const { rows } = await sql<{ name: string; count: number }>`
      select name, count(*) as count from signal where cluster_id = ${clusterId} group by name`.execute(trx);
    return Object.fromEntries(rows.map((row) => [row.name, row.count]));
  });

it('the oldest reviewed signals are released, and never one that waits, is fresh or stands in a case', async () => {
  const { clusterId, scope } = company.b;
  const old = NOW - 90 * DAY_MS;
  await add(clusterId, scope, 'waiting', 60_000, old);
  await add(clusterId, scope, 'fresh', 20_000, NOW, { triaged: true });
  await add(clusterId, scope, 'ofcase', 10_000, old, { triaged: true, caseId: 'c1' });
  await add(clusterId, scope, 'reviewed', 18_000, old, { triaged: true });
  const other = company.a;
  await add(other.clusterId, other.scope, 'reviewed', 10, old, { triaged: true });
  const { audit } = company.identity;
  const { postgres, clock } = test.platform;
  const release = createSignalRelease({ postgres, clock, audit, planOf: async () => 'essential' });
  expect(await release(clusterId)).toBe(8_000);
  expect(await countByKind(clusterId)).toEqual({
    waiting: 60_000,
    fresh: 20_000,
    ofcase: 10_000,
    reviewed: 10_000,
  });
  expect(await release(clusterId)).toBe(0);
  await add(clusterId, scope, 'new', 30_000, NOW);
  expect(await release(clusterId)).toBe(10_000);
  expect(await countByKind(clusterId)).toEqual({
    waiting: 60_000,
    fresh: 20_000,
    ofcase: 10_000,
    new: 30_000,
  });
  expect(await countByKind(other.clusterId)).toEqual({ reviewed: 10 });
  const { rows } = await sql<{ details: { released: number } }>`
    select details from audit_entry where action = 'signal.release' order by chain_no`.execute(
    postgres.platform,
  );
  expect(rows.map((row) => row.details.released)).toEqual([5_000, 3_000, 5_000, 5_000]);
});
