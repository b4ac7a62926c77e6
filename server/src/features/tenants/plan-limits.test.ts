import { PLAN_LIMITS } from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../engines/testing/index.ts';
import { createRuleControl } from '../detections/rule-control.ts';
import { createQueryPlaces } from '../search/query-places.ts';
import { QUEUE_LIMITS } from '../search/query-queues.ts';
import { identityDb } from '../users/identity-tables.ts';
import { type Company, seedCompany } from '../users/testing/seed-company.ts';
import { limitStreamedWorkbooks } from '../workbooks/limit-streamed-workbooks.ts';
import { createPlanService } from './plan-service.ts';

let test: TestApp;
let company: Company;
beforeAll(async () => {
  test = await testApp();
  company = await seedCompany(test.platform);
});
afterAll(() => test?.close());

describe('what a plan allows', () => {
  it('searches of a tenant at once: one more is refused by name, another tenant is not touched', async () => {
    const places = createQueryPlaces(QUEUE_LIMITS, (clusterId) => (clusterId === 'a' ? 5 : undefined));
    const held = [];
    const waiting: Promise<unknown>[] = [];
    const stop = new AbortController();
    for (let n = 0; n < 4; n++) held.push(await places.take('a', 'interactive'));
    waiting.push(places.take('a', 'interactive', stop.signal).catch(() => null));
    await expect(places.take('a', 'interactive')).rejects.toMatchObject({
      kind: 'too-many',
      details: { limit: 'concurrent_searches', allowed: 5 },
    });
    held.push(await places.take('b', 'interactive'));
    stop.abort(new Error('enough'));
    await Promise.all(waiting);
    for (const giveBack of held) giveBack();
  });

  it('the allowance follows the product type', async () => {
    const { postgres, log } = test.platform;
    const plans = createPlanService({ db: identityDb(postgres), log });
    expect(plans.allowance(company.b.clusterId, 'concurrent_searches')).toBeUndefined();
    await expect
      .poll(() => plans.allowance(company.b.clusterId, 'concurrent_searches'))
      .toBe(PLAN_LIMITS.concurrent_searches.essential);
    expect(await plans.planOf(company.a.clusterId)).toBe('enterprise');
    await expect(plans.planOf('nosuchtenant')).rejects.toMatchObject({ kind: 'not-found' });
  });

  it('streamed workbooks: one too many is refused, those that run go on', async () => {
    const { postgres, clock } = test.platform;
    const { clusterId, scope } = company.b;
    const allowed = PLAN_LIMITS.streamed_workbooks.essential;
    const rules = limitStreamedWorkbooks(createRuleControl(clock), async () => 'essential');
    const schedule = { mode: 'streamed', cron: null, timezone: 'UTC', lookback_minutes: 0 } as never;
    const insert = (id: string) =>
      postgres.inTenant(clusterId, (trx) =>
        sql`insert into workbook (cluster_id, workbook_id, scope_id, name, stage, mode, author, author_id, version,
          created_ms, updated_ms) values (${clusterId}, ${id}, ${scope}, ${id}, 'prod', 'streamed', 'x', 'x', 1, 0, 0)`.execute(
          trx,
        ),
      );
    const enable = (id: string) =>
      postgres.inTenant(clusterId, (trx) =>
        rules.configure(
          trx,
          { clusterId, scopeId: scope, workbookId: id },
          { enabled: true, schedule, isDetection: true },
        ),
      );
    for (let n = 0; n < allowed; n++) await insert(`wb${n}`);
    await postgres.inTenant(clusterId, (trx) =>
      sql`insert into rule (cluster_id, scope_id, workbook_id, enabled)
        select cluster_id, scope_id, workbook_id, true from workbook`.execute(trx),
    );
    await insert('onemore');
    await expect(enable('onemore')).rejects.toMatchObject({
      kind: 'conflict',
      details: { limit: 'streamed_workbooks', allowed },
    });
    await enable('wb0');
  });
});
