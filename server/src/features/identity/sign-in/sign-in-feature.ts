import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../../platform/platform.ts';
import { secretBoxOf } from '../../../platform/secret-box.ts';
import type { MailService } from '../../mail/mail-service.ts';
import type { AuditService } from '../audit/audit-service.ts';
import type { IdentityDb } from '../identity-tables.ts';
import { registerAuthRoutes } from './auth-routes.ts';
import { type AuthService, createAuthService } from './auth-service.ts';
import { createFactorService, type FactorService } from './factor-service.ts';
import { createLoginGuard } from './login-guard.ts';
import { createPasswordLinkService, type PasswordLinkService } from './password-link-service.ts';
import { passkeyOrigin } from './public-address.ts';
import { createSecondStepService } from './second-step-service.ts';
import { createSessionService, type SessionService } from './session-service.ts';
import { registerSignInRoutes } from './sign-in-routes.ts';
import { createSignInSettingsService, type SignInSettingsService } from './sign-in-settings-service.ts';

/** Everything about signing in, wired once. */
export interface SignIn {
  readonly auth: AuthService;
  readonly sessions: SessionService;
  readonly factors: FactorService;
  readonly passwordLinks: PasswordLinkService;
  readonly settings: SignInSettingsService;
  register(app: FastifyInstance): void;
}

export function signInFeature(
  platform: Platform,
  deps: { readonly db: IdentityDb; readonly audit: AuditService; readonly mail: MailService },
): SignIn {
  const { clock, config, log, outgoing } = platform;
  const { db, audit, mail } = deps;
  const secrets = secretBoxOf(platform);
  const guard = createLoginGuard(db, clock);
  // Asked at each use: the port may be known only once the server listens.
  const origin = () => passkeyOrigin(config);
  const sessions = createSessionService({ db, clock, audit });
  const secondStep = createSecondStepService({
    db,
    clock,
    audit,
    guard,
    mail,
    secrets,
    sessions,
    passkeyOrigin: origin,
  });
  const auth = createAuthService({ db, clock, guard, audit, secrets, sessions, secondStep, outgoing });
  const factors = createFactorService({
    db,
    clock,
    audit,
    guard,
    mail,
    secrets,
    auth,
    log,
    passkeyOrigin: origin,
  });
  const passwordLinks = createPasswordLinkService({ db, clock, audit, guard, mail, log, config });
  const settings = createSignInSettingsService({ db, clock, audit, mail, secrets, outgoing });
  return {
    auth,
    sessions,
    factors,
    passwordLinks,
    settings,
    register: (app) => {
      registerAuthRoutes(app, auth);
      registerSignInRoutes(app, { auth, secondStep, sessions, factors, passwordLinks, settings });
    },
  };
}
