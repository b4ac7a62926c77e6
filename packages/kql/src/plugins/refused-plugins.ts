import type { Refusal } from '../refusal.ts';

// Plug-ins of the language that are refused, with the reason and a way out.

const LEAVES: Refusal = {
  why: 'a query does not leave the tenant',
  wayOut: 'Import the data as events, or fetch it outside of the query',
};
const RUNS_CODE: Refusal = {
  why: 'a query does not run programs',
  wayOut: 'Rewrite this step with operators, or export the rows',
};
const SAMPLES: Refusal = {
  why: 'its segments come from a search that is not documented',
  wayOut: 'Count the combinations: summarize count() by the columns, then top',
};
const SHAPES: Refusal = {
  why: 'there are no external tables whose schema it could work out',
  wayOut: 'Use getschema for the columns of a table',
};
const MODELS: Refusal = { why: 'a query does not call models', wayOut: 'Export the rows' };

const LOOKS_BACK: Refusal = {
  why: 'its documentation does not say which appearances its window takes in',
  wayOut: 'Say it with scan, or with sort and prev()',
};
const SEQUENCES: Refusal = {
  why: 'its documentation does not say which of several sequences of one id counts',
  wayOut: 'Say the sequence with scan, in a partition by the id',
};
const ITEMSETS: Refusal = {
  why: 'its documentation does not say which of its patterns it shows',
  wayOut: 'Count the combinations: summarize count() by the columns, then top',
};
const SHAPES_ON_EARTH: Refusal = {
  why: 'events are not joined by shapes',
  wayOut: 'Hold the point against each shape with geo_point_in_polygon() or geo_distance_2points()',
};
const INTERNAL: Refusal = { why: 'it tests the service of Azure itself', wayOut: 'Leave it out' };

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
