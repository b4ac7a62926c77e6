import type { checkStreamImpact, OutputOf, Schedule } from '@tyrian/contract';
import type { z } from 'zod';
import type { ScopeRef } from '../../platform/scope-ref.ts';
import type { RuleDefinitions } from '../detections/rule-definition.ts';
import { boundariesOf, nextBoundaries } from '../detections/schedule-boundaries.ts';
import type { KnownRule } from '../rule-health/known-rules.ts';
import { furthestAgo } from './look-back.ts';

// Which detections a change of what is stored would blind. Those that are on come first.

type Change = z.output<typeof checkStreamImpact.input>['change'];
type BlindRule = OutputOf<typeof checkStreamImpact>['rules'][number];
type Reader = KnownRule & { readonly ID: string; readonly isOn: boolean };

const DAY_S = 86_400;

/** Seconds between two runs: what came in since the last is what a run needs. */
function secondsBetweenRuns(schedule: Schedule, nowMs: number): number {
  const boundaries = boundariesOf(schedule);
  if (!boundaries) return 0;
  const [first, second] = nextBoundaries(boundaries, nowMs, 2);
  return first === undefined || second === undefined ? 0 : Math.round((second - first) / 1000);
}

async function lookBacks(
  definitions: RuleDefinitions,
  { clusterId, scopeId }: ScopeRef,
  readers: readonly Reader[],
  nowMs: number,
): Promise<ReadonlyMap<string, number>> {
  const ids = readers.flatMap(({ ID, kind }) => (kind === 'workbook' ? [ID] : []));
  const found = ids.length === 0 ? new Map() : await definitions.definitionsOf(clusterId, scopeId, ids);
  return new Map(
    readers.map(({ ID, schedule }) => {
      const queries: string[] = (found.get(ID)?.detections ?? []).map(
        ({ kql }: { kql: { body: { query: string } } }) => kql.body.query,
      );
      return [ID, Math.max(furthestAgo(queries), secondsBetweenRuns(schedule, nowMs))];
    }),
  );
}

/** `readers`: the rules of the scope that read the stream. */
export async function rulesThatGoBlind(
  definitions: RuleDefinitions,
  scope: ScopeRef,
  readers: readonly Reader[],
  change: Change,
  nowMs: number,
): Promise<BlindRule[]> {
  const back = await lookBacks(definitions, scope, readers, nowMs);
  const blind = readers.flatMap((rule): BlindRule[] => {
    const { ID, name, kind, isOn } = rule;
    const look_back_s = back.get(ID) || null;
    const reason = reasonOf(rule, change, look_back_s);
    return reason === null ? [] : [{ ID, name, kind, is_on: isOn, reason, look_back_s }];
  });
  return blind.sort((a, b) => Number(b.is_on) - Number(a.is_on) || a.name.localeCompare(b.name));
}

function reasonOf(rule: Reader, change: Change, lookBackS: number | null): BlindRule['reason'] | null {
  if (change.kind === 'retention') {
    const { retention_days: days } = change;
    return days !== null && (lookBackS ?? 0) > days * DAY_S ? 'look-back' : null;
  }
  if (rule.streams === null || rule.streams.includes('*')) return 'any-stream';
  if (change.source_id !== undefined) return 'part-of-stream';
  // One that reads other streams too goes on with those.
  return rule.streams.every((stream) => stream === change.stream) ? 'stream-gone' : 'part-of-stream';
}
