import type { FastifyRequest } from 'fastify';
import type { PushProtocol } from './push-routes.ts';

// Loki's push: Promtail, Alloy, Fluent Bit, Vector and the loggers that speak it.

function isJson(request: FastifyRequest): boolean {
  return String(request.headers['content-type'] ?? '')
    .toLowerCase()
    .startsWith('application/json');
}

export const LOKI_PUSH: PushProtocol = {
  name: 'Loki',
  paths: ['/loki/api/v1/push', '/api/prom/push'],
  // What is not called JSON is Snappy, as with Loki itself.
  formatOf: (request) => (isJson(request) ? 'loki-json' : 'loki-proto'),
  isPacked: (request) => !isJson(request),
  accept: (_request, reply) => reply.code(204).send(),
  refuse: (_request, reply, status, message) => reply.code(status).type('text/plain').send(`${message}\n`),
};
