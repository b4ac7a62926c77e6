import { say } from '@tyrian/diagnostics';
import type { Refusal } from '../refusal.ts';

// Plug-ins of the language that are refused, with the reason and a way out.

const LEAVES: Refusal = {
  why: say('leavesTenant'),
  wayOut: say('importOrFetch'),
};
const RUNS_CODE: Refusal = {
  why: say('runsPrograms'),
  wayOut: say('operatorsOrExport'),
};
const SAMPLES: Refusal = {
  why: say('segmentsUndocumented'),
  wayOut: say('countCombinations'),
};
const SHAPES: Refusal = {
  why: say('noExternalTables'),
  wayOut: say('useGetschema'),
};
const MODELS: Refusal = { why: say('callsModels'), wayOut: say('exportRows') };

const LOOKS_BACK: Refusal = {
  why: say('windowUndocumented'),
  wayOut: say('useScan'),
};
const SEQUENCES: Refusal = {
  why: say('sequenceUndocumented'),
  wayOut: say('useScanInPartition'),
};
const ITEMSETS: Refusal = {
  why: say('patternsUndocumented'),
  wayOut: say('countCombinations'),
};
const SHAPES_ON_EARTH: Refusal = {
  why: say('notByShapes'),
  wayOut: say('eachShape'),
};
const INTERNAL: Refusal = { why: say('testsAzure'), wayOut: say('leaveOut') };

/** By name. */
export const REFUSED_PLUGINS: Readonly<Record<string, Refusal>> = {
  active_users_count: LOOKS_BACK,
  ai_chat_completion: MODELS,
  ai_chat_completion_prompt: MODELS,
  ai_embed_text: MODELS,
  ai_embeddings: MODELS,
  autocluster: SAMPLES,
  basket: ITEMSETS,
  azure_digital_twins_query_request: LEAVES,
  cosmosdb_sql_request: LEAVES,
  csharp: RUNS_CODE,
  dax_request: LEAVES,
  diffpatterns: SAMPLES,
  diffpatterns_text: SAMPLES,
  execute_query: LEAVES,
  execute_show_command: LEAVES,
  external_datatable: LEAVES,
  funnel_sequence: SEQUENCES,
  funnel_sequence_completion: SEQUENCES,
  geo_line_lookup: SHAPES_ON_EARTH,
  geo_polygon_lookup: SHAPES_ON_EARTH,
  http_request: LEAVES,
  http_request_post: LEAVES,
  identity_v3: INTERNAL,
  infer_storage_schema: SHAPES,
  infer_storage_schema_with_suggestions: SHAPES,
  mysql_request: LEAVES,
  postgresql_request: LEAVES,
  python: RUNS_CODE,
  r: RUNS_CODE,
  sequence_detect: SEQUENCES,
  session_count: LOOKS_BACK,
  sql_request: LEAVES,
};
