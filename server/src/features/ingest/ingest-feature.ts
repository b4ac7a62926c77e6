import { randomInt, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { createArrivalMarks } from '../../platform/arrivals/arrival-marks.ts';
import type { ComponentDetails } from '../../platform/components/component-registry.ts';
import { type AnyJob, scheduledJob } from '../../platform/jobs/job.ts';
import type { Platform } from '../../platform/platform.ts';
import { secretBoxOf } from '../../platform/secret-box.ts';
import type { IngestEnrichment } from '../enrichment/ingest-enrichment.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import type { CollectionService } from '../sources/collection-service.ts';
import type { IngestFlow } from '../sources/ingest-flow.ts';
import { sourceFeature } from '../sources/source-feature.ts';
import { registerSourceRoutes } from '../sources/source-routes.ts';
import type { SourceService } from '../sources/source-service.ts';
import { registerSyslogGrantRoutes } from '../sources/syslog-grant-routes.ts';
import type { SyslogGrantService } from '../sources/syslog-grant-service.ts';
import { createBatchLedger } from './batch-ledger.ts';
import { createBatchLedgerStore } from './batch-ledger-store.ts';
import { createDecodePool } from './decode-pool.ts';
import { createHecAcks, type HecAcks } from './hec-acks.ts';
import { createIngestService, type IngestService, type IngestServiceDeps } from './ingest-service.ts';
import { createInsertGroups } from './insert-groups.ts';
import { createKernelDrops, type KernelDrops } from './kernel-drops.ts';
import { createLocalAccess } from './local-access.ts';
import { createBodyBudget, SENDER_LIMITS, type SenderLimits } from './sender-limits.ts';
import { createSenderListeners, type SenderPorts } from './sender-listeners.ts';
import { registerSenders } from './sender-routes.ts';
import { createSpool, type Spool } from './spool.ts';

// Ingest as a whole: HTTP for senders, syslog, the ledger of batches, the spool. Wired here for the server and tests.

const BEAT_MS = 5_000;

/** A name that stays the same over restarts of whoever runs on this data folder. */
function ownerOf(dataFolder: string): string {
  const file = path.join(dataFolder, 'ingest-owner');
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    mkdirSync(dataFolder, { recursive: true });
    const owner = randomUUID();
    writeFileSync(file, owner, { mode: 0o600 });
    return owner;
  }
}

/** Ids of acknowledgements are signed with the key of the installation. */
function hecAcks(platform: Platform): HecAcks {
  const secrets = secretBoxOf(platform);
  return createHecAcks((text) => secrets.sign(text, 'hec-ack'), randomInt(2 ** 20));
}

export interface IngestFeature {
  readonly ingest: IngestService;
  readonly sources: SourceService;
  readonly collection: CollectionService;
  readonly grants: SyslogGrantService;
  /** What this process takes in, and how much waits on its disk for the event store. */
  flowFigures(): ComponentDetails;
  /** Old batches and old refusals go. */
  readonly jobs: readonly AnyJob[];
  /** For the port of senders. */
  readonly senders: { register(app: FastifyInstance): Promise<void> };
  /** For the port of console and calls. */
  readonly calls: { register(app: FastifyInstance): void };
  readonly work: {
    readonly name: string;
    start(): Promise<void>;
    stop(): Promise<void>;
    /** Ports once started, which differ from the configured ones when those are 0. */
    ports(): SenderPorts;
  };
}

export interface IngestFeatureDeps {
  readonly audit: AuditService;
  /** How long events of a scope are kept; without it their class is "nobody has said". */
  readonly retentionDays?: IngestServiceDeps['retentionDays'];
  /** What events are enriched with; without it nothing is added to them. */
  readonly enrichment?: { readonly ingest: IngestEnrichment };
  readonly extractorsOf?: IngestServiceDeps['extractorsOf'];
  readonly droppedStreams?: IngestServiceDeps['droppedStreams'];
  /** Other limits than the usual ones, for tests that reach them. */
  readonly limits?: Partial<SenderLimits>;
}

/** How long events are kept, how they are read, and which are not stored. */
const saidByTenants = ({
  retentionDays = async () => ({}),
  extractorsOf,
  droppedStreams,
  enrichment,
}: IngestFeatureDeps) => ({ retentionDays, extractorsOf, droppedStreams, enrichment: enrichment?.ingest });

/** What a heartbeat says of what came in and of what waits. */
function figuresOf(flow: IngestFlow, spool: Pick<Spool, 'status'>): ComponentDetails {
  const { files: queue, bytes: queue_bytes } = spool.status();
  return { ...flow.rates(), queue, queue_bytes, counters: { ...flow.counters() } };
}

function keepAlive(
  ledger: ReturnType<typeof createBatchLedger>,
  drops: KernelDrops,
  log: Platform['log'],
): NodeJS.Timeout {
  return setInterval(() => {
    void drops.look();
    ledger
      .heartbeat()
      .catch((error: Error) => log.warn({ err: error.message }, 'the lease of ingest was not renewed'));
  }, BEAT_MS);
}

export function ingestFeature(platform: Platform, deps: IngestFeatureDeps): IngestFeature {
  const { clock, config, dataFolder, eventStore, log, postgres } = platform;
  const limits = { ...SENDER_LIMITS, ...deps.limits };
  const budget = createBodyBudget(limits);
  const { sources, grants, collection, flow } = sourceFeature(platform, { audit: deps.audit });
  const ledger = createBatchLedger({
    store: createBatchLedgerStore(postgres),
    owner: ownerOf(dataFolder),
    clock,
    log,
  });
  const limitBytes = config.spoolLimitBytes;
  const spool = createSpool({ folder: path.join(dataFolder, 'spool'), eventStore, log, limitBytes });
  const pool = createDecodePool({ log });
  const groups = createInsertGroups({ eventStore, spool, log });
  const arrivals = createArrivalMarks(postgres);
  const ingest = createIngestService({
    ledger,
    pool,
    ...{ groups, sources, flow, eventStore, arrivals, log },
    ...saidByTenants(deps),
  });
  const local = createLocalAccess({ dataFolder, postgres, sources });
  const listeners = createSenderListeners({ config, ingest, sources, budget, limits, log });
  const udpPorts = () => [listeners.ports().syslog.udp, listeners.ports().gelf.udp];
  const drops = createKernelDrops({ sources, ports: udpPorts });
  let heartbeat: NodeJS.Timeout | undefined;
  const whyClosed = () => {
    const { bytes, limitBytes } = spool.status();
    return bytes >= limitBytes ? 'the spool is full' : null;
  };

  return {
    ingest,
    sources,
    collection,
    grants,
    flowFigures: () => figuresOf(flow, spool),
    jobs: [
      scheduledJob(
        'ingest-upkeep',
        '*/10 * * * *',
        async () => (await ledger.purge()) + (await sources.prune()),
      ),
    ],
    senders: {
      register: (app) =>
        registerSenders(app, { ingest, sources, local, log, budget, whyClosed, acks: hecAcks(platform) }),
    },
    calls: {
      register: (app) => {
        const whole = { spoolStatus: spool.status, lookForDrops: drops.look };
        registerSourceRoutes(app, { sources, collection, audit: deps.audit, ...whole });
        registerSyslogGrantRoutes(app, grants);
      },
    },
    work: {
      name: 'ingest',
      start: async () => {
        await ledger.recover();
        await spool.start();
        local.start();
        sources.start();
        await listeners.start();
        heartbeat = keepAlive(ledger, drops, log);
      },
      stop: async () => {
        clearInterval(heartbeat);
        await drops.look();
        await listeners.stop();
        await groups.drain();
        await deps.enrichment?.ingest.flush();
        await pool.close();
        await spool.stop();
        await sources.stop();
      },
      ports: () => listeners.ports(),
    },
  };
}
