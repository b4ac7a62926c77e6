import { type RuleSample, type SampleState, say } from '@tyrian/contract';
import { AppError } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Postgres, TenantTransaction } from '../../platform/postgres/postgres.ts';
import type { RanSample, SamplePlace, SampleRunner } from './run-samples.ts';
import { readPolicy } from './sample-policy-store.ts';
import {
  contentHash,
  dropSamples,
  findSamples,
  keepResults,
  keepSamples,
  type SampleWriter,
  sampleStates,
} from './sample-store.ts';
import type { ShippedSamples } from './shipped-samples.ts';

// Samples as the features of rules need them: run when a workbook is saved, and asked before something is set to PROD.

/** A workbook as it is to be saved. */
export interface DraftToTest {
  /** Null while it is new. */
  readonly ruleId: string | null;
  readonly stage: string;
  /** Of its detections; empty for a workbook that raises no signals. */
  readonly queries: readonly string[];
  readonly samples: readonly RuleSample[];
}

/** What came of a draft's samples; null where there are none. */
export interface TestedDraft {
  readonly contentHash: string;
  /** Null: nothing new was run, since nothing has changed or the engine did not answer. */
  readonly results: readonly RanSample[] | null;
}

export interface SampleGate {
  /**
   * Runs the samples of a draft before it is saved. Throws AppError `conflict` for the stage PROD where the tenant asks
   * for passing samples and these do not pass.
   */
  testDraft(place: SamplePlace, draft: DraftToTest): Promise<TestedDraft | null>;
  /** Keeps that with the workbook that was saved. */
  keepTested(
    trx: TenantTransaction,
    writer: SampleWriter,
    ruleId: string,
    tested: TestedDraft | null,
  ): Promise<void>;
  /** Of these rules those that must not run in PROD, shipped ones aside; none where the tenant does not ask for samples. */
  unproven(
    trx: TenantTransaction,
    clusterId: string,
    ruleIds: readonly string[],
  ): Promise<ReadonlySet<string>>;
  /** States of workbooks that have samples, shipped ones too. */
  statesOf(
    trx: TenantTransaction,
    clusterId: string,
    ruleIds?: readonly string[],
  ): Promise<ReadonlyMap<string, SampleState>>;
  /** Samples of a shipped detection. */
  shippedOf(ruleId: string): readonly RuleSample[] | undefined;
  remove(trx: TenantTransaction, clusterId: string, ruleIds: readonly string[]): Promise<void>;
}

interface GateDeps {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly run: SampleRunner;
  readonly shipped: ShippedSamples;
}

/** So long a save waits for its samples. */
const SAVE_MS = 30_000;

export function createSampleGate(deps: GateDeps): SampleGate {
  return {
    testDraft: (place, draft) => testDraft(deps, place, draft),
    keepTested: (trx, writer, ruleId, tested) => keepTested(deps, trx, writer, ruleId, tested),
    unproven: async (trx, clusterId, ruleIds) => {
      if (ruleIds.length === 0 || !(await readPolicy(trx, clusterId)).prod_needs_samples) return new Set();
      const states = await sampleStates(trx, clusterId, ruleIds);
      return new Set(ruleIds.filter((id) => states.get(id) !== 'passed'));
    },
    statesOf: async (trx, clusterId, ruleIds) => {
      const own = ruleIds?.filter((id) => deps.shipped.samplesOf(id) === undefined);
      const ofOwn = own?.length === 0 ? [] : await sampleStates(trx, clusterId, own);
      return new Map([...ofOwn, ...(await deps.shipped.statesOf(trx, ruleIds))]);
    },
    shippedOf: deps.shipped.samplesOf,
    remove: dropSamples,
  };
}

/** The refusal for a rule whose samples do not let it into PROD. */
export const notProven = (): AppError =>
  new AppError('conflict', say('samples.notProven'), { code: 'unproven' });

async function testDraft(
  deps: GateDeps,
  place: SamplePlace,
  { ruleId, stage, queries, samples }: DraftToTest,
): Promise<TestedDraft | null> {
  const { clusterId } = place;
  const hash = contentHash(queries, samples);
  const { isAsked, row } = await deps.postgres.inTenant(clusterId, async (trx) => ({
    isAsked: stage === 'prod' && queries.length > 0 && (await readPolicy(trx, clusterId)).prod_needs_samples,
    row: ruleId === null ? undefined : await findSamples(trx, clusterId, ruleId),
  }));
  if (samples.length === 0) {
    if (isAsked) throw notProven();
    return null;
  }
  if (row?.tested_hash === hash) {
    if (isAsked && row.passed !== true) throw notProven();
    return { contentHash: hash, results: null };
  }
  const results = await ranDraft(deps, place, { queries, samples }, isAsked);
  const proves = results?.every(({ passed }) => passed) && results.some(({ expect }) => expect === 'match');
  if (isAsked && !proves) throw notProven();
  return { contentHash: hash, results };
}

/** Null when they could not be run and nothing depends on it: a save does not fail for its samples. */
async function ranDraft(
  { run }: GateDeps,
  place: SamplePlace,
  rule: Pick<DraftToTest, 'queries' | 'samples'>,
  isAsked: boolean,
): Promise<readonly RanSample[] | null> {
  try {
    const [results = []] = await run(place, [rule], AbortSignal.timeout(SAVE_MS));
    return results;
  } catch (error) {
    if (isAsked) throw error;
    return null;
  }
}

async function keepTested(
  { clock }: GateDeps,
  trx: TenantTransaction,
  writer: SampleWriter,
  ruleId: string,
  tested: TestedDraft | null,
): Promise<void> {
  const { clusterId } = writer;
  if (!tested) return dropSamples(trx, clusterId, [ruleId]);
  const { contentHash: hash, results } = tested;
  await keepSamples(trx, writer, [{ ruleId, samples: [], contentHash: hash }]);
  if (results) await keepResults(trx, clusterId, clock.now(), [{ ruleId, contentHash: hash, results }]);
}
