import * as contract from '@tyrian/contract';
import { SEED_PASSWORD } from '../../users/testing/seed-company.ts';
import type { WalkStep } from './walk-step.ts';

// The steps of the audit walk that administer: tenants, scopes, people, organizations, and the caller's own account.

export const ADMINISTRATION_STEPS: readonly WalkStep[] = [
  {
    endpoint: contract.createSource,
    as: 'engineer',
    input: () => ({ source_name: 'walk' }),
    keep: (data: { source: { source_id: string } }, made) => {
      made.source = data.source.source_id;
    },
  },
  {
    endpoint: contract.editCollection,
    as: 'engineer',
    input: (made) => ({ source_id: made.source, description: 'walked' }),
  },
  { endpoint: contract.listUnparsed, as: 'engineer', input: () => ({ source: 'walk' }) },
  {
    endpoint: contract.saveDropRule,
    as: 'engineer',
    input: (made) => ({ source_id: made.source, stream: 'Dns', reason: 'noise' }),
    keep: (data: { rule_id: string }, made) => {
      made.dropRule = data.rule_id;
    },
  },
  { endpoint: contract.removeDropRule, as: 'engineer', input: (made) => ({ rule_id: made.dropRule }) },
  { endpoint: contract.saveSubscription, as: 'root', input: () => ({ subscribed_bytes: 1_000_000 }) },
  { endpoint: contract.revokeSource, as: 'engineer', input: (made) => ({ source_id: made.source }) },
  { endpoint: contract.deleteCollection, as: 'tenantAdmin', input: (made) => ({ source_id: made.source }) },
  {
    endpoint: contract.createApiToken,
    as: 'engineer',
    input: () => ({ app_name: 'walk', capabilities: ['search'] }),
    keep: (data: { item: { token_id: string } }, made) => {
      made.token = data.item.token_id;
    },
  },
  { endpoint: contract.deleteApiToken, as: 'engineer', input: (made) => ({ token_id: made.token }) },
  {
    endpoint: contract.saveScope,
    as: 'tenantAdmin',
    input: () => ({ scope_name: 'Walked' }),
    keep: (data: { scope_id: string }, made) => {
      made.scope = data.scope_id;
    },
  },
  {
    endpoint: contract.setScopeStatus,
    as: 'tenantAdmin',
    params: (made) => ({ scopeId: made.scope ?? '' }),
    input: () => ({ is_enabled: false }),
  },
  { endpoint: contract.deleteScope, as: 'tenantAdmin', input: (made) => ({ scope_id: made.scope }) },
  { endpoint: contract.saveStreamConfig, as: 'tenantAdmin', input: () => ({ retention_days: 400 }) },
  {
    endpoint: contract.saveScopeStreamConfig,
    as: 'engineer',
    params: (made) => ({ scopeId: made.mainScope ?? '' }),
    input: () => ({ retention_days: 399 }),
  },
  { endpoint: contract.renameCluster, as: 'tenantAdmin', input: () => ({ clusterName: 'Alpha walked' }) },
  {
    endpoint: contract.saveTenantUser,
    as: 'tenantAdmin',
    params: () => ({ userId: 'uviewer' }),
    input: () => ({ is_administrator: false, roles: {} }),
  },
  {
    endpoint: contract.assignRoles,
    as: 'tenantAdmin',
    input: (made) => ({ user_ids: ['uviewer'], scope_ids: [made.mainScope], role: 'Viewer' }),
  },
  { endpoint: contract.disconnectTenantUser, as: 'tenantAdmin', params: () => ({ userId: 'unoaccess' }) },
  {
    endpoint: contract.setLicense,
    as: 'root',
    input: (made) => ({ clusterId: made.clusterId, licenseType: 'open', productType: 'enterprise' }),
  },
  {
    endpoint: contract.setSwitch,
    as: 'root',
    params: () => ({ name: 'component_mail' }),
    input: () => ({ value: false }),
  },
  {
    endpoint: contract.connectCluster,
    as: 'root',
    input: () => ({ clusterName: 'Gamma' }),
    keep: (data: { clusterId: string }, made) => {
      made.gamma = data.clusterId;
    },
  },
  {
    endpoint: contract.setUpCluster,
    as: 'root',
    input: (made) => ({
      clusterId: made.gamma,
      productType: 'essential',
      primary_org_id: made.orgId,
      scopes: ['One'],
    }),
  },
  { endpoint: contract.acceptClusterEula, as: 'root', input: (made) => ({ clusterId: made.gamma }) },
  {
    endpoint: contract.createOrganization,
    as: 'root',
    input: () => ({ name: 'Walkers' }),
    keep: (data: { orgId: string }, made) => {
      made.walkers = data.orgId;
    },
  },
  { endpoint: contract.connectOrganization, as: 'root', params: (made) => ({ orgId: made.walkers ?? '' }) },
  {
    endpoint: contract.disconnectOrganization,
    as: 'root',
    params: (made) => ({ orgId: made.walkers ?? '' }),
  },
  {
    endpoint: contract.saveOrganization,
    as: 'root',
    params: (made) => ({ orgId: made.walkers ?? '' }),
    input: () => ({ name: 'Walkers on' }),
  },
  {
    endpoint: contract.saveMailDomains,
    as: 'root',
    params: (made) => ({ orgId: made.walkers ?? '' }),
    input: () => ({ mail_domains: ['walkers.example'] }),
  },
  {
    endpoint: contract.saveSignInSettings,
    as: 'root',
    params: (made) => ({ orgId: made.walkers ?? '' }),
    input: () => ({
      auth_type: 'standard',
      otp_methods: ['totp'],
      second_factor_always: false,
      session_timeout_min: 60,
      session_max_min: 600,
    }),
  },
  {
    endpoint: contract.saveLdapDirectory,
    as: 'root',
    params: (made) => ({ orgId: made.walkers ?? '' }),
    input: () => ({
      host: 'directory.walkers.example',
      port: 636,
      security: 'ldaps',
      base_dn: 'dc=walkers',
      user_filter: '(mail={{email}})',
    }),
  },
  {
    endpoint: contract.addPerson,
    as: 'root',
    params: (made) => ({ orgId: made.walkers ?? '' }),
    input: () => ({
      name: 'Wanda',
      email_id: 'wanda@walkers.example',
      user_type: 'general',
      first_password: 'shown',
    }),
    keep: (data: { user_id: string }, made) => {
      made.person = data.user_id;
    },
  },
  {
    endpoint: contract.savePerson,
    as: 'root',
    params: (made) => ({ userId: made.person ?? '' }),
    input: () => ({ name: 'Wanda Walker' }),
  },
  { endpoint: contract.resetFactors, as: 'root', input: (made) => ({ user_id: made.person }) },
  { endpoint: contract.deletePerson, as: 'root', params: (made) => ({ userId: made.person ?? '' }) },
  { endpoint: contract.deleteOrganization, as: 'root', params: (made) => ({ orgId: made.walkers ?? '' }) },
  {
    endpoint: contract.giveSyslogGrant,
    as: 'root',
    input: (made) => ({ cluster_id: made.clusterId, network: '192.0.2.0/24' }),
    keep: (data: { grant_id: string }, made) => {
      made.grant = data.grant_id;
    },
  },
  { endpoint: contract.takeSyslogGrant, as: 'root', input: (made) => ({ grant_id: made.grant }) },
  {
    endpoint: contract.saveSmtp,
    as: 'root',
    input: () => ({
      host: 'mail.example',
      port: 587,
      security: 'starttls',
      from_address: 'tyrian@mail.example',
    }),
  },
  { endpoint: contract.removeSmtp, as: 'root' },
  {
    endpoint: contract.exportPlatformList,
    as: 'root',
    input: () => ({ entity: 'tenants', file_name: 'tenants', fields: ['clusterName'] }),
  },
  { endpoint: contract.verifyAuditTrail, as: 'root' },
  {
    endpoint: contract.removeCluster,
    as: 'root',
    params: (made) => ({ clusterId: made.gamma ?? '' }),
    input: () => ({ clusterName: 'Gamma' }),
  },
];

export const OWN_STEPS: readonly WalkStep[] = [
  {
    endpoint: contract.scopeOverview,
    as: 'viewer',
    input: (made) => ({ scope_id: made.mainScope, start: 1_772_600_000_000, end: 1_772_603_600_000 }),
  },
  { endpoint: contract.savePreferences, as: 'analyst', input: () => ({ theme: 'light' }) },
  {
    endpoint: contract.setNotificationSwitch,
    as: 'analyst',
    input: () => ({ kind: 'case_assigned', in_console: true, by_mail: true }),
  },
  {
    endpoint: contract.saveView,
    as: 'analyst',
    input: () => ({ page: 'find', name: 'Walk', query: 'a=b' }),
    keep: (data: { view_id: string }, made) => {
      made.view = data.view_id;
    },
  },
  { endpoint: contract.deleteSavedView, as: 'analyst', input: (made) => ({ view_id: made.view }) },
  {
    endpoint: contract.login,
    as: 'visitor',
    input: (made) => ({ emailId: made.viewerMail, password: SEED_PASSWORD }),
    keep: (data: { SSID: string }, made) => {
      made.ssid = data.SSID;
    },
  },
  { endpoint: contract.logout, as: 'visitor', input: (made) => ({ ssid: made.ssid }) },
  { endpoint: contract.endSessions, as: 'engineer', input: () => ({ session_ids: 'others' }) },
  {
    endpoint: contract.changePassword,
    as: 'viewer',
    input: () => ({ old_password: SEED_PASSWORD, new_password: 'Quartz-lantern.77' }),
  },
];
