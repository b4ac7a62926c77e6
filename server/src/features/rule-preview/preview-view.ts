import {
  type PreviewItem,
  type PreviewResult,
  type PreviewRule,
  QUARANTINE_LIMITS,
  type RulePreview,
} from '@tyrian/contract';
import { readFailure } from '../../platform/said-of-failure.ts';
import type { ListedPreview, PreviewRow, ResultRow } from './preview-store.ts';

// Previews as they are told.

const DAY_MS = 86_400_000;

function saidOf(stored: string | null) {
  if (stored === null) return null;
  const { message, ...code } = readFailure(stored);
  return { message: message ?? '', ...code };
}

const fieldsOf = (row: PreviewRow) => ({
  preview_id: row.preview_id,
  kind: row.kind,
  state: row.state,
  start: row.from_ms,
  end: row.until_ms,
  error: row.state === 'failed' ? saidOf(row.error) : null,
  author: row.author,
  created: row.created,
  ended: row.ended,
});

export const itemOf = (row: ListedPreview): PreviewItem => ({
  ...fieldsOf(row),
  done: row.done,
  total: row.parts * row.rules,
  rules: row.rules,
  title: row.title,
  rows: row.rows,
  signals: row.signals,
});

const ruleOf = (row: ResultRow, isGone: boolean): PreviewRule => ({
  rule_id: row.rule_id,
  title: row.title,
  state: row.state,
  is_gone: isGone,
  error: saidOf(row.error),
  covered_until: row.covered,
  rows: row.row_count,
  signals: row.signals,
  first_hit: row.first,
  last_hit: row.last,
});

/** Of a day of data. */
const ofDay = (value: number | null, coveredMs: number): number | null =>
  value === null || coveredMs <= 0 ? null : (value / coveredMs) * DAY_MS;

/** What a rule may take of the engine in a day. */
const MOST_CPU_DAY = QUARANTINE_LIMITS.cpuMinutesPerHour * 60_000 * 24;

function resultOf(row: ResultRow, fromMs: number, isGone: boolean): PreviewResult {
  const { figures } = row;
  const coveredMs = row.covered - fromMs;
  const cpuDay = ofDay(row.cpu_ms, coveredMs);
  return {
    ...ruleOf(row, isGone),
    kql: row.kql,
    score: figures.score ?? null,
    uses_now: figures.usesNow ?? false,
    days: [...(figures.days ?? [])],
    entities: [...(figures.entities ?? [])],
    overlaps: [...(figures.overlaps ?? [])],
    overlaps_cut: figures.overlapsCut ?? false,
    found: [...(figures.found ?? [])],
    samples: figures.samples?.uids.length ?? 0,
    query_ms_day: row.parts_done === 0 ? null : ofDay(row.query_ms, coveredMs),
    cpu_ms_day: cpuDay,
    cpu_share: cpuDay === null ? null : cpuDay / MOST_CPU_DAY,
  };
}

export interface ViewedPreview {
  readonly row: PreviewRow;
  readonly results: readonly ResultRow[];
  /** The rule that is told with all figures. */
  readonly shown: ResultRow | undefined;
  /** Rules that are still there. */
  readonly known: ReadonlySet<string>;
}

export function previewOf({ row, results, shown, known }: ViewedPreview): RulePreview {
  const ended = results.filter(({ state }) => state !== 'waiting' && state !== 'running').length;
  const open = results.filter(({ state }) => state === 'waiting' || state === 'running');
  return {
    ...fieldsOf(row),
    done: ended * row.parts + open.reduce((sum, one) => sum + one.parts_done, 0),
    total: results.length * row.parts,
    rules: results.map((one) => ruleOf(one, !known.has(one.rule_id))),
    result: shown ? resultOf(shown, row.from_ms, !known.has(shown.rule_id)) : null,
  };
}
