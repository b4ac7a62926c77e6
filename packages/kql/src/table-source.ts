import type { KqlType, UploadedTable } from '@tyrian/catalog';

/** A column that a tenant added: the first of these fields below Ext that has a value, in its type. */
export interface SourceField {
  readonly name: string;
  readonly type: KqlType;
  readonly paths: readonly string[];
}

/** A table that a query may name: a stream, every stream, or a view over streams. */
export interface TableSource {
  readonly name: string;
  /** The stream of this name; null where there is none. */
  readonly stream: string | null;
  readonly columns: readonly { readonly name: string; readonly type: KqlType }[];
  /** KQL over the bare streams that the table stands for; absent for stored tables. */
  readonly view?: string;
  /** Columns that the tenant added to the stream. */
  readonly fields?: readonly SourceField[];
  /** The uploaded table whose rows these are. */
  readonly upload?: UploadedTable;
  /** The scope that the query names; absent: those that it is asked in. */
  readonly scope?: string;
}
