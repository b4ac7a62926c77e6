import {
  beginPasskey,
  beginTotp,
  confirmPasskey,
  confirmTotp,
  endSessions,
  listSessions,
  otpPasskeyOptions,
  readFactors,
  readSignInSettings,
  removeFactor,
  renewRecoveryCodes,
  resetFactors,
  resetOwnPassword,
  resetUserPassword,
  saveLdapDirectory,
  saveMailDomains,
  saveSignInSettings,
  say,
  sendOtpMail,
  setPassword,
  testLdapDirectory,
  validResetLink,
  verifyOtp,
  verifyPassToken,
} from '@tyrian/contract';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../../platform/app-error.ts';
import { bindEndpoint, bindPublicEndpoint } from '../../../platform/http/bind-endpoint.ts';
import { ssidOf, visitorOf } from './auth-routes.ts';
import type { AuthService } from './auth-service.ts';
import type { FactorService } from './factor-service.ts';
import type { PasswordLinkService } from './password-link-service.ts';
import type { SecondStepService } from './second-step-service.ts';
import type { SessionService } from './session-service.ts';
import type { SignInSettingsService } from './sign-in-settings-service.ts';

export interface SignInServices {
  readonly auth: AuthService;
  readonly secondStep: SecondStepService;
  readonly sessions: SessionService;
  readonly factors: FactorService;
  readonly passwordLinks: PasswordLinkService;
  readonly settings: SignInSettingsService;
}

/** Calls per minute and address where guessing or flooding would pay. */
const FEW = { perMinute: 60 } as const;

/** Binds the second step, links for passwords, factors, sessions and settings of signing in. */
export function registerSignInRoutes(app: FastifyInstance, services: SignInServices): void {
  bindSecondStep(app, services);
  bindPasswordLinks(app, services);
  bindFactors(app, services);
  bindSessions(app, services);
  bindSettings(app, services);
}

function bindSecondStep(app: FastifyInstance, { secondStep }: SignInServices): void {
  bindPublicEndpoint(
    app,
    verifyOtp,
    ({ input, request }) => secondStep.verify(input.otp_token, input, visitorOf(request)),
    FEW,
  );
  bindPublicEndpoint(app, sendOtpMail, ({ input }) => secondStep.sendMail(input.otp_token), FEW);
  bindPublicEndpoint(app, otpPasskeyOptions, ({ input }) => secondStep.passkeyOptions(input.otp_token), FEW);
}

function bindPasswordLinks(app: FastifyInstance, { auth, passwordLinks }: SignInServices): void {
  bindPublicEndpoint(
    app,
    verifyPassToken,
    ({ params }) => passwordLinks.check(params.token ?? '', ['set']),
    FEW,
  );
  bindPublicEndpoint(
    app,
    validResetLink,
    ({ params }) => passwordLinks.check(params.token ?? '', ['forgot', 'reset']),
    FEW,
  );
  bindPublicEndpoint(
    app,
    setPassword,
    async ({ input, request }) => {
      await passwordLinks.setPassword(input.token, input.password, request.ip);
      return {};
    },
    FEW,
  );
  bindEndpoint(
    app,
    resetOwnPassword,
    async ({ caller, request }) => {
      await passwordLinks.forSelf(caller, request.ip);
      return {};
    },
    FEW,
  );
  bindPublicEndpoint(
    app,
    resetUserPassword,
    async ({ input, request }) => {
      if ('emailId' in input) {
        passwordLinks.forgot(input.emailId, request.ip);
        return {};
      }
      // By user id it is a call of administrators: a session, and the right over that user.
      const caller = await auth.findCaller(ssidOf(request));
      if (!caller) throw new AppError('invalid-session', say('session.invalid'));
      await passwordLinks.forUser(caller, input.user_id, request.ip);
      return {};
    },
    FEW,
  );
}

function bindFactors(app: FastifyInstance, { factors }: SignInServices): void {
  bindEndpoint(app, readFactors, ({ caller }) => factors.read(caller));
  bindEndpoint(app, beginTotp, ({ caller, input, request }) =>
    factors.beginTotp(caller, input.password, request.ip),
  );
  bindEndpoint(app, confirmTotp, async ({ caller, input, request }) => ({
    recovery_codes: await factors.confirmTotp(caller, input.otp, request.ip),
  }));
  bindEndpoint(app, beginPasskey, async ({ caller, input, request }) => ({
    options: await factors.beginPasskey(caller, input.password, request.ip),
  }));
  bindEndpoint(app, confirmPasskey, async ({ caller, input, request }) => ({
    recovery_codes: await factors.confirmPasskey(caller, input, request.ip),
  }));
  bindEndpoint(app, removeFactor, async ({ caller, input, request }) => {
    await factors.remove(caller, input, request.ip);
    return {};
  });
  bindEndpoint(app, renewRecoveryCodes, async ({ caller, input, request }) => ({
    recovery_codes: await factors.renewCodes(caller, input.password, request.ip),
  }));
  bindEndpoint(app, resetFactors, async ({ caller, input, request }) => ({
    mailed: await factors.reset(caller, input.user_id, request.ip),
  }));
}

function bindSessions(app: FastifyInstance, { sessions }: SignInServices): void {
  bindEndpoint(app, listSessions, async ({ caller, input }) => ({
    data: await sessions.list(caller, input.user_id),
  }));
  bindEndpoint(app, endSessions, async ({ caller, input, request }) => ({
    ended: await sessions.endMany(caller, { userId: input.user_id, sessions: input.session_ids }, request.ip),
  }));
}

function bindSettings(app: FastifyInstance, { settings }: SignInServices): void {
  const orgOf = (params: Readonly<Record<string, string>>) => params.orgId ?? '';
  bindEndpoint(app, readSignInSettings, ({ caller, params }) => settings.read(caller, orgOf(params)));
  bindEndpoint(app, saveSignInSettings, async ({ caller, params, input, request }) => {
    await settings.save(caller, orgOf(params), input, request.ip);
    return {};
  });
  bindEndpoint(app, saveLdapDirectory, async ({ caller, params, input, request }) => {
    await settings.saveDirectory(caller, orgOf(params), input, request.ip);
    return {};
  });
  bindEndpoint(app, testLdapDirectory, ({ caller, params, input, request }) => {
    const { emailId, ...directory } = input;
    return settings.testDirectory(caller, orgOf(params), { directory, email: emailId }, request.ip);
  });
  bindEndpoint(app, saveMailDomains, async ({ caller, params, input, request }) => {
    await settings.saveMailDomains(caller, orgOf(params), input.mail_domains, request.ip);
    return {};
  });
}
