import type { RoutedFeature } from '../../../platform/feature.ts';
import type { Platform } from '../../../platform/platform.ts';
import { secretBoxOf } from '../../../platform/secret-box.ts';
import type { Identity } from '../identity-feature.ts';
import { signingKeyOf } from './signing-key.ts';
import { registerSsoRoutes } from './sso-routes.ts';
import { createSsoService } from './sso-service.ts';
import { createSsoSettingsService } from './sso-settings-service.ts';
import { ssoDb } from './sso-store.ts';

/** Single sign-on by SAML 2.0 and OpenID Connect, per organization. */
export function ssoFeature(platform: Platform, identity: Pick<Identity, 'audit' | 'auth'>): RoutedFeature {
  const { clock, config, log, outgoing, postgres } = platform;
  const { audit, auth } = identity;
  const db = ssoDb(postgres);
  const secrets = secretBoxOf(platform);
  const sso = createSsoService({ db, secrets, clock, audit, log, auth, outgoing });
  const settings = createSsoSettingsService({ db, secrets, clock, audit, outgoing });
  const certificate = async () => (await signingKeyOf(db, secrets, clock.now())).certificate;
  return { register: (app) => registerSsoRoutes(app, { config, sso, settings, certificate }) };
}
