import type { Compiled, QueryService } from '../search/query-service.ts';
import type { CoversAside } from './covers-aside.ts';
import type { FollowedWindows } from './followed-windows.ts';
import type { KnownCover } from './known-cover.ts';
import type { Held, keepLiteralProbes } from './prefilter/literals-seen.ts';
import type { PresentFields } from './prefilter/present-fields.ts';
import type { RuleCover } from './rule-cover.ts';
import type { Detection, RuleDefinition } from './rule-definition.ts';
import type { Window } from './scheduler-machine.ts';

// Detections of a tenant that are asked about together, and how the engine is asked about them.

export interface AskedDetection {
  readonly rule: RuleDefinition;
  readonly detection: Detection;
}

export interface ProbeDeps {
  readonly compiled: (rule: RuleDefinition, detection: Detection) => Promise<Compiled>;
  readonly queries: QueryService;
  readonly passesFor: ReturnType<typeof keepLiteralProbes>;
  readonly aside: CoversAside;
  /** Absent where no window follows on another. */
  readonly followed?: FollowedWindows;
}

/** Detections with one cover, by scope. */
export interface Probe {
  readonly known: KnownCover;
  readonly cover: RuleCover;
  readonly lookbackMs: number;
  /** Finds nothing in a window in which nothing of it has come in. */
  readonly needsNew: boolean;
  readonly asked: AskedDetection[];
  /** Literals of which each event that passes holds one, and which events do; null when that is not known. */
  readonly held: Held | null;
}

export interface ProbeRequest {
  readonly clusterId: string;
  readonly window: Window;
  readonly reaches: boolean;
  readonly signal: AbortSignal | undefined;
  /** The fields that events of the window have; null when that is not known. */
  readonly present: PresentFields | null;
  /** A new name of a query on the engine. */
  readonly nextId: () => string | undefined;
}

/** A query for many rules that takes longer is given up. */
export const PROBE_MS = 15_000;

/** Names `of-0`, `of-1`, …; none without `of`. */
export function namesOf(of: string | undefined): () => string | undefined {
  let count = 0;
  return () => of && `${of}-${count++}`;
}

const named = (queryId: string | undefined) => (queryId ? { queryId } : {});

export const asPlanRequest = (
  { clusterId, window, signal, present, nextId }: ProbeRequest,
  probes: readonly Probe[],
) => ({
  clusterId,
  scopes: [...new Set(probes.flatMap(({ asked }) => asked.map(({ rule }) => rule.scopeId)))].sort(),
  ingestRange: { from: window.from, to: window.to },
  queue: 'detections' as const,
  ...(present ? { values: present.values } : {}),
  ...named(nextId()),
  signal: AbortSignal.any([AbortSignal.timeout(PROBE_MS), ...(signal ? [signal] : [])]),
});
