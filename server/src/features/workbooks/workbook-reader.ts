import { notFound } from '../../platform/app-error.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import { detectionsIn, type RuleDefinition, type RuleDefinitions } from '../detections/rule-definition.ts';
import { draftHeadOf, draftOf, findVersion, findWorkbook, workbooksInScope } from './workbook-store.ts';

// What other features read of workbooks: rules for the scheduler, knowledge for signals, KQL for a run.

export interface WorkbookReader extends RuleDefinitions {
  /** Workbooks of a scope that are detections, by id. */
  definitionsIn(
    clusterId: string,
    scopeId: string,
  ): Promise<ReadonlyMap<string, Pick<RuleDefinition, 'name' | 'schedule'>>>;
  /** Knowledge base of a version (null: the newest), also of a deleted workbook; null when the scope has none. */
  knowledgeOf(
    clusterId: string,
    scopeId: string,
    workbookId: string,
    version: number | null,
  ): Promise<{ name: string; kb: string; exists: boolean } | null>;
  /** The first query of a workbook. Throws `not-found`. */
  kqlOf(clusterId: string, scopeId: string, workbookId: string): Promise<string>;
}

export function createWorkbookReader(postgres: Postgres): WorkbookReader {
  return {
    definitionOf: (key) =>
      postgres.inTenant(key.clusterId, async (trx) => {
        const row = await findWorkbook(trx, key.clusterId, key.scopeId, key.workbookId);
        if (!row) return null;
        return {
          clusterId: key.clusterId,
          scopeId: key.scopeId,
          workbookId: key.workbookId,
          name: row.name,
          version: row.version,
          stage: row.stage,
          schedule: draftOf(row).schedule,
          detections: detectionsIn(row.blocks),
        };
      }),
    definitionsIn: (clusterId, scopeId) =>
      postgres.inTenant(clusterId, async (trx) => {
        const rows = await workbooksInScope(trx, clusterId, scopeId);
        return new Map(
          rows
            .filter((row) => row.detection)
            .map((row) => [row.workbook_id, { name: row.name, schedule: draftHeadOf(row).schedule }]),
        );
      }),
    knowledgeOf: (clusterId, scopeId, workbookId, version) =>
      postgres.inTenant(clusterId, async (trx) => {
        const row = await findWorkbook(trx, clusterId, scopeId, workbookId, { deletedToo: true });
        if (!row) return null;
        const old = version === null ? undefined : await findVersion(trx, clusterId, workbookId, version);
        const { name, blocks } = old?.draft ?? draftOf(row);
        const kb = blocks.flatMap((block) =>
          block.type === 'signal' && block.body.kb ? [block.body.kb] : [],
        );
        return { name, kb: kb.join('\n\n'), exists: row.deleted_ms === null };
      }),
    kqlOf: (clusterId, scopeId, workbookId) =>
      postgres.inTenant(clusterId, async (trx) => {
        const row = await findWorkbook(trx, clusterId, scopeId, workbookId);
        const block = row?.blocks.find((each) => each.type === 'kql');
        if (block?.type !== 'kql') throw notFound();
        return block.body.query;
      }),
  };
}
