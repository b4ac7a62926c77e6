import { readSmtp, removeSmtp, saveSmtp, testSmtp } from '@tyrian/contract';
import type { FastifyInstance } from 'fastify';
import { bindEndpoint } from '../../platform/http/bind-endpoint.ts';
import type { MailService } from './mail-service.ts';

const TESTS_PER_MINUTE = 30;

/** Binds the settings of the mail server. */
export function registerMailRoutes(app: FastifyInstance, mail: MailService): void {
  bindEndpoint(app, readSmtp, async () => ({ settings: await mail.read() }));
  bindEndpoint(app, saveSmtp, async ({ caller, input, request }) => {
    await mail.save(caller, input, request.ip);
    return {};
  });
  bindEndpoint(app, removeSmtp, async ({ caller, request }) => {
    await mail.remove(caller, request.ip);
    return {};
  });
  bindEndpoint(app, testSmtp, ({ caller, input, request }) => mail.test(caller, input, request.ip), {
    perMinute: TESTS_PER_MINUTE,
  });
}
