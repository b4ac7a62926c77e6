import { createApiToken, deleteApiToken, listApiTokens } from '@tyrian/contract';
import type { RoutedFeature } from '../../../platform/feature.ts';
import { bindEndpoint } from '../../../platform/http/bind-endpoint.ts';
import type { Authorizer, Caller } from '../../../platform/http/caller.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { SourceService } from '../../sources/source-service.ts';
import type { Identity } from '../identity-feature.ts';
import { publicOrigin, senderOrigin } from '../sign-in/public-address.ts';
import { type ApiTokenService, createApiTokenService } from './api-token-service.ts';
import { createApiTokenStore } from './api-token-store.ts';

export interface ApiTokensFeature extends RoutedFeature {
  /** The authorizer that takes tokens beside sessions. */
  readonly authorizer: Authorizer;
  readonly service: ApiTokenService;
}

/** Tokens for programs. */
export function apiTokensFeature(
  platform: Platform,
  identity: Pick<Identity, 'audit' | 'auth' | 'authorizer'>,
  sources: SourceService,
): ApiTokensFeature {
  const { clock, config, postgres } = platform;
  const { audit, auth, authorizer } = identity;
  const service = createApiTokenService({
    store: createApiTokenStore(postgres),
    sources,
    audit,
    clock,
    accessOf: (userId) => auth.accessOf({ userId, ssid: '' } as Caller),
  });
  return {
    service,
    authorizer: { ...authorizer, authenticateToken: service.findCaller },
    register: (app) => {
      bindEndpoint(app, listApiTokens, ({ clusterId, input }) =>
        service.list({ clusterId, scopeId: input.scope_id }),
      );
      bindEndpoint(app, createApiToken, async ({ caller, clusterId, input, request }) => {
        const scope = { clusterId, scopeId: input.scope_id };
        const made = await service.create(caller, scope, input, request.ip);
        const isSender = input.capabilities.includes('ingest');
        return { ...made, address: isSender ? senderOrigin(config) : publicOrigin(config) };
      });
      bindEndpoint(app, deleteApiToken, async ({ caller, clusterId, input, request }) => {
        const scope = { clusterId, scopeId: input.scope_id };
        await service.remove(caller, scope, input.token_id, request.ip);
        return { token_id: input.token_id };
      });
    },
  };
}
