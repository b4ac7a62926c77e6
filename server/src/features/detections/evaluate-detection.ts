import { placeholdersOf, type SignalBody } from '@tyrian/contract';
import type { QueryService } from '../search/query-service.ts';
import type { RuleIdentity } from '../signals/finding.ts';
import { type Occurrence, OccurrenceCollector } from '../signals/occurrence.ts';
import { analysePlan, type PlanTraits } from './analyse-plan.ts';
import type { Detection, RuleDefinition } from './rule-definition.ts';
import { MINUTE_MS } from './schedule-boundaries.ts';
import type { Window } from './scheduler-machine.ts';

// Runs one detection over one window of ingest time and turns its rows into occurrences.

/** Columns that occurrences read beside the fields of the signal block. */
const ALWAYS_READ = ['TimeGenerated', 'IngestedTime', 'EventUid', 'Stream'];

export interface DetectionOutcome {
  readonly rows: number;
  readonly occurrences: readonly Occurrence[];
}

/** First parts of the fields that a signal block reads: `Ext.TaskName` needs `Ext`. */
export function fieldsRead(signal: SignalBody): string[] {
  const fields = [
    ...placeholdersOf(signal.name).map((placeholder) => placeholder.field),
    ...signal.suspects.map((suspect) => suspect.field),
    ...signal.targets.map((target) => target.field),
  ];
  return [...new Set(fields.map((field) => field.split('.')[0] ?? field))];
}

export interface DetectionEvaluator {
  /** What the query reads and how it may be cut. Throws when it does not compile. */
  traitsOf(rule: RuleDefinition, detection: Detection): Promise<PlanTraits>;
  evaluate(
    rule: RuleDefinition,
    detection: Detection,
    window: Window,
    signal?: AbortSignal,
  ): Promise<DetectionOutcome>;
}

export function createDetectionEvaluator(queries: QueryService): DetectionEvaluator {
  const compiled = async (rule: RuleIdentity, kql: string) => {
    const result = await queries.compile({ clusterId: rule.clusterId, scopes: [rule.scopeId], kql });
    return result.ok ? result : null;
  };

  /** The query with only the columns that occurrences need, where each row is an event. */
  const narrowed = async (rule: RuleDefinition, detection: Detection): Promise<string> => {
    const { query } = detection.kql.body;
    const full = await compiled(rule, query);
    if (!full || !analysePlan(full.plan).rowByRow) return query;
    const names = new Set(full.columns.map((column) => column.name));
    const needed = [...new Set([...ALWAYS_READ, ...fieldsRead(detection.signal.body)])].filter((name) =>
      names.has(name),
    );
    const narrow = `${query}\n| project ${needed.map((name) => `['${name.replaceAll("'", "\\'")}']`).join(', ')}`;
    return needed.length > 0 && (await compiled(rule, narrow)) ? narrow : query;
  };

  return {
    traitsOf: async (rule, detection) => {
      const result = await queries.compile({
        clusterId: rule.clusterId,
        scopes: [rule.scopeId],
        kql: detection.kql.body.query,
      });
      if (!result.ok) {
        const first = result.diagnostics.find((diagnostic) => diagnostic.severity === 'error');
        throw new Error(`the query does not compile: ${first?.message ?? 'unknown mistake'}`);
      }
      return analysePlan(result.plan);
    },
    evaluate: async (rule, detection, window, signal) => {
      const lookbackMs = rule.schedule.lookback_minutes * MINUTE_MS;
      const answer = await queries.stream({
        clusterId: rule.clusterId,
        scopes: [rule.scopeId],
        kql: await narrowed(rule, detection),
        ingestRange: { from: window.from - lookbackMs, to: window.to },
        queue: 'detections',
        ...(signal ? { signal } : {}),
      });
      const names = answer.columns.map((column) => column.name);
      const collector = new OccurrenceCollector(rule, detection.signal.body, window, lookbackMs);
      for await (const batch of answer.batches) {
        for (const row of batch) {
          collector.add(Object.fromEntries(names.map((name, index) => [name, row[index]])));
        }
      }
      return { rows: collector.rows, occurrences: collector.occurrences() };
    },
  };
}
