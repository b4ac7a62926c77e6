import type { FastifyInstance } from 'fastify';
import type { Authorizer } from '../../platform/http/caller.ts';
import type { AnyJob } from '../../platform/jobs/job.ts';
import type { Platform } from '../../platform/platform.ts';
import { secretBoxOf } from '../../platform/secret-box.ts';
import { registerMailRoutes } from '../mail/mail-routes.ts';
import { createMailService, type MailService } from '../mail/mail-service.ts';
import { registerAuditRoutes } from './audit/audit-routes.ts';
import { type AuditService, createAuditService } from './audit/audit-service.ts';
import { createAuditTrailService } from './audit/audit-trail-service.ts';
import { createRefusalTrail, type RefusalTrail } from './audit/refusal-trail.ts';
import { auditSigning } from './audit/sign-audit.ts';
import { verifyAudit } from './audit/verify-audit.ts';
import { identityDb } from './identity-tables.ts';
import { registerOrganizationRoutes } from './organizations/organization-routes.ts';
import { createOrganizationService, type OrganizationService } from './organizations/organization-service.ts';
import type { AuthService } from './sign-in/auth-service.ts';
import { createAuthorizer } from './sign-in/authorizer.ts';
import { ensureRootAdministrator } from './sign-in/first-start.ts';
import { hashPassword } from './sign-in/password-hash.ts';
import { checkNewPassword, checkPassword } from './sign-in/password-policy.ts';
import { replacePassword } from './sign-in/replace-password.ts';
import { type SignIn, signInFeature } from './sign-in/sign-in-feature.ts';
import { readPlatformState } from './tenants/platform-state.ts';
import { registerTenantRoutes } from './tenants/tenant-routes.ts';
import { createTenantService, type TenantService } from './tenants/tenant-service.ts';
import { registerUserRoutes } from './users/user-routes.ts';
import { createUserService, type UserService } from './users/user-service.ts';

// Identity as a whole: who there is, how they sign in, what they may reach. Four folders that make sense
// only together, wired here once for the server, the command line and tests.

export interface Identity {
  readonly audit: AuditService;
  readonly refusals: RefusalTrail;
  /** Signs the end of the audit trail every hour. */
  readonly jobs: readonly AnyJob[];
  readonly auth: AuthService;
  /** Second factors, links for passwords, sessions, settings of signing in. */
  readonly signIn: SignIn;
  readonly authorizer: Authorizer;
  readonly mail: MailService;
  readonly organizations: OrganizationService;
  readonly tenants: TenantService;
  readonly users: UserService;
  /** Makes the first administrator when there is none; answers lines to print once. */
  prepare(): Promise<readonly string[]>;
  register(app: FastifyInstance): void;
}

export function identityFeature(platform: Platform): Identity {
  const { clock, config, eventStore, log, outgoing, postgres } = platform;
  const db = identityDb(postgres);
  const secrets = secretBoxOf(platform);
  const audit = createAuditService({ postgres, clock, log });
  const mail = createMailService({ postgres, clock, audit, secrets, outgoing });
  const signIn = signInFeature(platform, { db, audit, mail });
  const { auth } = signIn;
  const organizations = createOrganizationService({ db, clock });
  const tenants = createTenantService({ postgres, eventStore, clock });
  const users = createUserService({
    db,
    clock,
    hashPassword,
    checkPassword,
    checkNewPassword,
    replacePassword,
  });
  return {
    audit,
    refusals: createRefusalTrail({ audit, log }),
    jobs: [auditSigning({ postgres, clock, secrets, log })],
    auth,
    signIn,
    mail,
    organizations,
    tenants,
    users,
    authorizer: createAuthorizer((ssid, how) => auth.findCaller(ssid, how)),
    prepare: () => ensureRootAdministrator(db, clock, config, audit),
    register: (app) => {
      signIn.register(app);
      registerTenantRoutes(app, tenants, () => readPlatformState(platform));
      registerUserRoutes(app, users);
      registerMailRoutes(app, mail);
      registerOrganizationRoutes(app, organizations);
      registerAuditRoutes(
        app,
        createAuditTrailService({ db, clock, audit, verifyChain: () => verifyAudit(postgres, secrets) }),
      );
    },
  };
}
