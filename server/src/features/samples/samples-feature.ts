import { readSamplePolicy, readSamples, runSamples, saveSamples, setSamplePolicy } from '@tyrian/contract';
import { partitionOf } from '../../platform/clickhouse/event-tables.ts';
import type { RoutedFeature } from '../../platform/feature.ts';
import { bindEndpoint } from '../../platform/http/bind-endpoint.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { type AnyJob, scheduledJob } from '../../platform/jobs/job.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import type { QueryService } from '../search/query-service.ts';
import { createImportedSamples, type ImportedSamples } from './imported-samples.ts';
import { createSampleRunner } from './run-samples.ts';
import { SAMPLE_DATABASE } from './sample-events.ts';
import { createSampleGate, type SampleGate } from './sample-gate.ts';
import { provenRules } from './sample-store.ts';
import { createSamplesService, type SamplesDeps } from './samples-service.ts';
import { createShippedSamples, type ShippedRule, shippedSamplesJob } from './shipped-samples.ts';

export interface SamplesFeature extends RoutedFeature {
  readonly jobs: readonly AnyJob[];
  readonly gate: SampleGate;
  readonly imported: ImportedSamples;
  /** When the samples of rules passed that prove them as they are now, by rule; shipped detections included. */
  proven(clusterId: string): Promise<ReadonlyMap<string, number>>;
}

/** Samples of rules: kept, run apart from all tenants, and asked before a rule is set to PROD. */
export function samplesFeature(deps: {
  readonly platform: Platform;
  readonly queries: QueryService;
  readonly audit: AuditService;
  readonly ruleOf: SamplesDeps['ruleOf'];
  readonly shipped: () => readonly ShippedRule[];
}): SamplesFeature {
  const { postgres, clock, eventStore: events } = deps.platform;
  const run = createSampleRunner({ events, queries: deps.queries, clock });
  const shipped = createShippedSamples(deps.shipped);
  const service = createSamplesService({
    postgres,
    clock,
    audit: deps.audit,
    run,
    shipped,
    ruleOf: deps.ruleOf,
  });
  const scopeOf = (call: {
    readonly caller: Caller;
    readonly clusterId: string;
    readonly input: { readonly scope_id: string };
  }) => ({ caller: call.caller, clusterId: call.clusterId, scopeId: call.input.scope_id });
  return {
    jobs: [shippedSamplesJob({ postgres, clock, run, rules: deps.shipped }), sampleUpkeep(deps.platform)],
    gate: createSampleGate({ postgres, clock, run, shipped }),
    imported: createImportedSamples({ postgres, clock, run }),
    proven: (clusterId) => postgres.inTenant(clusterId, (trx) => provenRules(trx, clusterId)),
    register: (app) => {
      bindEndpoint(app, readSamples, (call) => service.read(scopeOf(call), call.input.rule_id));
      bindEndpoint(app, saveSamples, (call) => service.save(scopeOf(call), call.input));
      bindEndpoint(app, runSamples, (call) => service.run(scopeOf(call), call.input));
      bindEndpoint(app, readSamplePolicy, ({ clusterId }) => service.policy(clusterId));
      bindEndpoint(app, setSamplePolicy, ({ clusterId, caller, input }) =>
        service.setPolicy(clusterId, caller, input.prod_needs_samples),
      );
    },
  };
}

const DAY_MS = 86_400_000;

/** Drops the events of samples that ran before yesterday; nobody reads them after their run. */
function sampleUpkeep({ eventStore, clock }: Pick<Platform, 'eventStore' | 'clock'>) {
  return scheduledJob('sample-upkeep', '40 3 * * *', async () => {
    if ((await eventStore.tenantState(SAMPLE_DATABASE)) !== 'current') return 0;
    const before = new Date(clock.now() - DAY_MS).toISOString().slice(0, 10);
    const over = (await eventStore.partitions(SAMPLE_DATABASE)).filter(
      ({ id }) => partitionOf(id).day < before,
    );
    for (const { id } of over)
      await eventStore.command(SAMPLE_DATABASE, `ALTER TABLE events DROP PARTITION ID '${id}'`);
    return over.length;
  });
}
