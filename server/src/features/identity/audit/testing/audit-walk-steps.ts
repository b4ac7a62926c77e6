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
  'tasks.invoke': 'server/src/features/identity/audit/content-audit.test.ts',
  'tasks.cancel': 'server/src/features/identity/audit/content-audit.test.ts',
  'factors.verify': 'server/src/features/identity/sign-in/second-step.test.ts',
  'sso.verifyToken': 'server/src/features/identity/sso/saml-sign-in.test.ts',
  'sessions.invalidate': 'server/src/features/identity/sign-in/auth-routes.test.ts',
  'passwords.set': 'server/src/features/identity/sign-in/password-links.test.ts',
  'passwords.resetOwn': 'server/src/features/identity/sign-in/password-links.test.ts',
  'passwords.resetOfUser': 'server/src/features/identity/sign-in/password-links.test.ts',
  'account.acceptPolicy': 'server/src/features/identity/sign-in/agreements.test.ts',
  'account.acceptEula': 'server/src/features/identity/sign-in/agreements.test.ts',
  'factors.sendMail': 'server/src/features/identity/sign-in/second-step.test.ts',
  'factors.beginTotp': 'server/src/features/identity/sign-in/factors.test.ts',
  'factors.confirmTotp': 'server/src/features/identity/sign-in/factors.test.ts',
  'factors.beginPasskey': 'server/src/features/identity/sign-in/factors.test.ts',
  'factors.confirmPasskey': 'server/src/features/identity/sign-in/factors.test.ts',
  'factors.renewRecoveryCodes': 'server/src/features/identity/sign-in/factors.test.ts',
  'factors.remove': 'server/src/features/identity/sign-in/factors.test.ts',
  'sso.end': 'server/src/features/identity/sso/saml-sign-in.test.ts',
  'sso.saveSettings': 'server/src/features/identity/sso/saml-sign-in.test.ts',
  'ldap.test': 'server/src/features/identity/sign-in/ldap-directory.test.ts',
  'smtp.test': 'server/src/features/mail/mail-service.test.ts',
  'demo.add': 'server/src/features/demo/demo-service.test.ts',
  'demo.remove': 'server/src/features/demo/demo-service.test.ts',
  'tenants.saveEngine': 'server/src/features/identity/tenants/cluster-routes.test.ts',
  'components.save': 'server/src/features/components/component-service.test.ts',
  'components.forget': 'server/src/features/components/component-service.test.ts',
  'jobs.cancel': 'server/src/features/jobs/jobs-routes.test.ts',
  'jobs.retry': 'server/src/features/jobs/jobs-routes.test.ts',
  'components.saveOfTenant': 'server/src/features/components/component-service.test.ts',
  'attack.saveLayer': 'server/src/features/attack/attack-layers.test.ts',
  'attack.removeLayer': 'server/src/features/attack/attack-layers.test.ts',
  'attack.exportLayer': 'server/src/features/attack/attack-layers.test.ts',
  'attack.acceptAttribution': 'server/src/features/attack/attribution.test.ts',
  'suppression.save': 'server/src/features/suppression/suppression.test.ts',
  'suppression.setEnabled': 'server/src/features/suppression/suppression.test.ts',
  'suppression.remove': 'server/src/features/suppression/suppression.test.ts',
  'suppression.restore': 'server/src/features/suppression/suppression.test.ts',
  'content.decideUpdates': 'server/src/features/content/content-updates.test.ts',
  'content.saveUpdatePolicy': 'server/src/features/content/content-updates.test.ts',
  'content.download': 'server/src/features/content/content-exchange.test.ts',
  'content.upload': 'server/src/features/content/content-exchange.test.ts',
  'uploads.sendPiece': 'server/src/features/uploads/uploads.test.ts',
  'ruleHealth.rerun': 'server/src/features/rule-health/rule-health.test.ts',
  'ruleHealth.release': 'server/src/features/rule-health/rule-health.test.ts',
  'ruleHealth.askTuning': 'server/src/features/rule-health/rule-health.test.ts',
  'ruleHealth.resolveTuning': 'server/src/features/rule-health/rule-health.test.ts',
  'extractors.test': 'server/src/features/extraction/extractors.test.ts',
  'extractors.save': 'server/src/features/extraction/extractors.test.ts',
  'extractors.publish': 'server/src/features/extraction/extractors.test.ts',
  'extractors.resetDraft': 'server/src/features/extraction/extractors.test.ts',
  'extractors.setEnabled': 'server/src/features/extraction/extractors.test.ts',
  'extractors.clone': 'server/src/features/extraction/extractors.test.ts',
  'extractors.remove': 'server/src/features/extraction/extractors.test.ts',
  'extractors.restoreVersion': 'server/src/features/extraction/extractors.test.ts',
  'extractors.fetchUnparsed': 'server/src/features/extraction/extractors.test.ts',
  'extractors.clearSamples': 'server/src/features/extraction/extractors.test.ts',
  'reparse.begin': 'server/src/features/extraction/reparse.test.ts',
  'reparse.cancel': 'server/src/features/extraction/reparse.test.ts',
  'reparse.retry': 'server/src/features/extraction/reparse.test.ts',
  'rulePreviews.begin': 'server/src/features/rule-preview/preview-limits.test.ts',
  'rulePreviews.readSamples': 'server/src/features/rule-preview/rule-preview.test.ts',
  'rulePreviews.cancel': 'server/src/features/rule-preview/rule-preview.test.ts',
  'rulePreviews.remove': 'server/src/features/rule-preview/rule-preview.test.ts',
  'rules.beginImport': 'server/src/features/rules/rules-audit.test.ts',
  'rules.sendImportPart': 'server/src/features/rules/rules-audit.test.ts',
  'rules.runImport': 'server/src/features/rules/rules-audit.test.ts',
  'rules.cancelImport': 'server/src/features/rules/rules-audit.test.ts',
  'rules.setEnabled': 'server/src/features/rules/rules-audit.test.ts',
  'rules.saveOverlay': 'server/src/features/rules/rules-audit.test.ts',
  'rules.removePack': 'server/src/features/rules/rules-audit.test.ts',
  'rules.saveOwn': 'server/src/features/rules/rules-audit.test.ts',
  'rules.lockOwn': 'server/src/features/rules/rules-audit.test.ts',
  'rules.removeOwn': 'server/src/features/rules/rules-audit.test.ts',
  'rules.draft': 'server/src/features/rules/draft/draft-rule.test.ts',
  'samples.save': 'server/src/features/rules/rules-audit.test.ts',
  'samples.setPolicy': 'server/src/features/samples/rule-samples.test.ts',
};
