import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { enqueueJob } from '../../../platform/jobs/enqueue-job.ts';
import { scheduledJob } from '../../../platform/jobs/job.ts';
import type { Platform } from '../../../platform/platform.ts';
import { SHIPPED_SAMPLES } from '../shipped-samples.ts';

/**
 * Runs the samples of the shipped detections now, which a new installation does within ten minutes. Resolves when those of
 * so many detections have run.
 */
export async function runShippedSamples({ postgres }: Platform, detections: number): Promise<void> {
  const job = scheduledJob(SHIPPED_SAMPLES, '', () => Promise.resolve(0));
  await enqueueJob(postgres.platform, job, { payload: {}, clusterId: null });
  for (let ran = 0; ran < detections; ) {
    await sleep(1000);
    const { rows } = await sql<{ ran: number }>`select count(*)::int as ran from shipped_sample_run`.execute(
      postgres.platform,
    );
    ran = rows[0]?.ran ?? 0;
  }
}
