import { z } from 'zod';
import { ROOTS, type RoleTag } from '../access/role-tags.ts';
import { endpoint } from '../envelope/endpoint.ts';
import { epochMs, idSchema, pageFields, pageOf } from '../envelope/list-request.ts';
import { messageFields } from '../messages/message-values.ts';

// Jobs: what runs behind answers and by the clock. Root sees all of them, an organization administrator those of the
// organization's tenants, a tenant administrator those of the own tenants.

/** Every kind that the product has; a list may hold others, which an older or newer version wrote. */
export const JOB_KINDS = [
  'account-upkeep',
  'attack-snapshots',
  'attack-snapshots-of-tenant',
  'attack-upkeep',
  'audit-signing',
  'component-figures',
  'component-mails',
  'data-model-upkeep',
  'enrichment-build',
  'enrichment-rebuilds',
  'enrichment-upkeep',
  'event-upkeep',
  'eventstore-upkeep',
  'eventstore-upload',
  'expired-searches',
  'indicator-hunt',
  'ingest-upkeep',
  'job-upkeep',
  'notification-mails',
  'retention',
  'retention-of-tenant',
  'rule-health-upkeep',
  'rule-import',
  'reparse',
  'reparse-upkeep',
  'rule-preview',
  'rule-preview-upkeep',
  'rule-upkeep',
  'rule-verdicts',
  'rule-verdicts-of-tenant',
  'sample-upkeep',
  'search-upkeep',
  'shipped-samples',
  'signal-limits',
  'signal-limits-of-tenant',
  'silent-sources',
  'source-habits',
  'suppression-upkeep',
] as const;

export const JOB_STATES = ['running', 'waiting', 'failed', 'done', 'canceled'] as const;
export type JobState = (typeof JOB_STATES)[number];

export const jobSchema = z.object({
  job_id: idSchema,
  kind: z.string(),
  /** Null: for the whole installation. */
  clusterId: idSchema.nullable(),
  cluster_name: z.string().nullable(),
  state: z.enum(JOB_STATES),
  /** It runs, and was asked to stop. */
  is_canceling: z.boolean(),
  /** Started by the clock. */
  is_scheduled: z.boolean(),
  /** Who asked for it; null for the product itself. */
  asked_by: z.string().nullable(),
  /** How many attempts were begun. */
  attempt: z.number().int(),
  /** Things handled so far, and of how many; null while not known. */
  done: z.number().int().nullable(),
  total: z.number().int().nullable(),
  /** Why the last attempt failed. */
  error: z.string().nullable(),
  ...messageFields,
  created: epochMs,
  /** When it may begin. */
  due: epochMs,
  /** When the last attempt began. */
  started: epochMs.nullable(),
  ended: epochMs.nullable(),
});
export type JobItem = z.output<typeof jobSchema>;

const READERS: readonly RoleTag[] = ['org-admin', 'tenant-admin', ...ROOTS];
const WRITERS: readonly RoleTag[] = ['org-admin', 'tenant-admin', 'root'];

export const listJobs = endpoint({
  name: 'jobs.list',
  audit: 'nothing',
  method: 'GET',
  path: '/lc/mgmt/job/list',
  summary:
    'Jobs that the caller administers: what runs and waits first, then the newest. `total_count` counts up to 10,000. Ended jobs are kept for 30 days, checks that found nothing to do for an hour.',
  input: z.object({
    state: z.enum(JOB_STATES).optional(),
    kind: z.string().max(64).optional(),
    clusterId: idSchema.optional(),
    /** With scheduled checks that found nothing to do. */
    quiet: z
      .union([z.boolean(), z.enum(['true', 'false'])])
      .transform((value) => value === true || value === 'true')
      .default(false),
    pageno: pageFields.pageno,
    pagesize: z.coerce.number().int().min(1).max(500).default(200),
  }),
  output: pageOf(jobSchema),
  access: { kind: 'roles', in: 'platform', tags: READERS },
  isPassive: true,
});

export const cancelJob = endpoint({
  name: 'jobs.cancel',
  audit: 'change',
  method: 'POST',
  path: '/lc/mgmt/job/:id/cancel',
  summary: 'Cancels a job that waits, or asks one that runs to stop.',
  input: z.object({}),
  output: z.object({ state: z.enum(JOB_STATES) }),
  access: { kind: 'roles', in: 'platform', tags: WRITERS },
});

export const retryJob = endpoint({
  name: 'jobs.retry',
  audit: 'change',
  method: 'POST',
  path: '/lc/mgmt/job/:id/retry',
  summary: 'Lets a failed or cancelled job run again.',
  input: z.object({}),
  output: z.object({ state: z.enum(JOB_STATES) }),
  access: { kind: 'roles', in: 'platform', tags: WRITERS },
});
