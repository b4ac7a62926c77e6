import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import { type AnyJob, inRounds, scheduledJob } from '../../platform/jobs/job.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import { tenantSweep } from '../identity/tenants/tenant-sweep.ts';
import { rulesToJudge, writeVerdicts } from './pack-rule-store.ts';
import { judgedFor } from './rule-about.ts';
import type { ReachOf } from './tenant-reach.ts';

// What keeps rules small and true: texts that nobody names go, archives that nobody started go, and verdicts follow what
// a tenant has by now.

const AT_ONCE = 1_000;
const MOST_ROUNDS = 100;
const UPLOAD_HOURS = 24;

interface UpkeepDeps {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly reachOf: ReachOf;
}

export function ruleUpkeep(deps: UpkeepDeps): readonly AnyJob[] {
  return [
    scheduledJob('rule-upkeep', '25 * * * *', (_nothing, { signal }) => removeOld(deps, signal)),
    ...tenantSweep({
      postgres: deps.postgres,
      kind: 'rule-verdicts',
      schedule: '*/15 * * * *',
      tenantsWithWork: () => tenantsWithRules(deps.postgres),
      sweep: (clusterId) => judgeAgain(deps, clusterId),
    }),
  ];
}

const sweeping = <T>(postgres: Postgres, work: (trx: Postgres['platform']) => Promise<T>): Promise<T> =>
  postgres.platform.transaction().execute(async (trx) => {
    await sql`select set_config('tyrian.sweep', 'rule_upkeep', true)`.execute(trx);
    return work(trx);
  });

/** Answers how many texts and imports went. */
async function removeOld({ postgres, clock }: UpkeepDeps, signal: AbortSignal): Promise<number> {
  const imports = await sweeping(postgres, async (trx) => {
    const { numAffectedRows } = await sql`delete from rule_import where state = 'uploading'
      and created_at < ${timestamp(clock.now() - UPLOAD_HOURS * 3_600_000)}`.execute(trx);
    return Number(numAffectedRows ?? 0n);
  });
  const texts = await inRounds(AT_ONCE, MOST_ROUNDS, () => sweeping(postgres, removeTexts), signal);
  return imports + texts;
}

async function removeTexts(trx: Postgres['platform']): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from rule_text where text_hash in (
      select text_hash from rule_text t where touched_at < now() - interval '1 day'
        and not exists (select from pack_rule r where r.text_hash = t.text_hash)
        and not exists (select from pack_rule r where r.kql_hash = t.text_hash)
        and not exists (select from pack_rule_version v where v.text_hash = t.text_hash)
      limit ${AT_ONCE})`.execute(trx);
  return Number(numAffectedRows ?? 0n);
}

async function tenantsWithRules(postgres: Postgres): Promise<readonly { readonly clusterId: string }[]> {
  return sweeping(postgres, async (trx) => {
    const { rows } = await sql<{ clusterId: string }>`
      select distinct cluster_id as "clusterId" from rule_import where state = 'done'
      union select distinct cluster_id from own_rule`.execute(trx);
    return rows;
  });
}

/** Gives the rules of a tenant their verdicts again when its streams or fields have changed; answers how many differ. */
export async function judgeAgain(
  { postgres, reachOf }: Omit<UpkeepDeps, 'clock'>,
  clusterId: string,
): Promise<number> {
  const reach = await reachOf(clusterId);
  const known = await postgres.inTenant(clusterId, async (trx) => {
    const { rows } = await sql<{ reach: string }>`select reach from rule_revision
      where cluster_id = ${clusterId}`.execute(trx);
    return rows[0]?.reach;
  });
  if (known === undefined || known === reach.version) return 0;
  let [differ, after] = [0, ''];
  for (;;) {
    const rules = await postgres.inTenant(clusterId, async (trx) => {
      const some = await rulesToJudge(trx, clusterId, after, AT_ONCE);
      const changed = some.flatMap((rule) => {
        const { verdict, reasonCode } = judgedFor(rule, reach);
        const isSame = verdict === rule.verdict && reasonCode === rule.reasonCode;
        return isSame ? [] : [{ ruleId: rule.ruleId, verdict, reasonCode }];
      });
      await writeVerdicts(trx, clusterId, changed);
      differ += changed.length;
      return some;
    });
    after = rules.at(-1)?.ruleId ?? '';
    if (rules.length < AT_ONCE) break;
  }
  await postgres.inTenant(clusterId, (trx) =>
    sql`update rule_revision set reach = ${reach.version} where cluster_id = ${clusterId}`.execute(trx),
  );
  return differ;
}
