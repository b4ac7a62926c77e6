import type { AddFilter, SampleState, WorkbookItem, WorkbookSummary } from '@tyrian/contract';
import type { Caller } from '../../platform/http/caller.ts';
import type { RuleInScope } from '../detections/rule-control.ts';
import { draftHeadOf, type WorkbookHead } from './workbook-store.ts';

// What callers see of a workbook, and which of them a list shows.

export interface SignalCount {
  readonly last30d: number;
  readonly lastMs: number | null;
}

/** Engineers change every workbook of the scope, analysts their own, nobody a native one. */
export function mayChange(caller: Caller, row: WorkbookHead, scopeId: string): boolean {
  if (row.native) return false;
  const tags = caller.tagsAt(row.cluster_id, scopeId);
  return tags.includes('engineer') || (tags.includes('analyst') && row.author_id === caller.userId);
}

/** As `mayChange`, and nobody else has locked it. */
export function isEditable(caller: Caller, row: WorkbookHead, scopeId: string): boolean {
  const isFree = row.locked_by_id === null || row.locked_by_id === caller.userId;
  return isFree && mayChange(caller, row, scopeId);
}

/** Score bands: 9–10 Critical, 7–8 High, 4–6 Medium, 1–3 Low; None without a signal block. */
function severityOf(score: number | null): WorkbookSummary['severity'] {
  if (score === null) return 'None';
  if (score >= 9) return 'Critical';
  if (score >= 7) return 'High';
  return score >= 4 ? 'Medium' : 'Low';
}

export function summaryOf(
  row: WorkbookHead,
  rule: RuleInScope | undefined,
  signals: SignalCount | undefined,
  editable: boolean,
  sampleState: SampleState = 'none',
): WorkbookSummary {
  return {
    ...draftHeadOf(row),
    author: row.author,
    author_id: row.author_id,
    native: row.native,
    enabled: rule?.enabled ?? false,
    locked: row.locked_by_id !== null,
    locked_by: row.locked_by,
    version: row.version,
    streams: row.streams,
    detection: row.detection,
    severity: severityOf(row.score),
    score: row.score,
    confidence: row.confidence,
    tactic: row.tactic,
    technique: row.technique,
    sub_technique: row.sub_technique,
    signals_30d: signals?.last30d ?? 0,
    last_signal: signals?.lastMs ?? null,
    created: row.created_at,
    updated: row.updated_at,
    rule_state: rule?.state ?? 'off',
    editable,
    cloned_from: row.cloned_from,
    replaced_original: row.replaced_original,
    sample_state: sampleState,
  };
}

type Value = string | number | boolean | null | readonly string[];

function fieldValue(item: WorkbookItem, key: string): Value | undefined {
  if (key === 'ID') return item.ID;
  if (key === 'ConfType') return item.ConfType;
  const properties = item.properties as unknown as Record<string, Value>;
  if (key === 'mode' || key === 'schedule') return item.properties.schedule.mode;
  if (key === 'stream') return item.properties.streams;
  if (key === 'tag') return item.properties.tags;
  const value = Object.hasOwn(properties, key) ? properties[key] : undefined;
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : value;
}

function matches(value: Value | undefined, filter: AddFilter): boolean {
  if (Array.isArray(value)) return value.some((each) => matches(each, filter));
  const text = (each: unknown) => String(each ?? '').toLowerCase();
  const wanted = Array.isArray(filter.filter_value) ? filter.filter_value : [filter.filter_value];
  switch (filter.filter_operand) {
    case 'exact':
    case 'in':
      return wanted.some((each) => text(each) === text(value));
    case 'not_in':
      return wanted.every((each) => text(each) !== text(value));
    case 'fuzzy':
      return wanted.some((each) => text(value).includes(text(each)));
    case 'gt':
      return value !== null && Number(value) > Number(wanted[0]);
    case 'lt':
      return value !== null && Number(value) < Number(wanted[0]);
    case 'between':
      return value !== null && Number(value) >= Number(wanted[0]) && Number(value) <= Number(wanted[1]);
  }
}

/** The filter key that searches the whole workbook; what it finds is asked of the store before. */
export const TEXT_KEY = 'text';

/**
 * Filters from left to right: AND narrows what stands before it, OR adds to it. Unknown keys match nothing.
 * `found`: ids that each filter on the text found.
 */
export function passesFilters(
  item: WorkbookItem,
  filters: readonly AddFilter[],
  found: ReadonlyMap<AddFilter, ReadonlySet<string>> = new Map(),
): boolean {
  return filters.reduce((passed, filter, index) => {
    const value = fieldValue(item, filter.filter_key);
    const hit = found.get(filter)?.has(item.ID) ?? (value !== undefined && matches(value, filter));
    if (index === 0) return hit;
    return filter.filter_condition === 'OR' ? passed || hit : passed && hit;
  }, true);
}

export type WorkbookSort = 'name' | 'updated' | 'signals_30d' | 'last_signal' | 'score';

/** Sorts by a key, then by name and id, so that pages do not overlap. Missing values come last. */
export function sortItems(items: readonly WorkbookItem[], key: WorkbookSort, order: 'asc' | 'desc') {
  const sign = order === 'asc' ? 1 : -1;
  const compare = (a: WorkbookItem, b: WorkbookItem): number => {
    const [left, right] = [a.properties[key], b.properties[key]];
    if (left === right) return 0;
    if (left === null) return 1;
    if (right === null) return -1;
    const less =
      typeof left === 'string' ? left.toLowerCase() < String(right).toLowerCase() : left < Number(right);
    return less ? -sign : sign;
  };
  return [...items].sort(
    (a, b) => compare(a, b) || a.properties.name.localeCompare(b.properties.name) || (a.ID < b.ID ? -1 : 1),
  );
}
