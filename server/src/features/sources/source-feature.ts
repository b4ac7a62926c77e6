import type { Platform } from '../../platform/platform.ts';
import type { AuditService } from '../audit/audit-service.ts';
import { createSourceService, type SourceService } from './source-service.ts';
import { createSourceStore } from './source-store.ts';

/** The sources of events on a platform. */
export function sourceFeature(
  { clock, log, postgres }: Platform,
  deps: { readonly audit: AuditService },
): SourceService {
  return createSourceService({ store: createSourceStore(postgres), audit: deps.audit, clock, log });
}
