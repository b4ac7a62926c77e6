import type { PushProtocol } from './push-routes.ts';

/** GELF over HTTP: a message, or one on each line. */
export const GELF_HTTP: PushProtocol = {
  name: 'GELF',
  paths: ['/gelf'],
  formatOf: () => 'gelf',
  emptyBody: 'the body is empty',
  accept: (_request, reply) => reply.code(202).send(),
  refuse: (_request, reply, status, message) => reply.code(status).type('text/plain').send(`${message}\n`),
};
