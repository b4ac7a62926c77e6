import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { type TestPlatform, testPlatform } from '../../engines/testing/index.ts';
import { enqueueJob } from './enqueue-job.ts';
import { type Job, UNTIL_THE_NEXT } from './job.ts';
import { createJobRuns } from './job-runs.ts';
import { beginLife, endLife } from './queue-life.ts';

const JOBS = 20;

let platform: TestPlatform;
beforeAll(async () => {
  platform = await testPlatform();
});
afterAll(() => platform?.close());

it('[T-jobs] a life that could not make itself known takes no job that others would run', async () => {
  const { postgres, log } = platform;
  const one: Job<{ n: number }> = {
    ...{ kind: 'one', payload: z.object({ n: z.number() }), slotsPerTenant: 1, retry: UNTIL_THE_NEXT },
    run: async () => 1,
  };
  const runs = createJobRuns(postgres, 3_000);
  const worked = new Set<number>();
  const begin = (register: (poolId: string) => Promise<void>) =>
    beginLife({
      ...{ postgres, log, jobs: [one], slots: 4, pollMs: 100, runs: { ...runs, register } },
      work: async (_life, _job, queueId) => {
        worked.add(queueId);
      },
    });
  for (let n = 0; n < JOBS; n += 1)
    await enqueueJob(postgres.platform, one, { payload: { n }, clusterId: null });
  const isAway = async () => {
    throw new Error('the database is away');
  };
  await expect(begin(isAway)).rejects.toThrow('the database is away');
  const life = await begin(runs.register);
  try {
    await expect.poll(() => worked.size, { timeout: 60_000, interval: 50 }).toBe(JOBS);
  } finally {
    await endLife(life, runs);
  }
});
