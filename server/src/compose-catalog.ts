import { type NamedBy, say } from '@tyrian/contract';
import type { AddedNames } from '@tyrian/ingest';
import { type CatalogLibrary, createCatalogLibrary } from './features/data-model/catalog-library.ts';
import { addedStreamsOf, dataModelFeature } from './features/data-model/data-model-feature.ts';
import type { DataModelService } from './features/data-model/data-model-service.ts';
import { isFreeName } from './features/data-model/free-name.ts';
import { bucketsNaming } from './features/enrichment/buckets-naming.ts';
import { eventstoreRowsOf } from './features/eventstores/eventstore-rows.ts';
import { eventstoresFeature } from './features/eventstores/eventstores-feature.ts';
import { uploadedTablesOf } from './features/eventstores/tables-of-tenant.ts';
import type { AuditService } from './features/identity/audit/audit-service.ts';
import { ownRulesNaming } from './features/rules/rules-naming.ts';
import type { QueryFunctions } from './features/search/compile-with-fields.ts';
import type { QueryService } from './features/search/query-service.ts';
import { workbooksNaming } from './features/workbooks/workbooks-naming.ts';
import { AppError } from './platform/app-error.ts';
import type { RoutedFeature } from './platform/feature.ts';
import type { AnyJob } from './platform/jobs/job.ts';
import type { Platform } from './platform/platform.ts';

// Wires what tenants add to their catalogs: a part of compose.ts.

/** What the queries of tenants may name beside what every tenant has. */
export const tenantCatalog = ({ postgres, clock }: Platform): CatalogLibrary =>
  createCatalogLibrary({
    clock,
    addedOf: addedStreamsOf(postgres),
    tablesOf: (clusterId) => uploadedTablesOf(postgres, clusterId),
  });

/** Names of the streams and fields that tenants added, for their extractors. */
export const addedNames = ({ postgres }: Platform) => {
  const addedOf = addedStreamsOf(postgres);
  return async (clusterId: string): Promise<AddedNames> => {
    const { streams, fields } = await addedOf(clusterId);
    return {
      streams: streams.map(({ name }) => name),
      fields: fields.map(({ stream, name }) => ({ stream, name })),
    };
  };
};

/** Rows of an uploaded table as records, for buckets of enrichment. Throws AppError when the scope has none of the name. */
export const uploadedRecords = (platform: Platform) => {
  const rowsOf = eventstoreRowsOf(platform);
  return async (clusterId: string, scopeId: string, name: string) => {
    const found = await rowsOf(clusterId, scopeId, name);
    if (!found) throw new AppError('bad-input', say('enrichment.noEventstore', { name }));
    const { columns, rows } = found;
    return rows.map((cells) =>
      Object.fromEntries(columns.map((column, at) => [column.name, cells[at] ?? ''])),
    );
  };
};

interface CatalogDeps {
  readonly platform: Platform;
  readonly audit: AuditService;
  readonly queries: QueryService;
  readonly functions: QueryFunctions;
  readonly catalog: CatalogLibrary;
}

interface CatalogFeatures {
  readonly features: readonly RoutedFeature[];
  readonly jobs: readonly AnyJob[];
  /** For whoever asks for streams and fields. */
  readonly dataModel: Pick<DataModelService, 'request'>;
}

/** The features through which people add to them. */
export function catalogFeatures(deps: CatalogDeps): CatalogFeatures {
  const { platform, audit, catalog } = deps;
  const eventstores = eventstoresFeature({
    ...{ platform, audit },
    isFreeName: (scope, name, userId) => isFreeName(deps, scope, name, userId),
    namedBy: (scope, words) => namedBy(deps, scope, words),
    changed: catalog.forget,
  });
  const dataModel = dataModelFeature({
    ...{ platform, audit, library: catalog },
    isFreeName: (clusterId, name, userId) => isFreeName(deps, { clusterId, scopeId: null }, name, userId),
    namedBy: (clusterId, words) => namedBy(deps, { clusterId, scopeId: null }, words),
  });
  return {
    features: [eventstores, dataModel],
    jobs: [...eventstores.jobs, ...dataModel.jobs],
    dataModel: dataModel.service,
  };
}

/** What names a word in a scope, or anywhere in the tenant. */
async function namedBy(
  { platform, functions }: CatalogDeps,
  place: { readonly clusterId: string; readonly scopeId: string | null },
  words: readonly string[],
): Promise<ReadonlyMap<string, readonly NamedBy[]>> {
  const { postgres } = platform;
  const [workbooks, rules, buckets, saved] = await Promise.all([
    workbooksNaming(postgres, place, words),
    ownRulesNaming(postgres, place.clusterId, words),
    bucketsNaming(postgres, place, words),
    functions.functionsOf(place.clusterId),
  ]);
  return new Map(
    words.map((word): [string, NamedBy[]] => {
      const whole = new RegExp(`\\b${word}\\b`);
      const calling = saved.functions.filter(({ parameters, body }) => whole.test(`${parameters} ${body}`));
      return [
        word,
        [
          ...(workbooks.get(word) ?? []).map((one) => ({ kind: 'workbook' as const, ...one })),
          ...(rules.get(word) ?? []).map((one) => ({ kind: 'rule' as const, ...one })),
          ...(buckets.get(word) ?? []).map((one) => ({ kind: 'bucket' as const, ...one })),
          ...calling.map(({ name }) => ({ kind: 'function' as const, id: name, name })),
        ],
      ];
    }),
  );
}
