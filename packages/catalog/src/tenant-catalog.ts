import type { KqlType } from './column.ts';

// What the queries of one tenant can name beside what every tenant has: streams and fields that its content managers
// added, and the tables that were uploaded. It is data, read anew while the product runs and handed to whatever needs it.

/** A stream that a tenant added: events whose `Stream` is its name. */
export interface AddedStream {
  readonly name: string;
  readonly description: string;
}

/** A typed column over the field of its name below `Ext`, in the events of one stream. */
export interface AddedField {
  readonly stream: string;
  readonly name: string;
  /** One name has one type in all streams of a tenant. */
  readonly type: KqlType;
  readonly description: string;
  /** '' for none. */
  readonly example: string;
  /** Other names of the field: below `Ext`, where sources spell it otherwise, and in queries. */
  readonly aliases: readonly string[];
}

/** An uploaded table of one scope, as a table of KQL. */
export interface UploadedTable {
  readonly name: string;
  readonly id: string;
  readonly scope: string;
  readonly description: string;
  /** Its rows are those of these uploads. */
  readonly uploads: readonly string[];
  /** In the order of the cells. */
  readonly columns: readonly { readonly name: string; readonly type: KqlType }[];
}

export interface TenantCatalog {
  readonly streams: readonly AddedStream[];
  readonly fields: readonly AddedField[];
  /** The tables of the scope at hand. */
  readonly tables: readonly UploadedTable[];
  /** Tables of other scopes, which a query reaches by naming the scope. */
  readonly elsewhere: readonly UploadedTable[];
}

/** A tenant that added nothing. */
export const NO_CATALOG: TenantCatalog = { streams: [], fields: [], tables: [], elsewhere: [] };
