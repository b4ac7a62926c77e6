import { exportList } from '@tyrian/contract';
import type { RoutedFeature } from '../../platform/feature.ts';
import { bindEndpoint } from '../../platform/http/bind-endpoint.ts';
import { createListExportService, type ListExportDeps } from './list-export-service.ts';

/** Lists as files. */
export function listExportFeature(deps: ListExportDeps): RoutedFeature {
  const service = createListExportService(deps);
  return {
    register: (app) =>
      bindEndpoint(
        app,
        exportList,
        async ({ caller, clusterId, input, request, reply }) => {
          const file = await service.write({ caller, clusterId, wish: input }, request.ip);
          const name = encodeURIComponent(file.fileName);
          return reply
            .header('content-disposition', `attachment; filename*=UTF-8''${name}`)
            .type(file.type)
            .send(file.text);
        },
        { perMinute: 60 },
      ),
  };
}
