import { readFileSync } from 'node:fs';
import * as contract from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../../engines/testing/index.ts';
import { type Company, type SeedRole, seedCompany } from '../users/testing/seed-company.ts';
import { madeAtFirst, WALK, WALKED_ELSEWHERE } from './testing/audit-walk-steps.ts';
import { contentSteps } from './testing/content-steps.ts';
import type { Made, WalkStep } from './testing/walk-step.ts';

// Every endpoint that reads events or changes anything is called once, and its entry is looked for. An endpoint that is
// added without a step here fails the first test.

const ALL = Object.entries(contract as unknown as Record<string, unknown>).filter(
  (entry): entry is [string, contract.Endpoint] =>
    typeof entry[1] === 'object' && entry[1] !== null && 'audit' in entry[1] && 'path' in entry[1],
);
const OWING = ALL.filter(([, endpoint]) => endpoint.audit !== 'nothing');

interface Entry {
  readonly action: string;
  readonly source: string;
  readonly userId: string | null;
  readonly clusterId: string | null;
  readonly details: Record<string, unknown>;
}

let test: TestApp;
let company: Company;
let made: Made;
const ssids = new Map<SeedRole, string>();
beforeAll(async () => {
  test = await testApp();
  company = await seedCompany(test.platform);
  made = madeAtFirst(company);
});
afterAll(() => test?.close());

async function ssidOf(role: SeedRole): Promise<string> {
  const ssid = ssids.get(role) ?? (await company.signIn(role));
  ssids.set(role, ssid);
  return ssid;
}

async function entriesAfter(no: number): Promise<Entry[]> {
  const { rows } = await sql<Entry>`
    select action, source, user_id as "userId", cluster_id as "clusterId", details
    from audit_entry where chain_no > ${no} order by chain_no`.execute(test.platform.postgres.platform);
  return rows;
}

async function headNo(): Promise<number> {
  const { rows } = await sql<{ no: number }>`select last_no as no from audit_head`.execute(
    test.platform.postgres.platform,
  );
  return rows[0]?.no ?? 0;
}

async function take(step: WalkStep): Promise<void> {
  const ssid = step.as === 'visitor' ? undefined : await ssidOf(step.as);
  const before = await headNo();
  const params = { clusterId: company.a.clusterId, ...step.params?.(made) };
  const { access } = step.endpoint;
  const scopeInput = access.kind === 'roles' && access.in === 'scope' ? { scope_id: company.a.scope } : {};
  const input = { ...scopeInput, ...step.input?.(made) };
  const answer = await test.call(step.endpoint, { ...(ssid ? { ssid } : {}), params, input });
  expect(answer.http, `${step.endpoint.name} ${answer.text.slice(0, 300)}`).toBe(200);
  step.keep?.(answer.data as never, made);
  await expect
    .poll(async () => (await entriesAfter(before)).length, { timeout: 60_000, interval: 20 })
    .toBeGreaterThan(0);
  const entries = await entriesAfter(before);
  const own = entries.find((one) => step.as === 'visitor' || one.userId === company.userIds[step.as]);
  expect(own, `${step.endpoint.name}: ${JSON.stringify(entries)}`).toBeDefined();
  expect(own?.source, step.endpoint.name).toBe('127.0.0.1');
  if (step.endpoint.path.startsWith('/:clusterId')) {
    expect(own?.clusterId, step.endpoint.name).toBe(company.a.clusterId);
  }
}

describe('the audit trail of every endpoint', () => {
  it('[S13] has a step, or a test elsewhere, for each endpoint that owes an entry', () => {
    const content = contentSteps({ signal: '', analyst: '', clusterId: '' });
    const walked = new Set([...WALK, ...content].map((step) => step.endpoint.name));
    const missing = OWING.filter(([, { name }]) => !walked.has(name) && !(name in WALKED_ELSEWHERE));
    expect(missing.map(([exported, { name }]) => `${name} ${exported}`)).toEqual([]);
    for (const [exported, { name }] of OWING.filter(
      ([, one]) => one.name in WALKED_ELSEWHERE && !walked.has(one.name),
    )) {
      expect(readFileSync(WALKED_ELSEWHERE[name] ?? '', 'utf8'), `${name} ${exported}`).toContain(exported);
    }
  });

  it.each(WALK.map((step, index) => [`${step.endpoint.name} (${index + 1})`, step] as const))(
    '[S13] finds the entry of %s',
    async (_name, step) => take(step),
  );

  it('[S13] finds the entry of a refused call, and counts the ones that follow', async () => {
    const before = await headNo();
    const ssid = await ssidOf('analyst');
    const params = { clusterId: company.b.clusterId };
    for (let index = 0; index < 5; index++) {
      const input = { scope_id: company.b.scope, query: 'Events' };
      expect((await test.call(contract.searchHistogram, { ssid, params, input })).http).toBe(403);
    }
    await test.composed.refusals.flush(true);
    const entries = await entriesAfter(before);
    expect(entries).toMatchObject([
      {
        action: 'call.refused',
        userId: company.userIds.analyst,
        source: '127.0.0.1',
        // The other tenant's trail does not tell of strangers.
        clusterId: null,
        details: { reason: 'not-authorised', clusterId: company.b.clusterId },
      },
      { action: 'call.refused', details: { times: 4 } },
    ]);
  });
});
