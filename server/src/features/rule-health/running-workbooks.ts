import type { OutputOf, RunningWorkbook, runningWorkbooks } from '@tyrian/contract';
import type { z } from 'zod';
import { boundariesOf, nextBoundaries } from '../detections/schedule-boundaries.ts';
import { noiseByRule } from '../signals/rule-noise.ts';
import type { KnownRule } from './known-rules.ts';
import { type HealthDeps, runFields } from './rule-health-service.ts';

const DAY_MS = 86_400_000;
const RUNS_SHOWN = 5;

type RunningRequest = z.output<(typeof runningWorkbooks)['input']>;

/** What has a schedule in a scope, also while it is paused, with its next runs. */
export async function listRunning(
  deps: HealthDeps,
  clusterId: string,
  input: RunningRequest,
): Promise<OutputOf<typeof runningWorkbooks>> {
  const { scope_id: scopeId, mode } = input;
  const nowMs = deps.clock.now();
  const known = await deps.knownRules(clusterId, scopeId);
  const { rules } = await deps.runs.inScope(clusterId, scopeId, nowMs - DAY_MS);
  const noise = await deps.postgres.inTenant(clusterId, (trx) =>
    noiseByRule(trx, clusterId, scopeId, nowMs - DAY_MS),
  );
  const text = input.text.trim().toLowerCase();
  const wanted = rules.flatMap((rule) => {
    const content = known.get(rule.ID);
    if (!content || content.schedule.mode === 'off') return [];
    if (mode !== 'all' && content.schedule.mode !== mode) return [];
    return content.name.toLowerCase().includes(text) ? [{ rule, content }] : [];
  });
  wanted.sort(
    (a, b) => Number(b.rule.isOn) - Number(a.rule.isOn) || a.content.name.localeCompare(b.content.name),
  );
  const page = wanted.slice((input.pageno - 1) * input.pagesize, input.pageno * input.pagesize);
  const data = page.map(({ rule, content }): RunningWorkbook => {
    const { lastRunMs, lastDurationMs } = rule;
    const status = rule.error ? 'failed' : 'done';
    return {
      ...runFields(rule, content),
      enabled: rule.isOn,
      signals: noise.get(rule.ID)?.signals ?? 0,
      started: lastRunMs === null ? null : lastRunMs - (lastDurationMs ?? 0),
      last_status: lastRunMs === null && !rule.error ? 'none' : status,
      next_runs: rule.isOn && !rule.quarantine ? nextRunsOf(content, nowMs) : [],
    };
  });
  return { data, total_count: wanted.length };
}

function nextRunsOf({ schedule }: KnownRule, nowMs: number): number[] {
  const boundaries = boundariesOf(schedule);
  return boundaries ? nextBoundaries(boundaries, nowMs, RUNS_SHOWN) : [];
}
