import type { Builder } from './builder.ts';
import { CONVERSION_BUILDERS } from './conversion-builders.ts';
import { DATETIME_BUILDERS } from './datetime-builders.ts';
import { DYNAMIC_BUILDERS } from './dynamic-builders.ts';
import { GEO_BUILDERS } from './geo-builders.ts';
import { GEO_INFO_BUILDERS } from './geo-info-builders.ts';
import { GEO_SHAPE_BUILDERS } from './geo-shape-builders.ts';
import { GRAPH_BUILDERS } from './graph-builders.ts';
import { LITERAL_BUILDERS } from './literal-builders.ts';
import { NETWORK_BUILDERS } from './network-builders.ts';
import { NUMBER_BUILDERS } from './number-builders.ts';
import { OPERATOR_BUILDERS } from './operator-builders.ts';
import { ROW_BUILDERS } from './row-builders.ts';
import { S2_CELL_BUILDERS } from './s2-cell-builders.ts';
import { SERIES_BUILDERS } from './series-builders.ts';
import { SERIES_FILL_BUILDERS } from './series-fill-builders.ts';
import { SERIES_FIT_BUILDERS } from './series-fit-builders.ts';
import { SERIES_SEASON_BUILDERS } from './series-season-builders.ts';
import { STATE_BUILDERS } from './state-builders.ts';
import { STRING_BUILDERS } from './string-builders.ts';
import { USER_AGENT_BUILDERS } from './user-agent-builders.ts';

/** The SQL of every function of the registry, by its name there; `and`, `or`, `iff` and searches stand elsewhere. */
export const SCALAR_BUILDERS: Readonly<Record<string, Builder>> = {
  ...OPERATOR_BUILDERS,
  ...CONVERSION_BUILDERS,
  ...NUMBER_BUILDERS,
  ...STRING_BUILDERS,
  ...LITERAL_BUILDERS,
  ...DATETIME_BUILDERS,
  ...DYNAMIC_BUILDERS,
  ...NETWORK_BUILDERS,
  ...GEO_BUILDERS,
  ...GEO_INFO_BUILDERS,
  ...USER_AGENT_BUILDERS,
  ...GEO_SHAPE_BUILDERS,
  ...S2_CELL_BUILDERS,
  ...GRAPH_BUILDERS,
  ...SERIES_BUILDERS,
  ...SERIES_FILL_BUILDERS,
  ...SERIES_FIT_BUILDERS,
  ...SERIES_SEASON_BUILDERS,
  ...STATE_BUILDERS,
  ...ROW_BUILDERS,
};
