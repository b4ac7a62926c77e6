import { createCase, exportCases, login, logout } from '@tyrian/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../engines/testing/index.ts';
import { identityDb } from '../users/identity-tables.ts';
import { type Company, SEED_PASSWORD, seedCompany } from '../users/testing/seed-company.ts';
import { createAuditService } from './audit-service.ts';

let test: TestApp;
let company: Company;
beforeAll(async () => {
  test = await testApp();
  company = await seedCompany(test.platform);
});
afterAll(() => test?.close());

const entries = () =>
  identityDb(test.platform.postgres).selectFrom('audit_entry').selectAll().orderBy('audit_id').execute();

describe('audit', () => {
  it('[S7-37] says who did what, when, where and from which address, and keeps no secret', async () => {
    const emailId = company.emailOf('analyst');
    await test.call(login, { input: { emailId, password: 'Wrong-word.9' } });
    const { data } = await test.call(login, { input: { emailId, password: SEED_PASSWORD } });
    const params = { clusterId: company.a.clusterId };
    const scope_id = company.a.scope;
    const made = await test.call(createCase, {
      ssid: data.SSID,
      params,
      input: { scope_id, case_name: 'x' },
    });
    await test.call(exportCases, {
      ssid: data.SSID,
      params,
      input: { scope_id, case_ids: [made.data.case_id] },
    });
    await test.call(logout, { input: { ssid: data.SSID } });
    const all = await entries();
    const who = { user_id: 'uanalyst', user_name: 'analyst of Harbour', source: '127.0.0.1' };
    expect(all).toMatchObject([
      { action: 'login.failed', entity: emailId, user_id: null, source: '127.0.0.1' },
      { ...who, action: 'login', org_id: company.orgId },
      { ...who, action: 'case.export', cluster_id: company.a.clusterId, scope_id },
      { ...who, action: 'logout' },
    ]);
    for (const secret of [data.SSID, SEED_PASSWORD, 'Wrong-word.9']) {
      expect(JSON.stringify(all)).not.toContain(secret);
    }
  });

  it('an entry that cannot be written does not undo what was done', async () => {
    const { postgres, clock } = test.platform;
    const logged: unknown[] = [];
    const log = { error: (entry: unknown) => logged.push(entry) } as unknown as typeof test.platform.log;
    const audit = createAuditService({ postgres, clock, log });
    await audit.record({ action: 'x'.repeat(10), who: null, source: '\0' });
    expect(logged).toHaveLength(1);
  });
});
