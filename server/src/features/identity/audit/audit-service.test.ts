import {
  addDemo,
  addPerson,
  beginTotp,
  changePassword,
  connectCluster,
  createApiToken,
  createCase,
  createOrganization,
  createSource,
  type Endpoint,
  endSessions,
  exportCases,
  exportPlatformList,
  login,
  logout,
  renameCluster,
  saveMailDomains,
  saveOrganization,
  savePerson,
  savePreferences,
  saveScope,
  saveSignInSettings,
  saveSmtp,
  saveStreamConfig,
  saveTenantUser,
  saveView,
  setScopeStatus,
  setSwitch,
} from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, type TestCall, testApp } from '../../../engines/testing/index.ts';
import { secretBoxOf } from '../../../platform/secret-box.ts';
import { identityDb } from '../identity-tables.ts';
import { type Company, SEED_PASSWORD, seedCompany } from '../users/testing/seed-company.ts';
import { createAuditService } from './audit-service.ts';
import { verifyAudit } from './verify-audit.ts';

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
    const before = (await entries()).length;
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
    const all = (await entries()).slice(before);
    const who = { user_id: 'uanalyst', user_name: 'analyst of Harbour', source: '127.0.0.1' };
    expect(all.filter(({ action }) => action !== 'case.create')).toMatchObject([
      { action: 'login.failed', entity: emailId, user_id: null, source: '127.0.0.1' },
      { ...who, action: 'login', org_id: company.orgId },
      { ...who, action: 'case.export', cluster_id: company.a.clusterId, scope_id },
      { ...who, action: 'logout' },
    ]);
    for (const secret of [data.SSID, SEED_PASSWORD, 'Wrong-word.9']) {
      expect(JSON.stringify(all)).not.toContain(secret);
    }
  });

  it('[S04] text that PostgreSQL cannot keep is changed and written', async () => {
    const audit = createAuditService(test.platform);
    const details = { name: 'a\0b \ud800', list: ['\udfff'], 'key \ud83d': 1, deep: { text: '\0' } };
    await audit.record({
      action: 'test.text',
      who: { userId: 'u', name: 'n \ud800' },
      entity: '\0',
      details,
    });
    expect((await entries()).at(-1)).toMatchObject({
      action: 'test.text',
      user_name: 'n \ufffd',
      entity: '\ufffd',
      details: { name: 'a\ufffdb \ufffd', list: ['\ufffd'], 'key \ufffd': 1, deep: { text: '\ufffd' } },
    });
  });
});

describe('many acts at once', () => {
  it('[S04] wait for each other, and each leaves its entry', async () => {
    const ssid = await company.signIn('analyst');
    const before = (await entries()).length;
    const acts = Array.from({ length: 40 }, (_, at) =>
      at % 2 === 0
        ? test.call(savePreferences, { ssid, input: { theme: 'dark' } })
        : test.call(saveView, { ssid, input: { page: 'cases', name: `view ${at}`, query: '' } }),
    );
    for (const { http, text } of await Promise.all(acts)) expect(http, text).toBe(200);
    expect(await entries()).toHaveLength(before + 40);
    expect((await verifyAudit(test.platform.postgres, secretBoxOf(test.platform))).faults).toEqual([]);
  });
});

describe('a trail that cannot be written', () => {
  const refuse = async () => {
    const { platform } = test.platform.postgres;
    await sql`create function refuse_entry() returns trigger language plpgsql as
      $$ begin raise exception 'the disk is full'; end $$`.execute(platform);
    await sql`create trigger refuse_entry before insert on audit_entry
      for each row execute function refuse_entry()`.execute(platform);
  };
  const allow = async () => {
    const { platform } = test.platform.postgres;
    await sql`drop trigger if exists refuse_entry on audit_entry`.execute(platform);
    await sql`drop function if exists refuse_entry`.execute(platform);
  };
  afterEach(allow);

  /** What stands in every table; counts of failed sign-ins are kept whatever comes of an attempt. */
  async function everything(): Promise<Record<string, string>> {
    const { platform } = test.platform.postgres;
    const tables = await sql<{ name: string }>`
      select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind = 'r' and c.relname <> 'login_failure' order by 1`.execute(
      platform,
    );
    const found: Record<string, string> = {};
    for (const { name } of tables.rows) {
      const { rows } = await sql<{ hash: string }>`
        select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as hash
        from ${sql.id(name)} t`.execute(platform);
      found[name] = rows[0]?.hash ?? '';
    }
    return found;
  }

  it('[S04] what cannot be audited does not happen', async () => {
    const { orgId, a } = company;
    const root = await company.signIn('root');
    const engineer = await company.signIn('engineer');
    const leaving = await company.signIn('viewer');
    const org = { orgId };
    const tenant = { clusterId: a.clusterId };
    const person = { name: 'Ghost', email_id: 'ghost@harbour.example', user_type: 'org_admin' as const };
    const settings = {
      auth_type: 'standard' as const,
      otp_methods: ['totp' as const],
      second_factor_always: true,
      session_timeout_min: 61,
      session_max_min: 721,
    };
    const smtp = {
      host: 'mail.harbour.example',
      port: 25,
      security: 'none' as const,
      user: '',
      from_address: 'siem@harbour.example',
    };
    const scopeFields = { scope_id: a.scope };
    const passwords = { old_password: SEED_PASSWORD, new_password: 'Other-word.43' };
    const list = {
      entity: 'organizations',
      format: 'csv',
      file_name: 'all',
      fields: ['name'],
      selection: {},
    };
    const acts: readonly (readonly [Endpoint, TestCall])[] = [
      [saveOrganization, { ssid: root, params: org, input: { name: 'Harbour 2' } }],
      [createOrganization, { ssid: root, input: { name: 'Second' } }],
      [addPerson, { ssid: root, params: org, input: person }],
      [savePerson, { ssid: root, params: { userId: 'uviewer' }, input: { status: 'disabled' } }],
      [savePerson, { ssid: root, params: { userId: 'uanalyst' }, input: { user_type: 'org_admin' } }],
      [saveSignInSettings, { ssid: root, params: org, input: { ...settings, second_factor_always: false } }],
      [saveMailDomains, { ssid: root, params: org, input: { mail_domains: ['harbour.example'] } }],
      [saveSmtp, { ssid: root, input: smtp }],
      [setSwitch, { ssid: root, params: { name: 'detections' }, input: { value: false } }],
      [renameCluster, { ssid: root, params: tenant, input: { clusterName: 'Alpha 2' } }],
      [connectCluster, { ssid: root, input: { clusterName: 'Gamma' } }],
      [addDemo, { ssid: root }],
      [saveStreamConfig, { ssid: root, params: tenant, input: { stream: '', retention_days: 30 } }],
      [saveScope, { ssid: root, params: tenant, input: { scope_name: 'New' } }],
      [
        setScopeStatus,
        { ssid: root, params: { ...tenant, scopeId: a.otherScope }, input: { is_enabled: false } },
      ],
      [
        saveTenantUser,
        {
          ssid: root,
          params: { ...tenant, userId: 'uanalyst' },
          input: { is_administrator: true, roles: {} },
        },
      ],
      [createSource, { ssid: engineer, params: tenant, input: { ...scopeFields, source_name: 'new' } }],
      [
        createApiToken,
        {
          ssid: engineer,
          params: tenant,
          input: { ...scopeFields, app_name: 'new', capabilities: ['search'], days: 1 },
        },
      ],
      [exportPlatformList, { ssid: root, input: { ...list, timezone: 'UTC' } }],
      [savePreferences, { ssid: engineer, input: { locale: 'fr-FR', theme: 'dark' } }],
      [saveView, { ssid: engineer, input: { ...tenant, page: 'cases', name: 'mine', query: 'a=b' } }],
      [beginTotp, { ssid: engineer, input: { password: SEED_PASSWORD } }],
      [changePassword, { ssid: engineer, input: passwords }],
      [endSessions, { ssid: engineer, input: { session_ids: 'others' } }],
      [login, { input: { emailId: company.emailOf('tenantAdmin'), password: SEED_PASSWORD } }],
      [login, { input: { emailId: 'nobody@harbour.example', password: 'Wrong-word.9' } }],
      [logout, { input: { ssid: leaving } }],
    ];
    const before = await everything();
    await refuse();
    for (const [endpoint, call] of acts) {
      const { http, text } = await test.call(endpoint, call);
      expect([endpoint.name, http], text).toEqual([endpoint.name, 503]);
      expect(text).toContain('The audit trail cannot be written');
    }
    expect(await everything()).toEqual(before);
    await allow();
    // The same calls do something once the trail takes their entries.
    for (const [endpoint, call] of acts) {
      if (endpoint === addDemo || call.input === acts.at(-2)?.[1].input) continue;
      const { http, text } = await test.call(endpoint, call);
      expect([endpoint.name, http], text).toEqual([endpoint.name, 200]);
    }
  });
});
