export const ENRICHMENT_MESSAGES = {
  tooManyTables: 'A scope has at most {{most}} tables of enrichment: delete one that knows nothing',
  tooManyEntries: 'A table has at most {{most}} entries: split it, or leave out what has expired',
  tooMuch: 'The tables of a scope take at most {{most}} MiB together: delete one, or upload fewer entries',
  nothingRead: 'Nothing in the upload can be read: look at the preview, and at the format',
  noColumn: 'Events have no column {{name}}',
  nameTaken: 'The scope has a table called {{name}} already',
  changedMeanwhile: 'The table was changed by another user in the meantime',
} as const;
