import { NO_CATALOG, type TenantCatalog } from '@tyrian/catalog';

/** What the queries of some scopes may name beside what every tenant has. */
export interface NamedCatalog {
  /** Equal versions mean equal catalogs; '' when nothing was added. */
  readonly version: string;
  readonly catalog: TenantCatalog;
}

/** The streams, fields and tables that tenants added. */
export interface QueryCatalog {
  /** `reach`: scopes that the text may name besides, whose tables are then known too. */
  catalogOf(clusterId: string, scopes: readonly string[], reach?: readonly string[]): Promise<NamedCatalog>;
}

export const NOTHING_ADDED: NamedCatalog = { version: '', catalog: NO_CATALOG };
