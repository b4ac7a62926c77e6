import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { parseCronItems, type Runner, run, type WorkerEvents } from 'graphile-worker';
import type { Logger } from '../log.ts';
import type { Postgres } from '../postgres/postgres.ts';
import { queueLogger } from '../queue-logger.ts';
import type { AnyJob } from './job.ts';
import type { JobRuns } from './job-runs.ts';
import type { StopReason } from './run-attempt.ts';

// One life of graphile-worker in this process: begun, kept known as alive, ended.

export interface QueueLife {
  readonly runner: Runner;
  /** Its name among the runners. */
  readonly poolId: string;
  /** What this process is running now, by the id of the run. */
  readonly running: Map<number, AbortController>;
}

/** How long an end waits for jobs to listen to their signal. */
const PATIENCE_MS = 2_000;

/** Schedules as graphile-worker takes them; one entry a minute at most, and none for what was missed. */
function schedulesOf(jobs: readonly AnyJob[]) {
  return parseCronItems(
    jobs.flatMap(({ kind, schedule }) => {
      if (schedule === undefined) return [];
      const options = { backfillPeriod: 0, queueName: `kind/${kind}` };
      return [{ task: kind, identifier: kind, match: schedule, options }];
    }),
  );
}

const isByClock = (payload: unknown): boolean =>
  typeof payload === 'object' && payload !== null && '_cron' in payload;

/**
 * Begins to take entries of the queue; `work` gets each, and whether a schedule made it. Throws when the queue cannot be read
 * or the process not be made known; then it has ended and holds nothing.
 */
export async function beginLife(deps: {
  readonly postgres: Postgres;
  readonly log: Logger;
  readonly runs: JobRuns;
  readonly jobs: readonly AnyJob[];
  readonly slots: number;
  readonly pollMs: number;
  readonly work: (life: QueueLife, job: AnyJob, queueId: number, byClock: boolean) => Promise<void>;
}): Promise<QueueLife> {
  const events: WorkerEvents = new EventEmitter();
  let begun: (life: QueueLife) => void = () => undefined;
  let failed: (error: unknown) => void = () => undefined;
  const ready = new Promise<QueueLife>((resolve, reject) => {
    begun = resolve;
    failed = reject;
  });
  // It fails below, also when no job waits for it.
  ready.catch(() => undefined);
  let poolId = '';
  events.on('pool:create', ({ workerPool }) => {
    poolId = workerPool.id;
  });
  const task =
    (job: AnyJob) => async (payload: unknown, helpers: { readonly job: { readonly id: unknown } }) =>
      deps.work(await ready, job, Number(helpers.job.id), isByClock(payload));
  const runner = await run({
    pgPool: deps.postgres.queuePool(),
    taskList: Object.fromEntries(deps.jobs.map((job) => [job.kind, task(job)])),
    parsedCronItems: schedulesOf(deps.jobs),
    concurrency: deps.slots,
    pollInterval: deps.pollMs,
    noHandleSignals: true,
    logger: queueLogger(deps.log),
    events,
  });
  // Nothing is claimed before the others know that this process lives.
  try {
    await deps.runs.register(poolId);
  } catch (error) {
    // What it has taken meanwhile goes back to the queue: nobody would ever work on it.
    failed(error);
    await stopped(runner);
    throw error;
  }
  const life = { runner, poolId, running: new Map<number, AbortController>() };
  begun(life);
  return life;
}

export function abortRuns(life: QueueLife, runIds: Iterable<number>, reason: StopReason): void {
  for (const runId of [...runIds]) life.running.get(runId)?.abort(reason);
}

/** Says that this process lives until its graphile-worker ends; true when others took it for dead meanwhile. */
export async function heartbeatUntilEnd(
  life: QueueLife,
  deps: {
    readonly runs: JobRuns;
    readonly log: Logger;
    readonly heartbeatMs: number;
    readonly stopping: AbortSignal;
  },
): Promise<boolean> {
  const { runs, log, heartbeatMs, stopping } = deps;
  let hasEnded = false;
  const ended = life.runner.promise
    .catch(() => undefined)
    .then(() => {
      hasEnded = true;
    });
  for (;;) {
    const heartbeat = pause(heartbeatMs, undefined, { signal: stopping, ref: false }).catch(() => undefined);
    await Promise.race([ended, heartbeat]);
    if (stopping.aborted || hasEnded) return false;
    try {
      const stop = await runs.heartbeat(life.poolId);
      if (stop === null) return true;
      abortRuns(life, stop, 'canceled');
    } catch (error) {
      log.debug({ err: (error as Error).message }, 'the job runner could not say that it lives');
    }
  }
}

/** Ends graphile-worker, which refuses when it has ended by itself; waits no longer than for its jobs to listen. */
async function stopped(runner: Runner): Promise<void> {
  const patience = pause(PATIENCE_MS, undefined, { ref: false });
  await Promise.race([runner.stop().catch(() => undefined), patience]);
}

/** Lets jobs stop and be put back, and frees what they held. */
export async function endLife(life: QueueLife, runs: JobRuns): Promise<void> {
  abortRuns(life, life.running.keys(), 'stopping');
  await stopped(life.runner);
  await runs.unregister(life.poolId).catch(() => undefined);
}
