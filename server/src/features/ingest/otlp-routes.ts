import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BatchReport } from './ingest-batch.ts';
import { writeExportResponse, writeOtlpMessage } from './otlp-messages.ts';
import { warningOf } from './otlp-warning.ts';
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
