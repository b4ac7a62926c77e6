import { setTimeout as pause } from 'node:timers/promises';
import { type MessageValue, say, storedText } from '@tyrian/contract';
import type { Logger } from '../log.ts';
import { storableText } from '../postgres/storable.ts';
import { saidOf } from '../said-of-failure.ts';
import { type AnyJob, type JobCall, waitAfter } from './job.ts';
import type { ClaimedRun, JobRuns } from './job-runs.ts';

// One attempt of a run, from its claim to its end: done, failed, cancelled, or put back to wait.

export interface AttemptDeps {
  readonly runs: JobRuns;
  readonly log: Logger;
}

/** Why the signal of a running job aborted. */
export type StopReason = 'canceled' | 'stopping';

const PROGRESS_MS = 1_000;
/** The end of a run is told again while the database is away; after that the run is taken up by whoever finds it. */
const END_TRIES = 5;
const END_AGAIN_MS = 2_000;
const MAX_REASON = 2_000;
/** Values of a refusal may be endless; then its text is cut. */
const MAX_STORED = 8_000;

/** At most one write a second; what is too early is left to the next or to the end. */
function progressOf({ runs, log }: AttemptDeps, run: ClaimedRun): JobCall['progress'] {
  let nextMs = 0;
  return async (done, total) => {
    if (Date.now() < nextMs) return;
    nextMs = Date.now() + PROGRESS_MS;
    await runs.progress(run, done, total ?? null).catch((error: Error) => {
      log.debug({ run: run.runId, err: error.message }, 'progress of a job was not written');
    });
  };
}

async function told(log: Logger, run: ClaimedRun, tell: () => Promise<boolean>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      if (!(await tell())) log.warn({ run: run.runId }, 'a job ended that another process had taken over');
      return;
    } catch (error) {
      if (tries === END_TRIES) throw error;
      await pause(END_AGAIN_MS);
    }
  }
}

/** Why an attempt failed, for its column: a refusal by its code, what others said within a sentence of ours. */
function storedFailure(error: Error): string {
  const framed = (reason: MessageValue) => {
    const kept = typeof reason === 'string' ? storableText(reason.slice(0, MAX_REASON)) : reason;
    return say('jobs.attemptFailed', { reason: kept });
  };
  const stored = storedText(saidOf(error, framed));
  return stored.length > MAX_STORED ? storedText(framed(error.message)) : storableText(stored);
}

type Outcome = { readonly done: number } | { readonly error: Error };

async function outcomeOf(job: AnyJob, run: ClaimedRun, call: JobCall): Promise<Outcome> {
  try {
    call.signal.throwIfAborted();
    return { done: await job.run(job.payload.parse(run.payload), call) };
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }
}

/** Runs a claimed attempt and tells what became of it. The abort reason of `signal` is a StopReason. */
export async function runAttempt(
  deps: AttemptDeps,
  job: AnyJob,
  run: ClaimedRun,
  signal: AbortSignal,
): Promise<void> {
  const { runs, log } = deps;
  const { runId, clusterId, attempt } = run;
  const line = { job: job.kind, run: runId, ...(clusterId === null ? {} : { clusterId }) };
  if (run.isCanceled) return told(log, run, () => runs.end(run, 'canceled', null));
  if (attempt > job.retry.attempts) {
    log.error({ ...line, attempt }, 'a job is given up: its process ended while it ran');
    return told(log, run, () => runs.end(run, 'failed', null, storedText(say('jobs.processEnded'))));
  }
  const startedMs = performance.now();
  const outcome = await outcomeOf(job, run, { clusterId, signal, progress: progressOf(deps, run) });
  const ms = Math.round(performance.now() - startedMs);
  if ('done' in outcome) {
    const isQuiet = run.isScheduled && outcome.done === 0;
    log[isQuiet ? 'debug' : 'info']({ ...line, done: outcome.done, ms }, 'job done');
    return told(log, run, () => runs.end(run, 'done', outcome.done));
  }
  if (signal.aborted) {
    const isCanceled = (signal.reason as StopReason) === 'canceled';
    log.info({ ...line, ms }, isCanceled ? 'job cancelled' : 'job put back: the process stops');
    if (isCanceled) return told(log, run, () => runs.end(run, 'canceled', null));
    // The attempt does not count: it was not the job that failed.
    return told(log, run, () => runs.putBack(run, attempt - 1, 0, null));
  }
  const { message } = outcome.error;
  const stored = storedFailure(outcome.error);
  const waitMs = waitAfter(job.retry, attempt);
  if (waitMs === null) {
    log[run.isScheduled ? 'warn' : 'error']({ ...line, attempt, ms, err: message }, 'job failed');
    return told(log, run, () => runs.end(run, 'failed', null, stored));
  }
  log.warn({ ...line, attempt, ms, waitMs, err: message }, 'job failed and waits for another attempt');
  return told(log, run, () => runs.putBack(run, attempt, waitMs, stored));
}
