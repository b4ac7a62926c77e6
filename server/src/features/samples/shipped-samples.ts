import type { RuleSample, SampleReport, SampleState } from '@tyrian/contract';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Clock } from '../../platform/clock.ts';
import { type Job, type JobRequestForm, UNTIL_THE_NEXT } from '../../platform/jobs/job.ts';
import type { Postgres, TenantTransaction } from '../../platform/postgres/postgres.ts';
import { storableJson } from '../../platform/postgres/storable.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import { type RuleToTest, SAMPLES_ALONE, type SampleRunner } from './run-samples.ts';
import { contentHash, reportOf, resultsToStore } from './sample-store.ts';

// Samples of the detections that come with Tyrian. All tenants have the same, so they run once for the installation, after
// an upgrade that changed them.

export interface ShippedRule extends RuleToTest {
  readonly ruleId: string;
}

export interface ShippedSamples {
  /** Undefined for a rule that did not come with Tyrian. */
  samplesOf(ruleId: string): readonly RuleSample[] | undefined;
  reportOf(trx: TenantTransaction, ruleId: string): Promise<SampleReport>;
  /** Of those among the rules that came with Tyrian; of all of them when none are named. */
  statesOf(trx: TenantTransaction, ruleIds?: readonly string[]): Promise<ReadonlyMap<string, SampleState>>;
}

interface ShippedRow {
  readonly rule_id: string;
  readonly content_hash: string;
  readonly passed: boolean;
  readonly results: Parameters<typeof reportOf>[0]['results'];
  readonly tested: number;
}

const AT_ONCE = 25;

/** What asking for the job takes. */
export const SHIPPED_SAMPLES = {
  kind: 'shipped-samples',
  payload: z.object({}),
  slotsPerTenant: 1,
  retry: UNTIL_THE_NEXT,
  schedule: '*/10 * * * *',
} as const satisfies JobRequestForm<object>;

/** What is known of them; `rules` answers the shipped detections. */
export function createShippedSamples(rules: () => readonly ShippedRule[]): ShippedSamples {
  let byId: ReadonlyMap<string, ShippedRule & { readonly hash: string }> | undefined;
  const known = () => {
    byId ??= hashed(rules());
    return byId;
  };
  return {
    samplesOf: (ruleId) => known().get(ruleId)?.samples,
    reportOf: async (trx, ruleId) => {
      const { rows } = await sql<ShippedRow>`
        select rule_id, content_hash, passed, results, tested_at as tested from shipped_sample_run
        where rule_id = ${ruleId}`.execute(trx);
      const [row] = rows;
      if (!row) return { state: 'untested', results: [], tested: null };
      return reportOf({ ...row, isCurrent: row.content_hash === known().get(ruleId)?.hash });
    },
    statesOf: async (trx, ruleIds) => {
      const wanted = (ruleIds ?? [...known().keys()]).flatMap((id) => known().get(id) ?? []);
      if (wanted.length === 0) return new Map();
      const { rows } = await sql<Pick<ShippedRow, 'rule_id' | 'content_hash' | 'passed'>>`
        select rule_id, content_hash, passed from shipped_sample_run
        where rule_id = any(${wanted.map(({ ruleId }) => ruleId)}::text[])`.execute(trx);
      const ran = new Map(rows.map((row) => [row.rule_id, row]));
      return new Map(
        wanted.map(({ ruleId, hash }) => {
          const row = ran.get(ruleId);
          const state = row?.content_hash !== hash ? 'untested' : row.passed ? 'passed' : 'failed';
          return [ruleId, state] as const;
        }),
      );
    },
  };
}

const hashed = (rules: readonly ShippedRule[]) =>
  new Map(
    rules.map((rule) => [rule.ruleId, { ...rule, hash: contentHash(rule.queries, rule.samples) }] as const),
  );

/** The job that runs what has changed; it costs one small query when nothing has. */
export function shippedSamplesJob(deps: {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly run: SampleRunner;
  readonly rules: () => readonly ShippedRule[];
}): Job<object> {
  const { postgres, clock, run, rules } = deps;
  return {
    ...SHIPPED_SAMPLES,
    run: async (_nothing, { signal }) => {
      const wanted = hashed(rules());
      const { rows } = await sql<{ rule_id: string; content_hash: string }>`
      select rule_id, content_hash from shipped_sample_run`.execute(postgres.platform);
      const ran = new Map(rows.map((row) => [row.rule_id, row.content_hash]));
      const changed = [...wanted.values()].filter(({ ruleId, hash }) => ran.get(ruleId) !== hash);
      const gone = [...ran.keys()].filter((id) => !wanted.has(id));
      if (gone.length > 0)
        await sql`delete from shipped_sample_run where rule_id = any(${gone}::text[])`.execute(
          postgres.platform,
        );
      for (let from = 0; from < changed.length; from += AT_ONCE) {
        const some = changed.slice(from, from + AT_ONCE);
        const results = await run(SAMPLES_ALONE, some, signal);
        await writeRuns(postgres, clock.now(), some, results);
      }
      return changed.length;
    },
  };
}

async function writeRuns(
  postgres: Postgres,
  nowMs: number,
  rules: readonly { readonly ruleId: string; readonly hash: string }[],
  results: Awaited<ReturnType<SampleRunner>>,
): Promise<void> {
  const rows = rules.map(({ ruleId, hash }, at) => ({
    ...{ ruleId, hash },
    passed: results[at]?.every(({ passed }) => passed) ?? false,
    results: resultsToStore(results[at] ?? []),
  }));
  await sql`
    insert into shipped_sample_run (rule_id, content_hash, passed, results, tested_at)
    select given."ruleId", given.hash, given.passed, given.results, ${timestamp(nowMs)}
    from jsonb_to_recordset(${storableJson(rows)}::jsonb) as given ("ruleId" text, hash text, passed boolean, results jsonb)
    on conflict (rule_id) do update set content_hash = excluded.content_hash, passed = excluded.passed,
      results = excluded.results, tested_at = excluded.tested_at`.execute(postgres.platform);
}
