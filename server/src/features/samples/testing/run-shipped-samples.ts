import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { enqueueJob } from '../../../platform/jobs/enqueue-job.ts';
import type { Platform } from '../../../platform/platform.ts';
import { SHIPPED_SAMPLES } from '../shipped-samples.ts';

const LONGEST_MS = 600_000;

/**
 * Runs the samples of the shipped detections now, which a new installation does within ten minutes. Resolves when those of
 * so many detections have run, rejects when they have not within ten minutes.
 */
export async function runShippedSamples({ postgres }: Platform, detections: number): Promise<void> {
  await enqueueJob(postgres.platform, SHIPPED_SAMPLES, { payload: {}, clusterId: null });
  const until = Date.now() + LONGEST_MS;
  for (;;) {
    const { rows } = await sql<{ ran: number }>`select count(*)::int as ran from shipped_sample_run`.execute(
      postgres.platform,
    );
    const ran = rows[0]?.ran ?? 0;
    if (ran >= detections) return;
    if (Date.now() > until) throw new Error(`the samples of ${ran} of ${detections} detections ran`);
    await sleep(1000);
  }
}
