import {
  type KeptSample,
  type OutputOf,
  type RuleSample,
  type readSamples,
  type runSamples,
  type SamplePolicy,
  type SampleReport,
  type saveSamples,
  say,
} from '@tyrian/contract';
import type { z } from 'zod';
import { AppError, notFound } from '../../platform/app-error.ts';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import type { RuleToTest, SampleRunner } from './run-samples.ts';
import { readPolicy, writePolicy } from './sample-policy-store.ts';
import {
  contentHash,
  dropSamples,
  findSamples,
  keepResults,
  keepSamples,
  reportOf,
  reportOfRow,
  resultsToStore,
} from './sample-store.ts';
import type { ShippedSamples } from './shipped-samples.ts';

// What people do with samples: look at them, save those of a rule of a pack, run them, and say whether PROD needs them.

export interface SampleCaller {
  readonly caller: Caller;
  readonly clusterId: string;
  readonly scopeId: string;
}

/** A rule as its feature has it: what it asks, and of a workbook the samples of its draft. */
export interface RuleContent {
  readonly name: string;
  /** Empty when there is no query. */
  readonly queries: readonly string[];
  readonly samples: readonly RuleSample[];
  readonly version: number;
  readonly kind: 'pack' | 'workbook';
}

export interface SamplesDeps {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly audit: AuditService;
  readonly run: SampleRunner;
  readonly shipped: ShippedSamples;
  /** A rule of a pack, or a workbook of the scope; null when there is none such. */
  readonly ruleOf: (clusterId: string, scopeId: string, ruleId: string) => Promise<RuleContent | null>;
}

type Parsed<E extends { readonly input: z.ZodType }> = z.output<E['input']>;

export interface SamplesService {
  /** Throws AppError `not-found`. */
  read(scope: SampleCaller, ruleId: string): Promise<OutputOf<typeof readSamples>>;
  /** Throws `not-found`, `conflict` for another revision and for a workbook. */
  save(scope: SampleCaller, input: Parsed<typeof saveSamples>): Promise<OutputOf<typeof saveSamples>>;
  /** Throws `not-found`, `bad-input` without a rule and a draft. */
  run(scope: SampleCaller, input: Parsed<typeof runSamples>): Promise<SampleReport>;
  policy(clusterId: string): Promise<SamplePolicy>;
  setPolicy(clusterId: string, caller: Caller, prodNeedsSamples: boolean): Promise<SamplePolicy>;
}

/** All samples of one rule together. */
const RUN_MS = 60_000;

export function createSamplesService(deps: SamplesDeps): SamplesService {
  return bindDeps(deps, { read, save, run, policy, setPolicy });
}

const own = (samples: readonly RuleSample[]): KeptSample[] =>
  samples.map((sample) => ({ ...sample, events: [...sample.events], origin: 'own' }));

async function ruleIn(
  { ruleOf }: SamplesDeps,
  { clusterId, scopeId }: SampleCaller,
  ruleId: string,
): Promise<RuleContent> {
  const rule = await ruleOf(clusterId, scopeId, ruleId);
  if (!rule) throw notFound();
  return rule;
}

async function read(deps: SamplesDeps, scope: SampleCaller, ruleId: string) {
  const rule = await ruleIn(deps, scope, ruleId);
  const { clusterId } = scope;
  return deps.postgres.inTenant(clusterId, async (trx) => {
    const shipped = deps.shipped.samplesOf(ruleId);
    if (shipped) {
      const samples = own(shipped).map((sample) => ({ ...sample, origin: 'pack' as const }));
      return { ...(await deps.shipped.reportOf(trx, ruleId)), samples, revision: rule.version };
    }
    const row = await findSamples(trx, clusterId, ruleId);
    const report = reportOfRow(row);
    return rule.kind === 'pack'
      ? { ...report, samples: row?.samples ?? [], revision: row?.revision ?? 0 }
      : { ...report, samples: own(rule.samples), revision: rule.version };
  });
}

async function save(deps: SamplesDeps, scope: SampleCaller, input: Parsed<typeof saveSamples>) {
  const { clusterId, scopeId, caller } = scope;
  const { rule_id: ruleId, samples: wanted, revision: expected } = input;
  const rule = await ruleIn(deps, scope, ruleId);
  if (rule.kind !== 'pack') throw new AppError('conflict', say('samples.partOfWorkbook'));
  const kept = await deps.postgres.inTenant(clusterId, async (trx) => {
    const row = await findSamples(trx, clusterId, ruleId, true);
    if ((row?.revision ?? 0) !== expected)
      throw new AppError('conflict', say('packs.changedMeanwhile'), { revision: row?.revision ?? 0 });
    const ofPack = (row?.samples ?? []).filter(({ origin }) => origin === 'pack');
    const names = new Set(ofPack.map(({ name }) => name));
    if (wanted.some(({ name }) => names.has(name)))
      throw new AppError('bad-input', say('reasons.sampleNamesDiffer'));
    const samples = [...ofPack, ...own(wanted)];
    const hash = contentHash(rule.queries, samples);
    if (samples.length === 0) await dropSamples(trx, clusterId, [ruleId]);
    else {
      const writer = { clusterId, nowMs: deps.clock.now(), author: caller.name };
      await keepSamples(trx, writer, [{ ruleId, samples, contentHash: hash }]);
    }
    const details = { title: rule.name, samples: samples.length };
    const entry = { action: 'rule.samples', who: caller, clusterId, scopeId, entity: ruleId, details };
    await deps.audit.record(entry, trx);
    return samples;
  });
  const report = await runKept(deps, scope, ruleId, { queries: rule.queries, samples: kept });
  const revision = await deps.postgres.inTenant(
    clusterId,
    async (trx) => (await findSamples(trx, clusterId, ruleId))?.revision ?? 0,
  );
  return { ...report, revision };
}

/** Runs the samples of a rule and keeps what came of it. */
async function runKept(
  deps: SamplesDeps,
  scope: SampleCaller,
  ruleId: string,
  rule: RuleToTest,
): Promise<SampleReport> {
  const { postgres, clock } = deps;
  const { clusterId } = scope;
  if (rule.samples.length > 0) {
    const results = await ran(deps, scope, rule);
    const tested = { ruleId, contentHash: contentHash(rule.queries, rule.samples), results };
    await postgres.inTenant(clusterId, (trx) => keepResults(trx, clusterId, clock.now(), [tested]));
  }
  return postgres.inTenant(clusterId, async (trx) => reportOfRow(await findSamples(trx, clusterId, ruleId)));
}

async function ran(
  { run: runAll }: SamplesDeps,
  { clusterId, scopeId, caller }: SampleCaller,
  rule: RuleToTest,
) {
  const place = { clusterId, scopeId, userId: caller.userId };
  const [results = []] = await runAll(place, [rule], AbortSignal.timeout(RUN_MS));
  return results;
}

async function run(
  deps: SamplesDeps,
  scope: SampleCaller,
  { rule_id: ruleId, draft }: Parsed<typeof runSamples>,
): Promise<SampleReport> {
  if (draft) return runApart(deps, scope, draft);
  if (ruleId === undefined) throw new AppError('bad-input', say('samples.nothingToRun'));
  const rule = await ruleIn(deps, scope, ruleId);
  const { queries } = rule;
  const shipped = deps.shipped.samplesOf(ruleId);
  // Theirs are kept for the installation by a job; here somebody looks for themselves.
  if (shipped) return runApart(deps, scope, { queries, samples: shipped });
  if (rule.kind === 'workbook') return runKept(deps, scope, ruleId, { queries, samples: rule.samples });
  const row = await deps.postgres.inTenant(scope.clusterId, (trx) =>
    findSamples(trx, scope.clusterId, ruleId),
  );
  return runKept(deps, scope, ruleId, { queries, samples: row?.samples ?? [] });
}

/** Runs without keeping anything. */
async function runApart(deps: SamplesDeps, scope: SampleCaller, rule: RuleToTest): Promise<SampleReport> {
  if (rule.samples.length === 0) return { state: 'none', results: [], tested: null };
  const results = resultsToStore(await ran(deps, scope, rule));
  const passed = results.every((one) => one.passed) && results.some(({ expect }) => expect === 'match');
  return reportOf({ isCurrent: true, passed, results, tested: deps.clock.now() });
}

function policy({ postgres }: SamplesDeps, clusterId: string): Promise<SamplePolicy> {
  return postgres.inTenant(clusterId, (trx) => readPolicy(trx, clusterId));
}

function setPolicy(
  { postgres, clock, audit }: SamplesDeps,
  clusterId: string,
  caller: Caller,
  prodNeedsSamples: boolean,
): Promise<SamplePolicy> {
  return postgres.inTenant(clusterId, async (trx) => {
    const before = await readPolicy(trx, clusterId);
    await writePolicy(trx, { clusterId, nowMs: clock.now(), author: caller.name }, prodNeedsSamples);
    const details = { from: before.prod_needs_samples, to: prodNeedsSamples };
    await audit.record({ action: 'samples.policy', who: caller, clusterId, details }, trx);
    return readPolicy(trx, clusterId);
  });
}
