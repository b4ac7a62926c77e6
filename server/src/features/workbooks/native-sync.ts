import { say, storedText } from '@tyrian/contract';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Postgres, TenantTransaction } from '../../platform/postgres/postgres.ts';
import type { RuleControl } from '../detections/rule-control.ts';
import { detectionsIn } from '../detections/rule-definition.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import type { NativeDetection } from './native-content.ts';
import {
  insertWorkbook,
  nativeWorkbooks,
  patchWorkbook,
  updateWorkbook,
  type WorkbookFacts,
} from './workbook-store.ts';

// Brings the detections of this version of Tyrian into tenants. New ones are added and switched on, changed ones get
// a version, those that are gone are taken away. Whether one runs in a scope is the scope's choice and stays.

const AUTHOR = { id: 'tyrian', name: 'Tyrian' } as const;

export interface NativeSyncDeps {
  readonly postgres: Postgres;
  readonly rules: RuleControl;
  readonly audit: AuditService;
  readonly clock: Clock;
  readonly content: readonly NativeDetection[];
  /** Streams that a query reads. */
  readonly streamsOf: (clusterId: string, kql: string) => Promise<string[]>;
}

function factsOf(detection: NativeDetection, streams: string[]): WorkbookFacts {
  const signal = detectionsIn(detection.draft.blocks)[0]?.signal.body;
  if (!signal) throw new Error(`${detection.workbookId} has no signal block`);
  const { score, confidence, tactic, technique, sub_technique } = signal;
  return { streams, detection: true, score, confidence, tactic, technique, sub_technique };
}

/** Makes a tenant's native workbooks and their rules in these scopes equal the content; cheap when they are. */
export async function syncNativeDetections(
  deps: NativeSyncDeps,
  clusterId: string,
  scopeIds: readonly string[],
): Promise<{ readonly added: number; readonly updated: number; readonly removed: number }> {
  const { postgres, rules, audit, clock, content } = deps;
  const before = await postgres.inTenant(clusterId, (trx) => nativeWorkbooks(trx, clusterId));
  const known = new Map(before.map((row) => [row.workbook_id, row]));
  const wanted = new Set(content.map((detection) => detection.workbookId));
  const stale = content.filter((detection) => {
    const row = known.get(detection.workbookId);
    return !row || row.native_hash !== detection.hash || row.deleted_at !== null;
  });
  const gone = before.filter((row) => row.deleted_at === null && !wanted.has(row.workbook_id));
  const streams = new Map<string, string[]>();
  for (const detection of stale) {
    const kql = detectionsIn(detection.draft.blocks)[0]?.kql.body.query ?? '';
    streams.set(detection.workbookId, await deps.streamsOf(clusterId, kql));
  }
  const write = async (
    trx: TenantTransaction,
    detection: NativeDetection,
    row: (typeof before)[number] | undefined,
  ): Promise<void> => {
    const value = {
      clusterId,
      workbookId: detection.workbookId,
      draft: detection.draft,
      facts: factsOf(detection, streams.get(detection.workbookId) ?? []),
      author: AUTHOR,
      nowMs: clock.now(),
      nativeHash: detection.hash,
    };
    if (row)
      await updateWorkbook(trx, {
        ...value,
        version: row.version + 1,
        message: storedText(say('workbooks.contentUpdate')),
      });
    else
      await insertWorkbook(trx, {
        ...value,
        scopeId: null,
        message: storedText(say('workbooks.builtInVersion')),
      });
  };
  await postgres.inTenant(clusterId, async (trx) => {
    // The maker of a tenant and the scheduler may both get here: the second finds the work of the first.
    await sql`select pg_advisory_xact_lock(hashtext(${`native ${clusterId}`}))`.execute(trx);
    const present = new Map((await nativeWorkbooks(trx, clusterId)).map((row) => [row.workbook_id, row]));
    let written = 0;
    for (const detection of stale) {
      const row = present.get(detection.workbookId);
      if (row?.native_hash === detection.hash && row.deleted_at === null) continue;
      await write(trx, detection, row);
      written += 1;
    }
    for (const row of gone) {
      await rules.remove(trx, clusterId, row.workbook_id);
      await patchWorkbook(trx, clusterId, row.workbook_id, { deleted_at: clock.now() });
    }
    let switched = 0;
    for (const scopeId of scopeIds) switched += await ensureRules(trx, deps, clusterId, scopeId, stale);
    if (written + gone.length + switched === 0) return;
    const details = { written, removed: gone.length, rules: switched };
    await audit.record({ action: 'detection.shipped', who: null, source: '', clusterId, details }, trx);
  });
  return {
    added: stale.filter((detection) => !known.has(detection.workbookId)).length,
    updated: stale.filter((detection) => known.has(detection.workbookId)).length,
    removed: gone.length,
  };
}

/** Switches on what the scope has never seen, and tells running rules of a changed schedule. Answers how many. */
async function ensureRules(
  trx: TenantTransaction,
  deps: NativeSyncDeps,
  clusterId: string,
  scopeId: string,
  stale: readonly NativeDetection[],
): Promise<number> {
  const present = await deps.rules.inScope(trx, clusterId, scopeId, () => 'streamed');
  const changed = new Set(stale.map((detection) => detection.workbookId));
  let configured = 0;
  for (const { workbookId, draft } of deps.content) {
    const isNew = !present.has(workbookId);
    if (!isNew && !changed.has(workbookId)) continue;
    await deps.rules.configure(
      trx,
      { clusterId, scopeId, workbookId },
      { schedule: draft.schedule, isDetection: true, ...(isNew ? { enabled: true } : {}) },
    );
    configured += 1;
  }
  return configured;
}
