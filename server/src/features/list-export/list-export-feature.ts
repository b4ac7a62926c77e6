import { exportList, exportPlatformList } from '@tyrian/contract';
import type { FastifyReply } from 'fastify';
import type { RoutedFeature } from '../../platform/feature.ts';
import { bindEndpoint } from '../../platform/http/bind-endpoint.ts';
import { createListExportService, type ListExportDeps } from './list-export-service.ts';
import {
  createPlatformListExportService,
  type PlatformListExportDeps,
} from './platform-list-export-service.ts';
import type { WrittenFile } from './whole-list.ts';

const LIMIT = { perMinute: 60 };

function sendFile(reply: FastifyReply, { fileName, type, text }: WrittenFile): FastifyReply {
  return reply
    .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(fileName)}`)
    .type(type)
    .send(text);
}

/** Lists as files: those of a scope, and those of administration. */
export function listExportFeature(deps: ListExportDeps & PlatformListExportDeps): RoutedFeature {
  const ofScope = createListExportService(deps);
  const ofPlatform = createPlatformListExportService(deps);
  return {
    register: (app) => {
      bindEndpoint(
        app,
        exportList,
        async ({ caller, clusterId, input, request, reply }) =>
          sendFile(reply, await ofScope.write({ caller, clusterId, input: input }, request.ip)),
        LIMIT,
      );
      bindEndpoint(
        app,
        exportPlatformList,
        async ({ caller, input, request, reply }) =>
          sendFile(reply, await ofPlatform.write(caller, input, request.ip)),
        LIMIT,
      );
    },
  };
}
