import { catalogFeatures, tenantCatalog } from './compose-catalog.ts';
import { composeIngest } from './compose-ingest.ts';
import { attackFeature } from './features/attack/attack-feature.ts';
import { provenBySamples } from './features/attack/scope-rules.ts';
import { workbookFacts } from './features/attack/workbook-facts.ts';
import { casesFeature } from './features/cases/cases-feature.ts';
import { countOpenCases } from './features/cases/count-open-cases.ts';
import { truePositives } from './features/cases/true-positives.ts';
import { componentsFeature } from './features/components/components-feature.ts';
import { contentFeature } from './features/content/content-feature.ts';
import { crossTenantFeature } from './features/cross-tenant/cross-tenant-feature.ts';
import { streamNamesOf } from './features/data-model/names-of-streams.ts';
import { demoFeature } from './features/demo/demo-feature.ts';
import type { DemoService } from './features/demo/demo-service.ts';
import { detectionsFeature } from './features/detections/detections-feature.ts';
import { createRuleControl } from './features/detections/rule-control.ts';
import { tenantsWithRules } from './features/detections/tenants-with-rules.ts';
import { functionsFeature, tenantFunctions } from './features/functions/functions-feature.ts';
import { globalSearchFeature } from './features/global-search/global-search-feature.ts';
import { apiTokensFeature } from './features/identity/api-tokens/api-tokens-feature.ts';
import type { RefusalTrail } from './features/identity/audit/refusal-trail.ts';
import { identityFeature } from './features/identity/identity-feature.ts';
import { queryReachOf } from './features/identity/sign-in/query-reach.ts';
import { ssoFeature } from './features/identity/sso/sso-feature.ts';
import { administrationFeature } from './features/identity/tenants/administration-feature.ts';
import type { IngestFeature } from './features/ingest/ingest-feature.ts';
import { jobsFeature } from './features/jobs/jobs-feature.ts';
import { listExportFeature } from './features/list-export/list-export-feature.ts';
import { liveFeature } from './features/live/live-feature.ts';
import { notificationsFeature } from './features/notifications/notifications-feature.ts';
import { overviewFeature } from './features/overview/overview-feature.ts';
import { preferencesFeature } from './features/preferences/preferences-feature.ts';
import { createKnownRules } from './features/rule-health/known-rules.ts';
import { ruleHealthFeature } from './features/rule-health/rule-health-feature.ts';
import { rulePreviewFeature } from './features/rule-preview/rule-preview-feature.ts';
import {
  rulesFeature,
  withPackContent,
  withPackRules,
  withRuleKnowledge,
} from './features/rules/rules-feature.ts';
import { samplesFeature } from './features/samples/samples-feature.ts';
import type { KqlCompiler } from './features/search/kql-compiler.ts';
import { searchFeature } from './features/search/search-feature.ts';
import { countSignals } from './features/signals/count-signals.ts';
import { createEntitySearch } from './features/signals/entity-search.ts';
import { signalLimits } from './features/signals/release-signals.ts';
import { createSignalDirectory } from './features/signals/signal-directory-service.ts';
import { signalCounts, signalsFeature } from './features/signals/signals-feature.ts';
import { createTechniqueSignals } from './features/signals/technique-signals.ts';
import { sourceJobs } from './features/sources/learn-sources.ts';
import { namesOfSilentSources } from './features/sources/silent-sources.ts';
import { streamsFeature } from './features/streams/streams-feature.ts';
import { suppressionFeature } from './features/suppression/suppression-feature.ts';
import { uploadsFeature } from './features/uploads/uploads-feature.ts';
import { countStreamedWorkbooks } from './features/workbooks/count-streamed-workbooks.ts';
import { limitStreamedWorkbooks } from './features/workbooks/limit-streamed-workbooks.ts';
import { type NativeDetection, shippedRules } from './features/workbooks/native-content.ts';
import { techniqueWorkbooks } from './features/workbooks/technique-workbooks.ts';
import { createWorkbookReader } from './features/workbooks/workbook-reader.ts';
import { workbooksFeature } from './features/workbooks/workbooks-feature.ts';
import type { ComponentDetails } from './platform/components/component-registry.ts';
import { eventUpkeep } from './platform/events/prune-events.ts';
import type { BackgroundWork, RoutedFeature } from './platform/feature.ts';
import type { Authorizer } from './platform/http/caller.ts';
import type { AnyJob } from './platform/jobs/job.ts';
import { createJobRunner } from './platform/jobs/job-runner.ts';
import { jobUpkeep } from './platform/jobs/job-upkeep.ts';
import type { Platform } from './platform/platform.ts';

// The only place where things are wired together. A feature gets the platform and the services of other features,
// and hands back what it registers and runs.

export interface Composed {
  readonly authorizer: Authorizer;
  /** Refused calls and forgotten entries; `flush` at the end of a stop. */
  readonly refusals: RefusalTrail;
  /** Runs once after the migrations, before anything listens; answers lines to print once. */
  readonly prepare: () => Promise<readonly string[]>;
  /** Resolves when mails that go out behind an answer have gone out or failed. */
  readonly settled: () => Promise<void>;
  readonly demo: DemoService;
  /** Every tenant of the platform. */
  readonly tenants: () => Promise<readonly { readonly clusterId: string }[]>;
  /** On the port of console and calls. */
  readonly api: readonly RoutedFeature[];
  /** On the port of senders. */
  readonly ingest: readonly RoutedFeature[];
  /** Runs with the ingest role: tables of enrichment before the listeners of senders and the spool. */
  readonly ingestWork: readonly [BackgroundWork, IngestFeature['work'], ...BackgroundWork[]];
  /** What the ingest role says of itself with each heartbeat. */
  readonly ingestFigures: () => ComponentDetails;
  /** Every job, run by the worker role. */
  readonly jobs: readonly AnyJob[];
  /** Runs with the worker role: the detection scheduler, jobs. */
  readonly work: readonly BackgroundWork[];
}

/** What a server takes from outside instead of making it. */
export interface ComposedFrom {
  /** Its owner closes it. */
  readonly compiler?: KqlCompiler;
  /** The detections that every tenant has; those of content/detections when absent. */
  readonly shippedDetections?: readonly NativeDetection[] | undefined;
}

const jobsOf = ({ jobs }: { readonly jobs: readonly AnyJob[] }): readonly AnyJob[] => jobs;

/** Wires the features of a server. Nothing is started. */
export function compose(platform: Platform, { compiler, shippedDetections }: ComposedFrom = {}): Composed {
  const { postgres, clock } = platform;
  const identity = identityFeature(platform);
  const { audit, mail, users } = identity;
  const streamNames = streamNamesOf(postgres);
  const administration = administrationFeature({
    ...{ platform, identity, streamNames },
    usage: {
      streamed_workbooks: (clusterId) => countStreamedWorkbooks(postgres, clusterId),
      tracked_signals: async (clusterId) => (await countSignals(postgres, clusterId)).tracked,
    },
    openCases: (clusterId) => countOpenCases(postgres, clusterId),
    pendingSignals: async (clusterId) => (await countSignals(postgres, clusterId)).pending,
  });
  const components = componentsFeature({
    platform,
    db: administration.db,
    audit,
    mail: identity.mail,
    mayMail: (clusterId) => administration.switches.isOn('component_mail', clusterId),
  });
  const reader = createWorkbookReader(postgres);
  const library = tenantFunctions(platform);
  const catalog = tenantCatalog(platform);
  const search = searchFeature({
    platform,
    workbookKql: reader.kqlOf,
    maxAtOnce: (clusterId) => administration.plans.allowance(clusterId, 'concurrent_searches'),
    audit,
    functions: library,
    catalog,
    ...{ reachOf: queryReachOf, namesOf: namesFrom(users) },
    ...(compiler ? { compiler } : {}),
  });
  const { queries } = search;
  const ruleControl = createRuleControl(clock);
  const samples = samplesFeature({
    ...{ platform, queries, audit },
    shipped: () => shippedRules(shippedDetections),
    ruleOf: withPackContent(postgres, reader.samplesOf),
  });
  const rules = rulesFeature({
    ...{ platform, queries, seenFields: search.seenFields, rules: ruleControl, audit, samples },
  });
  const { retentionDays, retention } = administration;
  const { enrichment, ingest, extraction, connectors } = composeIngest({
    ...{ platform, queries, audit, retentionDays, plans: administration.plans },
  });
  const cases = casesFeature({
    ...{ postgres, clock, audit },
    signals: createSignalDirectory(clock),
    findHandler: identity.users.findHandler,
    handlersOf: identity.users.handlersOf,
  });
  const notifications = notificationsFeature({ platform, audit, mail, peopleOf: users.scopePeople });
  const knowledgeOf = withRuleKnowledge(reader, rules.content);
  const signals = signalsFeature({
    ...{ platform, queries, audit },
    casesById: (clusterId, scopeId, caseIds) => cases.service.getMany({ clusterId, scopeId }, caseIds),
    knowledgeOf,
  });
  const suppression = suppressionFeature({ platform, audit, knowledgeOf });
  const workbooks = workbooksFeature({
    ...{ platform, queries, streamNames, shippedDetections },
    rules: limitStreamedWorkbooks(ruleControl, administration.plans.planOf),
    signalCounts: signalCounts(postgres, clock),
    audit,
    samples: samples.gate,
  });
  const definitions = withPackRules(reader, rules.content);
  const detections = detectionsFeature({
    ...{ platform, queries, functions: library, audit, definitions },
    definitionsIn: reader.definitionsIn,
    tenants: async () => {
      const all = await identity.tenants.allWithScopes();
      const on = new Set(await administration.switches.among('detections', all));
      return all.map((tenant) => ({ ...tenant, isPaused: !on.has(tenant) }));
    },
    prepareTenant: workbooks.syncNative,
    signalDays: async (...place) => (await administration.retentionDays(...place)).Signals ?? 0,
  });
  const knownRules = createKnownRules({ workbooks: reader.definitionsIn, packs: rules.on });
  const ruleHealth = ruleHealthFeature({
    ...{ platform, audit },
    runs: detections.runs,
    knownRules,
  });
  const volumes = streamsFeature({
    ...{ platform, audit, knownRules, definitions, retention, streamNames, runs: detections.runs },
  });
  const rulePreviews = rulePreviewFeature({
    ...{ platform, queries, functions: library, audit, definitions, packs: rules.content },
    retentionDays,
  });
  const attack = composeAttack({ platform, identity, ruleControl, rules, samples, reader });
  const added = catalogFeatures({ platform, audit, queries, functions: library, catalog });
  const demo = demoFeature({ platform, identity, ...ingest, prepareTenant: workbooks.syncNative });
  const apiTokens = apiTokensFeature(platform, identity, ingest.sources);
  const jobs: readonly AnyJob[] = [
    jobUpkeep(postgres),
    eventUpkeep(platform),
    ...sourceJobs(platform),
    ...signalLimits({ postgres, clock, audit, planOf: administration.plans.planOf }),
    ...[identity, administration, components, search, rules, samples, suppression].flatMap(jobsOf),
    ...[ruleHealth, rulePreviews, extraction, attack, added, enrichment].flatMap(jobsOf),
    ...[ingest, notifications].flatMap(jobsOf),
  ];
  return {
    authorizer: apiTokens.authorizer,
    jobs,
    refusals: identity.refusals,
    prepare: () => identity.prepare(),
    settled: () => identity.signIn.passwordLinks.settled(),
    demo: demo.service,
    tenants: () => identity.tenants.allWithScopes(),
    api: [
      identity,
      administration,
      components,
      cases,
      ...[ingest.calls, connectors, uploadsFeature({ ...ingest, audit })],
      search,
      functionsFeature({ platform, library, queries, audit, authorizer: identity.authorizer }),
      overviewFeature(platform.eventStore, audit),
      crossTenantFeature({ signals: signals.service, cases: cases.service, log: platform.log }),
      preferencesFeature(platform, identity),
      ssoFeature(platform, identity),
      apiTokens,
      workbooks,
      contentFeature({ clock, audit, workbooks, rules }),
      detections,
      ruleHealth,
      volumes,
      rulePreviews,
      extraction,
      rules,
      samples,
      signals,
      ...[suppression, ...added.features, enrichment, attack],
      listExportFeature({
        cases: cases.service,
        signals: signals.service,
        workbooks: workbooks.service,
        extractors: extraction.extractors,
        ...{ tokens: apiTokens.service, sources: ingest.collection, ...volumes.lists },
        audit,
        authorizer: identity.authorizer,
        ...{ tenants: identity.tenants, organizations: identity.organizations },
        people: administration.people,
        users: identity.users,
      }),
      globalSearchFeature({
        people: administration.people,
        cases: cases.service,
        signals: signals.service,
        workbooks: workbooks.service,
        entities: createEntitySearch(postgres),
      }),
      notifications,
      jobsFeature({ postgres, audit }),
      liveFeature({
        postgres,
        unreadOf: notifications.service.unread,
        authorizer: apiTokens.authorizer,
        log: platform.log,
      }),
      demo,
    ],
    ingest: [ingest.senders],
    ingestWork: [enrichment.work, ingest.work, connectors.work],
    ingestFigures: ingest.flowFigures,
    work: [
      ...administration.work,
      detections.work,
      notifications.maker,
      demo.work,
      createJobRunner({ postgres, log: platform.log, jobs }),
    ],
  };
}

/** Coverage of ATT&CK: what watches a technique, what was seen of it, who uses it. */
function composeAttack(parts: {
  readonly platform: Platform;
  readonly identity: ReturnType<typeof identityFeature>;
  readonly ruleControl: ReturnType<typeof createRuleControl>;
  readonly rules: ReturnType<typeof rulesFeature>;
  readonly samples: ReturnType<typeof samplesFeature>;
  readonly reader: ReturnType<typeof createWorkbookReader>;
}): ReturnType<typeof attackFeature> {
  const { platform, identity, ruleControl, rules, samples, reader } = parts;
  const { postgres } = platform;
  return attackFeature({
    ...{ platform, audit: identity.audit },
    workbooks: techniqueWorkbooks({ postgres, rules: ruleControl }),
    packs: rules.techniques.inScope,
    lackedFields: rules.techniques.lackedFields,
    silentSources: namesOfSilentSources(postgres),
    signals: createTechniqueSignals(postgres),
    truePositives: truePositives(postgres),
    proofs: [provenBySamples(samples.proven)],
    workbookOf: workbookFacts(reader, rules.content),
    tenants: () => identity.tenants.allWithScopes(),
    tenantsWithRules: () => tenantsWithRules(postgres),
  });
}

/** Names of the people of a scope by id. */
const namesFrom =
  (users: ReturnType<typeof identityFeature>['users']) =>
  async ({ clusterId, scopeId }: { readonly clusterId: string; readonly scopeId: string }) =>
    new Map((await users.scopePeople(clusterId, scopeId)).map(({ user_id, name }) => [user_id, name]));
