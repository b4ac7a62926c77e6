// What each tabular operator does and how it is written, for hover and completion. The notes of the other languages stand
// in packages/kql/locales/editor.<locale>.json, by the same names; the examples are the same in all.

export interface OperatorNote {
  readonly note: string;
  readonly example: string;
}

const note = (text: string, example: string): OperatorNote => ({ note: text, example });

/** Tabular operators, by name. */
export const OPERATOR_NOTES: Readonly<Record<string, OperatorNote>> = {
  as: note('Names the table so that it can be used again later.', '| as T'),
  consume: note('Reads all rows and returns none.', '| consume'),
  count: note('Returns the number of rows.', '| count'),
  datatable: note('A table written in the query.', 'datatable(Name: string)["a", "b"]'),
  distinct: note('Distinct combinations of columns.', '| distinct DvcHostname, ActorUsername'),
  evaluate: note('Runs a plugin on the table.', '| evaluate bag_unpack(Ext)'),
  extend: note('Adds computed columns.', '| extend Domain = tolower(DnsQuery)'),
  externaldata: note(
    'Reads an external file; not allowed, because a query cannot read outside its tenant.',
    '',
  ),
  facet: note('A table of counts for each of several columns.', '| facet by Stream, EventResult'),
  filter: note('Keeps the rows where a condition is true; the same as where.', '| filter EventID == 4625'),
  find: note(
    'Rows of several tables that meet a condition.',
    'find in (Dns, Web) where SrcIpAddr == "10.0.0.1"',
  ),
  fork: note('Runs several pipelines on the same table.', '| fork (count) (take 10)'),
  getschema: note('Names and types of the columns.', '| getschema'),
  invoke: note('Calls a function with the table as its first argument.', '| invoke withDomain()'),
  join: note(
    'Combines rows of two tables where key columns are equal; without kind, one left row for each key.',
    '| join kind=inner (Dns) on DvcHostname',
  ),
  let: note('Names a value, a table or a function to use in the query.', 'let span = 1h;'),
  limit: note('Returns up to a number of rows, in no set order; the same as take.', '| limit 100'),
  lookup: note('Adds columns of a small table where the key is equal.', '| lookup kind=leftouter T on Key'),
  'make-series': note(
    'Aggregates over an axis in equal steps; the results are arrays.',
    '| make-series n = count() on TimeGenerated step 1h',
  ),
  'mv-apply': note(
    'Runs a pipeline on the values of an array, row by row.',
    '| mv-apply v = Ext.list on (where v > 1)',
  ),
  'mv-expand': note('Returns one row for each value of an array.', '| mv-expand Ext.list to typeof(string)'),
  order: note('Sorts the rows; the same as sort.', '| order by TimeGenerated desc'),
  parse: note('Extracts parts of a text into columns by a pattern.', '| parse Raw with * "user=" User " " *'),
  'parse-kv': note(
    'Extracts key-value pairs of a text into columns.',
    '| parse-kv Raw as (user: string) with (pair_delimiter=" ")',
  ),
  'parse-where': note(
    'Extracts parts of a text into columns and keeps only the rows that match the pattern.',
    '| parse-where Raw with * "user=" User " " *',
  ),
  partition: note('Runs a pipeline for each value of a column.', '| partition by Stream (take 3)'),
  print: note('Returns one row of computed values.', 'print now()'),
  project: note('Selects, renames and computes columns.', '| project TimeGenerated, Host = DvcHostname'),
  'project-away': note('Removes columns.', '| project-away Raw, Ext'),
  'project-keep': note('Keeps only some columns, in their existing order.', '| project-keep Time*'),
  'project-rename': note('Renames columns.', '| project-rename Host = DvcHostname'),
  'project-reorder': note('Moves columns to the front.', '| project-reorder TimeGenerated, DvcHostname'),
  range: note('A column of values in equal steps.', 'range n from 1 to 10 step 1'),
  reduce: note('Groups similar texts.', '| reduce by CommandLine'),
  render: note('Sets how the result is drawn.', '| render timechart'),
  sample: note('Returns a number of random rows.', '| sample 10'),
  'sample-distinct': note(
    'Returns a number of distinct values of a column.',
    '| sample-distinct 10 of DvcHostname',
  ),
  'make-graph': note(
    'Builds a graph from rows as edges and a table of nodes.',
    '| make-graph ActorUsername --> SrcHostname with_node_id=Name',
  ),
  'graph-match': note(
    'Returns one row for each match of a pattern in a graph.',
    '| graph-match (user)-[login]->(host) where login.EventResult == "Failure" project user.Name, host.Name',
  ),
  'graph-mark-components': note(
    'Marks each node of a graph with the ID of its connected component.',
    '| graph-mark-components with_component_id=Part | graph-to-table nodes',
  ),
  'graph-shortest-paths': note(
    'Finds the shortest paths between nodes of a graph.',
    '| graph-shortest-paths (user)-[steps*1..5]->(host) project user.Name, host.Name, map(steps, EventType)',
  ),
  'graph-to-table': note('Returns the nodes or the edges of a graph as rows.', '| graph-to-table nodes'),
  scan: note(
    'Finds sequences of rows, step by step.',
    '| scan with (step a: EventID == 4625; step b: EventID == 4624;)',
  ),
  search: note('Rows that contain a term in any column.', 'search "mimikatz"'),
  serialize: note(
    'Fixes the order of the rows for prev, next and row_number.',
    '| serialize n = row_number()',
  ),
  sort: note('Sorts the rows; descending unless asc is written.', '| sort by TimeGenerated desc'),
  summarize: note(
    'Groups rows and aggregates each group.',
    '| summarize n = count() by DvcHostname, bin(TimeGenerated, 1h)',
  ),
  take: note('Returns up to a number of rows, in no set order.', '| take 100'),
  top: note('Returns the first rows by a sort order.', '| top 10 by TimeGenerated desc'),
  'top-hitters': note('Returns the most frequent values, approximately.', '| top-hitters 10 of DvcHostname'),
  'top-nested': note(
    'Top values of a column and, within each, the top values of another.',
    '| top-nested 3 of Stream by count()',
  ),
  union: note('Appends the rows of several tables.', '| union Web'),
  where: note('Keeps the rows where a condition is true.', '| where EventResult == "Failure"'),
};

/** Comparisons such as `has`, by name. */
export const COMPARISON_NOTES: Readonly<Record<string, string>> = {
  has: 'The text contains this as a whole term; case is ignored. Uses the index, so prefer it to contains.',
  has_cs: 'The text contains this as a whole term; case matters.',
  has_any: 'The text contains one of these as a whole term; case is ignored.',
  has_all: 'The text contains each of these as a whole term; case is ignored.',
  hasprefix: 'The text contains a term that begins with this; case is ignored.',
  hassuffix: 'The text contains a term that ends with this; case is ignored.',
  contains:
    'The text contains this anywhere; case is ignored. Reads every text: has is faster for whole terms.',
  contains_cs: 'The text contains this anywhere; case matters.',
  startswith: 'The text begins with this; case is ignored.',
  endswith: 'The text ends with this; case is ignored.',
  in: 'The value is one of these; case matters.',
  'in~': 'The value is one of these; case is ignored.',
  between: 'The value lies between two others, both included: between (1 .. 5).',
  matches: 'The text matches a regular expression (RE2): matches regex "a.*b".',
};
