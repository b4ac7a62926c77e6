import { cancelTask, invokeJob, PLAN_LIMITS } from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../../engines/testing/index.ts';
import { timestamp } from '../../../platform/postgres/timestamp.ts';
import { createRuleControl } from '../../detections/rule-control.ts';
import { countStreamedWorkbooks } from '../../workbooks/count-streamed-workbooks.ts';
import { limitStreamedWorkbooks } from '../../workbooks/limit-streamed-workbooks.ts';
import { identityDb } from '../identity-tables.ts';
import { type Company, seedCompany } from '../users/testing/seed-company.ts';
import { createPlanService } from './plan-service.ts';

let test: TestApp;
let company: Company;
beforeAll(async () => {
  test = await testApp();
  company = await seedCompany(test.platform);
});
afterAll(() => test?.close());

describe('what a plan allows', () => {
  it('searches of a tenant at once: one more is refused by name, over all processes', async () => {
    const { clusterId, scope } = company.b;
    const allowed = PLAN_LIMITS.concurrent_searches.essential;
    const { postgres, clock } = test.platform;
    // Those of other processes are tasks like one's own.
    await postgres.inTenant(clusterId, async (trx) => {
      for (let n = 0; n < allowed; n += 1) {
        await sql`insert into search_task (cluster_id, id, user_id, scope_id, query_id, queue, stage, state, started_at,
          heartbeat_at, expires_at) values (${clusterId}, ${`other${n}`}, ${`person${n}`}, ${scope}, '', 'interactive',
          'EXECUTING', 'STARTED', 'epoch', ${timestamp(clock.now())}, ${timestamp(clock.now() + 3_600_000)})`.execute(
          trx,
        );
      }
    });
    const ssid = await company.signIn('engineerOfB');
    const endless = 'range x from 1 to 9999999999999999 step 2 | summarize sum(x % 7)';
    const invoke = async () => {
      const input = { job_type: 'kql', scope_id: scope, query: endless } as const;
      const answer = await test.call(invokeJob, { ssid, params: { clusterId }, input });
      const taskid = answer.data?.[0]?.id;
      if (taskid !== undefined) await test.call(cancelTask, { ssid, params: { clusterId, taskid } });
      return answer;
    };
    // The plan is known from its second reading on.
    await expect.poll(async () => (await invoke()).http, { timeout: 60_000 }).toBe(429);
    const refused = await invoke();
    expect(refused.body).toMatchObject({ data: { limit: 'concurrent_searches', allowed } });
    // Whose process was not heard of for a while does not count.
    clock.advance(60_000);
    expect((await invoke()).http).toBe(200);
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
    const insert = (id: string, native = false) =>
      postgres.inTenant(clusterId, (trx) =>
        sql`insert into workbook (cluster_id, workbook_id, scope_id, name, stage, mode, author, author_id, version,
          created_at, updated_at, native) values (${clusterId}, ${id}, ${native ? null : scope}, ${id}, 'prod', 'streamed',
          'x', 'x', 1, 'epoch', 'epoch', ${native})`.execute(trx),
      );
    const enable = (id: string) =>
      postgres.inTenant(clusterId, (trx) =>
        rules.configure(
          trx,
          { clusterId, scopeId: scope, workbookId: id },
          { enabled: true, schedule, isDetection: true },
        ),
      );
    const before = await countStreamedWorkbooks(postgres, clusterId);
    for (let n = 0; n < allowed - 1; n++) await insert(`wb${n}`);
    for (let n = 0; n < 5; n++) await insert(`shipped${n}`, true);
    await postgres.inTenant(clusterId, (trx) =>
      sql`insert into rule (cluster_id, scope_id, workbook_id, enabled)
        select cluster_id, ${scope}, workbook_id, true from workbook`.execute(trx),
    );
    // Those that ship with the product run beside and do not count.
    expect(await countStreamedWorkbooks(postgres, clusterId)).toBe(before + allowed - 1);
    await insert('last');
    await enable('last');
    await insert('onemore');
    await expect(enable('onemore')).rejects.toMatchObject({
      kind: 'conflict',
      details: { limit: 'streamed_workbooks', allowed },
    });
    await enable('wb0');
  });
});
