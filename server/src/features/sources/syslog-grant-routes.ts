import { giveSyslogGrant, listSyslogGrants, takeSyslogGrant } from '@tyrian/contract';
import type { FastifyInstance } from 'fastify';
import { bindEndpoint } from '../../platform/http/bind-endpoint.ts';
import type { SyslogGrantService } from './syslog-grant-service.ts';

/** Binds root's calls about whose syslog is whose. */
export function registerSyslogGrantRoutes(app: FastifyInstance, grants: SyslogGrantService): void {
  bindEndpoint(app, listSyslogGrants, async ({ input }) => ({ grants: await grants.list(input.cluster_id) }));
  bindEndpoint(app, giveSyslogGrant, ({ caller, input, request }) =>
    grants.give(
      {
        clusterId: input.cluster_id,
        ...(input.network === undefined ? {} : { network: input.network }),
        ...(input.certificate === undefined ? {} : { certificate: input.certificate }),
      },
      { who: caller, address: request.ip },
    ),
  );
  bindEndpoint(app, takeSyslogGrant, ({ caller, input, request }) =>
    grants.take(input.grant_id, { who: caller, address: request.ip }),
  );
}
