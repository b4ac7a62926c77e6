import type { Company } from '../../users/testing/seed-company.ts';
import { ADMINISTRATION_STEPS, OWN_STEPS } from './audit-walk-administration.ts';
import type { Made, WalkStep } from './walk-step.ts';

// One successful call of each endpoint of identity and administration that owes the audit trail an entry, in an order in
// which each finds what it needs. `made` carries ids from one step to the next. content-steps.ts has those of content.

export const WALK: readonly WalkStep[] = [...ADMINISTRATION_STEPS, ...OWN_STEPS];

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
  C110: 'server/src/features/audit/content-audit.test.ts',
  'T-SEARCH-08': 'server/src/features/audit/content-audit.test.ts',
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
  'T-job-cancel': 'server/src/features/jobs/jobs-routes.test.ts',
  'T-job-retry': 'server/src/features/jobs/jobs-routes.test.ts',
  'T-tenant-component-save': 'server/src/features/components/component-service.test.ts',
};
