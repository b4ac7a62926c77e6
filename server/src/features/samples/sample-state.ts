import { type RawBuilder, sql } from 'kysely';

// The state of samples in statements about rules: a list of thousands shows and filters it without a second question.

/** Of a row `x` of rule_samples that may be missing. */
export const SAMPLE_STATE = sql`case when x.rule_id is null then 'none'
  when x.tested_hash is distinct from x.content_hash then 'untested' when x.passed then 'passed' else 'failed' end`;

/** Joins what is known of the samples of `rule` to a statement, and the state of these. */
export const joinedSampleState = (clusterId: string, rule: RawBuilder<unknown>) => ({
  join: sql`left join rule_samples x on x.cluster_id = ${clusterId} and x.rule_id = ${rule}`,
  state: SAMPLE_STATE,
});
