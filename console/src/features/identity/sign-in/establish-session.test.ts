import { accessDetails, type TenantItem, tenantList, type UserAccess } from '@tyrian/contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { configureCalls } from '../../../lib/call.ts';
import { notify } from '../../../lib/notify.ts';
import { readSession } from '../../../lib/session-store.ts';
import { readSettings } from '../../../lib/settings.ts';
import { clearStored, readStored, writeStored } from '../../../lib/storage.ts';
import { sampleAccess, sampleCluster } from '../../../testing/sample-session.ts';
import { Refusal, stubCalls } from '../../../testing/stub-calls.ts';
import { beginSession, mergeAccess, pickScope, resetStaleStorage } from './establish-session.ts';
import { equivalentPath } from './switch-scope.ts';

const nothing = () => undefined;
configureCalls({
  ssid: () => readStored<string>('ssid') ?? null,
  onInvalid: nothing,
  onNotAuthorised: nothing,
  onAgreementsDue: nothing,
});
const tenant = (clusterId: string, scopes: Record<string, boolean>): TenantItem => ({
  clusterId,
  clusterName: `Tenant ${clusterId}`,
  licenseType: 'subscription',
  productType: 'professional',
  scope_list: Object.entries(scopes).map(([scope_id, is_enabled]) => ({
    scope_id,
    scope_name: scope_id,
    is_enabled,
  })),
  primary_org: null,
  user_count: 1,
  created: 0,
});
/** Signs in: the server knows the session by its id, and answers its access details and these tenants. */
async function begin(record: UserAccess, ...data: TenantItem[]) {
  const calls = stubCalls([
    [accessDetails, () => record],
    [tenantList, () => ({ data, total_count: data.length })],
  ]);
  const session = await beginSession({ SSID: record.SSID });
  return { ...calls, session };
}

afterEach(() => {
  vi.unstubAllGlobals();
  clearStored();
});

describe('establishing a session', () => {
  it('[S4-24] loads the access details with the new session id, before anything else', async () => {
    const { seen } = await begin(sampleAccess({ role: 'Security Analyst' }), tenant('c1', { s1: true }));
    expect(seen[0]).toMatchObject({ name: 'account.readAccess', headers: { ssid: 'ssid-1' } });
    expect(readStored('ssid')).toBe('ssid-1');
  });

  it('[S4-24] without access details nobody is signed in', async () => {
    stubCalls([[accessDetails, () => new Refusal(503, 'error', 'down')]]);
    await expect(beginSession({ SSID: 'ssid-1' })).rejects.toThrow('down');
    expect([readSession(), readStored('ssid')]).toEqual([null, undefined]);
  });

  it('[S4-25][S9-01] fetches 1000 tenants and merges their clusters', async () => {
    const record = sampleAccess({ role: 'Security Analyst' });
    const { seen, session } = await begin(record, tenant('c1', { s1: true }), tenant('c2', { s9: true }));
    expect(seen[1]).toMatchObject({
      name: 'tenants.list',
      input: { size: 1000, query: '', add_filter: [], page: 1 },
    });
    expect(session.access.map((entry) => [entry.clusterId, entry.clusterName])).toEqual([
      ['c1', 'Tenant c1'],
      ['c2', 'Tenant c2'],
    ]);
  });

  it.each([
    ['root', { isRoot: true, userType: 'root' }],
    ['content manager', { userType: 'content_manager' }],
    ['tenant administrator', { isAdmin: true }],
  ] as const)(
    '[S4-25] %s: access is rebuilt from the full list, with enabled scopes only',
    async (_, user) => {
      const mine = sampleCluster('c1', { s1: 'Viewer', s2: 'Viewer' }, { access_type: 'Administrator' });
      const record = sampleAccess({ user, access: [mine] });
      const { session } = await begin(record, tenant('c1', { s1: true, s2: false }), tenant('c2', {}));
      expect(session.access.map((entry) => entry.clusterId)).toEqual(['c1', 'c2']);
      expect(readStored<{ scope_id: string }[]>('EnabledScopes')?.map((one) => one.scope_id)).toEqual(['s1']);
    },
  );

  it('[S4-28] computes the role at the place that was picked', async () => {
    const record = sampleAccess({
      access: [sampleCluster('c1', { s1: 'No Access', s2: 'Security Analyst' })],
    });
    await begin(record, tenant('c1', { s1: true, s2: true }));
    expect(readStored('role')).toBe('User - Security Analyst');
    expect(readSession()?.tags).toEqual(['analyst']);
  });

  it('[S2-79] asks for nothing but the record before the agreements are accepted', async () => {
    const user = { isPolicyAccepted: false };
    const { seen } = await begin(
      sampleAccess({ role: 'Security Analyst', user }),
      tenant('c1', { s1: true }),
    );
    expect(seen.map(({ name }) => name)).toEqual(['account.readAccess']);
    expect(readStored('user')).toMatchObject({ clusterId: 'c1', scope_id: 's1', isPolicyAccepted: false });
  });

  it('[S3-05][S4-26] stores the user payload with every field that the specification names', async () => {
    const record = sampleAccess({ role: 'Viewer' });
    await begin(record, tenant('c1', { s1: true }));
    const { SSID, ...access } = record;
    const [cluster] = access.access;
    expect(readStored('user')).toEqual({
      id: 'u1',
      name: 'Ada',
      email: 'ada@example.org',
      role: 'User - Viewer',
      authorized: true,
      licenseType: 'subscription',
      clusterId: 'c1',
      scope_id: 's1',
      selectedCluster: 'Tenant c1',
      selectedScope: 'Scope s1',
      AllAccessData: {
        ...access,
        access: [
          { ...cluster, clusterName: 'Tenant c1', licenseType: 'subscription', productType: 'professional' },
        ],
      },
      eulaStatus: true,
      isPolicyAccepted: true,
      otpStatus: null,
      otpInvalid: false,
    });
    // The id of the session stands under its own key alone.
    expect(JSON.stringify(readStored('user'))).not.toContain(SSID);
  });

  it('[S3-05] keeps how the last code fared', async () => {
    writeStored('otpStatus', 'invalid');
    await begin(sampleAccess({ role: 'Viewer' }), tenant('c1', { s1: true }));
    expect(readStored('user')).toMatchObject({ otpStatus: 'invalid', otpInvalid: true });
  });

  it('[S3-06][S3-07][S3-08] stores the other keys that the specification names', async () => {
    resetStaleStorage('v9.5.0');
    await begin(sampleAccess({ role: 'Viewer' }), tenant('c1', { s1: true }));
    const stored = {
      version: 'v9.5.0',
      role: 'User - Viewer',
      isInvalid: false,
      ssid: 'ssid-1',
      loginStatus: true,
      email: 'ada@example.org',
      name: 'Ada',
      UserAcc: 'User - Viewer',
      Clusters: [{ clusterId: 'c1', clusterName: 'Tenant c1' }],
      EnabledScopes: [expect.objectContaining({ scope_id: 's1' })],
      SelectedScope: 'Scope s1',
      SelectedCluster: 'Tenant c1',
      settings: expect.objectContaining({ theme: 'dark', menuCollapsed: true }),
    } as const;
    for (const [key, value] of Object.entries(stored))
      expect(readStored(key as keyof typeof stored), key).toEqual(value);
    notify('info', 'Kept in the list');
    expect(readStored('notifications')).toEqual([expect.objectContaining({ title: 'Kept in the list' })]);
  });

  it('[S3-04][S4-25] keeps only enabled scopes, and takes name and type from the tenant list', () => {
    const mine = sampleCluster('c1', { s1: 'Viewer', s2: 'Security Engineer' });
    const [merged, added] = mergeAccess(
      [mine],
      [tenant('c1', { s1: true, s2: false }), tenant('c2', { s9: true })],
    );
    expect(merged).toMatchObject({ clusterName: 'Tenant c1', productType: 'professional' });
    expect(merged?.scope_access.map((scope) => scope.scope_id)).toEqual(['s1']);
    expect(added).toMatchObject({ clusterId: 'c2', access_type: 'No Access', scope_access: [] });
  });

  it('[S4-27] picks the first cluster with admin access, or any scope with a role', () => {
    const none = sampleCluster('c0', { s0: 'No Access' });
    const some = sampleCluster('c1', { s1: 'No Access', s2: 'Viewer' });
    const admin = sampleCluster('c2', {}, { access_type: 'Administrator' });
    expect(pickScope({ access: [none, some] })).toEqual({ clusterId: 'c1', scopeId: 's2' });
    expect(pickScope({ access: [none, admin, some] })).toEqual({ clusterId: 'c2', scopeId: null });
    expect(pickScope({ access: [none] })).toEqual({ clusterId: 'c0', scopeId: null });
    expect(pickScope({ access: [] })).toEqual({ clusterId: null, scopeId: null });
    expect(pickScope({ access: [none, some] }, { clusterId: 'c1', scopeId: 's2' }).scopeId).toBe('s2');
  });

  it('[S4-30] sets the dark theme and a collapsed menu', async () => {
    await begin(sampleAccess({ role: 'Viewer', user: { locale: 'fr-FR' } }), tenant('c1', { s1: true }));
    expect(readSettings()).toMatchObject({ theme: 'dark', menuCollapsed: true, locale: 'fr-FR' });
  });

  it('[S4-32] counts as authorised at start when a user payload is stored', async () => {
    expect(readSession()).toBeNull();
    await begin(sampleAccess({ role: 'Viewer' }), tenant('c1', { s1: true }));
    expect(readSession()?.tags).toEqual(['viewer']);
  });

  it('[S4-29][S9-12] clears storage of another version', () => {
    writeStored('version', 'v9.4.0');
    writeStored('email', 'x');
    expect(resetStaleStorage('v9.5.0')).toBe(true);
    expect(readStored('email')).toBeUndefined();
    expect(readStored('version')).toBe('v9.5.0');
    writeStored('email', 'x');
    expect(resetStaleStorage('v9.5.0')).toBe(false);
    expect(readStored('email')).toBe('x');
  });

  it('[S4-29] clears storage whose role makes no sense', () => {
    writeStored('version', 'v9.5.0');
    for (const role of [
      'Root - Init',
      'OrgAdmin - No Access',
      'User - Viewer',
      'ContentManager - No Access',
    ]) {
      writeStored('role', role);
      expect(resetStaleStorage('v9.5.0')).toBe(false);
    }
    writeStored('role', 'Emperor');
    expect(resetStaleStorage('v9.5.0')).toBe(true);
  });
});

describe('the equivalent page', () => {
  const from = { clusterId: 'c1', scopeId: 's1' };
  const to = { clusterId: 'c2', scopeId: 's2' };

  it.each([
    ['#/c1/s1/incident/cases?status=all&handler=u1', '/c2/s2/incident/cases?status=all'],
    ['#/c1/s1/incident/signals?from=now-7d&signal=x1', '/c2/s2/incident/signals?from=now-7d'],
    ['#/c1/s1/workbook/new?query=Dns%3F&from=now-1h&row=3', '/c2/s2/workbook/new?query=Dns%3F&from=now-1h'],
    ['#/c1/s1/incident/cases/k1', '/c2/s2/incident/cases'],
    ['#/c1/s1/workbook/edit/w1', '/c2/s2/workbook'],
    ['#/c1/s1/workbook/new', '/c2/s2/workbook/new'],
    ['#/c1/s1/home/s1/c1', '/c2/s2/home/s2/c2'],
    ['#/admin/tenants/list', '/admin/tenants/list'],
    ['#/c1/s1/incident/signals?entity=%2Bsuspect%7Cuser%7Cann&score=80', '/c2/s2/incident/signals?score=80'],
    ['#/c1/s1/system/components/worker/w1/health', '/c2/s2/system/components'],
    ['#/c1/s1/admin/components/api/a1/health', '/c2/s2/admin/components/api/a1/health'],
    ['#/c1/s1/admin/global/cases?cluster=c1', '/c2/s2/admin/global/cases?cluster=c1'],
    ['#/c1/s1/no-access/auth/no-access', '/'],
    ['#/c1/s1/upgrade/enterprise', '/'],
  ])('[S4-33] of %s', (hash, path) => {
    expect(equivalentPath(hash, from, to)).toBe(path);
  });
});
