import type { WorkbookSummary } from '@tyrian/contract';
import { sql } from 'kysely';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import type { ScopeRef } from '../../platform/scope-ref.ts';
import type { RuleControl } from '../detections/rule-control.ts';
import { nativeDetections } from './native-content.ts';

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

/**
 * The detections that come with Tyrian and since when a sample proves the version that a tenant has: none is released
 * before each of its samples has been decoded, stored and searched on the engine.
 */
export function shippedProofs(
  postgres: Postgres,
): (scope: ScopeRef) => Promise<ReadonlyMap<string, { readonly kind: 'sample'; readonly at: number }>> {
  return ({ clusterId }) =>
    postgres.inTenant(clusterId, async (trx) => {
      const hashes = new Map(
        nativeDetections()
          .filter(({ samples }) => samples.some(({ signals }) => signals > 0))
          .map(({ workbookId, hash }) => [workbookId, hash]),
      );
      const { rows } = await sql<{ id: string; hash: string; at: number }>`
        select workbook_id as id, native_hash as hash, updated_at as at from workbook
        where cluster_id = ${clusterId} and native and deleted_at is null`.execute(trx);
      const proven = rows.filter(({ id, hash }) => hashes.get(id) === hash);
      return new Map(proven.map(({ id, at }) => [id, { kind: 'sample' as const, at }]));
    });
}
