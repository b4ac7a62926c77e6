import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../envelope/endpoint.ts';
import * as contract from '../index.ts';
import type { RoleTag } from './role-tags.ts';

// Who may make which call, written out once more by hand after section 6's table of routes: a call behind a page is
// open to whoever may open the page, and what changes something to no root viewer.

const SECURITY = ['analyst', 'engineer'] as const;
const ALL_ROOTS = ['root', 'root-init', 'root-viewer'] as const;

type Where = 'scope' | 'cluster' | 'platform';
const BY_ROLE: readonly (readonly [string, Where, readonly RoleTag[], readonly string[]])[] = [
  [
    '[S6-21] Find, cases, signals and workbooks of a scope',
    'scope',
    SECURITY,
    [
      'workbooks.searchObjects',
      'lists.export',
      'signals.list',
      'signals.readGraph',
      'signals.readTimeslices',
      'signals.listCases',
      'signals.beginFacets',
      'signals.readFacets',
      'signals.readData',
      'signals.readKnowledge',
      'signals.listTags',
      'signals.createTag',
      'cases.list',
      'cases.read',
      'cases.export',
      'cases.readHistory',
      'cases.readListStats',
      'cases.listSignals',
      'cases.create',
      'cases.changeStatus',
      'cases.edit',
      'cases.assign',
      'cases.addSignals',
      'cases.readFigures',
      'cases.listEntities',
      'cases.addEntity',
      'cases.readStats',
      'cases.readGraph',
      'cases.addNote',
      'cases.listNotes',
      'workbooks.countDetections',
      'workbooks.add',
      'workbooks.list',
      'workbooks.runDryFlow',
      'workbooks.delete',
      'workbooks.move',
      'workbooks.readProperties',
      'workbooks.edit',
      'workbooks.download',
      'workbooks.setVisibility',
      'workbooks.lock',
      'workbooks.listVersions',
      'workbooks.revert',
      'workbooks.viewVersion',
      'workbooks.checkLocked',
      'directories.list',
      'directories.add',
      'directories.delete',
      'search.listFields',
      'search.estimateCost',
      'search.listSourceNames',
      'tasks.invoke',
      'search.readHistogram',
      'search.listFieldValues',
      'search.explainZeroRows',
      'search.explain',
      'search.export',
      'search.listHistory',
      'search.forgetHistory',
      'savedQueries.list',
      'savedQueries.read',
      'savedQueries.save',
      'savedQueries.delete',
      'savedQueries.restore',
      'search.listKnownValues',
      'signals.readEventsQuery',
      'signals.markFalsePositive',
      'signals.listIds',
      'signals.read',
      'signals.tag',
      'workbooks.check',
      'workbooks.clone',
      'workbooks.import',
      'rules.listNextRuns',
      'rules.preview',
      'rules.readHealth',
      'rules.readLedger',
      'cases.addEntities',
      'cases.removeSignal',
      'globalSearch.find',
    ],
  ],
  [
    '[S6-21] of these, what is named by its own id',
    'cluster',
    SECURITY,
    ['workbooks.readMeta', 'tasks.readState', 'tasks.readResult', 'tasks.cancel'],
  ],
  ['[S6-21] global views', 'platform', SECURITY, ['crossTenant.listCases', 'crossTenant.listSignals']],
  ['[S6-20] tokens', 'scope', ['engineer'], ['tokens.create', 'tokens.delete', 'tokens.list']],
  ['[S6-18] the dashboard', 'scope', [...SECURITY, 'viewer'], ['overview.read', 'scopes.listUsers']],
  [
    '[S6-22] collection status',
    'scope',
    ['engineer', 'tenant-admin', 'org-admin', ...ALL_ROOTS],
    ['sources.readStatus'],
  ],
  [
    '[S6-24] connectors: sources',
    'scope',
    ['engineer', 'tenant-admin'],
    ['sources.create', 'sources.revoke'],
  ],
  [
    '[S6-24] components of a tenant',
    'cluster',
    ['tenant-admin'],
    ['components.listOfTenant', 'components.readOfTenant', 'components.saveOfTenant'],
  ],
  [
    '[S6-25] functions, read where queries are written too',
    'cluster',
    [...SECURITY, 'content-manager'],
    ['functions.list', 'functions.listVersions'],
  ],
  [
    '[S6-21][T-RULE-TUNING] runs and health of rules, and asking to tune one',
    'scope',
    SECURITY,
    [
      ...['ruleHealth.list', 'ruleHealth.readPicture', 'ruleHealth.listTuning', 'ruleHealth.askTuning'],
      ...['ruleHealth.listStreams', 'ruleHealth.listStreamDays', 'ruleHealth.listRunning'],
    ],
  ],
  [
    '[S6-20][T-RULE-QUARANTINE] what engineers do about the runs of rules',
    'scope',
    ['engineer'],
    ['ruleHealth.rerun', 'ruleHealth.release', 'ruleHealth.resolveTuning'],
  ],
  [
    '[T-rules][S2-42] rules of packs and suppression, read beside the workbooks',
    'scope',
    SECURITY,
    [
      'rules.list',
      'rules.count',
      'rules.read',
      'rules.listPacks',
      'rules.readImport',
      'rules.listImports',
      'rules.listChanges',
      ...['suppression.list', 'suppression.preview', 'suppression.listSignals'],
    ],
  ],
  [
    '[T-rules][S2-42][S6-07] rules of packs and suppression, changed',
    'scope',
    ['engineer'],
    [
      'rules.setEnabled',
      'rules.saveOverlay',
      'rules.removePack',
      'rules.beginImport',
      'rules.sendImportPart',
      'rules.runImport',
      'rules.cancelImport',
      ...['suppression.save', 'suppression.setEnabled', 'suppression.remove', 'suppression.restore'],
    ],
  ],
  [
    '[S6-25] functions, written',
    'cluster',
    ['engineer', 'content-manager'],
    ['functions.save', 'functions.delete'],
  ],
  ['[S6-25] functions, shared over tenants', 'cluster', ['content-manager'], ['functions.share']],
  [
    '[S6-16] a tenant, read',
    'cluster',
    ['tenant-admin', ...ALL_ROOTS],
    [
      'tenants.read',
      'tenants.readSummary',
      'tenants.fetchLicense',
      'audit.listOfTenant',
      'tenants.listUsers',
    ],
  ],
  [
    '[S6-16] a tenant, changed',
    'cluster',
    ['tenant-admin', 'root'],
    [
      'scopes.save',
      'scopes.setStatus',
      'scopes.delete',
      'tenants.rename',
      'streamConfig.save',
      'tenants.assignRoles',
      'tenants.listCandidates',
      'tenants.disconnectUser',
      'tenants.saveUser',
    ],
  ],
  [
    '[S6-16] retention of a tenant, read',
    'cluster',
    ['tenant-admin', 'root', 'root-viewer'],
    ['streamConfig.read'],
  ],
  [
    '[S6-16] retention of a scope, read',
    'scope',
    ['engineer', 'tenant-admin', 'root', 'root-viewer'],
    ['streamConfig.readOfScope'],
  ],
  [
    '[S6-16] retention of a scope, changed',
    'scope',
    ['engineer', 'tenant-admin', 'root'],
    ['streamConfig.saveOfScope'],
  ],
  ['[S6-17] tenants, made', 'platform', ['root', 'root-init'], ['tenants.connect', 'tenants.setUp']],
  [
    '[S03] syslog networks and certificates of tenants',
    'platform',
    ['root', 'root-init'],
    ['syslogGrants.give', 'syslogGrants.list', 'syslogGrants.take'],
  ],
  ['[S6-17] tenants, licensed', 'platform', ['root'], ['tenants.setLicense', 'tenants.acceptEula']],
  [
    '[S6-17] tenants, configured',
    'cluster',
    ['root'],
    ['tenants.saveEngine', 'tenants.remove', 'tenants.connectOrganization', 'tenants.disconnectOrganization'],
  ],
  [
    '[S6-15] organizations, read',
    'platform',
    ['org-admin', ...ALL_ROOTS],
    [
      'organizations.list',
      'organizations.read',
      'signInSettings.read',
      'sso.readSettings',
      'globalSearch.findOnPlatform',
      'users.list',
      'users.read',
    ],
  ],
  [
    '[S6-15] organizations and their users, changed',
    'platform',
    ['org-admin', 'root', 'root-init'],
    [
      'organizations.save',
      'signInSettings.save',
      'sso.saveSettings',
      'ldap.save',
      'ldap.test',
      'users.add',
      'users.delete',
      'users.save',
      'factors.reset',
    ],
  ],
  [
    '[S6-15] organizations, made; the mail domains they may claim',
    'platform',
    ['root', 'root-init'],
    ['organizations.create', 'organizations.delete', 'mailDomains.save'],
  ],
  [
    '[S6-15][S6-16] the audit trail of what one administers',
    'platform',
    ['org-admin', 'tenant-admin', ...ALL_ROOTS],
    ['audit.list'],
  ],
  [
    '[T-jobs] jobs of what one administers, read',
    'platform',
    ['org-admin', 'tenant-admin', 'root', 'root-viewer'],
    ['jobs.list'],
  ],
  [
    '[T-jobs] jobs of what one administers, cancelled and tried again',
    'platform',
    ['org-admin', 'tenant-admin', 'root'],
    ['jobs.cancel', 'jobs.retry'],
  ],
  ['[S6-16] the chain of the audit trail, the demo', 'platform', ALL_ROOTS, ['audit.verify', 'demo.read']],
  ['[S6-16] the demo, made and removed', 'platform', ['root', 'root-init'], ['demo.add', 'demo.remove']],
  [
    '[S6-14] clusters, components, SMTP and switchboard, read',
    'platform',
    ['root', 'root-viewer'],
    ['components.list', 'components.read', 'tenants.listFleet', 'smtp.read', 'switches.list'],
  ],
  [
    '[S6-14] components, SMTP and switchboard, changed',
    'platform',
    ['root'],
    ['components.forget', 'components.save', 'smtp.remove', 'smtp.save', 'smtp.test', 'switches.set'],
  ],
];

/** Calls of a user about the own account and access, whatever the role; those marked answer before the agreements. */
const SIGNED_IN = [
  'passwords.resetOwn',
  'passwords.change',
  'tenants.listOwn',
  'account.acceptPolicy before',
  'scopes.listAll',
  'scopes.list',
  'scopes.listByQuery',
  'scopes.listAllByQuery',
  'account.readAccess before',
  'account.acceptEula before',
  'platform.readState',
  'tenants.list',
  'search.listTimezones',
  'banner.read',
  'live.readNews',
  'live.follow',
  'notifications.clear',
  'notifications.list',
  'notifications.markRead',
  'notifications.setSwitch',
  'notifications.listSwitches',
  'factors.list',
  'factors.beginPasskey',
  'factors.confirmPasskey',
  'factors.renewRecoveryCodes',
  'factors.remove',
  'factors.beginTotp',
  'factors.confirmTotp',
  'lists.exportOfPlatform',
  'savedViews.delete',
  'savedViews.list',
  'savedViews.save',
  'sessions.end',
  'sessions.list',
  'sso.end before',
  'preferences.save',
  'preferences.read',
];
/** Signing in, links of mails, and the end of a session, which says the same whether there was one. */
const PUBLIC = [
  'signIn.begin',
  'signIn.login',
  'factors.verify',
  'signIn.logout',
  'sso.begin',
  'sso.verifyToken',
  'sessions.invalidate',
  'passwords.verifyToken',
  'passwords.set',
  'passwords.resetOfUser',
  'passwords.checkResetLink',
  'factors.sendMail',
  'factors.askForPasskey',
];

const ENDPOINTS = (Object.values(contract) as unknown[]).filter(
  (value): value is Endpoint =>
    typeof value === 'object' && value !== null && 'access' in value && 'path' in value && 'method' in value,
);
const idsWith = (matches: (access: Endpoint['access']) => boolean) =>
  ENDPOINTS.filter((endpoint) => matches(endpoint.access)).map(({ name }) => name);

describe('who may make a call', () => {
  it.each(BY_ROLE)('%s: in the %s, for %s', (_, where, tags, ids) => {
    for (const id of ids) {
      const found = ENDPOINTS.filter((endpoint) => endpoint.name === id);
      expect(found, id).toHaveLength(1);
      const access = found[0]?.access;
      expect(access, id).toMatchObject({ kind: 'roles', in: where });
      expect(access?.kind === 'roles' && [...access.tags].sort(), id).toEqual([...tags].sort());
    }
  });

  it('[S6-26] whatever needs no role is about the own account alone', () => {
    const session = ENDPOINTS.flatMap(({ name, access }) =>
      access.kind === 'session' ? [access.beforeAgreements ? `${name} before` : name] : [],
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
