import { z } from 'zod';
import { type JobRequestForm, UNTIL_DONE } from '../../platform/jobs/job.ts';

/** The job of an import as whoever asks for it needs it; what it does stands in `import-rules.ts`. */
export const ruleImportRequest = {
  kind: 'rule-import',
  payload: z.object({ importId: z.string() }),
  slotsPerTenant: 1,
  retry: UNTIL_DONE,
} as const satisfies JobRequestForm<{ importId: string }>;

export type ImportPayload = z.output<typeof ruleImportRequest.payload>;
