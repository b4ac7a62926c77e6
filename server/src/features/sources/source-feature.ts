import type { AuditRecorder } from '../../platform/audit-recorder.ts';
import type { Platform } from '../../platform/platform.ts';
import { createAccountLedger } from './account-ledger.ts';
import { createAccountStore } from './account-store.ts';
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
export function sourceFeature(
  { clock, log, postgres }: Platform,
  deps: { readonly audit: AuditRecorder },
): SourceService {
  const accounts = createAccountLedger({ store: createAccountStore(postgres), clock, log });
  return createSourceService({ store: createSourceStore(postgres), accounts, audit: deps.audit, clock, log });
}
