import { cancelJob, codedText, JOB_KINDS, listJobs, retryJob, say } from '@tyrian/contract';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { type TestApp, testApp } from '../../engines/testing/index.ts';
import { AppError } from '../../platform/app-error.ts';
import { EventStoreError } from '../../platform/clickhouse/event-store.ts';
import { enqueueJob } from '../../platform/jobs/enqueue-job.ts';
import { type Job, UNTIL_THE_NEXT } from '../../platform/jobs/job.ts';
import { createJobRunner } from '../../platform/jobs/job-runner.ts';
import { type Company, type SeedRole, seedCompany } from '../identity/users/testing/seed-company.ts';

let test: TestApp;
let own: Company;
let other: Company;
const ssids: Partial<Record<SeedRole, string>> = {};
const ids: Record<string, string> = {};

/** Runs until it is told to stop, or fails when its payload says so. */
const job: Job<{ fails: boolean }> = {
  kind: 'retention-of-tenant',
  payload: z.object({ fails: z.boolean() }),
  slotsPerTenant: 1,
  retry: UNTIL_THE_NEXT,
  run: ({ fails }, { signal, progress }) =>
    new Promise((resolve, reject) => {
      if (fails) reject(new Error('the engine said no'));
      signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true });
      void progress(3, 10);
      if (signal.aborted) resolve(0);
    }),
};

const ask = async (name: string, clusterId: string | null, fails = false) => {
  const db = test.platform.postgres.platform;
  ids[name] = String(await enqueueJob(db, job, { payload: { fails }, clusterId }));
};

beforeAll(async () => {
  test = await testApp();
  own = await seedCompany(test.platform);
  other = await seedCompany(test.platform, 'v');
  for (const role of ['root', 'rootViewer', 'orgAdmin', 'tenantAdmin', 'engineer'] as const)
    ssids[role] = await own.signIn(role);
  await ask('all', null);
  await ask('a', own.a.clusterId);
  await ask('b', own.b.clusterId);
  await ask('foreign', other.a.clusterId);
});
afterAll(() => test?.close());

const as = (role: SeedRole) => ({ ssid: ssids[role] ?? '' });
const list = async (role: SeedRole, input: object = {}) =>
  (await test.call(listJobs, { ...as(role), input })).data;
const listed = async (role: SeedRole, input: object = {}) => {
  const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
  return (await list(role, input)).data.map((one) => names.get(one.job_id)).sort();
};
const one = async (name: string) => (await list('root')).data.find((item) => item.job_id === ids[name]);
const change = (endpoint: typeof cancelJob, role: SeedRole, name: string) =>
  test.call(endpoint, { ...as(role), params: { id: ids[name] ?? 'nothing' } });
const eventually = (look: () => unknown) => expect.poll(look, { timeout: 60_000, interval: 50 });

describe('the page of jobs', () => {
  it('[T-jobs] root sees all, administrators of an organization and of a tenant those of their tenants', async () => {
    expect(await listed('root')).toEqual(['a', 'all', 'b', 'foreign']);
    expect(await listed('rootViewer')).toEqual(['a', 'all', 'b', 'foreign']);
    expect(await listed('orgAdmin')).toEqual(['a', 'b']);
    expect(await listed('tenantAdmin')).toEqual(['a']);
    expect((await test.call(listJobs, as('engineer'))).http).toBe(403);
    expect(await listed('orgAdmin', { clusterId: other.a.clusterId })).toEqual([]);
    expect(await listed('root', { clusterId: own.b.clusterId })).toEqual(['b']);
    expect(await listed('root', { state: 'failed' })).toEqual([]);
    expect(await listed('root', { kind: 'audit-signing' })).toEqual([]);
    expect(await list('tenantAdmin')).toMatchObject({
      total_count: 1,
      data: [{ kind: job.kind, cluster_name: 'Alpha', state: 'waiting', attempt: 0, started: null }],
    });
  });

  it('leaves out scheduled checks that found nothing, unless they are asked for', async () => {
    const { rows } = await sql<{ id: string }>`
      insert into job_run (kind, state, is_scheduled, progress_done, ended_at)
      values ('silent-sources', 'done', true, 0, now()) returning run_id::text as id`.execute(
      test.platform.postgres.platform,
    );
    const found = async (input: object) => (await list('root', input)).data.map((item) => item.job_id);
    expect(await found({})).not.toContain(rows[0]?.id);
    expect(await found({ quiet: 'true' })).toContain(rows[0]?.id);
  });

  it('[S7-01] a job of a foreign tenant does not exist, and stays as it is', async () => {
    for (const role of ['orgAdmin', 'tenantAdmin'] as const) {
      for (const endpoint of [cancelJob, retryJob]) {
        const foreign = await change(endpoint, role, 'foreign');
        const missing = await change(endpoint, role, 'nowhere');
        expect([foreign.http, missing.http]).toEqual([404, 404]);
        expect(foreign.text).toBe(missing.text);
        expect((await change(endpoint, role, 'all')).http).toBe(404);
      }
    }
    expect((await change(cancelJob, 'tenantAdmin', 'b')).http).toBe(404);
    expect((await change(cancelJob, 'rootViewer', 'a')).http).toBe(403);
    expect(await one('foreign')).toMatchObject({ state: 'waiting' });
  });

  it('cancels what waits, and lets it run again, with entries in the audit trail', async () => {
    expect((await change(cancelJob, 'tenantAdmin', 'a')).data).toEqual({ state: 'canceled' });
    expect((await change(cancelJob, 'tenantAdmin', 'a')).http).toBe(409);
    const queued = await sql`select from graphile_worker.jobs`.execute(test.platform.postgres.platform);
    expect(queued.rows).toHaveLength(3);
    expect((await change(retryJob, 'tenantAdmin', 'a')).data).toEqual({ state: 'waiting' });
    expect((await change(retryJob, 'tenantAdmin', 'a')).http).toBe(409);
    const { rows } =
      await sql<object>`select action, entity, cluster_id as "clusterId", details from audit_entry
      where action like 'job.%' order by chain_no`.execute(test.platform.postgres.platform);
    const entry = { entity: ids.a, clusterId: own.a.clusterId };
    expect(rows).toEqual([
      { action: 'job.cancel', ...entry, details: { kind: job.kind, state: 'waiting', attempt: 0 } },
      { action: 'job.retry', ...entry, details: { kind: job.kind, state: 'canceled', attempt: 0 } },
    ]);
  });

  it('[T-jobs] cancel stops what runs in another process, and progress and failure are shown', async () => {
    const { postgres, log } = test.platform;
    await ask('failing', own.a.clusterId, true);
    const runner = createJobRunner({ postgres, log, jobs: [job], options: { slots: 8, pollMs: 100 } });
    await runner.start();
    try {
      await eventually(async () => (await one('b'))?.done).toBe(3);
      expect(await one('b')).toMatchObject({ state: 'running', attempt: 1, total: 10, is_canceling: false });
      expect((await change(cancelJob, 'orgAdmin', 'b')).data).toEqual({ state: 'running' });
      await eventually(async () => (await one('b'))?.state).toBe('canceled');
      // The slot of the tenant is free again for what waited behind the running one.
      expect((await change(cancelJob, 'orgAdmin', 'a')).http).toBe(200);
      await eventually(async () => (await one('failing'))?.state).toBe('failed');
      expect(await one('failing')).toMatchObject({
        error: 'The attempt failed: the engine said no',
        attempt: 1,
      });
      expect((await change(retryJob, 'orgAdmin', 'failing')).data).toEqual({ state: 'waiting' });
      await eventually(async () => (await one('failing'))?.state).toBe('failed');
    } finally {
      await runner.stop();
    }
  });
});

describe('[R-C39] why a job failed', () => {
  const errors = [
    ['a refusal', new AppError('unavailable', say('mail.notConfigured')), say('mail.notConfigured')],
    [
      'the words of an engine',
      new Error(`no \0 ${'x'.repeat(5_000)}`),
      say('jobs.attemptFailed', { reason: `no \u{FFFD} ${'x'.repeat(1_995)}` }),
    ],
    [
      'a silent event store',
      new EventStoreError(0, 'it is silent', new Error('connect ECONNREFUSED')),
      say('jobs.attemptFailed', { reason: say('words.storeSilent', { reason: 'connect ECONNREFUSED' }) }),
    ],
  ] as const;

  it.each(errors)('is listed by its code: %s', async (name, error, said) => {
    const failing: Job<object> = {
      kind: 'signal-limits-of-tenant',
      payload: z.object({}),
      slotsPerTenant: 1,
      retry: UNTIL_THE_NEXT,
      run: () => Promise.reject(error),
    };
    const { postgres, log } = test.platform;
    const asked = { payload: {}, clusterId: other.b.clusterId };
    ids[name] = String(await enqueueJob(postgres.platform, failing, asked));
    const runner = createJobRunner({ postgres, log, jobs: [failing], options: { pollMs: 100 } });
    await runner.start();
    try {
      await eventually(async () => (await one(name))?.state).toBe('failed');
    } finally {
      await runner.stop();
    }
    const { message, ...code } = codedText(said);
    expect(await one(name)).toMatchObject({ error: message, ...code });
  });

  it('as an older version wrote it is text', async () => {
    const { rows } = await sql<{ id: string }>`
      insert into job_run (kind, state, is_scheduled, error, ended_at)
      values ('retention', 'failed', true, 'no space left', now()) returning run_id::text as id`.execute(
      test.platform.postgres.platform,
    );
    ids.old = rows[0]?.id ?? '';
    expect(await one('old')).toMatchObject({ error: 'no space left' });
    expect(await one('old')).not.toHaveProperty('messageCode');
  });
});

it('every job of the product has its name in the contract', () => {
  expect(test.composed.jobs.map(({ kind }) => kind).sort()).toEqual([...JOB_KINDS].sort());
});

describe('[R-E2] jobs by the clock', () => {
  const db = () => test.platform.postgres.platform;
  const call = { clusterId: null, signal: new AbortController().signal, progress: async () => undefined };
  const scheduled = () => test.composed.jobs.filter(({ schedule }) => schedule !== undefined);
  const runNow = (kind: string) =>
    scheduled()
      .find((each) => each.kind === kind)
      ?.run({}, call);

  it('ask as often of two tenants as of two hundred', async () => {
    const asked = vi.spyOn(pg.Client.prototype, 'query');
    const statements = async () => {
      asked.mockClear();
      for (const each of scheduled()) await each.run({}, call);
      return asked.mock.calls.length;
    };
    // What is done once, such as the first signature, is done.
    await statements();
    const ofFew = await statements();
    await sql`insert into tenant (cluster_id, cluster_name, product_type, created_at)
      select 't' || n, 'T' || n, 'essential', 'epoch' from generate_series(1, 200) n`.execute(db());
    const ofMany = await statements();
    process.stdout.write(
      `${scheduled().length} scheduled jobs: ${ofFew} statements, of 200 more tenants ${ofMany}\n`,
    );
    asked.mockRestore();
    // A walk over them would add one statement for each at least.
    expect(ofMany).toBeLessThan(ofFew + 20);
    expect(scheduled().filter(({ schedule }) => schedule?.startsWith('* ')).length).toBeLessThan(6);
  });

  it('make one for a tenant only where there is something to do', async () => {
    const count = async () =>
      Number((await sql<{ n: number }>`select count(*) as n from job_run`.execute(db())).rows[0]?.n);
    const before = await count();
    expect([await runNow('retention'), await runNow('signal-limits')]).toEqual([0, 0]);
    await test.platform.postgres.inTenant(own.a.clusterId, (trx) =>
      sql`insert into stream_config (cluster_id, retention_days, changed_at, changed_by)
        values (${own.a.clusterId}, 30, 'epoch', 'x')`.execute(trx),
    );
    expect([await runNow('retention'), await runNow('retention')]).toEqual([1, 1]);
    expect(await count()).toBe(before + 1);
  });
});
