import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { parseCronItems, type Runner, run, type WorkerEvents } from 'graphile-worker';
import type { BackgroundWork } from '../feature.ts';
import type { Logger } from '../log.ts';
import type { Postgres } from '../postgres/postgres.ts';
import type { AnyJob } from './job.ts';
import { CANCEL_CHANNEL, createJobRuns, SILENT_MS } from './job-runs.ts';
import { queueLogger } from './queue-logger.ts';
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
  places: 6,
  /** Behind the notifications of the queue, for what is due later: each place looks once in so long. */
  pollMs: 10_000,
  beatMs: 10_000,
  silentMs: SILENT_MS,
};
/** After graphile-worker has ended by itself, e.g. because the database was away. */
const AGAIN_MS = 1_000;
/** How long a stop waits for jobs to listen to their signal. */
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

const isScheduled = (payload: unknown): boolean =>
  typeof payload === 'object' && payload !== null && '_cron' in payload;

/** One life of graphile-worker in this process. */
interface Life {
  readonly runner: Runner;
  /** Its name among the runners. */
  readonly poolId: string;
  readonly running: Map<number, AbortController>;
}

export function createJobRunner(deps: JobRunnerDeps): BackgroundWork {
  const { postgres, log, jobs } = deps;
  const { places, pollMs, beatMs, silentMs } = { ...USUAL, ...deps.options };
  const runs = createJobRuns(postgres, silentMs);
  const byKind = new Map(jobs.map((job) => [job.kind, job]));
  const stopping = new AbortController();
  let life: Life | null = null;
  let living: Promise<void> = Promise.resolve();
  let stopListening: (() => Promise<void>) | null = null;

  const abort = (some: Life, runIds: readonly number[], reason: StopReason) => {
    for (const runId of runIds) some.running.get(runId)?.abort(reason);
  };

  /** What one queue entry stands for, run to its end. */
  async function work(own: Life, job: AnyJob, queueId: number, byClock: boolean): Promise<void> {
    if (stopping.signal.aborted) throw new Error('the process stops');
    const claimed =
      (await runs.claim(queueId, own.poolId, [...own.running.keys()])) ??
      (byClock ? await runs.claimScheduled(job.kind, queueId, own.poolId) : null);
    if (!claimed) {
      // The queue has freed an entry too early: whoever has it goes on, and the entry stays for the case that they die.
      if (await runs.isRunning(queueId)) throw new Error('this job still runs');
      return;
    }
    const controller = new AbortController();
    own.running.set(claimed.runId, controller);
    if (stopping.signal.aborted) controller.abort('stopping' satisfies StopReason);
    try {
      await runAttempt({ runs, log }, job, claimed, controller.signal);
    } finally {
      own.running.delete(claimed.runId);
    }
  }

  async function begin(): Promise<Life> {
    const events: WorkerEvents = new EventEmitter();
    const running = new Map<number, AbortController>();
    let begun: (own: Life) => void = () => undefined;
    const ready = new Promise<Life>((resolve) => {
      begun = resolve;
    });
    let poolId = '';
    events.on('pool:create', ({ workerPool }) => {
      poolId = workerPool.id;
    });
    const task =
      (job: AnyJob) => async (payload: unknown, helpers: { readonly job: { readonly id: unknown } }) =>
        work(await ready, job, Number(helpers.job.id), isScheduled(payload));
    const runner = await run({
      pgPool: postgres.queuePool(),
      taskList: Object.fromEntries([...byKind].map(([kind, job]) => [kind, task(job)])),
      parsedCronItems: schedulesOf(jobs),
      concurrency: places,
      pollInterval: pollMs,
      noHandleSignals: true,
      logger: queueLogger(log),
      events,
    });
    // Nothing is claimed before the others know that this process lives.
    await runs.register(poolId);
    const own = { runner, poolId, running };
    begun(own);
    return own;
  }

  /** Says that this process lives until its graphile-worker ends; true when others took it for dead meanwhile. */
  async function beatUntilEnd(own: Life): Promise<boolean> {
    let hasEnded = false;
    const ended = own.runner.promise.then(
      () => undefined,
      () => undefined,
    );
    void ended.then(() => {
      hasEnded = true;
    });
    for (;;) {
      await Promise.race([ended, pause(beatMs, undefined, { signal: stopping.signal, ref: false })]).catch(
        () => undefined,
      );
      if (stopping.signal.aborted || hasEnded) return false;
      try {
        const stop = await runs.beat(own.poolId);
        if (stop === null) return true;
        abort(own, stop, 'canceled');
      } catch (error) {
        log.debug({ err: (error as Error).message }, 'the job runner could not say that it lives');
      }
    }
  }

  /** Lets jobs stop and be put back, and frees what they held. */
  async function endOf(own: Life): Promise<void> {
    abort(own, [...own.running.keys()], 'stopping');
    const patience = pause(PATIENCE_MS, undefined, { ref: false });
    // It refuses when it has ended by itself.
    await Promise.race([own.runner.stop().catch(() => undefined), patience]);
    await runs.unregister(own.poolId).catch(() => undefined);
  }

  async function live(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        life = await begin();
        const isLost = await beatUntilEnd(life);
        if (stopping.signal.aborted) return;
        if (isLost) log.warn({}, 'this process was taken for dead: its jobs stop and go on elsewhere');
        await endOf(life);
      } catch (error) {
        log.warn({ err: (error as Error).message }, 'jobs do not run; tried again in a second');
      }
      await pause(AGAIN_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
  }

  return {
    name: 'jobs',
    start: async () => {
      stopListening = await postgres.listen(CANCEL_CHANNEL, (runId) => {
        if (life) abort(life, [Number(runId)], 'canceled');
      });
      living = live();
    },
    stop: async () => {
      stopping.abort();
      await stopListening?.();
      await living;
      if (life) await endOf(life);
    },
  };
}
