import {
  askModel,
  decideModelRequest,
  KQL_TYPE_OF,
  listModelRequests,
  readCatalog,
  readDataModel,
  readModelUsage,
  removeModelField,
  removeModelStream,
  saveModelField,
  saveModelStream,
} from '@tyrian/contract';
import type { RoutedFeature } from '../../platform/feature.ts';
import { bindEndpoint } from '../../platform/http/bind-endpoint.ts';
import type { AnyJob } from '../../platform/jobs/job.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import type { CatalogLibrary, CatalogSources } from './catalog-library.ts';
import { createDataModelService, type DataModelDeps, type DataModelService } from './data-model-service.ts';
import { listFields, listStreams } from './model-store.ts';
import { modelUpkeep } from './model-upkeep.ts';

export interface DataModelFeature extends RoutedFeature {
  readonly service: DataModelService;
  readonly jobs: readonly AnyJob[];
}

/** Streams and fields that a tenant added, for the compiler. */
export const addedStreamsOf =
  (postgres: Postgres): CatalogSources['addedOf'] =>
  (clusterId) =>
    postgres.inTenant(clusterId, async (trx) => ({
      streams: (await listStreams(trx, clusterId)).map(({ name, description }) => ({ name, description })),
      fields: (await listFields(trx, clusterId)).map(
        ({ stream, name, type, description, example, aliases }) => ({
          ...{ stream, name, description, example, aliases },
          type: KQL_TYPE_OF[type],
        }),
      ),
    }));

/** What a scope can name, without where the rows of tables are. */
async function catalogOf(library: CatalogLibrary, clusterId: string, scopeId: string) {
  const { version, catalog } = await library.catalogOf(clusterId, [scopeId]);
  return {
    version,
    streams: [...catalog.streams],
    fields: catalog.fields.map((field) => ({ ...field, aliases: [...field.aliases] })),
    tables: catalog.tables.map(({ name, description, columns }) => ({
      name,
      description,
      columns: [...columns],
    })),
  };
}

/** The data model of tenants. */
export function dataModelFeature(
  deps: {
    readonly platform: Platform;
    readonly audit: AuditService;
    readonly library: CatalogLibrary;
  } & Pick<DataModelDeps, 'isFreeName' | 'namedBy'>,
): DataModelFeature {
  const { postgres, clock } = deps.platform;
  const { audit, library, isFreeName, namedBy } = deps;
  const service = createDataModelService({
    postgres,
    clock,
    audit,
    isFreeName,
    namedBy,
    changed: library.forget,
  });
  return {
    service,
    jobs: [modelUpkeep({ postgres, clock })],
    register: (app) => {
      bindEndpoint(app, readDataModel, ({ clusterId }) => service.read(clusterId));
      bindEndpoint(app, readCatalog, ({ clusterId, input }) => catalogOf(library, clusterId, input.scope_id));
      bindEndpoint(app, saveModelStream, (call) => service.saveStream(call, call.input));
      bindEndpoint(app, removeModelStream, (call) => service.removeStream(call, call.input));
      bindEndpoint(app, saveModelField, (call) => service.saveField(call, call.input));
      bindEndpoint(app, removeModelField, (call) => service.removeField(call, call.input));
      bindEndpoint(app, readModelUsage, ({ clusterId, input }) => service.usage(clusterId, input.name));
      bindEndpoint(app, askModel, async ({ clusterId, caller, input }) => {
        const { scope_id: scopeId, source, wanted } = input;
        return { request_ids: [...(await service.request({ clusterId, scopeId, caller, source }, wanted))] };
      });
      bindEndpoint(app, listModelRequests, ({ clusterId, input }) =>
        service.requests(clusterId, input.state),
      );
      bindEndpoint(app, decideModelRequest, (call) => service.decide(call, call.input));
    },
  };
}
