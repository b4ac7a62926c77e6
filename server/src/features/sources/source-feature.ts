import type { AuditRecorder } from '../../platform/audit-recorder.ts';
import type { Platform } from '../../platform/platform.ts';
import { type SecretBox, secretBoxOf } from '../../platform/secret-box.ts';
import { createAccountLedger } from './account-ledger.ts';
import { createAccountStore } from './account-store.ts';
import { type CollectionService, createCollectionService } from './collection-service.ts';
import { createIngestFlow, type IngestFlow } from './ingest-flow.ts';
import { createSourceService, type SourceService } from './source-service.ts';
import { createSourceStore } from './source-store.ts';
import { createSyslogGrantService, type SyslogGrantService } from './syslog-grant-service.ts';
import { createSyslogGrantStore } from './syslog-grant-store.ts';

interface SourceFeature {
  readonly sources: SourceService;
  /** Whose syslog is whose. */
  readonly grants: SyslogGrantService;
  /** What became of the events of each source. */
  readonly collection: CollectionService;
  /** What this process took in. */
  readonly flow: IngestFlow;
}

/** The sources of events on a platform. */
export function sourceFeature(
  platform: Platform,
  { audit }: { readonly audit: AuditRecorder },
): SourceFeature {
  const { clock, eventStore: events, log, postgres } = platform;
  let box: SecretBox | undefined;
  const secrets = () => (box ??= secretBoxOf(platform));
  const accounts = createAccountLedger({ store: createAccountStore(postgres), clock, log });
  const flow = createIngestFlow();
  const sources = createSourceService({
    ...{ store: createSourceStore(postgres), accounts, secrets, audit, clock, log },
  });
  return {
    flow,
    sources: {
      ...sources,
      count: (clusterId, sourceId, counts) => {
        flow.add(counts);
        sources.count(clusterId, sourceId, counts);
      },
    },
    grants: createSyslogGrantService({ store: createSyslogGrantStore(postgres), audit, clock }),
    collection: createCollectionService({ postgres, events, clock, audit }),
  };
}
