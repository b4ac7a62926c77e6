import { z } from 'zod';
import { type JobRequestForm, UNTIL_DONE } from '../../platform/jobs/job.ts';

/** The job of a preview as whoever asks for it needs it; what it does stands in `run-preview.ts`. */
export const rulePreviewRequest = {
  kind: 'rule-preview',
  payload: z.object({ scopeId: z.string(), previewId: z.string() }),
  slotsPerTenant: 1,
  retry: UNTIL_DONE,
} as const satisfies JobRequestForm<{ scopeId: string; previewId: string }>;

export type PreviewPayload = z.output<typeof rulePreviewRequest.payload>;
