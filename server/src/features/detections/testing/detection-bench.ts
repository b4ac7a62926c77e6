import type { Plan } from '@tyrian/plan';
import { sharedCompiler } from '../../../engines/testing/shared-compiler.ts';
import { newId } from '../../../platform/new-id.ts';
import type { Platform } from '../../../platform/platform.ts';
import { createAuditService } from '../../identity/audit/audit-service.ts';
import { ingestFeature } from '../../ingest/ingest-feature.ts';
import type { QueryService } from '../../search/query-service.ts';
import { searchFeature } from '../../search/search-feature.ts';
import type { EvaluatedRange } from '../../signals/anchored-rows.ts';
import { coalesceOccurrences } from '../../signals/coalesce-occurrences.ts';
import type { Occurrence } from '../../signals/occurrence.ts';
import type { NativeDetection } from '../../workbooks/native-content.ts';
import { createDetectionEvaluator, type DetectionEvaluator } from '../evaluate-detection.ts';
import { detectionsIn, type RuleDefinition } from '../rule-definition.ts';

// Runs detections on records as a source sends them: through decoding and storing, then the compiled query, then
// coalescing, exactly as the server does. Each set of records has a scope of its own.

export interface RaisedSignal {
  readonly name: string;
  readonly occurrences: number;
  readonly finding: Occurrence['finding'];
}

export interface DetectionBench {
  readonly queries: QueryService;
  readonly evaluator: DetectionEvaluator;
  /** What a query compiles to without the fields of a scope. */
  planOf(kql: string): Promise<Plan>;
  /** Stores records in a scope of their own and answers its id. */
  store(records: readonly (string | Readonly<Record<string, unknown>>)[] | Uint8Array): Promise<string>;
  /** Which detections the queries over many of them let run on what the scopes hold, by scope. */
  candidates(
    detections: readonly NativeDetection[],
    scopeIds: readonly string[],
    window?: EvaluatedRange,
  ): Promise<ReadonlyMap<string, ReadonlySet<string>>>;
  /** What a detection raises on everything that the scope holds. */
  raise(detection: NativeDetection, scopeId: string): Promise<RaisedSignal[]>;
}

const aroundNow = (nowMs: number): EvaluatedRange => ({ from: nowMs - 60_000, to: nowMs + 60_000 });

const textOf = (record: string | Readonly<Record<string, unknown>>): string =>
  typeof record === 'string' ? record : JSON.stringify(record);

/** The shipped detection as the scheduler gets it. */
function ruleOf(detection: NativeDetection, clusterId: string, scopeId: string): RuleDefinition {
  const { draft, workbookId } = detection;
  return {
    clusterId,
    scopeId,
    workbookId,
    name: draft.name,
    version: 1,
    stage: draft.stage,
    schedule: draft.schedule,
    detections: detectionsIn(draft.blocks),
  };
}

const askedOf = (detections: readonly NativeDetection[], clusterId: string, scopeIds: readonly string[]) =>
  scopeIds.flatMap((scopeId) =>
    detections.flatMap((native) => {
      const rule = ruleOf(native, clusterId, scopeId);
      return rule.detections.map((detection) => ({ rule, detection }));
    }),
  );

async function compiledPlan(queries: QueryService, clusterId: string, kql: string): Promise<Plan> {
  const compiled = await queries.compile({ clusterId, scopes: [], kql });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics));
  return compiled.plan;
}

export function detectionBench(platform: Platform, clusterId: string): DetectionBench {
  const { postgres, clock, log } = platform;
  const audit = createAuditService({ postgres, clock, log });
  const { ingest } = ingestFeature(platform, { audit });
  const { queries } = searchFeature({
    platform,
    audit,
    compiler: sharedCompiler(),
    workbookKql: () => Promise.reject(new Error('there are no workbooks here')),
  });
  const evaluator = createDetectionEvaluator(queries);
  return {
    queries,
    evaluator,
    planOf: (kql) => compiledPlan(queries, clusterId, kql),
    store: async (records) => {
      const scopeId = newId();
      const body = records instanceof Uint8Array ? records : records.map(textOf).join('\n');
      await ingest.ingest(
        { clusterId, scopeId, sourceId: null, sourceName: 'sample', sourceAddress: '192.0.2.1' },
        body,
      );
      return scopeId;
    },
    candidates: async (detections, scopeIds, window = aroundNow(clock.now())) => {
      const asked = askedOf(detections, clusterId, scopeIds);
      const { without } = (await evaluator.candidates?.(asked, window)) ?? { without: new Set() };
      const left = asked.filter((one) => !without.has(one)).map(({ rule }) => rule);
      return new Map(
        scopeIds.map((scopeId) => [
          scopeId,
          new Set(left.filter((rule) => rule.scopeId === scopeId).map(({ workbookId }) => workbookId)),
        ]),
      );
    },
    raise: async (detection, scopeId) => {
      const rule = ruleOf(detection, clusterId, scopeId);
      const window = aroundNow(clock.now());
      const found: Occurrence[] = [];
      for (const each of rule.detections)
        found.push(...(await evaluator.evaluate(rule, each, window)).occurrences);
      const { signals, occurrences } = coalesceOccurrences(found, [], []);
      const findings = new Map(occurrences.map(({ signalId, occurrence }) => [signalId, occurrence.finding]));
      return signals.flatMap((signal) => {
        const finding = findings.get(signal.signalId);
        return finding ? [{ name: finding.name, occurrences: signal.occurrences, finding }] : [];
      });
    },
  };
}
