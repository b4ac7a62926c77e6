/** A test on a stored column that tells the events of a log source; texts are compared without case. */
export type SourceCondition =
  | { readonly column: string; readonly among: readonly (string | number)[] }
  | { readonly column: string; readonly notAmong: readonly string[] }
  | { readonly column: string; readonly contains: string }
  | { readonly any: readonly SourceCondition[] };

/** How the events of a log source are found and how its fields are read. */
export interface LogSourceMapping {
  /** Stable; the result of a compilation names it. */
  readonly id: string;
  /** What a rule's log source has to say; what stands nowhere here is not looked at. */
  readonly product?: string;
  readonly category?: string;
  readonly service?: string;
  /** Holds only for log sources that say nothing further. */
  readonly exact?: true;
  /** The streams that hold such events; null where any may. */
  readonly streams: readonly string[] | null;
  /** All of them hold. */
  readonly where: readonly SourceCondition[];
  /** Field tables by id, the first that knows a field decides. */
  readonly tables: readonly string[];
}

/** Names of fields and where they stand. */
export interface FieldTable {
  readonly id: string;
  /** These stand in the named sources and nowhere else. */
  readonly sure: Readonly<Record<string, string>>;
  /** These stand in the named sources, or below `Ext` under their own names. */
  readonly also: Readonly<Record<string, string>>;
  /** Its events keep a field that is in no table below `Ext` alone; else the catalog is asked what column has the name. */
  readonly isClosed?: true;
  /** Paths below `Ext` that hold lists of maps: a field that begins with one is looked for in each map. */
  readonly lists?: readonly string[];
  /** Such a field may begin with a capital or with a small letter there. */
  readonly eitherCase?: true;
}
