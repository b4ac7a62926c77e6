import type { ScopeOverview } from '@tyrian/contract';
import type { QueryService } from '../search/query-service.ts';

// Figures of a scope, asked in KQL like everything else, so that tenant and scope hold here as they do in Find.

export interface OverviewRequest {
  readonly clusterId: string;
  readonly scopeId: string;
  /** Epoch milliseconds, half-open. */
  readonly start: number;
  readonly end: number;
  readonly signal?: AbortSignal;
}

export interface OverviewService {
  read(request: OverviewRequest): Promise<ScopeOverview>;
}

const MOST_SLICES = 96;
const TOP = 8;
const MOST_SOURCES = 1_000;
const MOST_SILENT = 20;
const SILENT_AFTER_MS = 3_600_000;
const SLICES_MS = [
  60e3,
  300e3,
  900e3,
  1800e3,
  3600e3,
  3 * 3600e3,
  6 * 3600e3,
  12 * 3600e3,
  86400e3,
  7 * 86400e3,
];

/** The narrowest round slice that keeps a range under 96 slices. */
export function sliceOf(start: number, end: number): number {
  return SLICES_MS.find((slice) => (end - start) / slice <= MOST_SLICES) ?? 30 * 86_400_000;
}

export function createOverviewService(queries: QueryService): OverviewService {
  return {
    async read({ clusterId, scopeId, start, end, signal }) {
      const slice = sliceOf(start, end);
      const ask = async (kql: string) => {
        const asked = { clusterId, scopes: [scopeId], kql, timeRange: { from: start, to: end }, signal };
        return (await queries.run({ ...asked, queue: 'panels' })).rows;
      };
      const [series, totals, bands, detections, sources, hosts] = await Promise.all([
        ask(
          `Events | where Stream != 'Signals' | summarize Count=count() by Stream, Slice=bin(TimeGenerated, ${slice / 1000}s)`,
        ),
        ask(
          "Events | where Stream != 'Signals' | summarize Count=count(), Sources=dcount(SourceName), Unparsed=countif(ParseStatus != 'PAD')",
        ),
        ask(
          "Signals | summarize Count=count() by Band=case(DetectionScore >= 9, 'critical', DetectionScore >= 7, 'high', DetectionScore >= 4, 'medium', 'low')",
        ),
        ask(top('Signals | extend Detection=tostring(Ext.WorkbookName)', 'Detection')),
        ask(
          `Events | where Stream != 'Signals' and isnotempty(SourceName) | summarize Count=count(), Last=max(TimeGenerated) by SourceName | top ${MOST_SOURCES} by Count desc`,
        ),
        ask(top("Events | where Stream != 'Signals'", 'DvcHostname')),
      ]);
      const [events = 0, sourceCount = 0, unparsed = 0] = (totals[0] ?? []).map(Number);
      const found = new Map(bands.map(([band, count]) => [String(band), Number(count)]));
      const signals = {
        critical: found.get('critical') ?? 0,
        high: found.get('high') ?? 0,
        medium: found.get('medium') ?? 0,
        low: found.get('low') ?? 0,
      };
      return {
        interval_ms: slice,
        events: series.map((row) => seriesPoint(row)),
        totals: {
          events,
          sources: sourceCount,
          unparsed,
          signals: Object.values(signals).reduce((sum, count) => sum + count, 0),
        },
        signals,
        top_detections: detections.map(rank),
        top_sources: sources.slice(0, TOP).map(rank),
        top_hosts: hosts.map(rank),
        silent_sources: silentAt(end, sources),
      };
    },
  };
}

function top(table: string, column: string): string {
  return `${table} | where isnotempty(${column}) | summarize Count=count() by ${column} | top ${TOP} by Count desc | project ${column}, Count`;
}

/** Rows of `summarize Count by Stream, Slice`: keys first, as KQL orders them. */
function seriesPoint(row: readonly unknown[]): ScopeOverview['events'][number] {
  const [stream, slice, count] = row;
  return { stream: String(stream), time: Date.parse(String(slice)), count: Number(count) };
}

/** Of sources with their count and last event, those that sent nothing in the last hour before `end`. */
function silentAt(end: number, sources: readonly (readonly unknown[])[]): ScopeOverview['silent_sources'] {
  return sources
    .map(([name, , last]) => ({ name: String(name), last_event: Date.parse(String(last)) }))
    .filter(({ last_event: last }) => last < end - SILENT_AFTER_MS)
    .sort((a, b) => a.last_event - b.last_event)
    .slice(0, MOST_SILENT);
}

function rank([name, count]: readonly unknown[]): { name: string; count: number } {
  return { name: String(name), count: Number(count) };
}
