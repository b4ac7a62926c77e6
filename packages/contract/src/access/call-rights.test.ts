import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../envelope/endpoint.ts';
import * as contract from '../index.ts';
import type { RoleTag } from './role-tags.ts';

// Who may make which call, written out once more by hand after section 6's table of routes: a call behind a page is
// open to whoever may open the page, and what changes something to no root viewer.

const SECURITY = ['analyst', 'engineer'] as const;
const ALL_ROOTS = ['root', 'root-init', 'root-viewer'] as const;
const calls = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => `C${String(from + at).padStart(3, '0')}`);
const ours = (prefix: string, ...names: string[]) => names.map((name) => `T-${prefix}${name}`);
const searches = Array.from({ length: 14 }, (_, at) => `T-SEARCH-${String(at + 1).padStart(2, '0')}`);

type Where = 'scope' | 'cluster' | 'platform';
const BY_ROLE: readonly (readonly [string, Where, readonly RoleTag[], readonly string[]])[] = [
  [
    '[S6-21] Find, cases, signals and workbooks of a scope',
    'scope',
    SECURITY,
    [
      'C040',
      ...calls(42, 70),
      ...calls(82, 86),
      ...calls(88, 97),
      ...calls(102, 104),
      'C106',
      'C107',
      'C109',
      'C110',
      ...searches.filter((id) => id !== 'T-SEARCH-08'),
      ...ours('SIG-', 'EVENTS-QUERY', 'FALSE-POSITIVE', 'IDS', 'INFO', 'TAGS'),
      ...ours('WB-', 'CHECK', 'CLONE', 'IMPORT', 'NEXT', 'PREVIEW'),
      'T-RULE-HEALTH',
      'T-RULE-LEDGER',
      'T-case-add-entities',
      'T-case-remove-signal',
      'T-global-search',
    ],
  ],
  [
    '[S6-21] of these, what is named by its own id',
    'cluster',
    SECURITY,
    ['C098', 'C119', 'C120', 'T-SEARCH-08'],
  ],
  ['[S6-21] global views', 'platform', SECURITY, ['T-everywhere-cases', 'T-everywhere-signals']],
  ['[S6-20] tokens', 'scope', ['engineer'], ours('token-', 'create', 'delete', 'list')],
  ['[S6-18] the dashboard', 'scope', [...SECURITY, 'viewer'], ['T-OVERVIEW', 'C041']],
  [
    '[S6-22] collection status',
    'scope',
    ['engineer', 'tenant-admin', 'org-admin', ...ALL_ROOTS],
    ['T-COLLECTION-STATUS'],
  ],
  ['[S6-24] connectors: sources', 'scope', ['engineer', 'tenant-admin'], ours('SOURCE-', 'CREATE', 'REVOKE')],
  [
    '[S6-24] components of a tenant',
    'cluster',
    ['tenant-admin'],
    ours('tenant-component-', 'list', 'read', 'save'),
  ],
  [
    '[S6-25] functions, read where queries are written too',
    'cluster',
    [...SECURITY, 'content-manager'],
    ['T-FUNC-01', 'T-FUNC-02'],
  ],
  ['[S6-25] functions, written', 'cluster', ['engineer', 'content-manager'], ['T-FUNC-03', 'T-FUNC-04']],
  ['[S6-25] functions, shared over tenants', 'cluster', ['content-manager'], ['T-FUNC-05']],
  [
    '[S6-16] a tenant, read',
    'cluster',
    ['tenant-admin', ...ALL_ROOTS],
    ['C027', 'C028', 'C032', 'C038', 'C125'],
  ],
  [
    '[S6-16] a tenant, changed',
    'cluster',
    ['tenant-admin', 'root'],
    [
      ...calls(21, 23),
      'C031',
      'C035',
      'T-tenant-bulk-assign',
      'T-tenant-candidates',
      'T-tenant-user-disconnect',
      'T-tenant-user-save',
    ],
  ],
  ['[S6-16] retention of a tenant, read', 'cluster', ['tenant-admin', 'root', 'root-viewer'], ['C034']],
  [
    '[S6-16] retention of a scope, read',
    'scope',
    ['engineer', 'tenant-admin', 'root', 'root-viewer'],
    ['C036'],
  ],
  ['[S6-16] retention of a scope, changed', 'scope', ['engineer', 'tenant-admin', 'root'], ['C037']],
  ['[S6-17] tenants, made', 'platform', ['root', 'root-init'], ['C029', 'C030']],
  [
    '[S03] syslog networks and certificates of tenants',
    'platform',
    ['root', 'root-init'],
    ours('syslog-grant-', 'give', 'list', 'take'),
  ],
  ['[S6-17] tenants, licensed', 'platform', ['root'], ['C025', 'C033']],
  [
    '[S6-17] tenants, configured',
    'cluster',
    ['root'],
    ['T-cluster-engine-save', 'T-cluster-remove', ...ours('tenant-organization-', 'connect', 'disconnect')],
  ],
  [
    '[S6-15] organizations, read',
    'platform',
    ['org-admin', ...ALL_ROOTS],
    [
      ...ours('organization-', 'list', 'read'),
      'T-sign-in-settings-read',
      'T-sso-settings-read',
      'T-platform-search',
      ...ours('user-', 'list', 'read'),
    ],
  ],
  [
    '[S6-15] organizations and their users, changed',
    'platform',
    ['org-admin', 'root', 'root-init'],
    [
      'T-organization-save',
      'T-sign-in-settings-save',
      'T-sso-settings-save',
      ...ours('ldap-', 'save', 'test'),
      ...ours('user-', 'add', 'delete', 'save'),
      'T-factor-reset',
    ],
  ],
  [
    '[S6-15] organizations, made; the mail domains they may claim',
    'platform',
    ['root', 'root-init'],
    [...ours('organization-', 'create', 'delete'), 'T-mail-domains-save'],
  ],
  [
    '[S6-15][S6-16] the audit trail of what one administers',
    'platform',
    ['org-admin', 'tenant-admin', ...ALL_ROOTS],
    ['C039'],
  ],
  [
    '[G3] jobs of what one administers, read',
    'platform',
    ['org-admin', 'tenant-admin', 'root', 'root-viewer'],
    ['T-job-list'],
  ],
  [
    '[G3] jobs of what one administers, cancelled and tried again',
    'platform',
    ['org-admin', 'tenant-admin', 'root'],
    ['T-job-cancel', 'T-job-retry'],
  ],
  ['[S6-16] the chain of the audit trail, the demo', 'platform', ALL_ROOTS, ['T-audit-verify', 'T-DEMO-01']],
  ['[S6-16] the demo, made and removed', 'platform', ['root', 'root-init'], ['T-DEMO-02', 'T-DEMO-03']],
  [
    '[S6-14] clusters, components, SMTP and switchboard, read',
    'platform',
    ['root', 'root-viewer'],
    [...ours('component-', 'list', 'read'), 'T-fleet-list', 'T-smtp-read', 'T-switch-list'],
  ],
  [
    '[S6-14] components, SMTP and switchboard, changed',
    'platform',
    ['root'],
    [...ours('component-', 'forget', 'save'), ...ours('smtp-', 'remove', 'save', 'test'), 'T-switch-set'],
  ],
];

/** Calls of a user about the own account and access, whatever the role; those marked answer before the agreements. */
const SIGNED_IN = [
  'C010',
  'C013',
  'C014',
  'C015 before',
  'C016',
  'C017',
  'C018',
  'C018-all',
  'C019 before',
  'C020 before',
  'C024',
  'C026',
  'C116',
  'T-banner',
  'T-live',
  'T-live-stream',
  ...ours('notification-', 'clear', 'list', 'read', 'switch-set', 'switches'),
  ...ours('factor-', 'list', 'passkey-begin', 'passkey-confirm', 'recovery', 'remove'),
  ...ours('factor-', 'totp-begin', 'totp-confirm'),
  'T-platform-list-export',
  ...ours('saved-view-', 'delete', 'list', 'save'),
  ...ours('session-', 'end', 'list'),
  'T-sso-logout before',
  'T-user-preferences',
  'T-user-preferences-read',
];
/** Signing in, links of mails, and the end of a session, which says the same whether there was one. */
const PUBLIC = [...calls(1, 9), 'C011', 'C012', 'T-otp-mail', 'T-otp-passkey'];

const ENDPOINTS = (Object.values(contract) as unknown[]).filter(
  (value): value is Endpoint =>
    typeof value === 'object' && value !== null && 'access' in value && 'path' in value && 'method' in value,
);
const idsWith = (matches: (access: Endpoint['access']) => boolean) =>
  ENDPOINTS.filter((endpoint) => matches(endpoint.access)).map(({ id }) => id);

describe('who may make a call', () => {
  it.each(BY_ROLE)('%s: in the %s, for %s', (_, where, tags, ids) => {
    for (const id of ids) {
      const found = ENDPOINTS.filter((endpoint) => endpoint.id === id);
      expect(found, id).toHaveLength(1);
      const access = found[0]?.access;
      expect(access, id).toMatchObject({ kind: 'roles', in: where });
      expect(access?.kind === 'roles' && [...access.tags].sort(), id).toEqual([...tags].sort());
    }
  });

  it('[S6-26] whatever needs no role is about the own account alone', () => {
    const session = ENDPOINTS.flatMap(({ id, access }) =>
      access.kind === 'session' ? [access.beforeAgreements ? `${id} before` : id] : [],
    );
    expect(session.sort()).toEqual([...SIGNED_IN].sort());
  });

  it('[S6-27] without a session one signs in, follows the link of a mail, or leaves', () => {
    expect(idsWith(({ kind }) => kind === 'public').sort()).toEqual([...PUBLIC].sort());
  });

  it('names every call of the contract', () => {
    const named = BY_ROLE.flatMap(([, , , ids]) => ids);
    expect(new Set(named).size).toBe(named.length);
    expect(idsWith(({ kind }) => kind === 'roles').sort()).toEqual([...named].sort());
  });
});
