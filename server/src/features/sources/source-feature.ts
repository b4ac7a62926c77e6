import type { AuditRecorder } from '../../platform/audit-recorder.ts';
import type { Platform } from '../../platform/platform.ts';
import { type SecretBox, secretBoxOf } from '../../platform/secret-box.ts';
import { createSourceService, type SourceService } from './source-service.ts';
import { createSourceStore } from './source-store.ts';
import { createSyslogGrantService, type SyslogGrantService } from './syslog-grant-service.ts';
import { createSyslogGrantStore } from './syslog-grant-store.ts';

/** Whose syslog is whose. */
export function syslogGrants(
  { clock, postgres }: Platform,
  deps: { readonly audit: AuditRecorder },
): SyslogGrantService {
  return createSyslogGrantService({ store: createSyslogGrantStore(postgres), audit: deps.audit, clock });
}

/** The sources of events on a platform. */
export function sourceFeature(platform: Platform, deps: { readonly audit: AuditRecorder }): SourceService {
  const { clock, log, postgres } = platform;
  let box: SecretBox | undefined;
  const secrets = () => (box ??= secretBoxOf(platform));
  return createSourceService({ store: createSourceStore(postgres), audit: deps.audit, clock, log, secrets });
}
