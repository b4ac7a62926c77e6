import { JOB_KINDS, type JobItem, type JobState } from '@tyrian/contract';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../lib/format-number.ts';
import { serverText } from '../../lib/server-text.ts';
import type { StateTone } from '../../ui/state-mark.tsx';

export const STATE_TONES: Readonly<Record<JobState, StateTone>> = {
  running: 'good',
  waiting: 'quiet',
  done: 'good',
  failed: 'bad',
  canceled: 'warn',
};

/** What a kind of job is called; one of another version by its own name. */
export function useJobName(): (kind: string) => string {
  const { t } = useTranslation('jobs');
  return useCallback(
    (kind: string) => (JOB_KINDS.some((known) => known === kind) ? t(`kinds.${kind}`) : kind),
    [t],
  );
}

/** Why the last attempt failed, in the reader's language. */
export const failureText = (job: JobItem): string | null =>
  job.error === null ? null : serverText({ ...job, message: job.error });

/** `3 / 10`, `3`, or a dash while nothing is known. */
export function doneText({ done, total }: JobItem): string {
  if (done === null) return '–';
  return total === null ? formatCount(done) : `${formatCount(done)} / ${formatCount(total)}`;
}
