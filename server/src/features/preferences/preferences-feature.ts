import type { RoutedFeature } from '../../platform/feature.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import type { AuthService } from '../identity/sign-in/auth-service.ts';
import { registerPreferenceRoutes } from './preference-routes.ts';
import { createPreferenceService } from './preference-service.ts';
import { createPreferenceStore } from './preference-store.ts';

/** Language, theme, zone, lists and saved filters of each user. */
export function preferencesFeature(
  platform: Platform,
  { audit, auth }: { readonly audit: AuditService; readonly auth: AuthService },
): RoutedFeature {
  const service = createPreferenceService({
    store: createPreferenceStore(platform.postgres),
    clock: platform.clock,
    audit,
    localeOf: async (caller) => (await auth.accessOf(caller)).locale,
    saveLocale: auth.saveLocale,
  });
  return { register: (app) => registerPreferenceRoutes(app, service) };
}
