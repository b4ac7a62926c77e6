import { z } from 'zod';
import { type JobRequestForm, UNTIL_DONE } from '../../platform/jobs/job.ts';

/** The job of a build as whoever asks for it needs it; what it does stands in `build-bucket.ts`. */
export const buildRequest = {
  kind: 'enrichment-build',
  payload: z.object({ scopeId: z.string(), tableId: z.string() }),
  slotsPerTenant: 1,
  retry: UNTIL_DONE,
} as const satisfies JobRequestForm<{ scopeId: string; tableId: string }>;

export type BuildPayload = z.output<typeof buildRequest.payload>;
