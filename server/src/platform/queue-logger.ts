import { Logger as QueueLogger } from 'graphile-worker';
import type { Logger } from './log.ts';

/** The lines of graphile-worker, below ours: what matters about a job is said by the job. */
export function queueLogger(log: Logger): QueueLogger {
  return new QueueLogger(() => (level, message) => {
    const text = { said: message };
    if (level === 'error' || level === 'warning') log.warn(text, 'the job queue has trouble');
    else log.debug(text, 'job queue');
  });
}
