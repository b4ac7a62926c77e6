// What each tabular operator does and how it is written, for hover and completion.

export interface OperatorNote {
  readonly note: string;
  readonly example: string;
}

const note = (text: string, example: string): OperatorNote => ({ note: text, example });

const OPERATORS: Readonly<Record<string, OperatorNote>> = {
  as: note('Gives the table a name, to use it again further down.', '| as T'),
  consume: note('Reads everything and gives no rows.', '| consume'),
  count: note('Number of rows.', '| count'),
  datatable: note('A table written in the query.', 'datatable(Name: string)["a", "b"]'),
  distinct: note('Different combinations of columns.', '| distinct DvcHostname, ActorUsername'),
  evaluate: note('Runs a plugin on the table.', '| evaluate bag_unpack(Ext)'),
  extend: note('Adds columns.', '| extend Domain = tolower(DnsQuery)'),
  externaldata: note('Reads a file from outside; refused, because a query does not leave the tenant.', ''),
  facet: note('A table of counts for each of several columns.', '| facet by Stream, EventResult'),
  filter: note('Keeps the rows where a condition holds; the same as where.', '| filter EventID == 4625'),
  find: note(
    'Rows of several tables that meet a condition.',
    'find in (Dns, Web) where SrcIpAddr == "10.0.0.1"',
  ),
  fork: note('Runs several pipelines on the same table.', '| fork (count) (take 10)'),
  getschema: note('Names and types of the columns.', '| getschema'),
  invoke: note('Calls a function with the table as its first argument.', '| invoke withDomain()'),
  join: note(
    'Rows of two tables side by side, where columns agree; without kind, one row of the left for each key.',
    '| join kind=inner (Dns) on DvcHostname',
  ),
  let: note('Names a value, a table or a function for what follows.', 'let span = 1h;'),
  limit: note('A number of rows, any ones; the same as take.', '| limit 100'),
  lookup: note('Adds columns of a small table where a key agrees.', '| lookup kind=leftouter T on Key'),
  'make-series': note(
    'Values over an axis at even steps, as arrays.',
    '| make-series n = count() on TimeGenerated step 1h',
  ),
  'mv-apply': note(
    'Runs a pipeline on the values of an array, row by row.',
    '| mv-apply v = Ext.list on (where v > 1)',
  ),
  'mv-expand': note('One row for each value of an array.', '| mv-expand Ext.list to typeof(string)'),
  order: note('Sorts; the same as sort.', '| order by TimeGenerated desc'),
  parse: note('Takes a text apart by a pattern, into columns.', '| parse Raw with * "user=" User " " *'),
  'parse-kv': note(
    'Takes a text of keys and values apart.',
    '| parse-kv Raw as (user: string) with (pair_delimiter=" ")',
  ),
  'parse-where': note(
    'Takes a text apart and keeps the rows that match.',
    '| parse-where Raw with * "user=" User " " *',
  ),
  partition: note('Runs a pipeline for each value of a column.', '| partition by Stream (take 3)'),
  print: note('One row of expressions.', 'print now()'),
  project: note(
    'Chooses columns, in order, renamed or computed.',
    '| project TimeGenerated, Host = DvcHostname',
  ),
  'project-away': note('Leaves columns out.', '| project-away Raw, Ext'),
  'project-keep': note('Keeps columns in the order they have.', '| project-keep Time*'),
  'project-rename': note('Renames columns.', '| project-rename Host = DvcHostname'),
  'project-reorder': note('Puts columns first.', '| project-reorder TimeGenerated, DvcHostname'),
  range: note('A column of values at even steps.', 'range n from 1 to 10 step 1'),
  reduce: note('Groups texts that look alike.', '| reduce by CommandLine'),
  render: note('Says how to draw the result.', '| render timechart'),
  sample: note('A number of rows at random.', '| sample 10'),
  'sample-distinct': note('A number of different values.', '| sample-distinct 10 of DvcHostname'),
  'make-graph': note(
    'Makes a graph of rows that are edges, and of a table of nodes.',
    '| make-graph ActorUsername --> SrcHostname with_node_id=Name',
  ),
  'graph-match': note(
    'A row for each place in a graph where a pattern of edges fits.',
    '| graph-match (user)-[login]->(host) where login.EventResult == "Failure" project user.Name, host.Name',
  ),
  'graph-mark-components': note(
    'Tells each node of a graph to which connected part of it the node belongs.',
    '| graph-mark-components with_component_id=Part | graph-to-table nodes',
  ),
  'graph-shortest-paths': note(
    'The shortest paths between nodes of a graph.',
    '| graph-shortest-paths (user)-[steps*1..5]->(host) project user.Name, host.Name, map(steps, EventType)',
  ),
  'graph-to-table': note('The nodes or the edges of a graph as rows.', '| graph-to-table nodes'),
  scan: note(
    'Finds sequences of rows, step by step.',
    '| scan with (step a: EventID == 4625; step b: EventID == 4624;)',
  ),
  search: note('Rows that have a term in any column.', 'search "mimikatz"'),
  serialize: note(
    'Fixes the order of the rows, for prev, next and row_number.',
    '| serialize n = row_number()',
  ),
  sort: note('Sorts; descending unless asc is written.', '| sort by TimeGenerated desc'),
  summarize: note(
    'Groups rows and computes over each group.',
    '| summarize n = count() by DvcHostname, bin(TimeGenerated, 1h)',
  ),
  take: note('A number of rows, any ones.', '| take 100'),
  top: note('The first rows of an order.', '| top 10 by TimeGenerated desc'),
  'top-hitters': note('Most frequent values, roughly.', '| top-hitters 10 of DvcHostname'),
  'top-nested': note(
    'Top values, and within each the top values of another.',
    '| top-nested 3 of Stream by count()',
  ),
  union: note('Rows of several tables one after the other.', '| union Web'),
  where: note('Keeps the rows where a condition holds.', '| where EventResult == "Failure"'),
};

const COMPARISONS: Readonly<Record<string, string>> = {
  has: 'The text has this as a whole term, case ignored. Uses the index, so prefer it to contains.',
  has_cs: 'The text has this as a whole term, case kept.',
  has_any: 'The text has one of these as a whole term, case ignored.',
  has_all: 'The text has each of these as a whole term, case ignored.',
  hasprefix: 'The text has a term that begins with this, case ignored.',
  hassuffix: 'The text has a term that ends with this, case ignored.',
  contains: 'The text has this anywhere, case ignored. Reads every text; has is faster for whole terms.',
  contains_cs: 'The text has this anywhere, case kept.',
  startswith: 'The text begins with this, case ignored.',
  endswith: 'The text ends with this, case ignored.',
  in: 'The value is one of these, case kept.',
  'in~': 'The value is one of these, case ignored.',
  between: 'The value lies between two others, both included: between (1 .. 5).',
  matches: 'The text matches a regular expression (RE2): matches regex "a.*b".',
};

/** What a tabular operator does; undefined when nothing is written down. */
export const operatorNote = (name: string): OperatorNote | undefined =>
  Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined;

/** What a comparison such as `has` does; '' when nothing is written down. */
export const comparisonNote = (name: string): string =>
  Object.hasOwn(COMPARISONS, name) ? (COMPARISONS[name] ?? '') : '';
