import { type JobItem, type JobState, say } from '@tyrian/contract';
import { AppError, notFound } from '../../platform/app-error.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { markCanceled } from '../../platform/jobs/cancel-run.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import { readFailure } from '../../platform/said-of-failure.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import { asAccessCaller } from '../identity/sign-in/authorizer.ts';
import { countJobs, type JobFilter, type JobReach, lockJob, putBack, selectJobs } from './jobs-store.ts';

// Jobs for those who administer: root all of them, others those of their tenants. What is not theirs does not exist.

export interface JobsService {
  page(
    caller: Caller,
    filter: JobFilter,
    page: { readonly pageno: number; readonly pagesize: number },
  ): Promise<{ data: JobItem[]; total_count: number }>;
  /** Answers the state it has then. Throws AppError `not-found`, or `conflict` when it has ended. */
  cancel(caller: Caller, jobId: string): Promise<JobState>;
  /** Throws AppError `not-found`, or `conflict` when it neither failed nor was cancelled. */
  retry(caller: Caller, jobId: string): Promise<JobState>;
}

function reachOf(caller: Caller): JobReach {
  const { record } = asAccessCaller(caller);
  if (record.isRoot) return { kind: 'everything' };
  const administered = record.access.filter((entry) => entry.access_type === 'Administrator');
  return {
    kind: 'parts',
    orgId: record.isOrgAdmin ? record.orgId : null,
    clusterIds: administered.map((entry) => entry.clusterId),
  };
}

/** Ids are numbers of the database; what is none is not there. */
function runIdOf(jobId: string): number {
  if (!/^[1-9]\d{0,14}$/.test(jobId)) throw notFound();
  return Number(jobId);
}

interface JobsServiceParts {
  readonly postgres: Postgres;
  readonly audit: AuditService;
}

export function createJobsService(parts: JobsServiceParts): JobsService {
  const db = parts.postgres.platform;
  return {
    page: async (caller, filter, { pageno, pagesize }) => {
      const reach = reachOf(caller);
      const rows = await selectJobs(db, reach, filter, { limit: pagesize, offset: (pageno - 1) * pagesize });
      const data = rows.map((row) => {
        const { message: error, ...code } = readFailure(row.error);
        return { ...row, error, ...code };
      });
      return { data, total_count: await countJobs(db, reach, filter) };
    },
    cancel: (caller, jobId) =>
      change(parts, caller, jobId, 'job.cancel', ['waiting', 'running'], markCanceled),
    retry: (caller, jobId) => change(parts, caller, jobId, 'job.retry', ['failed', 'canceled'], putBack),
  };
}

/** Changes a run that is in one of these states, with its entry in the audit trail. */
function change(
  { postgres, audit }: JobsServiceParts,
  caller: Caller,
  jobId: string,
  action: 'job.cancel' | 'job.retry',
  from: readonly JobState[],
  act: (trx: Postgres['platform'], runId: number) => Promise<void>,
): Promise<JobState> {
  return postgres.platform.transaction().execute(async (trx) => {
    const runId = runIdOf(jobId);
    const job = await lockJob(trx, reachOf(caller), runId);
    if (!job) throw notFound();
    if (!from.includes(job.state)) {
      const code = action === 'job.cancel' ? 'jobs.notCancelable' : 'jobs.notRetryable';
      throw new AppError('conflict', say(code));
    }
    await act(trx, runId);
    const after = await lockJob(trx, { kind: 'everything' }, runId);
    const tenant = job.clusterId === null ? {} : { clusterId: job.clusterId };
    const details = { kind: job.kind, state: job.state, attempt: job.attempt };
    await audit.record({ action, who: caller, entity: jobId, ...tenant, details }, trx);
    return after?.state ?? job.state;
  });
}
