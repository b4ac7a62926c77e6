// A column of the normalised schema: what KQL calls it, what type it has, how ClickHouse stores it,
// and by which names other vocabularies know it. Column names follow the ASIM schemas (PascalCase).

/** The scalar types of KQL. `long` is 64 bit, `int` 32 bit, `datetime` UTC. */
export type KqlType =
  | 'bool'
  | 'int'
  | 'long'
  | 'real'
  | 'decimal'
  | 'string'
  | 'datetime'
  | 'timespan'
  | 'guid'
  | 'dynamic';

/** How often a value repeats; it decides storage. `low`: dictionary; `high`: plain string. */
export type Cardinality = 'low' | 'high';

/** Names that other vocabularies give a column; the editor completes them, the binder accepts them. */
export interface ColumnAliases {
  readonly ecs?: readonly string[];
  readonly ocsf?: readonly string[];
  readonly cim?: readonly string[];
  /** Field names of Sigma rules and of Windows event data. */
  readonly sigma?: readonly string[];
}

export interface Column {
  readonly name: string;
  readonly type: KqlType;
  readonly description: string;
  /** ClickHouse type of the stored column; see db/clickhouse. */
  readonly stored: string;
  /** `bloom`: a bloom filter index answers equality; `none`: scan. */
  readonly index: 'bloom' | 'none';
  readonly aliases: ColumnAliases;
}

interface ColumnOptions extends ColumnAliases {
  readonly cardinality?: Cardinality;
  readonly index?: 'bloom';
}

const STORED: Record<Exclude<KqlType, 'string'>, string> = {
  bool: 'Nullable(Bool)',
  int: 'Nullable(Int32)',
  long: 'Nullable(Int64)',
  real: 'Nullable(Float64)',
  decimal: 'Nullable(Decimal(38, 18))',
  datetime: "Nullable(DateTime64(3, 'UTC'))",
  timespan: 'Nullable(Int64)',
  guid: 'Nullable(UUID)',
  dynamic: 'JSON(max_dynamic_paths=128, max_dynamic_types=4)',
};

/** Builds a column value; strings default to low cardinality. */
export function column(
  name: string,
  type: KqlType,
  description: string,
  options: ColumnOptions = {},
): Column {
  const { cardinality = 'low', index, ...aliases } = options;
  const stored =
    type === 'string' ? (cardinality === 'low' ? 'LowCardinality(String)' : 'String') : STORED[type];
  return { name, type, description, stored, index: index ?? 'none', aliases };
}
