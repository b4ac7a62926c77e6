import {
  auditTrail,
  clusterAuditTrail,
  exportSearch,
  invokeJob,
  login,
  verifyAuditTrail,
} from '@tyrian/contract';
import { type QueryExecutorProvider, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../../engines/testing/index.ts';
import { createSecretBox, secretBoxOf } from '../../../platform/secret-box.ts';
import { type Company, SEED_PASSWORD, seedCompany } from '../users/testing/seed-company.ts';
import { createAuditService } from './audit-service.ts';
import { signAudit } from './sign-audit.ts';
import { verifyAudit } from './verify-audit.ts';

describe('the audit trail', () => {
  let test: TestApp;
  let company: Company;
  beforeAll(async () => {
    test = await testApp();
    company = await seedCompany(test.platform);
    const audit = createAuditService(test.platform);
    const who = (userId: string) => ({ userId, name: `${userId} name` });
    const { a, b } = company;
    await audit.record({
      action: 'case.export',
      who: who('uanalyst'),
      source: '192.0.2.1',
      clusterId: a.clusterId,
    });
    await audit.record({ action: 'case.export', who: null, source: '192.0.2.2', clusterId: b.clusterId });
    await audit.record({ action: 'search', who: who('uanalyst'), source: '=cmd()', clusterId: a.clusterId });
  });
  afterAll(() => test?.close());

  const ssidOf = async (who: 'root' | 'tenantAdmin' | 'analyst' | 'orgAdmin') =>
    (await test.call(login, { input: { emailId: company.emailOf(who), password: SEED_PASSWORD } })).data.SSID;
  const pageOf = (data: unknown) =>
    data as { data: { action: string; cluster_id: string | null }[]; total_count: number };

  it('[C038][S7-37] shows a tenant administrator the own tenant and nothing of another', async () => {
    const ssid = await ssidOf('tenantAdmin');
    const { clusterId } = company.a;
    const own = await test.call(clusterAuditTrail, { ssid, params: { clusterId }, input: {} });
    const { data, total_count } = pageOf(own.data);
    expect(data.map((one) => one.action)).toEqual(['search', 'case.export']);
    expect(total_count).toBe(2);
    const other = await test.call(clusterAuditTrail, {
      ssid,
      params: { clusterId: company.b.clusterId },
      input: {},
    });
    expect(other.http).toBe(403);
    const all = await test.call(auditTrail, { ssid, input: { 'tenant-list': 'True' } });
    expect(pageOf(all.data).data.every((one) => one.cluster_id === clusterId)).toBe(true);
  });

  it('[C038][S7-37] is cut by start and end, and taken away as CSV with export, of the own tenant alone', async () => {
    const ssid = await ssidOf('tenantAdmin');
    const { clusterId } = company.a;
    const ask = async (input: object) =>
      pageOf((await test.call(clusterAuditTrail, { ssid, params: { clusterId }, input })).data);
    const [last] = (await ask({})).data as unknown as { created: number }[];
    const end = last?.created ?? 0;
    // From `start` on, up to but not with `end`.
    expect((await ask({ start: end, end: end + 1 })).total_count).toBeGreaterThan(0);
    expect((await ask({ start: end + 1 })).total_count).toBe(0);
    expect((await ask({ start: 0, end: 1 })).total_count).toBe(0);
    const url = clusterAuditTrail.path.replace(':clusterId', clusterId);
    const file = await test.app.inject({ url: `${url}?export=True`, headers: { ssid } });
    expect(file.headers['content-type']).toContain('text/csv');
    expect(file.body).toContain(clusterId);
    expect(file.body).not.toContain(company.b.clusterId);
    const foreign = url.replace(clusterId, company.b.clusterId);
    expect((await test.app.inject({ url: `${foreign}?export=True`, headers: { ssid } })).statusCode).toBe(
      403,
    );
  });

  it('[C039] shows an organization administrator what its people did, and nothing of another organization', async () => {
    const other = await seedCompany(test.platform, '7');
    const read = async (ssid: string, input: object) =>
      (await test.call(auditTrail, { ssid, input: input as never })).data as unknown as {
        data: { orgId: string | null }[];
      };
    const organizations = async (ssid: string, input: object = {}) => [
      ...new Set((await read(ssid, input)).data.map((one) => one.orgId)),
    ];
    await other.signIn('orgAdmin');
    const root = await ssidOf('root');
    expect(await organizations(root, { orgId: other.orgId })).toEqual([other.orgId]);
    const ssid = await ssidOf('orgAdmin');
    expect(await organizations(ssid)).toEqual([company.orgId]);
    expect(await organizations(ssid, { orgId: other.orgId })).toEqual([]);
  });

  it('[C039][S7-38][S3-17] filters by range, action, organization and tenant, and gives a CSV without formulas', async () => {
    const ssid = await ssidOf('root');
    const ask = async (input: Record<string, unknown>) =>
      pageOf((await test.call(auditTrail, { ssid, input: input as never })).data);
    const actions = async (input: Record<string, unknown>) =>
      (await ask(input)).data.map((one) => one.action);
    expect(await actions({ action: 'case.' })).toEqual(['case.export', 'case.export']);
    const ofNone = new Set(await actions({ 'tenant-list': 'False' }));
    expect(ofNone.has('login')).toBe(true);
    expect(ofNone.has('case.export')).toBe(false);
    expect(await actions({ from: 0, to: 1 })).toEqual([]);
    expect(await actions({ orgId: 'nobody' })).toEqual([]);
    expect((await ask({ pageno: 2, pagesize: 1 })).data).toHaveLength(1);
    const file = await test.app.inject({
      url: `${auditTrail.path}?export=True&action=search`,
      headers: { ssid },
    });
    expect(file.headers['content-type']).toContain('text/csv');
    expect(file.body.split('\r\n')[1]).toContain("'=cmd()");
    expect((await actions({ action: 'audit.' }))[0]).toBe('audit.export');
  });

  it('tells root whether the chain is whole, and keeps the check in the trail', async () => {
    const ssid = await ssidOf('root');
    const { data } = await test.call(verifyAuditTrail, { ssid });
    expect(data).toMatchObject({ faults: [], entries: data.head.no });
    const trail = await test.call(auditTrail, { ssid, input: { action: 'audit.verify' } });
    expect(pageOf(trail.data).total_count).toBe(1);
    expect((await test.call(verifyAuditTrail, { ssid: await ssidOf('tenantAdmin') })).http).toBe(403);
  });

  it('tells who searched and exported what, and how many rows came back', async () => {
    const ssid = await ssidOf('analyst');
    const { clusterId, scope: scope_id } = company.a;
    const params = { clusterId };
    const query = 'print X = 1';
    const range = { from: 'now-1h', to: 'now' };
    await test.call(invokeJob, {
      ssid,
      params,
      input: { job_type: 'kql', scope_id, query, ...range },
    });
    await test.app.inject({
      method: 'POST',
      url: exportSearch.path.replace(':clusterId', clusterId),
      headers: { ssid },
      payload: { scope_id, query, ...range, format: 'csv' },
    });
    const root = await ssidOf('root');
    const reads = async () => {
      const input = { action: 'search', user: 'ANALYST of' };
      return pageOf((await test.call(clusterAuditTrail, { ssid: root, params, input })).data).data;
    };
    // A search that ends at once has no entry of its beginning.
    const ended = async () =>
      (await reads()).filter((one) => JSON.stringify(one).includes('"state":"SUCCESS"'));
    await expect.poll(async () => (await ended()).length, { timeout: 60_000 }).toBe(2);
    const read = { user_id: 'uanalyst', cluster_id: clusterId, scope_id, source: '127.0.0.1' };
    const from = expect.any(Number);
    const asked = { query, from, to: from };
    const entry = (action: string, details: object) =>
      expect.objectContaining({ ...read, action, details: { ...asked, ...details } });
    expect(await reads()).toEqual(
      expect.arrayContaining([
        entry('search', { state: 'SUCCESS', rows: 1 }),
        entry('search.export', { format: 'csv', state: 'BEGUN', rows: 0 }),
        entry('search.export', { format: 'csv', state: 'SUCCESS', rows: 1 }),
      ]),
    );
  });

  it('[S21] finds a trail that was written anew by whoever has the database but not the key', async () => {
    const { postgres } = test.platform;
    const secrets = secretBoxOf(test.platform);
    await signAudit({ ...test.platform, secrets });
    await signAudit({ ...test.platform, secrets });
    const before = await verifyAudit(postgres, secrets);
    expect(before).toMatchObject({ faults: [], signedTo: before.head.no });
    const kept = sql`select * from audit_signature order by chain_no`;
    const signed = (await kept.execute(postgres.platform)).rows as { chain_no: number }[];
    expect(signed.at(-1)?.chain_no).toBe(before.head.no);
    await expect(sql`delete from audit_signature`.execute(postgres.platform)).rejects.toThrow(
      'never changed',
    );
    // One transaction that is rolled back: the other tests go on with the trail as it is.
    await postgres.platform
      .transaction()
      .execute(async (trx) => {
        await sql`alter table audit_entry disable trigger audit_entry_kept`.execute(trx);
        await sql`update audit_entry set source = '203.0.113.9' where chain_no = 1`.execute(trx);
        await sql`do $$ declare e audit_entry; h bytea := '\\x'; begin
        for e in select * from audit_entry order by chain_no loop
          h := audit_hash(h, e);
          update audit_entry set entry_hash = h where audit_id = e.audit_id;
        end loop;
        update audit_head set last_hash = h; end $$`.execute(trx);
        const { faults } = await verifyAudit({ ...postgres, platform: trx }, secrets);
        expect(faults).toContainEqual({ kind: 'changed', from: before.head.no, to: before.head.no });
        throw new Error('enough');
      })
      .catch((error: Error) => expect(error.message).toBe('enough'));
    const { faults } = await verifyAudit(postgres, createSecretBox('another key, of another installation'));
    expect(faults.at(-1)).toEqual({ kind: 'forged', from: before.head.no, to: before.head.no });
  });

  it('[S21] holds in every time zone of a session, and to the microsecond of a time', async () => {
    const { postgres } = test.platform;
    const secrets = secretBoxOf(test.platform);
    const audit = createAuditService(test.platform);
    const inZone = (trx: QueryExecutorProvider, zone: string) =>
      sql`select set_config('timezone', ${zone}, true)`.execute(trx);
    await postgres.platform.transaction().execute(async (trx) => {
      await inZone(trx, 'Asia/Kolkata');
      await audit.record({ action: 'search', who: null, source: '192.0.2.7' }, trx);
    });
    await postgres.platform
      .transaction()
      .execute(async (trx) => {
        await inZone(trx, 'America/St_Johns');
        const { faults, head } = await verifyAudit({ ...postgres, platform: trx }, secrets);
        expect(faults).toEqual([]);
        await sql`alter table audit_entry disable trigger audit_entry_kept`.execute(trx);
        await sql`update audit_entry set created_at = created_at + interval '1 microsecond'
          where chain_no = ${head.no}`.execute(trx);
        const after = await verifyAudit({ ...postgres, platform: trx }, secrets);
        expect(after.faults).toContainEqual({ kind: 'changed', from: head.no, to: head.no });
        throw new Error('enough');
      })
      .catch((error: Error) => expect(error.message).toBe('enough'));
  });

  it('finds one changed, one removed and one reordered entry', async () => {
    const { postgres } = test.platform;
    const secrets = secretBoxOf(test.platform);
    const audit = createAuditService(test.platform);
    for (let index = 0; index < 12; index++) {
      await audit.record({ action: 'search', who: null, source: `192.0.2.${index}` });
    }
    const whole = await verifyAudit(postgres, secrets);
    expect(whole.faults).toEqual([]);
    expect(whole.entries).toBe(whole.head.no);
    const last = whole.head.no;
    const tamper = async (statement: ReturnType<typeof sql>) => {
      await sql`alter table audit_entry disable trigger audit_entry_kept`.execute(postgres.platform);
      await statement.execute(postgres.platform);
      await sql`alter table audit_entry enable trigger audit_entry_kept`.execute(postgres.platform);
      return (await verifyAudit(postgres, secrets)).faults;
    };
    await expect(sql`delete from audit_entry`.execute(postgres.platform)).rejects.toThrow(
      'never changed or removed',
    );
    const at = last - 8;
    expect(await tamper(sql`update audit_entry set source = 'x' || source where chain_no = ${at}`)).toEqual([
      { kind: 'changed', from: at, to: at },
    ]);
    expect(
      await tamper(sql`update audit_entry set source = substr(source, 2) where chain_no = ${at}`),
    ).toEqual([]);
    const swap = sql`update audit_entry set chain_no = ${2 * at + 1} - chain_no where chain_no in (${at}, ${at + 1})`;
    expect(await tamper(swap)).toEqual([
      { kind: 'moved', from: at, to: at },
      { kind: 'moved', from: at + 1, to: at + 1 },
    ]);
    expect(await tamper(swap)).toEqual([]);
    expect(await tamper(sql`delete from audit_entry where chain_no = ${at + 3}`)).toEqual([
      { kind: 'removed', from: at + 3, to: at + 3 },
    ]);
    expect(await tamper(sql`delete from audit_entry where chain_no = ${last}`)).toContainEqual({
      kind: 'removed',
      from: last,
      to: last,
    });
    const lost = await verifyAudit(postgres, secrets, whole.head);
    expect(lost.faults).toContainEqual({ kind: 'changed', from: last, to: last });
  });
});
