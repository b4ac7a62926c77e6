import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { say, storedText } from '@tyrian/contract';
import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { z } from 'zod';
import { type TestPlatform, testPlatform } from '../../engines/testing/index.ts';
import { withDatabase } from '../../engines/testing/start-test-engines.ts';
import { enqueueJob } from './enqueue-job.ts';
import { type AnyJob, type Job, type RetryPolicy, UNTIL_THE_NEXT, waitAfter } from './job.ts';
import { createJobRunner, type JobRunnerDeps } from './job-runner.ts';
import { jobUpkeep } from './job-upkeep.ts';

// Jobs on a real PostgreSQL, with several runners, as several processes have them.

let platform: TestPlatform;
const started: { stop(): Promise<void> }[] = [];
beforeEach(async () => {
  platform = await testPlatform();
  await sql`insert into tenant (cluster_id, cluster_name, product_type, created_at)
    values ('a', 'A', 'essential', now()), ('b', 'B', 'essential', now())`.execute(
    platform.postgres.platform,
  );
});
afterEach(async () => {
  for (const runner of started.splice(0)) await runner.stop();
  await platform?.close();
});

const QUICK = { pollMs: 100, heartbeatMs: 100, silentMs: 3_000, slots: 4 };

async function runner(jobs: readonly AnyJob[], options: JobRunnerDeps['options'] = {}) {
  const { postgres, log } = platform;
  const one = createJobRunner({ postgres, log, jobs, options: { ...QUICK, ...options } });
  started.push(one);
  await one.start();
  return one;
}

function job(kind: string, run: Job<{ n: number }>['run'], more: Partial<Job<{ n: number }>> = {}) {
  const payload = z.object({ n: z.number() });
  return { kind, payload, slotsPerTenant: 1, retry: UNTIL_THE_NEXT, run, ...more } satisfies Job<{
    n: number;
  }>;
}

const ask = (one: Job<{ n: number }>, n: number, clusterId: string | null = null) =>
  enqueueJob(platform.postgres.platform, one, { payload: { n }, clusterId });

interface Row {
  run_id: number;
  state: string;
  attempt: number;
  error: string | null;
  progress_done: number | null;
  waits: number;
}
async function rows(): Promise<Row[]> {
  const { rows: all } = await sql<Row>`select run_id, state, attempt, error, progress_done,
    extract(epoch from due_at - coalesce(started_at, created_at))::float8 as waits
    from job_run order by run_id`.execute(platform.postgres.platform);
  return all;
}
const states = async () => (await rows()).map((row) => row.state);
const eventually = (look: () => unknown) => expect.poll(look, { timeout: 60_000, interval: 50 });

/** Resolves when told to, or with an error when the signal aborts. */
function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const pass = (signal: AbortSignal) =>
    Promise.race([
      opened,
      new Promise<never>((_, reject) =>
        signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true }),
      ),
    ]);
  return { open, pass };
}

describe('jobs', () => {
  it('[T-jobs] are run once each, although several processes look for them', async () => {
    const ran: number[] = [];
    const count = job('count', async ({ n }) => {
      ran.push(n);
      return n;
    });
    for (let at = 0; at < 3; at += 1) await runner([count]);
    for (let n = 0; n < 60; n += 1) await ask(count, n, n % 2 === 0 ? null : 'a');
    await eventually(states).toEqual(Array(60).fill('done'));
    expect(ran.sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, n) => n));
    expect((await rows()).map((row) => row.progress_done)).toEqual(ran);
  });

  it('[T-jobs] stand with the transaction that asks for them, and only in its own tenant', async () => {
    const one = job('one', async () => 1);
    const inA = (clusterId: string, fail = false) =>
      platform.postgres.inTenant('a', async (trx) => {
        await enqueueJob(trx, one, { payload: { n: 1 }, clusterId });
        if (fail) throw new Error('half way');
      });
    await expect(inA('a', true)).rejects.toThrow('half way');
    await expect(inA('b')).rejects.toThrow('another tenant');
    expect(await rows()).toEqual([]);
    await inA('a');
    expect(await states()).toEqual(['waiting']);
    const readsAll = platform.postgres.inTenant('a', (trx) => sql`select * from job_run`.execute(trx));
    await expect(readsAll).rejects.toThrow('permission denied');
  });

  it('a second request with the same key joins the one that waits', async () => {
    const one = job('one', async () => 1);
    const request = { payload: { n: 1 }, clusterId: 'a', key: 'k' };
    const first = await enqueueJob(platform.postgres.platform, one, request);
    expect(await enqueueJob(platform.postgres.platform, one, request)).toBe(first);
    await enqueueJob(platform.postgres.platform, one, { ...request, clusterId: 'b' });
    expect(await states()).toEqual(['waiting', 'waiting']);
  });

  it('[T-jobs] of a runner that hangs is taken up again by another', async () => {
    const ran: string[] = [];
    const dying = gate();
    const named = (who: string) =>
      job(
        'long',
        async (_payload, { signal }) => {
          ran.push(who);
          if (who === 'first') await dying.pass(signal).catch(() => new Promise(() => undefined));
          return 1;
        },
        { retry: { attempts: 2, firstWaitMs: 0, longestWaitMs: 0 } },
      );
    // A runner that says nothing after its start and hears of nothing, like a process that hangs or is gone.
    const first = named('first');
    await runner([first], { heartbeatMs: 3_600_000, pollMs: 3_600_000 });
    await ask(first, 1, 'a');
    await eventually(() => ran).toEqual(['first']);
    await runner([named('second')]);
    await eventually(states).toEqual(['done']);
    expect(ran).toEqual(['first', 'second']);
    expect((await rows())[0]?.attempt).toBe(2);
    // What the one that was taken for dead says later changes nothing.
    dying.open();
    await pause(200);
    expect((await rows())[0]).toMatchObject({ state: 'done', attempt: 2 });
  });

  it('[T-jobs] of a process that was killed is taken up again by another', async () => {
    const { rows: named } = await sql<{ name: string }>`select current_database() as name`.execute(
      platform.postgres.platform,
    );
    const url = withDatabase(inject('testEngines').postgresUrl, String(named[0]?.name));
    const file = fileURLToPath(new URL('./testing/endless-runner.ts', import.meta.url));
    const child = spawn(process.execPath, ['--import', 'tsx', file, url], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const ended = once(child, 'exit');
    const endless = job('endless', async () => 5, {
      retry: { attempts: 2, firstWaitMs: 0, longestWaitMs: 0 },
    });
    await ask(endless, 1, 'a');
    await eventually(states).toEqual(['running']);
    child.kill('SIGKILL');
    await ended;
    await runner([endless]);
    await eventually(states).toEqual(['done']);
    expect((await rows())[0]).toMatchObject({ attempt: 2, progress_done: 5 });
  });

  it('[R-C39] is given up, and told why by a code, when its process ended in each attempt', async () => {
    const once = job('once', async () => 1);
    await ask(once, 1);
    // As a process leaves it that died in the only attempt.
    await sql`update job_run set attempt = 1`.execute(platform.postgres.platform);
    await runner([once]);
    await eventually(states).toEqual(['failed']);
    expect((await rows())[0]?.error).toBe(storedText(say('jobs.processEnded')));
  });

  it('[T-jobs] fails, waits longer each time, and is shown as failed in the end', async () => {
    const retry: RetryPolicy = { attempts: 3, firstWaitMs: 300, longestWaitMs: 500 };
    expect([1, 2, 3].map((failed) => waitAfter(retry, failed))).toEqual([300, 500, null]);
    const waits: number[] = [];
    const failing = job(
      'failing',
      async () => {
        throw new Error('the mail server said no');
      },
      { retry },
    );
    await runner([failing]);
    await ask(failing, 1, 'a');
    await eventually(async () => {
      const [row] = await rows();
      if (row?.state === 'waiting' && row.attempt > 0) waits[row.attempt - 1] = row.waits;
      return row?.state;
    }).toBe('failed');
    expect((await rows())[0]).toMatchObject({
      attempt: 3,
      error: storedText(say('jobs.attemptFailed', { reason: 'the mail server said no' })),
    });
    expect(waits).toHaveLength(2);
    expect(waits[1]).toBeGreaterThan(waits[0] ?? 0);
    // The queue lets go of it a moment after the run says that it failed.
    await eventually(async () => {
      const left = await sql`select from graphile_worker.jobs`.execute(platform.postgres.platform);
      return left.rows.length;
    }).toBe(0);
  });

  it('[T-jobs] of a tenant with a thousand do not keep those of another waiting', async () => {
    const atOnce = { a: 0, most: 0 };
    const order: string[] = [];
    const work = job(
      'work',
      async (_payload, { clusterId }) => {
        if (clusterId === 'a') atOnce.most = Math.max(atOnce.most, ++atOnce.a);
        await pause(5);
        if (clusterId === 'a') atOnce.a -= 1;
        order.push(clusterId ?? '');
        return 1;
      },
      { slotsPerTenant: 2 },
    );
    await sql`select enqueue_job('work', 'a', '{"n": 1}', null, 2, 0, null, null) from generate_series(1, 1000)`.execute(
      platform.postgres.platform,
    );
    for (let at = 0; at < 2; at += 1) await runner([work]);
    await eventually(() => order.length).toBeGreaterThan(20);
    const before = order.length;
    await ask(work, 1, 'b');
    await eventually(() => order.includes('b')).toBe(true);
    // Compared by work: while one job of the other tenant came and went, a few of the thousand did.
    expect(order.indexOf('b') - before).toBeLessThan(60);
    expect(order.length).toBeLessThan(1000);
    expect(atOnce.most).toBeLessThanOrEqual(2);
    expect(atOnce.most).toBeGreaterThan(0);
  });

  it('are put back when the process stops, and the attempt does not count', async () => {
    const held = gate();
    const long = job('long', async (_payload, { signal }) => {
      await held.pass(signal);
      return 7;
    });
    const first = await runner([long]);
    await ask(long, 1);
    await eventually(states).toEqual(['running']);
    await first.stop();
    expect((await rows())[0]).toMatchObject({ state: 'waiting', attempt: 0, error: null });
    held.open();
    await runner([long]);
    await eventually(states).toEqual(['done']);
  });

  it('go on after the connections to the database were lost', async () => {
    const one = job('one', async () => 1);
    await runner([one]);
    await ask(one, 1);
    await eventually(states).toEqual(['done']);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'tyrian jobs'`.execute(
      platform.postgres.platform,
    );
    await ask(one, 2);
    await eventually(states).toEqual(['done', 'done']);
  });

  it('[T-jobs] old runs and sweeps that found nothing go, and a run whose queue entry is lost comes back', async () => {
    const db = platform.postgres.platform;
    const add = (state: string, hours: number, scheduled: boolean, done: number) =>
      sql`
      insert into job_run (kind, state, is_scheduled, progress_done, ended_at, due_at)
      values ('x', ${state}, ${scheduled}, ${done}, now() - ${hours} * interval '1 hour', now())`.execute(db);
    await add('failed', 2, true, 0);
    await add('done', 2, true, 3);
    await add('done', 2, true, 0);
    await add('failed', 24 * 40, false, 0);
    await sql`insert into job_run (kind, state, due_at) values ('x', 'waiting', now() - interval '1 hour')`.execute(
      db,
    );
    const upkeep = jobUpkeep(platform.postgres);
    const call = { clusterId: null, signal: new AbortController().signal, progress: async () => undefined };
    expect(await upkeep.run({}, call)).toBe(3);
    expect(await states()).toEqual(['failed', 'done', 'waiting']);
    const queued = await sql`select from graphile_worker.jobs`.execute(db);
    expect(queued.rows).toHaveLength(1);
  });
});

describe('an idle installation', () => {
  it('[R-E2] asks PostgreSQL less than once a second for its queue, and hears of work at once', async () => {
    const asked = vi.spyOn(pg.Client.prototype, 'query');
    const one = job('one', async () => 1);
    await runner([one], { slots: 6, pollMs: 10_000, heartbeatMs: 10_000 });
    await pause(2_000);
    asked.mockClear();
    await pause(10_000);
    const statements = asked.mock.calls.length;
    process.stdout.write(`idle: ${statements / 10} statements a second\n`);
    expect(statements).toBeLessThan(10);
    expect(statements).toBeGreaterThan(0);
    // No slot waits for its next look.
    asked.mockClear();
    await ask(one, 1);
    await eventually(states).toEqual(['done']);
    asked.mockRestore();
  }, 60_000);
});
