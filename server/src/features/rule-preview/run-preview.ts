import { say, storedText } from '@tyrian/contract';
import type { Clock } from '../../platform/clock.ts';
import { enqueueJob } from '../../platform/jobs/enqueue-job.ts';
import type { Job, JobCall } from '../../platform/jobs/job.ts';
import type { Logger } from '../../platform/log.ts';
import type { Postgres, TenantTransaction } from '../../platform/postgres/postgres.ts';
import { saidOf } from '../../platform/said-of-failure.ts';
import { USES_NOW } from '../detections/compile-rule-query.ts';
import type { RuleDefinition, RuleDefinitions } from '../detections/rule-definition.ts';
import { failureOf } from '../detections/rule-failure.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import { readEntry } from '../search/read-entry.ts';
import { overlappingSignals } from '../signals/overlapping-signals.ts';
import { type EvaluateDeps, evaluatePart } from './evaluate-part.ts';
import { settleCost } from './preview-cost.ts';
import { askedOf, FoundSoFar, partsOf } from './preview-figures.ts';
import { type PreviewPayload, rulePreviewRequest } from './preview-request.ts';
import {
  beginPreview,
  beginResult,
  endPreview,
  endResult,
  findPreview,
  findResult,
  noteFailure,
  type PreviewKey,
  type PreviewRow,
  resultsOf,
  setRun,
  writePart,
} from './preview-store.ts';
import { createQueryNames, type QueryNames } from './query-names.ts';

// The job of a preview: rule by rule, day by day, in the order of time. What was found is written after each day, on the
// condition that nobody else has written that day, so that a job that runs twice tells the same. After a while it makes
// room: another job goes on where it stopped, after what waits in the tenant.

export interface PreviewJobDeps extends EvaluateDeps {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly log: Logger;
  readonly audit: AuditService;
  readonly definitions: RuleDefinitions;
  /** How long one job works before it makes room. */
  readonly turnMs?: number;
}

const TURN_MS = 60_000;

export function rulePreviewJob(deps: PreviewJobDeps): Job<PreviewPayload> {
  return {
    ...rulePreviewRequest,
    run: (payload, call) => runPreview(deps, { clusterId: call.clusterId ?? '', ...payload }, call),
  };
}

/** Somebody has stopped or deleted the preview. */
class Ended extends Error {}
/** Its time is over: another job goes on. */
class TurnOver extends Error {}

interface Run {
  readonly deps: PreviewJobDeps;
  readonly key: PreviewKey;
  readonly preview: PreviewRow;
  readonly call: JobCall;
  readonly names: QueryNames;
  readonly untilMs: number;
}

/** Answers how many days of rules were worked on. */
async function runPreview(deps: PreviewJobDeps, key: PreviewKey, call: JobCall): Promise<number> {
  const { postgres, clock } = deps;
  const preview = await postgres.inTenant(key.clusterId, async (trx) =>
    (await beginPreview(trx, key, clock.now())) ? findPreview(trx, key) : undefined,
  );
  if (!preview) return 0;
  const names = createQueryNames(key.previewId);
  const untilMs = performance.now() + (deps.turnMs ?? TURN_MS);
  const run: Run = { deps, key, preview, call, names, untilMs };
  try {
    const done = await runRules(run);
    await finish(run);
    return done;
  } catch (error) {
    if (error instanceof Ended) return 0;
    if (error instanceof TurnOver) return goOnLater(run);
    await stopped(run, error);
    throw error;
  }
}

async function stopped({ deps, key, call }: Run, error: unknown): Promise<void> {
  const { postgres, clock } = deps;
  if (call.signal.aborted) {
    if (call.signal.reason === 'canceled')
      await postgres.inTenant(key.clusterId, (trx) => endPreview(trx, key, 'canceled', clock.now()));
    return;
  }
  const said = saidOf(error, (reason) => say('rules.previewFailed', { reason }));
  await postgres.inTenant(key.clusterId, (trx) => noteFailure(trx, key, storedText(said)));
}

async function goOnLater({ deps, key, preview }: Run): Promise<number> {
  const { clusterId, scopeId, previewId } = key;
  await deps.postgres.inTenant(clusterId, async (trx) => {
    const now = await findPreview(trx, key, true);
    if (!now || now.ended !== null) return;
    const askedBy = { userId: preview.author_id, name: preview.author };
    await setRun(
      trx,
      key,
      await enqueueJob(trx, rulePreviewRequest, { payload: { scopeId, previewId }, clusterId, askedBy }),
    );
  });
  return 0;
}

async function runRules(run: Run): Promise<number> {
  const { deps, key, preview, call } = run;
  const results = await deps.postgres.inTenant(key.clusterId, (trx) => resultsOf(trx, key));
  const total = results.length * preview.parts;
  let done = 0;
  for (const { position, rule_id: ruleId, state } of results) {
    if (state === 'waiting' || state === 'running')
      await runRule(run, position, ruleId, (parts) => call.progress(done + parts, total));
    done += preview.parts;
    await call.progress(done, total);
  }
  return done;
}

/** Works in a transaction of the tenant that holds the preview; throws when it has ended. */
function whileOpen<T>({ deps, key }: Run, work: (trx: TenantTransaction) => Promise<T>): Promise<T> {
  return deps.postgres.inTenant(key.clusterId, async (trx) => {
    const now = await findPreview(trx, key, true);
    if (!now || now.ended !== null) throw new Ended();
    return work(trx);
  });
}

async function runRule(
  run: Run,
  position: number,
  ruleId: string,
  progress: (parts: number) => Promise<void>,
): Promise<void> {
  const { deps, key } = run;
  const { clusterId, scopeId } = key;
  const rule = (await deps.definitions.definitionsOf(clusterId, scopeId, [ruleId])).get(ruleId);
  const fail = (error: Parameters<typeof storedText>[0]) =>
    whileOpen(run, (trx) => endResult(trx, key, position, { state: 'failed', error: storedText(error) }));
  if (!rule) return fail(say('rules.previewRuleGone'));
  if (rule.detections.length === 0) return fail(say('rules.previewNoQuery', { title: rule.name }));
  try {
    await begin(run, position, rule);
    const isTooNoisy = await runParts(run, position, rule, progress);
    await compare(run, position, rule, isTooNoisy);
  } catch (error) {
    const failure = failureOf(error);
    if (run.call.signal.aborted || !failure.isOwn) throw error;
    await fail(failure.error);
  }
}

const kqlOf = ({ detections }: RuleDefinition): string => detections[0]?.kql.body.query ?? '';

/** What is read is in the audit trail before any of it can be seen. */
function begin(run: Run, position: number, rule: RuleDefinition): Promise<void> {
  const { deps, key, preview } = run;
  const asked = askedOf(rule);
  return whileOpen(run, async (trx) => {
    const before = await findResult(trx, key, position);
    if (before?.state === 'running' && before.asked === asked) return;
    const [detection] = rule.detections;
    await beginResult(trx, key, position, {
      asked,
      kql: kqlOf(rule),
      title: rule.name,
      fromMs: preview.from_ms,
      figures: {
        usesNow: rule.detections.some(({ kql }) => USES_NOW.test(kql.body.query)),
        score: detection?.signal.body.score ?? null,
      },
    });
    await deps.audit.record(entryOf(run, rule, { state: 'BEGUN' }), trx);
  });
}

function entryOf({ key, preview }: Run, rule: RuleDefinition, details: Readonly<Record<string, unknown>>) {
  const { clusterId, scopeId, previewId } = key;
  const range = { from: preview.from_ms, to: preview.until_ms };
  const query = rule.detections.map(({ kql }) => kql.body.query);
  const about = { preview: previewId, name: rule.name, ...details };
  return {
    ...readEntry('rule.preview', { clusterId, scopeId, query, range }, about),
    who: { userId: preview.author_id, name: preview.author },
    entity: rule.workbookId,
  };
}

/** Answers whether the rule was stopped at a limit. */
async function runParts(
  run: Run,
  position: number,
  rule: RuleDefinition,
  progress: (parts: number) => Promise<void>,
): Promise<boolean> {
  const { deps, key, preview, call, names } = run;
  const parts = partsOf({ from: preview.from_ms, to: preview.until_ms });
  for (;;) {
    const before = await deps.postgres.inTenant(key.clusterId, (trx) => findResult(trx, key, position));
    if (!before) throw new Ended();
    const part = parts[before.parts_done];
    const found = new FoundSoFar(before.carry, before.figures);
    if (found.isTooNoisy || (before.parts_done > 0 && isCutShort(before, parts))) return true;
    if (!part) return false;
    await progress(before.parts_done);
    const ask = {
      rule,
      userId: preview.author_id,
      part,
      signal: call.signal,
      nameQuery: names.nameFor(position),
    };
    const { until, queryMs } = await evaluatePart(deps, ask, found);
    await whileOpen(run, (trx) =>
      writePart(trx, key, {
        ...{ position, queryMs, asked: askedOf(rule), before: before.parts_done, coveredMs: until },
        ...{ rows: found.rows, signals: found.signals, hits: found.hits, carry: found.carry() },
        figures: {
          ...found.figures(),
          days: [...(before.figures.days ?? []), found.day({ ...part, to: until })],
        },
      }),
    );
    if (performance.now() > run.untilMs) throw new TurnOver();
  }
}

/** The part that was done last ended before its end. */
const isCutShort = (
  { parts_done, covered }: { readonly parts_done: number; readonly covered: number },
  parts: readonly { readonly to: number }[],
): boolean => covered < (parts[parts_done - 1]?.to ?? 0);

/** Compares what was found with the signals of other rules, and ends the rule. */
async function compare(run: Run, position: number, rule: RuleDefinition, isTooNoisy: boolean): Promise<void> {
  const { deps, key, preview } = run;
  await whileOpen(run, async (trx) => {
    const before = await findResult(trx, key, position);
    if (before?.state !== 'running') return;
    const found = new FoundSoFar(before.carry, before.figures);
    const signals = found.compared();
    const range = {
      from: Math.min(preview.from_ms, before.first ?? preview.from_ms),
      to: Math.max(preview.until_ms, (before.last ?? 0) + 1),
    };
    const others = await overlappingSignals(trx, { ...key, ruleId: rule.workbookId, range, signals });
    const overlaps = others.map(({ workbookId, name, signals: count, onEvents, shared }) => ({
      ...{ ID: workbookId, name, signals: count, on_events: onEvents },
      share: signals.length === 0 ? 0 : shared / signals.length,
    }));
    const figures = { overlaps, overlapsCut: signals.length < found.signals };
    await endResult(trx, key, position, { state: isTooNoisy ? 'too-noisy' : 'done', figures });
    await deps.audit.record(
      entryOf(run, rule, {
        state: isTooNoisy ? 'STOPPED' : 'DONE',
        rows: before.row_count,
        signals: before.signals,
      }),
      trx,
    );
  });
}

/** Ends the preview, and then writes what its queries cost, once the engine has told. */
async function finish({ deps, key, preview, call, names }: Run): Promise<void> {
  const { postgres, clock, events, log } = deps;
  const isEnded = await postgres.inTenant(key.clusterId, (trx) => endPreview(trx, key, 'done', clock.now()));
  if (!isEnded) return;
  const sinceMs = clock.now() - (preview.started ?? preview.created);
  await settleCost({ postgres, events, log }, key, { sinceMs, names, signal: call.signal });
}
