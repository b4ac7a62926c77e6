import type { FastifyInstance } from 'fastify';
import type { BackgroundWork } from '../../../platform/feature.ts';
import type { AnyJob } from '../../../platform/jobs/job.ts';
import type { Platform } from '../../../platform/platform.ts';
import { secretBoxOf } from '../../../platform/secret-box.ts';
import type { StreamNames } from '../../../platform/stream-names.ts';
import type { Identity } from '../identity-feature.ts';
import { identityDb } from '../identity-tables.ts';
import {
  createOrganizationAdministration,
  type OrganizationAdministration,
} from '../organizations/organization-administration.ts';
import { registerOrganizationAdministration } from '../organizations/organization-routes.ts';
import { generatePassword } from '../sign-in/generate-password.ts';
import { type AdministrationDb, administrationDb } from './administration-tables.ts';
import { type ClusterDeps, createClusterService } from './cluster-service.ts';
import { tenantMigrations } from './migrate-tenants.ts';
import { createPlanService, type PlanService } from './plan-service.ts';
import {
  registerClusterRoutes,
  registerRetentionRoutes,
  registerSwitchRoutes,
} from './platform-administration-routes.ts';
import { createRetentionDays, type RetentionDays } from './retention-days.ts';
import { createRetentionService, type RetentionService } from './retention-service.ts';
import { createScopeService } from './scope-service.ts';
import { tenantsWithRetention } from './stream-config-store.ts';
import { createSwitchService, type SwitchService } from './switch-service.ts';
import { createTenantAccessService } from './tenant-access-service.ts';
import { countConnected } from './tenant-access-store.ts';
import { registerTenantAdministration } from './tenant-administration-routes.ts';
import { tenantSweep } from './tenant-sweep.ts';

// Administration, wired: scopes, access, organizations and their people, the fleet, retention, switches.

interface AdministrationFeature {
  readonly db: AdministrationDb;
  readonly plans: PlanService;
  readonly people: OrganizationAdministration;
  readonly switches: SwitchService;
  /** Keeps retention. */
  readonly jobs: readonly AnyJob[];
  /** The class of retention that ingest writes into events. */
  readonly retentionDays: RetentionDays;
  readonly retention: Pick<RetentionService, 'list' | 'preview'>;
  /** Runs with the worker role: brings the event tables of tenants to this version. */
  readonly work: readonly BackgroundWork[];
  register(app: FastifyInstance): void;
}

export function administrationFeature(deps: {
  readonly platform: Platform;
  readonly identity: Identity;
  readonly streamNames: StreamNames;
  readonly usage: ClusterDeps['usage'];
  readonly openCases: ClusterDeps['openCases'];
  readonly pendingSignals: ClusterDeps['pendingSignals'];
}): AdministrationFeature {
  const { platform, identity, streamNames } = deps;
  const { postgres, eventStore, clock, log } = platform;
  const { audit, organizations, tenants, users } = identity;
  const db = identityDb(postgres);
  const administration = administrationDb(db);
  const scopes = createScopeService({ postgres, eventStore, clock, audit });
  const access = createTenantAccessService({ db, audit, users });
  const switches = createSwitchService({ db: administration, clock, audit });
  const retention = createRetentionService({ postgres, eventStore, clock, audit, streamNames });
  const clusters = createClusterService({
    ...{ db: administration, eventStore, clock, log, audit },
    secrets: secretBoxOf(platform),
    tenants,
    access,
    usage: { users: (clusterId) => countConnected(db, clusterId), ...deps.usage },
    openCases: deps.openCases,
    pendingSignals: deps.pendingSignals,
  });
  const people = createOrganizationAdministration({
    db,
    audit,
    organizations,
    users,
    firstPasswords: {
      ways: async () => ((await identity.mail.isSetUp()) ? ['link', 'shown'] : ['shown']),
      generate: generatePassword,
      invite: identity.signIn.passwordLinks.invite,
    },
    readAccess: (userId) => identity.auth.accessOf({ userId, ssid: '' }),
  });
  return {
    db: administration,
    plans: createPlanService({ db, log }),
    people,
    switches,
    jobs: tenantSweep({
      postgres,
      kind: 'retention',
      schedule: '*/15 * * * *',
      sweep: (clusterId) => retention.sweep(clusterId),
      tenantsWithWork: async () => switches.among('retention', await tenantsWithRetention(postgres)),
    }),
    ...{ retentionDays: createRetentionDays({ postgres, clock }), retention },
    // First: whatever works on events afterwards finds them as this version keeps them, or is refused.
    work: [tenantMigrations({ eventStore, tenants: () => tenants.allWithScopes(), log })],
    register: (app) => {
      registerTenantAdministration(app, scopes, access);
      registerOrganizationAdministration(app, people);
      registerClusterRoutes(app, clusters);
      registerRetentionRoutes(app, retention);
      registerSwitchRoutes(app, switches);
    },
  };
}
