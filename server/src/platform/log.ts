import { type DestinationStream, type Logger, pino } from 'pino';
import { withoutSecrets } from './without-secrets.ts';

export type { Logger };

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * A logger that writes JSON lines to standard error, so that standard output stays for answers; or to `destination`.
 * Secrets are taken out by name, see `withoutSecrets`.
 */
export function createLog(level: LogLevel, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      // Errors are plain objects by then.
      serializers: { err: (error: unknown) => error },
      formatters: { log: (object) => withoutSecrets(object) as Record<string, unknown> },
    },
    destination ?? pino.destination({ fd: 2, sync: true }),
  );
}
