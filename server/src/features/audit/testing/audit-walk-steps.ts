import * as contract from '@tyrian/contract';
import { detectionDraft } from '../../detections/testing/detection-app.ts';
import type { Company } from '../../users/testing/seed-company.ts';
import { ADMINISTRATION_STEPS, OWN_STEPS } from './audit-walk-administration.ts';
import type { Made, WalkStep } from './walk-step.ts';

// One successful call of each endpoint that owes the audit trail an entry, in an order in which each finds what it
// needs. `made` carries ids from one step to the next.

const QUERY = { query: 'Events | take 5', from: 'now-1h', to: 'now' };

const searches: readonly WalkStep[] = [
  {
    endpoint: contract.invokeJob,
    as: 'analyst',
    input: () => ({ job_type: 'kql', ...QUERY }),
    keep: (data: { id: string }[], made) => {
      made.task = data[0]?.id ?? '';
    },
  },
  { endpoint: contract.cancelTask, as: 'analyst', params: (made) => ({ taskid: made.task ?? '' }) },
  { endpoint: contract.searchHistogram, as: 'analyst', input: () => QUERY },
  {
    endpoint: contract.fieldValues,
    as: 'analyst',
    input: () => ({ ...QUERY, query: 'Events', field: 'Raw' }),
  },
  { endpoint: contract.knownValues, as: 'analyst', input: () => ({ field: 'DvcHostname' }) },
  {
    endpoint: contract.explainZeroRows,
    as: 'analyst',
    input: () => ({ ...QUERY, query: 'Events | where Raw == "no such text"' }),
  },
  { endpoint: contract.listSourceNames, as: 'analyst' },
  { endpoint: contract.listFields, as: 'analyst' },
  { endpoint: contract.exportSearch, as: 'analyst', input: () => ({ ...QUERY, format: 'csv' }) },
  { endpoint: contract.forgetSearches, as: 'analyst' },
  {
    endpoint: contract.saveQuery,
    as: 'analyst',
    input: () => ({ name: 'Walk', text: 'Events' }),
    keep: (data: { id: string }, made) => {
      made.saved = data.id;
    },
  },
  { endpoint: contract.deleteSavedQuery, as: 'analyst', input: (made) => ({ id: made.saved }) },
  { endpoint: contract.restoreSavedQuery, as: 'analyst', input: (made) => ({ id: made.saved }) },
  {
    endpoint: contract.saveFunction,
    as: 'engineer',
    input: () => ({ name: 'WalkFunction', body: 'print X = 1' }),
  },
  {
    endpoint: contract.shareFunction,
    as: 'contentManager',
    input: () => ({ name: 'WalkFunction', cluster_ids: [] }),
  },
  { endpoint: contract.deleteFunction, as: 'engineer', input: () => ({ name: 'WalkFunction' }) },
];

const draft = (name: string) =>
  detectionDraft('ProcessEvent | where CommandLine has "walk"', { name, schedule: { mode: 'off' } as never });

const workbooks: readonly WalkStep[] = [
  { endpoint: contract.addDirectory, as: 'engineer', input: () => ({ name: 'Walks' }) },
  {
    endpoint: contract.addWorkbook,
    as: 'engineer',
    input: () => ({ properties: draft('Walk') }),
    keep: (data: { ID: string }, made) => {
      made.workbook = data.ID;
    },
  },
  {
    endpoint: contract.editWorkbook,
    as: 'engineer',
    input: (made) => ({ ID: made.workbook, version: 1, properties: draft('Walk again') }),
  },
  { endpoint: contract.lockWorkbook, as: 'engineer', input: (made) => ({ ID: made.workbook, lock: true }) },
  {
    endpoint: contract.setWorkbookVisibility,
    as: 'engineer',
    input: (made) => ({ ID: made.workbook, enabled: false }),
  },
  {
    endpoint: contract.moveWorkbook,
    as: 'engineer',
    input: (made) => ({ ID: made.workbook, directory: '/Walks' }),
  },
  { endpoint: contract.revertWorkbook, as: 'engineer', input: (made) => ({ ID: made.workbook, version: 1 }) },
  { endpoint: contract.downloadWorkbook, as: 'engineer', input: (made) => ({ ID: made.workbook }) },
  {
    endpoint: contract.cloneWorkbook,
    as: 'engineer',
    input: (made) => ({ ID: made.workbook, name: 'Walk copy' }),
    keep: (data: { ID: string }, made) => {
      made.copy = data.ID;
    },
  },
  {
    endpoint: contract.previewDetection,
    as: 'engineer',
    input: () => ({ properties: draft('Walk'), start: Date.now() - 3_600_000, end: Date.now() }),
  },
  { endpoint: contract.deleteWorkbook, as: 'engineer', input: (made) => ({ ID: made.copy }) },
  { endpoint: contract.addDirectory, as: 'engineer', input: () => ({ name: 'Empty' }) },
  { endpoint: contract.deleteDirectory, as: 'engineer', input: () => ({ name: 'Empty' }) },
];

const triage: readonly WalkStep[] = [
  { endpoint: contract.signalInfo, as: 'analyst', input: () => ({ signal_id: 's1' }) },
  { endpoint: contract.signalData, as: 'analyst', input: () => ({ signal_id: 's1' }) },
  { endpoint: contract.createSignalTag, as: 'analyst', input: () => ({ tag: 'walked' }) },
  { endpoint: contract.tagSignals, as: 'analyst', input: () => ({ signal_ids: ['s1'], add: ['walked'] }) },
  {
    endpoint: contract.tagFalsePositive,
    as: 'analyst',
    input: () => ({ signal_ids: ['s3'], false_positive: true, reason: 'a test' }),
  },
  {
    endpoint: contract.createCase,
    as: 'analyst',
    input: () => ({ case_name: 'Walk', signal_ids: ['s1'] }),
    keep: (data: { case_id: string; revision: number }, made) => {
      made.case = data.case_id;
      made.revision = String(data.revision);
    },
  },
  {
    endpoint: contract.editCase,
    as: 'analyst',
    input: (made) => ({ case_id: made.case, revision: Number(made.revision), case_name: 'Walk on' }),
  },
  {
    endpoint: contract.assignCase,
    as: 'analyst',
    input: (made) => ({ case_id: made.case, user_id: 'uanalyst' }),
  },
  {
    endpoint: contract.addCaseSignals,
    as: 'analyst',
    input: (made) => ({ case_id: made.case, signal_ids: ['s2'] }),
  },
  {
    endpoint: contract.removeCaseSignal,
    as: 'analyst',
    input: (made) => ({ case_id: made.case, signal_id: 's2' }),
  },
  {
    endpoint: contract.addCaseEntity,
    as: 'analyst',
    input: (made) => ({ case_id: made.case, type: 'host', value: 'dc1', role: 'target' }),
  },
  {
    endpoint: contract.addCaseNote,
    as: 'analyst',
    input: (made) => ({ case_id: made.case, notes: 'looked at it' }),
  },
  { endpoint: contract.exportCases, as: 'analyst', input: (made) => ({ case_ids: [made.case] }) },
  {
    endpoint: contract.changeCaseStatus,
    as: 'analyst',
    input: (made) => ({ case_id: made.case, status: 'CLOSED', resolution: 'benign' }),
  },
  {
    endpoint: contract.exportList,
    as: 'analyst',
    input: () => ({ entity: 'cases', file_name: 'cases', fields: ['case_name'] }),
  },
];

export const WALK: readonly WalkStep[] = [
  ...searches,
  ...workbooks,
  ...triage,
  ...ADMINISTRATION_STEPS,
  ...OWN_STEPS,
];

/** What every step may need from the start. */
export function madeAtFirst(company: Company): Made {
  return {
    clusterId: company.a.clusterId,
    mainScope: company.a.scope,
    orgId: company.orgId,
    viewerMail: company.emailOf('viewer'),
  };
}

/**
 * Endpoints whose success needs a partner (an identity provider, a mail server, an authenticator, a component): the test
 * that makes it. There, too, a call that leaves no entry fails.
 */
export const WALKED_ELSEWHERE: Readonly<Record<string, string>> = {
  C003: 'server/src/features/auth/second-step.test.ts',
  C006: 'server/src/features/sso/saml-sign-in.test.ts',
  C007: 'server/src/features/auth/auth-routes.test.ts',
  C009: 'server/src/features/auth/password-links.test.ts',
  C010: 'server/src/features/auth/password-links.test.ts',
  C011: 'server/src/features/auth/password-links.test.ts',
  C015: 'server/src/features/auth/agreements.test.ts',
  C020: 'server/src/features/auth/agreements.test.ts',
  'T-otp-mail': 'server/src/features/auth/second-step.test.ts',
  'T-factor-totp-begin': 'server/src/features/auth/factors.test.ts',
  'T-factor-totp-confirm': 'server/src/features/auth/factors.test.ts',
  'T-factor-passkey-begin': 'server/src/features/auth/factors.test.ts',
  'T-factor-passkey-confirm': 'server/src/features/auth/factors.test.ts',
  'T-factor-recovery': 'server/src/features/auth/factors.test.ts',
  'T-factor-remove': 'server/src/features/auth/factors.test.ts',
  'T-sso-logout': 'server/src/features/sso/saml-sign-in.test.ts',
  'T-sso-settings-save': 'server/src/features/sso/saml-sign-in.test.ts',
  'T-ldap-test': 'server/src/features/auth/ldap-directory.test.ts',
  'T-smtp-test': 'server/src/features/mail/mail-service.test.ts',
  'T-DEMO-02': 'server/src/features/demo/demo-service.test.ts',
  'T-DEMO-03': 'server/src/features/demo/demo-service.test.ts',
  'T-cluster-engine-save': 'server/src/features/tenants/cluster-routes.test.ts',
  'T-component-save': 'server/src/features/components/component-service.test.ts',
  'T-component-forget': 'server/src/features/components/component-service.test.ts',
  'T-tenant-component-save': 'server/src/features/components/component-service.test.ts',
};
