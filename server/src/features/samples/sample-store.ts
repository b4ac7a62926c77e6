import { createHash } from 'node:crypto';
import {
  type KeptSample,
  provesRule,
  type RuleSample,
  readStoredText,
  type SampleReport,
  type SampleResult,
  type SampleState,
  storedText,
} from '@tyrian/contract';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { storableJson } from '../../platform/postgres/storable.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import type { RanSample } from './run-samples.ts';
import { SAMPLE_STATE } from './sample-state.ts';

// Samples of rules of packs, and what the last run of the samples of any rule gave. Every function works in the caller's
// transaction of one tenant.

/** Of what a rule asks and of its samples: results hold as long as it is the same. */
export const contentHash = (queries: readonly string[], samples: readonly RuleSample[]): string =>
  createHash('sha256')
    .update(JSON.stringify([queries, samples.map(({ name, expect, events }) => [name, expect, events])]))
    .digest('hex');

type StoredResult = Omit<SampleResult, 'problem'> & { readonly problem: string | null };

export interface SampleRow {
  readonly rule_id: string;
  readonly samples: KeptSample[];
  readonly content_hash: string;
  readonly tested_hash: string | null;
  readonly passed: boolean | null;
  readonly results: readonly StoredResult[];
  readonly tested: number | null;
  readonly revision: number;
}

const COLUMNS = sql`rule_id, samples, content_hash, tested_hash, passed, results, tested_at as tested, revision`;

/** `lock` holds it until the transaction ends. */
export async function findSamples(
  trx: TenantTransaction,
  clusterId: string,
  ruleId: string,
  lock = false,
): Promise<SampleRow | undefined> {
  const { rows } = await sql<SampleRow>`select ${COLUMNS} from rule_samples
    where cluster_id = ${clusterId} and rule_id = ${ruleId} ${lock ? sql`for update` : sql``}`.execute(trx);
  return rows[0];
}

/** Of some rules. */
export async function samplesOf(
  trx: TenantTransaction,
  clusterId: string,
  ruleIds: readonly string[],
): Promise<ReadonlyMap<string, SampleRow>> {
  if (ruleIds.length === 0) return new Map();
  const { rows } = await sql<SampleRow>`select ${COLUMNS} from rule_samples
    where cluster_id = ${clusterId} and rule_id = any(${[...ruleIds]}::text[])`.execute(trx);
  return new Map(rows.map((row) => [row.rule_id, row]));
}

export interface SamplesToKeep {
  readonly ruleId: string;
  /** Of a rule of a pack; of a workbook they stand in its draft. */
  readonly samples: readonly KeptSample[];
  readonly contentHash: string;
}

export interface SampleWriter {
  readonly clusterId: string;
  readonly nowMs: number;
  readonly author: string;
}

/** Keeps samples of rules; results stay, and count for what they were run with. */
export async function keepSamples(
  trx: TenantTransaction,
  { clusterId, nowMs, author }: SampleWriter,
  rules: readonly SamplesToKeep[],
): Promise<void> {
  if (rules.length === 0) return;
  await sql`
    insert into rule_samples as old (cluster_id, rule_id, samples, content_hash, changed_at, changed_by)
    select ${clusterId}, given."ruleId", given.samples, given."contentHash", ${timestamp(nowMs)}, ${author}
    from jsonb_to_recordset(${storableJson(rules)}::jsonb) as given ("ruleId" text, samples jsonb, "contentHash" text)
    order by "ruleId"
    on conflict (cluster_id, rule_id) do update set samples = excluded.samples, content_hash = excluded.content_hash,
      revision = old.revision + 1, changed_at = excluded.changed_at, changed_by = excluded.changed_by`.execute(
    trx,
  );
}

export async function dropSamples(
  trx: TenantTransaction,
  clusterId: string,
  ruleIds: readonly string[],
): Promise<void> {
  if (ruleIds.length === 0) return;
  await sql`delete from rule_samples where cluster_id = ${clusterId}
    and rule_id = any(${[...ruleIds]}::text[])`.execute(trx);
}

export interface TestedRule {
  readonly ruleId: string;
  /** Of what was run. */
  readonly contentHash: string;
  readonly results: readonly RanSample[];
}

/** As it is stored: sentences by their codes. */
export const resultsToStore = (results: readonly RanSample[]): readonly StoredResult[] =>
  results.map((result) => ({ ...result, problem: result.problem && storedText(result.problem) }));

const isProof = (results: readonly RanSample[]): boolean =>
  provesRule(results.map((result) => ({ ...result, problem: null })));

/** Keeps what runs gave, of rules that have samples. */
export async function keepResults(
  trx: TenantTransaction,
  clusterId: string,
  nowMs: number,
  tested: readonly TestedRule[],
): Promise<void> {
  if (tested.length === 0) return;
  const rows = tested.map((one) => ({
    ruleId: one.ruleId,
    contentHash: one.contentHash,
    passed: isProof(one.results),
    results: resultsToStore(one.results),
  }));
  await sql`
    update rule_samples r set tested_hash = given."contentHash", passed = given.passed, results = given.results,
      tested_at = ${timestamp(nowMs)}
    from jsonb_to_recordset(${storableJson(rows)}::jsonb) as given ("ruleId" text, "contentHash" text, passed boolean,
      results jsonb)
    where r.cluster_id = ${clusterId} and r.rule_id = given."ruleId"`.execute(trx);
}

/** What is said of a run that is kept. */
export function reportOf(row: {
  readonly isCurrent: boolean;
  readonly passed: boolean | null;
  readonly results: readonly StoredResult[];
  readonly tested: number | null;
}): SampleReport {
  if (!row.isCurrent) return { state: 'untested', results: [], tested: null };
  return {
    state: row.passed === true ? 'passed' : 'failed',
    results: row.results.map(({ problem, ...result }) => ({
      ...result,
      problem: problem === null ? null : readStoredText(problem),
    })),
    tested: row.tested,
  };
}

const NO_SAMPLES: SampleReport = { state: 'none', results: [], tested: null };

export const reportOfRow = (row: SampleRow | undefined): SampleReport =>
  row ? reportOf({ ...row, isCurrent: row.tested_hash === row.content_hash }) : NO_SAMPLES;

/** States of rules that have samples, by rule. */
export async function sampleStates(
  trx: TenantTransaction,
  clusterId: string,
  ruleIds?: readonly string[],
): Promise<ReadonlyMap<string, SampleState>> {
  const some = ruleIds ? sql`and x.rule_id = any(${[...ruleIds]}::text[])` : sql``;
  const { rows } = await sql<{ rule_id: string; state: SampleState }>`
    select x.rule_id, ${SAMPLE_STATE} as state from rule_samples x where x.cluster_id = ${clusterId} ${some}`.execute(
    trx,
  );
  return new Map(rows.map(({ rule_id, state }) => [rule_id, state]));
}

/** When the samples of rules passed that prove them as they are now, by rule. */
export async function provenRules(
  trx: TenantTransaction,
  clusterId: string,
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ rule_id: string; tested: number }>`
    select rule_id, tested_at as tested from rule_samples
    where cluster_id = ${clusterId} and passed and tested_hash = content_hash
    union all select rule_id, tested_at from shipped_sample_run where passed`.execute(trx);
  return new Map(rows.map(({ rule_id, tested }) => [rule_id, tested]));
}
