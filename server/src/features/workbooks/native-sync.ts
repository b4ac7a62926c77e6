import { say, storedText } from '@tyrian/contract';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Postgres, TenantTransaction } from '../../platform/postgres/postgres.ts';
import type { RuleControl } from '../detections/rule-control.ts';
import { detectionsIn } from '../detections/rule-definition.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import type { NativeDetection } from './native-content.ts';
import {
  draftHeadOf,
  insertWorkbook,
  type NativeRow,
  nativeWorkbooks,
  patchWorkbook,
  updateWorkbook,
  type WorkbookFacts,
} from './workbook-store.ts';

// Brings the detections of this version of Tyrian into tenants. New ones are added and switched on. Changed ones get a
// version and those that are gone are taken away: at once where the tenant wants that, else when somebody takes the update
// (shipped-updates.ts). Whether one runs in a scope is the scope's choice and stays.

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

/** Workbooks whose newer content replaces what the tenant has. */
export type Replaced = 'all' | ReadonlySet<string>;

/** Who does it; null for the program itself. */
type SyncedBy = { readonly userId: string; readonly name: string } | null;

function factsOf(detection: NativeDetection, streams: string[]): WorkbookFacts {
  const signal = detectionsIn(detection.draft.blocks)[0]?.signal.body;
  if (!signal) throw new Error(`${detection.workbookId} has no signal block`);
  const { score, confidence, tactic, technique, sub_technique } = signal;
  return { streams, detection: true, score, confidence, tactic, technique, sub_technique };
}

/** What is written and what goes. */
function differencesOf(
  content: readonly NativeDetection[],
  known: ReadonlyMap<string, NativeRow>,
  replaced: Replaced,
) {
  const wanted = new Set(content.map((detection) => detection.workbookId));
  const stale = content.filter((detection) => {
    const row = known.get(detection.workbookId);
    if (!row || row.deleted_at !== null) return true;
    return row.native_hash !== detection.hash && isReplaced(replaced, detection.workbookId);
  });
  const gone = [...known.values()].filter(
    ({ workbook_id: id, deleted_at }) => deleted_at === null && !wanted.has(id) && isReplaced(replaced, id),
  );
  return { stale, gone };
}

/**
 * Adds the content that a tenant lacks, replaces what `replaced` says, and makes the rules in these scopes; cheap when there
 * is nothing to do.
 */
export async function syncNativeDetections(
  deps: NativeSyncDeps,
  clusterId: string,
  scopeIds: readonly string[],
  replaced: Replaced,
  who: SyncedBy = null,
): Promise<{ readonly added: number; readonly updated: number; readonly removed: number }> {
  const { postgres, rules, audit, clock, content } = deps;
  const before = await postgres.inTenant(clusterId, (trx) => nativeWorkbooks(trx, clusterId));
  const known = new Map(before.map((row) => [row.workbook_id, row]));
  const { stale, gone } = differencesOf(content, known, replaced);
  const streams = new Map<string, string[]>();
  for (const detection of stale) {
    const kql = detectionsIn(detection.draft.blocks)[0]?.kql.body.query ?? '';
    streams.set(detection.workbookId, await deps.streamsOf(clusterId, kql));
  }
  const write = async (
    trx: TenantTransaction,
    detection: NativeDetection,
    row: NativeRow | undefined,
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
    const written = new Set<string>();
    for (const detection of stale) {
      const row = present.get(detection.workbookId);
      if (row?.native_hash === detection.hash && row.deleted_at === null) continue;
      await write(trx, detection, row);
      written.add(detection.workbookId);
    }
    for (const row of gone) {
      await rules.remove(trx, clusterId, row.workbook_id);
      await patchWorkbook(trx, clusterId, row.workbook_id, { deleted_at: clock.now() });
    }
    let switched = 0;
    for (const scopeId of scopeIds)
      switched += await ensureRules(trx, deps, { clusterId, scopeId, written, known });
    if (written.size + gone.length + switched === 0) return;
    const details = { written: written.size, removed: gone.length, rules: switched };
    const by = who === null ? { who, source: '' } : { who };
    await audit.record({ action: 'detection.shipped', ...by, clusterId, details }, trx);
  });
  return {
    added: stale.filter((detection) => !known.has(detection.workbookId)).length,
    updated: stale.filter((detection) => known.has(detection.workbookId)).length,
    removed: gone.length,
  };
}

const isReplaced = (replaced: Replaced, id: string): boolean => replaced === 'all' || replaced.has(id);

interface ScopeToSync {
  readonly clusterId: string;
  readonly scopeId: string;
  /** What this transaction has written; the rules of what others have written are theirs to configure. */
  readonly written: ReadonlySet<string>;
  /** What the tenant had before. */
  readonly known: ReadonlyMap<string, NativeRow>;
}

/** Switches on what the scope has never seen, and tells running rules of a changed schedule. Answers how many. */
async function ensureRules(
  trx: TenantTransaction,
  deps: NativeSyncDeps,
  { clusterId, scopeId, written, known }: ScopeToSync,
): Promise<number> {
  const present = await deps.rules.inScope(trx, clusterId, scopeId, () => 'streamed');
  let configured = 0;
  // In the order in which others hold many rules of a scope.
  const content = deps.content.toSorted((a, b) => (a.workbookId < b.workbookId ? -1 : 1));
  for (const { workbookId, draft } of content) {
    const isNew = !present.has(workbookId);
    if (!isNew && !written.has(workbookId)) continue;
    const row = written.has(workbookId) ? undefined : known.get(workbookId);
    const schedule = row ? draftHeadOf(row).schedule : draft.schedule;
    await deps.rules.configure(
      trx,
      { clusterId, scopeId, workbookId },
      { schedule, isDetection: true, ...(isNew ? { enabled: true } : {}) },
    );
    configured += 1;
  }
  return configured;
}
