import type { WorkbookSummary } from '@tyrian/contract';
import { sql } from 'kysely';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import type { ScopeRef } from '../../platform/scope-ref.ts';
import type { RuleControl } from '../detections/rule-control.ts';

// What ATT&CK is told of workbooks: which techniques each detection of a scope names, and whether it is on.

export interface TechniqueWorkbook {
  readonly ruleId: string;
  readonly name: string;
  readonly native: boolean;
  /** It is switched on and has a schedule. */
  readonly enabled: boolean;
  readonly stage: WorkbookSummary['stage'];
  /** Techniques and sub-techniques of its signal blocks. */
  readonly techniques: readonly string[];
  /** `Events`: all. */
  readonly streams: readonly string[];
}

interface Row {
  readonly workbook_id: string;
  readonly name: string;
  readonly native: boolean;
  readonly stage: WorkbookSummary['stage'];
  readonly mode: WorkbookSummary['schedule']['mode'];
  readonly streams: readonly string[];
  readonly techniques: readonly string[];
}

/** The detections of a scope that name a technique: two statements, however many there are. */
export function techniqueWorkbooks(deps: {
  readonly postgres: Postgres;
  readonly rules: Pick<RuleControl, 'inScope'>;
}): (scope: ScopeRef) => Promise<readonly TechniqueWorkbook[]> {
  return ({ clusterId, scopeId }) =>
    deps.postgres.inTenant(clusterId, async (trx) => {
      const { rows } = await sql<Row>`
        select * from (
          select workbook_id, name, native, stage, mode, streams, array(
            select distinct coalesce(nullif(b -> 'body' ->> 'sub_technique', ''), b -> 'body' ->> 'technique')
            from jsonb_array_elements(blocks) as each (b)
            where b ->> 'type' = 'signal' and b -> 'body' ->> 'technique' <> '') as techniques
          from workbook where cluster_id = ${clusterId} and (scope_id = ${scopeId} or scope_id is null)
            and deleted_at is null and detection) as found
        where cardinality(techniques) > 0 order by name, workbook_id`.execute(trx);
      const modes = new Map(rows.map((row) => [row.workbook_id, row.mode]));
      const states = await deps.rules.inScope(trx, clusterId, scopeId, (id) => modes.get(id) ?? 'off', [
        ...modes.keys(),
      ]);
      return rows.map(({ workbook_id, mode, ...row }) => ({
        ...row,
        ruleId: workbook_id,
        enabled: mode !== 'off' && (states.get(workbook_id)?.enabled ?? false),
      }));
    });
}
