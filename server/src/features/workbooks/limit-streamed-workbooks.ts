import { allowanceOf, type ProductType, say } from '@tyrian/contract';
import { sql } from 'kysely';
import { AppError } from '../../platform/app-error.ts';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import type { RuleControl } from '../detections/rule-control.ts';

// A plan allows so many workbooks of the tenant's own that run every minute. One more is refused by name; those that run
// go on, also after a change to a smaller plan. What ships with the product does not count.

interface Standing {
  readonly others: number;
  /** Ships with the product, or runs already. */
  readonly is_exempt: boolean;
}

async function standingOf(trx: TenantTransaction, clusterId: string, workbookId: string): Promise<Standing> {
  const { rows } = await sql<Standing>`
    select count(distinct w.workbook_id) filter (where w.workbook_id <> ${workbookId} and not w.native
        and w.mode = 'streamed' and r.enabled and w.deleted_at is null) as others,
      coalesce(bool_or(w.workbook_id = ${workbookId} and (w.native or r.enabled)), false) as is_exempt
    from workbook w left join rule r using (cluster_id, workbook_id)
    where w.cluster_id = ${clusterId}`.execute(trx);
  return rows[0] ?? { others: 0, is_exempt: false };
}

/** Rules whose number the plan of the tenant bounds. Throws AppError `conflict` for one too many. */
export function limitStreamedWorkbooks(
  rules: RuleControl,
  planOf: (clusterId: string) => Promise<ProductType>,
): RuleControl {
  return {
    ...rules,
    configure: async (trx, key, input) => {
      if (input.enabled && input.isDetection && input.schedule.mode === 'streamed') {
        const { others, is_exempt } = await standingOf(trx, key.clusterId, key.workbookId);
        const plan = await planOf(key.clusterId);
        const allowed = allowanceOf(plan, 'streamed_workbooks');
        if (!is_exempt && others >= allowed) {
          throw new AppError('conflict', say('workbooks.planStreamed', { plan, allowed }), {
            limit: 'streamed_workbooks',
            allowed,
          });
        }
      }
      return rules.configure(trx, key, input);
    },
  };
}
