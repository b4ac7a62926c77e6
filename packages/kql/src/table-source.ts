import type { KqlType } from '@tyrian/catalog';

/** A table that a query may name: a stream, every stream, or a view over streams. */
export interface TableSource {
  readonly name: string;
  /** The stream of this name; null where there is none. */
  readonly stream: string | null;
  readonly columns: readonly { readonly name: string; readonly type: KqlType }[];
  /** KQL over the bare streams that the table stands for; absent for stored tables. */
  readonly view?: string;
  /** The scope that the query names; absent: those that it is asked in. */
  readonly scope?: string;
}
