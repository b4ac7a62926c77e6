// Where a name compiles and its documented meaning is not met to the letter. One sentence each.

export const DEVIATIONS: Readonly<Record<string, string>> = {
  current_cluster_endpoint: 'Names this installation, not a cluster of Azure.',
  current_database: 'Names the tenant.',
  search: 'Without a list of tables it searches the streams, and the text of the event as it was received.',
  union:
    '`*` means the streams, so that an event counts once, unless the query names a column that only a well-known table has.',
  rand: 'Another sequence than in Azure Data Explorer.',
  sample: 'Another choice of rows than in Azure Data Explorer.',
  'sample-distinct': 'Another choice of values than in Azure Data Explorer.',
};
