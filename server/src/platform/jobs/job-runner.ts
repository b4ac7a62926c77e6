import { setTimeout as pause } from 'node:timers/promises';
import type { BackgroundWork } from '../feature.ts';
import type { Logger } from '../log.ts';
import type { Postgres } from '../postgres/postgres.ts';
import type { AnyJob } from './job.ts';
import { CANCEL_CHANNEL, createJobRuns, type JobRuns, SILENT_MS } from './job-runs.ts';
import { abortRuns, beginLife, endLife, heartbeatUntilEnd, type QueueLife } from './queue-life.ts';
import { runAttempt, type StopReason } from './run-attempt.ts';

// Runs jobs in this process. graphile-worker hands out queue entries, each to one process, and adds those of schedules;
// job_run decides what they stand for. A process that says nothing for 45 seconds has died: another frees what it had.

export interface JobRunnerDeps {
  readonly postgres: Postgres;
  readonly log: Logger;
  readonly jobs: readonly AnyJob[];
  readonly options?: Partial<typeof USUAL>;
}

const USUAL = {
  /** Runs at once in this process. */
  slots: 6,
  /** Behind the notifications of the queue, for what is due later: each slot looks once in so long. */
  pollMs: 10_000,
  heartbeatMs: 10_000,
  silentMs: SILENT_MS,
};
/** After graphile-worker has ended by itself, e.g. because the database was away. */
const AGAIN_MS = 1_000;

interface WorkDeps {
  readonly runs: JobRuns;
  readonly log: Logger;
  readonly stopping: AbortSignal;
}

/** What one queue entry stands for, run to its end. */
async function workOn(
  { runs, log, stopping }: WorkDeps,
  life: QueueLife,
  job: AnyJob,
  queueId: number,
  byClock: boolean,
): Promise<void> {
  if (stopping.aborted) throw new Error('the process stops');
  const claimed =
    (await runs.claim(queueId, life.poolId, [...life.running.keys()])) ??
    (byClock ? await runs.claimScheduled(job.kind, queueId, life.poolId) : null);
  if (!claimed) {
    // The queue has freed an entry too early: whoever has it goes on, and the entry stays for the case that they die.
    if (await runs.isRunning(queueId)) throw new Error('this job still runs');
    return;
  }
  const controller = new AbortController();
  life.running.set(claimed.runId, controller);
  if (stopping.aborted) controller.abort('stopping' satisfies StopReason);
  try {
    await runAttempt({ runs, log }, job, claimed, controller.signal);
  } finally {
    life.running.delete(claimed.runId);
  }
}

export function createJobRunner(deps: JobRunnerDeps): BackgroundWork {
  const { postgres, log, jobs } = deps;
  const { slots, pollMs, heartbeatMs, silentMs } = { ...USUAL, ...deps.options };
  const runs = createJobRuns(postgres, silentMs);
  const stop = new AbortController();
  const stopping = stop.signal;
  const work = workOn.bind(null, { runs, log, stopping });
  let life: QueueLife | null = null;
  let living: Promise<void> = Promise.resolve();
  let stopListening: (() => Promise<void>) | null = null;

  async function live(): Promise<void> {
    while (!stopping.aborted) {
      try {
        life = await beginLife({ postgres, log, runs, jobs, slots, pollMs, work });
        const isLost = await heartbeatUntilEnd(life, { runs, log, heartbeatMs, stopping });
        if (stopping.aborted) return;
        if (isLost) log.warn({}, 'this process was taken for dead: its jobs stop and go on elsewhere');
        await endLife(life, runs);
      } catch (error) {
        log.warn({ err: (error as Error).message }, 'jobs do not run; tried again in a second');
      }
      await pause(AGAIN_MS, undefined, { signal: stopping, ref: false }).catch(() => undefined);
    }
  }

  return {
    name: 'jobs',
    start: async () => {
      stopListening = await postgres.listen(CANCEL_CHANNEL, (runId) => {
        if (life) abortRuns(life, [Number(runId)], 'canceled');
      });
      living = live();
    },
    stop: async () => {
      stop.abort();
      await stopListening?.();
      await living;
      if (life) await endLife(life, runs);
    },
  };
}
