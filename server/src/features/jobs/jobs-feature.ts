import { cancelJob, listJobs, retryJob } from '@tyrian/contract';
import type { RoutedFeature } from '../../platform/feature.ts';
import { bindEndpoint } from '../../platform/http/bind-endpoint.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import { createJobsService } from './jobs-service.ts';

/** Jobs for administrators: what runs, ran, failed and waits. */
export function jobsFeature(deps: {
  readonly postgres: Postgres;
  readonly audit: AuditService;
}): RoutedFeature {
  const jobs = createJobsService(deps);
  return {
    register: (app) => {
      bindEndpoint(app, listJobs, ({ caller, input: { pageno, pagesize, ...filter } }) =>
        jobs.page(caller, filter, { pageno, pagesize }),
      );
      bindEndpoint(app, cancelJob, async ({ caller, params }) => ({
        state: await jobs.cancel(caller, params.id ?? ''),
      }));
      bindEndpoint(app, retryJob, async ({ caller, params }) => ({
        state: await jobs.retry(caller, params.id ?? ''),
      }));
    },
  };
}
