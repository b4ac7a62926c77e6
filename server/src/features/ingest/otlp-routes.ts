import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BatchReport } from './ingest-batch.ts';
import { type PartialSuccess, writeExportResponse, writeOtlpMessage } from './otlp-messages.ts';
import type { PushProtocol } from './push-routes.ts';

// OTLP logs over HTTP: protobuf and JSON, answered in the form of the request.

const PROTOBUF = 'application/x-protobuf';

/** The codes of google.rpc.Status. */
const CODES: Readonly<Record<number, number>> = { 400: 3, 401: 16, 403: 7, 409: 6, 413: 3, 415: 3, 503: 14 };

function contentType(request: FastifyRequest): string {
  return String(request.headers['content-type'] ?? '')
    .split(';', 1)[0]
    ?.trim()
    .toLowerCase() as string;
}

const isJson = (request: FastifyRequest) => contentType(request) === 'application/json';

/**
 * Every record is stored, so none is rejected; what was kept only as text is told as a warning, which OTLP foresees
 * with a count of 0. Undefined when there is nothing to tell.
 */
function warningOf({ counts }: BatchReport): PartialSuccess | undefined {
  const { received = 0, parse_error: unread = 0, truncated = 0 } = counts;
  if (unread === 0 && truncated === 0) return undefined;
  const parts = [
    unread > 0 ? `${unread} of ${received} records could not be read and are kept as text` : '',
    truncated > 0 ? `${truncated} are longer than 1 MiB and were cut` : '',
  ];
  return { rejectedLogRecords: 0, errorMessage: parts.filter((part) => part !== '').join('; ') };
}

function accept(request: FastifyRequest, reply: FastifyReply, report: BatchReport): FastifyReply {
  const partialSuccess = warningOf(report);
  if (!isJson(request)) return reply.type(PROTOBUF).send(writeExportResponse(partialSuccess));
  if (partialSuccess === undefined) return reply.type('application/json').send({});
  // A 64-bit number in the JSON of protobuf is text.
  const { errorMessage } = partialSuccess;
  return reply.type('application/json').send({ partialSuccess: { rejectedLogRecords: '0', errorMessage } });
}

function refuse(request: FastifyRequest, reply: FastifyReply, status: number, message: string): FastifyReply {
  const said = { code: CODES[status] ?? 13, message };
  reply.code(status);
  if (isJson(request)) return reply.type('application/json').send(said);
  return reply.type(PROTOBUF).send(writeOtlpMessage('Status', said));
}

export const OTLP_LOGS: PushProtocol = {
  name: 'OTLP',
  paths: ['/v1/logs'],
  formatOf: (request) => {
    if (isJson(request)) return 'otlp-json';
    return [PROTOBUF, 'application/protobuf'].includes(contentType(request)) ? 'otlp-proto' : undefined;
  },
  accept,
  refuse,
};
