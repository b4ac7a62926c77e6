import { type Logger, pino } from 'pino';

export type { Logger };

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** What must never reach a log, wherever it stands in a logged object. */
const SECRETS = [
  'password',
  '*.password',
  'ssid',
  '*.ssid',
  'token',
  '*.token',
  'headers.ssid',
  'headers.authorization',
  'req.headers.ssid',
  'req.headers.authorization',
];

/** A logger that writes JSON lines to standard error, so that standard output stays for answers. */
export function createLog(level: LogLevel): Logger {
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, redact: SECRETS },
    pino.destination({ fd: 2, sync: true }),
  );
}
