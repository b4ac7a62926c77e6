import {
  type HealthRange,
  type listRuleHealth,
  type OutputOf,
  RUNNING_STATES,
  type RuleHealthItem,
  type RuleHealthSort,
} from '@tyrian/contract';
import type { z } from 'zod';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { Logger } from '../../platform/log.ts';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { confirmedSignals } from '../cases/confirmed-signals.ts';
import type { RuleRuns, RunningRule } from '../detections/rule-runs.ts';
import { newestByRule, noiseByRule, type RuleNoise } from '../signals/rule-noise.ts';
import type { KnownRule, KnownRules } from './known-rules.ts';
import { type StreamDeps, type StreamInput, silentStreams, streamInputs } from './stream-status.ts';
import { openByRule } from './tuning-store.ts';

// How the rules of a scope do, in one list. A few questions over the scope give the figures of all its rules; they are put
// together, sorted and cut to a page here, and only the page asks how much is missing in the ledgers.

export interface HealthDeps extends StreamDeps {
  readonly runs: RuleRuns;
  readonly knownRules: KnownRules;
  readonly log: Logger;
}

type HealthRequest = z.output<(typeof listRuleHealth)['input']>;
type HealthPage = OutputOf<typeof listRuleHealth>;

export interface RuleHealthService {
  list(clusterId: string, input: HealthRequest): Promise<HealthPage>;
}

export function createRuleHealthService(deps: HealthDeps): RuleHealthService {
  return bindDeps(deps, { list });
}

const DAY_MS = 86_400_000;
const RANGE_MS: Readonly<Record<HealthRange, number>> = { day: DAY_MS, week: 7 * DAY_MS };
/** How far back a true positive is looked for. */
const CONFIRMED_MS = 90 * DAY_MS;
const NO_NOISE: RuleNoise = { signals: 0, falsePositives: 0, open: 0 };

async function list(deps: HealthDeps, clusterId: string, input: HealthRequest): Promise<HealthPage> {
  const { scope_id: scopeId, range } = input;
  const to = deps.clock.now();
  const from = to - RANGE_MS[range];
  const known = await deps.knownRules(clusterId, scopeId);
  const { rules, shared } = await deps.runs.inScope(clusterId, scopeId, from);
  const figures = await figuresOf(deps, clusterId, scopeId, from, to);
  const days = (to - from) / DAY_MS;
  const on = rules.flatMap((rule) => {
    const content = known.get(rule.ID);
    return content && rule.isOn ? [{ rule, content }] : [];
  });
  const cpuMs = on.reduce((sum, { rule }) => sum + rule.cpuMs, 0);
  const allMs = cpuMs + shared.cpuMs;
  const items = on.map(({ rule, content }) => itemOf(rule, content, figures, { days, allMs, nowMs: to }));
  const matching = items.filter((item) => isWanted(item, input)).sort(byOrder(input.sort, input.desc));
  const data = matching.slice((input.pageno - 1) * input.pagesize, input.pageno * input.pagesize);
  const ids = data.map(({ ID }) => ID);
  const missing = await deps.runs.missing(clusterId, scopeId, ids, { from, to });
  return {
    data: data.map((item) => {
      const { gaps, gapMs } = missing.get(item.ID) ?? { gaps: 0, gapMs: 0 };
      return { ...item, gaps, gap_ms: gapMs };
    }),
    total_count: matching.length,
    from,
    to,
    totals: {
      ...totalsOf(items),
      knows_inputs: figures.inputs !== null,
      ...costOf(allMs, shared.cpuMs, days),
    },
  };
}

const costOf = (allMs: number, sharedMs: number, days: number) => ({
  cpu_ms_day: allMs / days,
  shared_cpu_ms_day: sharedMs / days,
});

interface Figures {
  readonly noise: ReadonlyMap<string, RuleNoise>;
  readonly confirmed: ReadonlyMap<string, number>;
  readonly tuning: ReadonlyMap<string, number>;
  /** Null: the event store did not answer. */
  readonly inputs: ReadonlyMap<string, StreamInput> | null;
}

async function figuresOf(
  deps: HealthDeps,
  clusterId: string,
  scopeId: string,
  from: number,
  to: number,
): Promise<Figures> {
  const inputs = await streamInputs(deps, clusterId, scopeId).catch((error: Error) => {
    deps.log.info({ err: error.message, clusterId }, 'silent streams are not known');
    return null;
  });
  const read = async (trx: TenantTransaction) => {
    const confirmed = await confirmedSignals(trx, clusterId, scopeId, to - CONFIRMED_MS);
    return {
      noise: await noiseByRule(trx, clusterId, scopeId, from),
      confirmed: await newestByRule(trx, clusterId, scopeId, confirmed),
      tuning: await openByRule(trx, clusterId, scopeId),
    };
  };
  return { inputs, ...(await deps.postgres.inTenant(clusterId, read)) };
}

interface Terms {
  readonly days: number;
  readonly allMs: number;
  readonly nowMs: number;
}

function itemOf(
  rule: RunningRule,
  content: KnownRule,
  { noise, confirmed, tuning, inputs }: Figures,
  { days, allMs, nowMs }: Terms,
): RuleHealthItem {
  const { ID } = rule;
  const { signals, falsePositives, open } = noise.get(ID) ?? NO_NOISE;
  return {
    ...runFields(rule, content),
    covered_from: rule.coveredFrom ?? rule.coveredUntil,
    covered_until: rule.coveredUntil,
    lag_ms: rule.lagMs,
    gaps: 0,
    gap_ms: 0,
    reruns: rule.reruns,
    cpu_ms_day: rule.cpuMs / days,
    cpu_share: allMs === 0 ? 0 : rule.cpuMs / allMs,
    signals,
    signals_day: signals / days,
    false_positive_share: signals === 0 ? null : falsePositives / signals,
    open_share: signals === 0 ? null : open / signals,
    last_true_positive: confirmed.get(ID) ?? null,
    silent_streams: inputs === null ? [] : silentStreams(content, inputs, nowMs),
    misses_fields: content.missesFields,
    tuning_open: tuning.get(ID) ?? 0,
  };
}

/** What every list of runs says of a rule. */
export const runFields = (rule: RunningRule, { name, kind, schedule }: KnownRule) => ({
  ID: rule.ID,
  name,
  kind,
  mode: schedule.mode,
  cron: schedule.cron,
  timezone: schedule.timezone,
  state: rule.state,
  last_run: rule.lastRunMs,
  last_duration_ms: rule.lastDurationMs,
  next_run: rule.nextRun,
  error: rule.error,
  quarantine: rule.quarantine,
  runs: rule.runs,
  failures: rule.failures,
});

const isWanted = (item: RuleHealthItem, { text, state }: HealthRequest): boolean =>
  (state === undefined || item.state === state) &&
  item.name.toLowerCase().includes(text.trim().toLowerCase());

const stateRank = ({ state }: RuleHealthItem): number => (RUNNING_STATES as readonly string[]).indexOf(state);

/** What a rule is sorted by; null comes last either way. */
function sortedBy(item: RuleHealthItem, sort: RuleHealthSort): number | string | null {
  switch (sort) {
    case 'state':
      return stateRank(item);
    case 'silent':
      return item.silent_streams.length + (item.misses_fields ? 1 : 0);
    case 'name':
      return item.name.toLowerCase();
    default:
      return item[sort];
  }
}

function byOrder(sort: RuleHealthSort, desc: boolean) {
  return (a: RuleHealthItem, b: RuleHealthItem): number => {
    const [first, second] = [sortedBy(a, sort), sortedBy(b, sort)];
    if (first !== second) {
      if (first === null) return 1;
      if (second === null) return -1;
      return (first < second ? -1 : 1) * (desc ? -1 : 1);
    }
    return a.name.localeCompare(b.name) || (a.ID < b.ID ? -1 : 1);
  };
}

function totalsOf(items: readonly RuleHealthItem[]) {
  const states: Partial<Record<RuleHealthItem['state'], number>> = {};
  const totals = { runs: 0, failures: 0, signals: 0, silent: 0, tuning_open: 0 };
  for (const item of items) {
    states[item.state] = (states[item.state] ?? 0) + 1;
    totals.runs += item.runs;
    totals.failures += item.failures;
    totals.signals += item.signals;
    totals.silent += item.silent_streams.length > 0 || item.misses_fields ? 1 : 0;
    totals.tuning_open += item.tuning_open;
  }
  const all = { off: 0, waiting: 0, ok: 0, late: 0, failing: 0, quarantined: 0, ...states };
  return { states: all, ...totals };
}
