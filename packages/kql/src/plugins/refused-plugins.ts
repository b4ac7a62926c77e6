// Plug-ins of the language that are refused, with the reason and a way out.

interface Refusal {
  readonly why: string;
  readonly wayOut: string;
}

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

/** By name. */
export const REFUSED_PLUGINS: Readonly<Record<string, Refusal>> = {
  ai_chat_completion: MODELS,
  ai_chat_completion_prompt: MODELS,
  ai_embed_text: MODELS,
  ai_embeddings: MODELS,
  autocluster: SAMPLES,
  azure_digital_twins_query_request: LEAVES,
  cosmosdb_sql_request: LEAVES,
  csharp: RUNS_CODE,
  dax_request: LEAVES,
  diffpatterns: SAMPLES,
  diffpatterns_text: SAMPLES,
  execute_query: LEAVES,
  execute_show_command: LEAVES,
  external_datatable: LEAVES,
  http_request: LEAVES,
  http_request_post: LEAVES,
  infer_storage_schema: SHAPES,
  infer_storage_schema_with_suggestions: SHAPES,
  mysql_request: LEAVES,
  postgresql_request: LEAVES,
  python: RUNS_CODE,
  r: RUNS_CODE,
  sql_request: LEAVES,
};
