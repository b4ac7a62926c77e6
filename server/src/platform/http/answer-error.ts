import { type Envelope, type EnvelopeStatus, type MessageCode, say } from '@tyrian/contract';
import type { FastifyReply } from 'fastify';
import { AppError, type AppErrorKind } from '../app-error.ts';
import { EventStoreError } from '../clickhouse/event-store.ts';
import type { Logger } from '../log.ts';

// Every refusal is an envelope whose status agrees with the HTTP status. What is our own mistake is logged whole
// and told as little as possible.

const ANSWERS: Readonly<Record<AppErrorKind, { readonly http: number; readonly status: EnvelopeStatus }>> = {
  'invalid-session': { http: 401, status: 'invalid' },
  'not-authorised': { http: 403, status: 'failed' },
  'agreements-due': { http: 403, status: 'failed' },
  'sign-in-refused': { http: 403, status: 'failed' },
  'not-found': { http: 404, status: 'failed' },
  conflict: { http: 409, status: 'failed' },
  'too-large': { http: 413, status: 'failed' },
  'bad-input': { http: 422, status: 'failed' },
  // Section 4 of the specification: the code of a second step is marked invalid by an error status.
  'wrong-code': { http: 422, status: 'error' },
  'too-many': { http: 429, status: 'failed' },
  unavailable: { http: 503, status: 'error' },
};

/** Seconds after which a caller should try again while an engine is down. */
const RETRY_AFTER_S = 2;

const LOST_CONNECTION = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  '57P01',
  '57P02',
  '57P03',
  '08006',
  '08003',
]);

function saysEngineIsDown(error: unknown): boolean {
  if (error instanceof EventStoreError) return error.code === 0;
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: unknown }).code;
  if (typeof code === 'string' && LOST_CONNECTION.has(code)) return true;
  if (error instanceof AggregateError) return error.errors.some(saysEngineIsDown);
  return /connection terminated|timeout exceeded when trying to connect/i.test(error.message);
}

type RefusedDataCode = Extract<
  MessageCode,
  'engines.dataDiffers' | 'engines.valueUnkept' | 'engines.valueTooLarge'
>;

/** What a refusal of PostgreSQL means by the class of its SQLSTATE, when no feature has foreseen it. */
const REFUSED_DATA: readonly (readonly [RegExp, AppErrorKind, RefusedDataCode])[] = [
  [/^23(505|503|P01)$/, 'conflict', 'engines.dataDiffers'],
  [/^(22|23)...$/, 'bad-input', 'engines.valueUnkept'],
  [/^54...$/, 'bad-input', 'engines.valueTooLarge'],
];

/**
 * The last net under data that PostgreSQL refuses: an answer that blames the input, and a line in the log that names
 * the table and the column for us to mend. No value goes into the log: PostgreSQL's detail and message may quote the row.
 */
function asRefusedData(error: unknown, log: Logger, route: string | undefined): AppError | null {
  if (!(error instanceof Error)) return null;
  const { code, table, column, constraint } = error as Error & Record<string, unknown>;
  const found = typeof code === 'string' && REFUSED_DATA.find(([sqlState]) => sqlState.test(code));
  if (!found) return null;
  log.warn({ route, code, table, column, constraint }, REFUSED_BY_STORE);
  return new AppError(found[1], say(found[2]));
}

/** The line of the log for data that only PostgreSQL refused. */
export const REFUSED_BY_STORE = 'PostgreSQL refused the data of a call';

/** The error that a caller is told for whatever was thrown; `route` is for the log. */
export function asAppError(error: unknown, log: Logger, route?: string): AppError {
  if (error instanceof AppError) return error;
  const refused = asRefusedData(error, log, route);
  if (refused !== null) return refused;
  if (saysEngineIsDown(error)) {
    log.warn({ err: (error as Error).message }, 'an engine did not answer a call');
    return new AppError('unavailable', say('engines.oneIsDown'));
  }
  const http = (error as { statusCode?: number }).statusCode;
  if (http === 413) return new AppError('too-large', say('input.bodyTooLarge'));
  if (http !== undefined && http >= 400 && http < 500) {
    return new AppError('bad-input', say('input.badRequest', { reason: (error as Error).message }));
  }
  log.error({ err: error, route }, 'a call failed');
  return new AppError('unavailable', say('engines.internal'));
}

/** Answers a refusal. What is our own mistake is the one case of 500. */
export function answerError(reply: FastifyReply, error: AppError): FastifyReply {
  const internal = error.kind === 'unavailable' && error.said.code === 'engines.internal';
  const { http, status } = internal ? { http: 500, status: 'error' as const } : ANSWERS[error.kind];
  if (http === 503) reply.header('retry-after', String(RETRY_AFTER_S));
  const { code, values, text } = error.said;
  const body: Envelope<unknown> = {
    status,
    message: text,
    data: error.details,
    code: internal ? 'internal' : error.kind,
    messageCode: code,
    messageValues: values,
  };
  return reply.code(http).type('application/json; charset=utf-8').send(body);
}
