/** What is said of streams and fields that tenants add. */
export const DATA_MODEL_MESSAGES = {
  tooManyStreams: 'A tenant adds at most {{most}} streams',
  tooManyFields: 'A tenant adds at most {{most}} fields',
  nameTaken: 'There is a stream, table or function named {{name}} already',
  noStream: 'There is no stream named {{name}}',
  isColumn: '{{name}} is a column of every event already, or another name of one: {{column}}',
  fieldTaken: 'The stream has a field named {{name}} already',
  otherCase: 'There is a field {{known}} in {{stream}}: names that differ in case alone would be mixed up',
  otherType: '{{name}} is {{known}} in {{stream}}: a name has one type in all streams',
  isAlias: '{{name}} is another name of the field {{field}}',
  inUse:
    '{{count}} workbooks, rules, functions or buckets name {{name}}; confirm that it is to be removed all the same',
  reasonMissing: 'Say why: whoever asked is told',
  decided: 'The request was decided by {{name}} already',
  tooManyRequests: '{{most}} requests are open; they have to be decided first',
} as const;
