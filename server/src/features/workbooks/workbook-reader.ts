import type { RuleSample, WorkbookDraft } from '@tyrian/contract';
import { notFound } from '../../platform/app-error.ts';
import type { Postgres, TenantTransaction } from '../../platform/postgres/postgres.ts';
import {
  type Detection,
  detectionsIn,
  type RuleDefinition,
  type RuleDefinitions,
} from '../detections/rule-definition.ts';
import {
  draftHeadOf,
  draftOf,
  findVersion,
  findWorkbook,
  type WorkbookHead,
  workbookBlocks,
  workbookHeads,
  workbooksInScope,
} from './workbook-store.ts';

// What other features read of workbooks: rules for the scheduler, knowledge for signals, KQL for a run.

export interface WorkbookReader extends RuleDefinitions {
  /** Workbooks of a scope that are detections, by id. */
  definitionsIn(
    clusterId: string,
    scopeId: string,
  ): Promise<
    ReadonlyMap<string, Pick<RuleDefinition, 'name' | 'schedule'> & { readonly streams: readonly string[] }>
  >;
  /** Knowledge base of a version (null: the newest), also of a deleted workbook; null when the scope has none. */
  knowledgeOf(
    clusterId: string,
    scopeId: string,
    workbookId: string,
    version: number | null,
  ): Promise<{ name: string; kb: string; exists: boolean } | null>;
  /** What a workbook of a scope asks in its detections, with its samples; null when the scope has none such. */
  samplesOf(
    clusterId: string,
    scopeId: string,
    workbookId: string,
  ): Promise<{
    readonly name: string;
    readonly version: number;
    readonly queries: readonly string[];
    readonly samples: readonly RuleSample[];
  } | null>;
  /** A workbook as its author wrote it, and the streams that it reads; null when the scope has none such. */
  contentOf(
    clusterId: string,
    scopeId: string,
    workbookId: string,
  ): Promise<{ draft: WorkbookDraft; streams: readonly string[] } | null>;
  /** The first query of a workbook. Throws `not-found`. */
  kqlOf(clusterId: string, scopeId: string, workbookId: string): Promise<string>;
}

const definitionOf = (
  row: WorkbookHead,
  scopeId: string,
  detections: ReadonlyMap<string, readonly Detection[]>,
): RuleDefinition => ({
  clusterId: row.cluster_id,
  scopeId,
  workbookId: row.workbook_id,
  name: row.name,
  version: row.version,
  stage: row.stage,
  schedule: draftHeadOf(row).schedule,
  detections: detections.get(row.workbook_id) ?? [],
});

/** Versions whose detections are kept, over all tenants. */
const VERSIONS_KEPT = 10_000;

/** The detections of versions that were read before: a version never changes. */
function keepDetections() {
  const kept = new Map<string, readonly Detection[]>();
  return {
    detectionsOf: async (
      trx: TenantTransaction,
      clusterId: string,
      rows: readonly WorkbookHead[],
    ): Promise<ReadonlyMap<string, readonly Detection[]>> => {
      const keyOf = (id: string, version: number) => `${clusterId}\0${id}\0${version}`;
      const missing = rows.filter((row) => !kept.has(keyOf(row.workbook_id, row.version)));
      const ids = missing.map((row) => row.workbook_id);
      for (const { workbook_id, version, blocks } of await workbookBlocks(trx, clusterId, ids)) {
        kept.set(keyOf(workbook_id, version), detectionsIn(blocks));
      }
      const found = new Map<string, readonly Detection[]>();
      for (const row of rows) {
        const detections = kept.get(keyOf(row.workbook_id, row.version));
        if (detections) found.set(row.workbook_id, detections);
      }
      for (const key of kept.keys()) {
        if (kept.size <= VERSIONS_KEPT) break;
        kept.delete(key);
      }
      return found;
    },
  };
}

const inListOf = (row: WorkbookHead) => ({
  name: row.name,
  schedule: draftHeadOf(row).schedule,
  streams: row.streams,
});

export function createWorkbookReader(postgres: Postgres): WorkbookReader {
  const kept = keepDetections();
  return {
    definitionsOf: (clusterId, scopeId, workbookIds) =>
      postgres.inTenant(clusterId, async (trx) => {
        const rows = await workbookHeads(trx, clusterId, scopeId, workbookIds);
        const detections = await kept.detectionsOf(trx, clusterId, rows);
        return new Map(rows.map((row) => [row.workbook_id, definitionOf(row, scopeId, detections)]));
      }),
    definitionsIn: (clusterId, scopeId) =>
      postgres.inTenant(clusterId, async (trx) => {
        const rows = await workbooksInScope(trx, clusterId, scopeId);
        return new Map(rows.filter((row) => row.detection).map((row) => [row.workbook_id, inListOf(row)]));
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
        return { name, kb: kb.join('\n\n'), exists: row.deleted_at === null };
      }),
    samplesOf: (clusterId, scopeId, workbookId) =>
      postgres.inTenant(clusterId, async (trx) => {
        const row = await findWorkbook(trx, clusterId, scopeId, workbookId);
        if (!row) return null;
        const queries = detectionsIn(row.blocks).map(({ kql }) => kql.body.query);
        return { name: row.name, version: row.version, queries, samples: row.samples };
      }),
    contentOf: (clusterId, scopeId, workbookId) =>
      postgres.inTenant(clusterId, async (trx) => {
        const row = await findWorkbook(trx, clusterId, scopeId, workbookId);
        return row ? { draft: draftOf(row), streams: row.streams } : null;
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
