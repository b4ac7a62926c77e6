import { z } from 'zod';
import { createLog } from '../../log.ts';
import { createPostgres } from '../../postgres/postgres.ts';
import { type Job, UNTIL_THE_NEXT } from '../job.ts';
import { createJobRunner } from '../job-runner.ts';

// A process with a job that never ends, to be killed by a test. Takes the address of the database.

const log = createLog('error');
const postgres = createPostgres({ url: process.argv[2] ?? '', log, maxConnections: 4 });
const endless: Job<unknown> = {
  kind: 'endless',
  payload: z.unknown(),
  slotsPerTenant: 1,
  retry: UNTIL_THE_NEXT,
  run: () => new Promise(() => undefined),
};
await createJobRunner({ postgres, log, jobs: [endless], options: { pollMs: 100, heartbeatMs: 100 } }).start();
