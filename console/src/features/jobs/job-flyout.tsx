import { Alert, Group, Progress } from '@mantine/core';
import { cancelJob, type JobItem, listJobs, retryJob } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { formatDuration } from '../../lib/format-time.ts';
import { notify } from '../../lib/notify.ts';
import { useSignedIn } from '../../lib/session-store.ts';
import { useCallMutation } from '../../lib/use-call.ts';
import { useNow } from '../../lib/use-now.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { DetailFlyout } from '../../ui/detail-flyout.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import classes from './job-flyout.module.css';
import { doneText, failureText, STATE_TONES, useJobName } from './job-words.ts';

const WRITERS = ['org-admin', 'tenant-admin', 'root'] as const;

/** One job: how far it is, why it failed, and what can be done about it. */
export function JobFlyout({ job, onClose }: { readonly job: JobItem; readonly onClose: () => void }) {
  const { t } = useTranslation('jobs');
  const { tags } = useSignedIn();
  const name = useJobName()(job.kind);
  const mayChange = WRITERS.some((tag) => tags.includes(tag));
  return (
    <DetailFlyout title={name} label={t('job', { name })} onClose={onClose}>
      <div className={classes.detail}>
        <StateMark
          tone={STATE_TONES[job.state]}
          label={t(job.is_canceling ? 'canceling' : `states.${job.state}`)}
        />
        {job.state === 'running' && job.total ? (
          <Progress value={(100 * (job.done ?? 0)) / job.total} aria-label={t('done')} />
        ) : null}
        {job.error ? (
          <Alert color={job.state === 'failed' ? 'red' : 'gray'} variant="light" p={10} role="status">
            {failureText(job)}
          </Alert>
        ) : null}
        <JobFacts job={job} />
        {mayChange ? <JobActions job={job} name={name} /> : null}
      </div>
    </DetailFlyout>
  );
}

function JobFacts({ job }: { readonly job: JobItem }) {
  const { t } = useTranslation('jobs');
  const now = useNow();
  const time = (value: number | null) => (value === null ? '–' : <TimeStamp time={value} form="seconds" />);
  const took = job.started === null ? null : Math.max(0, (job.ended ?? now) - job.started);
  return (
    <FactList
      facts={[
        { label: t('number'), value: job.job_id },
        { label: t('tenant'), value: job.cluster_name ?? t('allTenants') },
        { label: t('asked'), value: job.asked_by ?? t(job.is_scheduled ? 'clock' : 'product') },
        { label: t('done'), value: doneText(job) },
        { label: t('attempt'), value: job.attempt },
        { label: t('created'), value: time(job.created) },
        { label: t('due'), value: time(job.due) },
        { label: t('started'), value: time(job.started) },
        { label: t('ended'), value: time(job.ended) },
        { label: t('took'), value: took === null ? '–' : formatDuration(took) },
      ]}
    />
  );
}

/** Cancel while it waits or runs, retry when it failed or was cancelled. */
function JobActions({ job, name }: { readonly job: JobItem; readonly name: string }) {
  const { t } = useTranslation('jobs');
  const cancel = useCallMutation(cancelJob, { stale: [listJobs] });
  const retry = useCallMutation(retryJob, { stale: [listJobs] });
  const params = { id: job.job_id };
  if (job.state === 'done') return null;
  return (
    <Group>
      {job.ended === null ? (
        <ConfirmButton
          color="red"
          variant="light"
          disabled={job.is_canceling}
          loading={cancel.isPending}
          title={t('cancelAsk', { name })}
          consequence={t(job.state === 'running' ? 'cancelRunning' : 'cancelWaiting')}
          confirmLabel={t('cancel')}
          onConfirm={() =>
            cancel.mutate({ params, input: {} }, { onSuccess: () => notify('done', t('cancelDone')) })
          }
        />
      ) : (
        <ConfirmButton
          variant="light"
          loading={retry.isPending}
          title={t('retryAsk', { name })}
          consequence={t('retryText')}
          confirmLabel={t('retry')}
          onConfirm={() =>
            retry.mutate({ params, input: {} }, { onSuccess: () => notify('done', t('retryDone')) })
          }
        />
      )}
    </Group>
  );
}
