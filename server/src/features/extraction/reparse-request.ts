import { z } from 'zod';
import { type JobRequestForm, UNTIL_DONE } from '../../platform/jobs/job.ts';

/** The job of a run as whoever asks for it needs it; what it does stands in `run-reparse.ts`. */
export const reparseRequest = {
  kind: 'reparse',
  payload: z.object({ scopeId: z.string(), reparseId: z.string() }),
  slotsPerTenant: 1,
  retry: UNTIL_DONE,
} as const satisfies JobRequestForm<{ scopeId: string; reparseId: string }>;

export type ReparsePayload = z.output<typeof reparseRequest.payload>;
