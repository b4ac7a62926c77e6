import type { AddFilter, RuleSample, Workbook, WorkbookItem } from '@tyrian/contract';
import { notFound } from '../../platform/app-error.ts';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import type { RuleControl } from '../detections/rule-control.ts';
import type { SampleGate } from '../samples/sample-gate.ts';
import { techniquesNamed } from './attack-index.ts';
import type { CallScope } from './workbook-rights.ts';
import { findWorkbook, type SearchTerm, workbooksInScope, workbooksWithText } from './workbook-store.ts';
import {
  isEditable,
  passesFilters,
  type SignalCount,
  sortItems,
  summaryOf,
  TEXT_KEY,
  type WorkbookSort,
} from './workbook-view.ts';

// What is read of workbooks: lists with the state of their rules and their signals, and one of them whole.

export interface WorkbookListingDeps {
  readonly postgres: Postgres;
  readonly rules: Pick<RuleControl, 'inScope'>;
  readonly samples: SampleGate;
  /** Signals of the last 30 days by workbook; of one workbook alone when its id is given. */
  readonly signalCounts: (
    clusterId: string,
    scopeId: string,
    workbookId?: string,
  ) => Promise<ReadonlyMap<string, SignalCount>>;
}

export interface WorkbookListQuery {
  readonly addfilters: readonly AddFilter[];
  readonly pageno: number;
  readonly pagesize: number;
  readonly sort: WorkbookSort;
  readonly order: 'asc' | 'desc';
}

const MAX_TERMS = 12;

/** The words of a search; each has to be in what is found. */
function termsOf(text: string): SearchTerm[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean).slice(0, MAX_TERMS);
  return words.map((word) => ({ text: word, techniques: techniquesNamed(word) }));
}

const copyOfSample = ({ name, expect, events }: RuleSample): RuleSample => ({
  ...{ name, expect, events: [...events] },
});

export function createWorkbookListing(deps: WorkbookListingDeps) {
  return bindDeps(deps, { list, count, read });
}

async function items(
  { signalCounts, postgres, rules, samples }: WorkbookListingDeps,
  scope: CallScope,
): Promise<WorkbookItem[]> {
  const { clusterId, scopeId, caller } = scope;
  const counts = await signalCounts(clusterId, scopeId);
  return postgres.inTenant(clusterId, async (trx) => {
    const rows = await workbooksInScope(trx, clusterId, scopeId);
    const modes = new Map(rows.map((row) => [row.workbook_id, row.mode]));
    const inScope = await rules.inScope(trx, clusterId, scopeId, (id) => modes.get(id) ?? 'off');
    const states = await samples.statesOf(trx, clusterId);
    return rows.map((row) => ({
      ID: row.workbook_id,
      ConfType: 'WorkBooks' as const,
      properties: summaryOf(
        row,
        inScope.get(row.workbook_id),
        counts.get(row.workbook_id),
        isEditable(caller, row, scopeId),
        states.get(row.workbook_id),
      ),
    }));
  });
}

/** The workbooks that each filter on the text finds. */
async function foundByText(
  { postgres }: WorkbookListingDeps,
  scope: CallScope,
  filters: readonly AddFilter[],
) {
  const found = new Map<AddFilter, ReadonlySet<string>>();
  for (const filter of filters.filter((each) => each.filter_key === TEXT_KEY)) {
    const ids = await postgres.inTenant(scope.clusterId, (trx) =>
      workbooksWithText(trx, scope.clusterId, scope.scopeId, termsOf(String(filter.filter_value))),
    );
    found.set(filter, ids);
  }
  return found;
}

async function list(
  deps: WorkbookListingDeps,
  scope: CallScope,
  query: WorkbookListQuery,
): Promise<{ data: WorkbookItem[]; total_count: number }> {
  const byText = await foundByText(deps, scope, query.addfilters);
  const found = (await items(deps, scope)).filter((item) => passesFilters(item, query.addfilters, byText));
  const from = (query.pageno - 1) * query.pagesize;
  return {
    data: sortItems(found, query.sort, query.order).slice(from, from + query.pagesize),
    total_count: found.length,
  };
}

async function count(deps: WorkbookListingDeps, scope: CallScope) {
  const detections = (await items(deps, scope)).filter((item) => item.properties.detection);
  const on = detections.filter((item) => item.properties.enabled);
  const by = (mode: string) => on.filter((item) => item.properties.schedule.mode === mode).length;
  return {
    total: detections.length,
    enabled: on.length,
    streamed: by('streamed'),
    scheduled: by('scheduled'),
  };
}

/** One workbook with its blocks: its row, its rule and its signals, whatever else the scope holds. */
async function read(
  { postgres, rules, signalCounts, samples }: WorkbookListingDeps,
  scope: CallScope,
  workbookId: string,
): Promise<Workbook> {
  const { clusterId, scopeId, caller } = scope;
  const { row, rule, original, state } = await postgres.inTenant(clusterId, async (trx) => {
    const row = await findWorkbook(trx, clusterId, scopeId, workbookId);
    if (!row) throw notFound();
    const from = row.cloned_from ?? '';
    const source = from === '' ? undefined : await findWorkbook(trx, clusterId, scopeId, from);
    const found = await rules.inScope(trx, clusterId, scopeId, () => row.mode, [workbookId, from]);
    const enabled = found.get(from)?.enabled ?? false;
    const original = source ? { ID: from, name: source.name, enabled } : null;
    const state = (await samples.statesOf(trx, clusterId, [workbookId])).get(workbookId);
    return { row, rule: found.get(workbookId), original, state };
  });
  const counts = await signalCounts(clusterId, scopeId, workbookId);
  const summary = summaryOf(row, rule, counts.get(workbookId), isEditable(caller, row, scopeId), state);
  const own = samples.shippedOf(workbookId) ?? row.samples;
  const properties = { ...summary, original, blocks: row.blocks, samples: own.map(copyOfSample) };
  return { ID: row.workbook_id, ConfType: 'WorkBooks', properties };
}
