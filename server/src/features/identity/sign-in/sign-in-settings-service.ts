import { type LdapDirectory, type SignInSettings, say, sayOfField } from '@tyrian/contract';
import { AppError, notFound } from '../../../platform/app-error.ts';
import { bindDeps } from '../../../platform/bind-deps.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import type { Outgoing } from '../../../platform/outgoing/outgoing-connections.ts';
import { type OutgoingAnswer, outgoingAnswer } from '../../../platform/outgoing/outgoing-error.ts';
import type { SecretBox } from '../../../platform/secret-box.ts';
import type { MailService } from '../../mail/mail-service.ts';
import type { AuditService } from '../audit/audit-service.ts';
import { withOutgoingTrail } from '../audit/outgoing-trail.ts';
import type { IdentityDb } from '../identity-tables.ts';
import { isViolation } from '../users/pg-violation.ts';
import { asAccessCaller } from './authorizer.ts';
import {
  type DirectoryTrial,
  readDirectory,
  type StoredDirectory,
  saveDirectory,
  tryDirectory,
} from './ldap-directory.ts';
import { mailDomainsOf, replaceMailDomains, selectOutsiders } from './mail-domain-store.ts';

// How the people of an organization sign in. Root sees to every organization, an organization administrator to the
// own one; a setting that would lock everybody out is refused.

type DirectoryInput = LdapDirectory & { readonly bind_password?: string | undefined };

export interface SignInSettingsView extends SignInSettings {
  readonly sso_kind: 'saml' | 'oidc' | null;
  readonly mail_domains: string[];
  readonly outsiders: { user_id: string; email_id: string; organization: string }[];
  readonly directory: (LdapDirectory & { has_password: boolean }) | null;
  readonly mail_is_set_up: boolean;
}

export interface SignInSettingsService {
  read(caller: Caller, orgId: string): Promise<SignInSettingsView>;
  save(caller: Caller, orgId: string, settings: SignInSettings, source: string): Promise<void>;
  saveDirectory(caller: Caller, orgId: string, directory: DirectoryInput, source: string): Promise<void>;
  testDirectory(
    caller: Caller,
    orgId: string,
    asked: { readonly directory: DirectoryInput; readonly email: string },
    source: string,
  ): Promise<OutgoingAnswer & { found: boolean }>;
  saveMailDomains(caller: Caller, orgId: string, domains: readonly string[], source: string): Promise<void>;
}

export interface SignInSettingsDeps {
  readonly db: IdentityDb;
  readonly clock: Clock;
  readonly audit: AuditService;
  readonly mail: MailService;
  readonly secrets: SecretBox;
  readonly outgoing: Outgoing;
}

export function createSignInSettingsService(deps: SignInSettingsDeps): SignInSettingsService {
  return bindDeps(deps, { read, save, saveDirectory: changeDirectory, testDirectory, saveMailDomains });
}

async function findOrganization(deps: SignInSettingsDeps, caller: Caller, orgId: string) {
  const { record } = asAccessCaller(caller);
  const row = await deps.db
    .selectFrom('organization')
    .selectAll()
    .where('org_id', '=', orgId)
    .executeTakeFirst();
  if (!row || (!record.isRoot && record.orgId !== orgId)) throw notFound();
  return row;
}

/** A stored password goes to the server and name it was given for, never to another. */
async function withPassword(
  deps: SignInSettingsDeps,
  orgId: string,
  input: DirectoryInput,
): Promise<StoredDirectory> {
  const { bind_password, ...directory } = input;
  if (bind_password !== undefined) return { ...directory, bindPassword: bind_password };
  const stored = await readDirectory(deps.db, deps.secrets, orgId);
  if (!stored || stored.bindPassword === '') return { ...directory, bindPassword: '' };
  const bound = ['host', 'port', 'security', 'ca_certificate', 'bind_dn'] as const;
  if (bound.some((name) => stored[name] !== directory[name])) {
    throw new AppError('bad-input', sayOfField('bind_password', say('auth.passwordAgain')), {
      field: 'bind_password',
    });
  }
  return { ...directory, bindPassword: stored.bindPassword };
}

async function checkUsable(
  deps: SignInSettingsDeps,
  orgId: string,
  settings: SignInSettings,
  ssoKind: string | null,
): Promise<void> {
  if (settings.auth_type === 'ldap' && !(await readDirectory(deps.db, deps.secrets, orgId))) {
    throw new AppError('bad-input', sayOfField('auth_type', say('auth.setDirectoryFirst')));
  }
  if (settings.auth_type === 'sso' && ssoKind === null) {
    throw new AppError('bad-input', sayOfField('auth_type', say('auth.setSsoFirst')));
  }
  if (!settings.otp_methods.includes('totp') && !(await deps.mail.isSetUp())) {
    throw new AppError('bad-input', sayOfField('otp_methods', say('auth.codesNeedMailServer')));
  }
}

async function read(deps: SignInSettingsDeps, caller: Caller, orgId: string): Promise<SignInSettingsView> {
  const { db, secrets, mail } = deps;
  const row = await findOrganization(deps, caller, orgId);
  const stored = await readDirectory(db, secrets, orgId);
  const { bindPassword = '', ...directory } = stored ?? {};
  return {
    auth_type: row.auth_type,
    otp_methods: row.otp_methods,
    second_factor_always: row.second_factor_always,
    session_timeout_min: row.session_timeout_min,
    session_max_min: row.session_max_min,
    sso_kind: row.sso_kind,
    mail_domains: await mailDomainsOf(db, orgId),
    outsiders: asAccessCaller(caller).record.isRoot ? await selectOutsiders(db, orgId) : [],
    directory: stored && { ...(directory as LdapDirectory), has_password: bindPassword !== '' },
    mail_is_set_up: await mail.isSetUp(),
  };
}

async function save(
  deps: SignInSettingsDeps,
  caller: Caller,
  orgId: string,
  settings: SignInSettings,
  source: string,
): Promise<void> {
  const row = await findOrganization(deps, caller, orgId);
  await checkUsable(deps, orgId, settings, row.sso_kind);
  await deps.db.transaction().execute(async (trx) => {
    await trx.updateTable('organization').set(settings).where('org_id', '=', orgId).execute();
    const act = { action: 'organization.sign-in', who: caller, source, orgId, entity: row.name };
    await deps.audit.record({ ...act, details: { ...settings } }, trx);
  });
}

async function changeDirectory(
  deps: SignInSettingsDeps,
  caller: Caller,
  orgId: string,
  input: DirectoryInput,
  source: string,
): Promise<void> {
  const { db, secrets, clock, audit } = deps;
  const { name } = await findOrganization(deps, caller, orgId);
  const directory = await withPassword(deps, orgId, input);
  const { host, port, security, base_dn } = directory;
  const details = { host, port, security, base_dn };
  await db.transaction().execute(async (trx) => {
    await saveDirectory(trx, secrets, { orgId, directory, now: clock.now() });
    const act = { action: 'organization.directory', who: caller, source, orgId, entity: name };
    await audit.record({ ...act, details }, trx);
  });
}

async function testDirectory(
  deps: SignInSettingsDeps,
  caller: Caller,
  orgId: string,
  { directory: input, email }: { readonly directory: DirectoryInput; readonly email: string },
  source: string,
): Promise<OutgoingAnswer & { found: boolean }> {
  const { name: entity } = await findOrganization(deps, caller, orgId);
  const directory = await withPassword(deps, orgId, input);
  const { host, port, security } = directory;
  const about = { who: caller, source, orgId, entity };
  const asked = { host, port, security, email };
  // Before the server of somebody is asked, and once more with what it answered, or that it was not reached.
  await deps.audit.record({ ...about, action: 'organization.directory.test', details: asked });
  const trial = await withOutgoingTrail<DirectoryTrial | null>(
    deps,
    { who: caller, source, orgId, purpose: 'test of the directory' },
    () => tryDirectory(deps.outgoing, directory, email),
    () => null,
  );
  if (trial === null) return { found: false, ...outgoingAnswer(say('outgoing.notReached')) };
  const { found, address, ...said } = trial;
  const details = { ...asked, found, answer: said.answer, address };
  await deps.audit.record({ ...about, action: 'organization.directory.answer', details });
  return { found, ...said };
}

async function saveMailDomains(
  deps: SignInSettingsDeps,
  caller: Caller,
  orgId: string,
  domains: readonly string[],
  source: string,
): Promise<void> {
  const { name } = await findOrganization(deps, caller, orgId);
  const act = { action: 'organization.domains', who: caller, source, orgId, entity: name };
  try {
    await deps.db.transaction().execute(async (trx) => {
      await replaceMailDomains(trx, orgId, domains);
      await deps.audit.record({ ...act, details: { domains: [...domains] } }, trx);
    });
  } catch (error) {
    if (isViolation(error, 'unique')) {
      throw new AppError('conflict', say('auth.domainTaken'));
    }
    throw error;
  }
}
