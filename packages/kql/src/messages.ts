import type { Diagnostic, Fix, Span } from '@tyrian/diagnostics';

// Every message that the compiler has for a user. Codes are stable; each says what is wrong and what to do next.

const error = (code: string, span: Span, message: string, hint?: string): Diagnostic => ({
  code,
  severity: 'error',
  span,
  message,
  ...(hint ? { hint } : {}),
});

export const messages = {
  empty: (span: Span) =>
    error('TYR100', span, 'The query is empty', 'Start with a table, e.g. Events | take 10'),
  freeText: (span: Span, fixes: readonly Fix[]): Diagnostic => ({
    ...error(
      'TYR170',
      span,
      'This is free text, not a KQL query',
      'Search all events for it, or start with a table: Events | where ...',
    ),
    fixes,
  }),
  foreignBeginning: (span: Span, message: string, fixes: readonly Fix[]): Diagnostic => ({
    ...error('TYR172', span, message, 'A query starts with a table; Events contains all events'),
    fixes,
  }),
  literalAlone: (span: Span, fixes: readonly Fix[]): Diagnostic => ({
    code: 'TYR171',
    severity: 'info',
    span,
    message: 'A value alone returns itself; no events are searched',
    hint: 'Search all events for it, or start with a table',
    fixes,
  }),
  tooLong: (span: Span, most: number) =>
    error(
      'TYR101',
      span,
      `The query is longer than ${most / 1024} KB`,
      'Split it, or move long lists elsewhere',
    ),
  tooDeep: (span: Span) =>
    error('TYR102', span, 'The query is nested too deeply to compile', 'Break it up with let statements'),
  tooMany: (span: Span, most: number, what: string) =>
    error('TYR105', span, `The query has more than ${most} ${what}`, 'Split it into several queries'),
  noResult: (span: Span) =>
    error('TYR103', span, 'The query does not return a table', 'End with a tabular expression'),
  operator: (span: Span, name: string, hint = 'Rewrite this step with supported operators') =>
    error('TYR110', span, `The operator ${name} is not supported`, hint),
  scalarFunction: (span: Span, name: string) =>
    error(
      'TYR111',
      span,
      `The function ${name}() is not supported`,
      'Use a function from the completion list',
    ),
  functionRefused: (span: Span, name: string, why: string, wayOut: string) =>
    error('TYR111', span, `The function ${name}() is not allowed: ${why}`, wayOut),
  aggregate: (span: Span, name: string) =>
    error(
      'TYR112',
      span,
      `The aggregation ${name}() is not supported`,
      'Use an aggregation from the completion list',
    ),
  plugin: (span: Span, name: string) =>
    error('TYR113', span, `The plugin ${name} is not supported`, 'Rewrite this step with operators'),
  pluginRefused: (span: Span, name: string, why: string, wayOut: string) =>
    error('TYR113', span, `The plugin ${name} is not allowed: ${why}`, wayOut),
  pluginWithoutRows: (span: Span, name: string) =>
    error(
      'TYR113',
      span,
      `The plugin ${name} has no rows to work on`,
      `Write a table before it: Events | evaluate ${name}(...)`,
    ),
  unboundPlugin: (span: Span, name: string) =>
    error(
      'TYR113',
      span,
      `The arguments of ${name} cannot be bound`,
      'The table that it looks up and the columns that it compares must exist',
    ),
  pluginSchemaNeeded: (span: Span, name: string) =>
    error(
      'TYR118',
      span,
      `The columns of ${name} depend on the data, which cannot be read first here`,
      `Name them after it: evaluate ${name}(...) : (*, name:string)`,
    ),
  pluginTooWide: (span: Span, name: string, most: number) =>
    error(
      'TYR119',
      span,
      `${name} would return more than ${most} columns`,
      'Keep fewer values with where, or name the columns after it',
    ),
  pluginConflict: (span: Span, name: string) =>
    error(
      'TYR124',
      span,
      `bag_unpack finds a slot ${name}, and its input has a column of that name`,
      'Give a prefix, or columnsConflict="keep_source" or "replace_source"',
    ),
  statement: (span: Span, name: string, hint?: string) =>
    error('TYR114', span, `${name} is not supported in a query`, hint),
  expression: (span: Span, name: string) =>
    error('TYR115', span, `${name} is not supported here`, 'Write this expression differently'),
  parameter: (span: Span, owner: string, name: string) =>
    error('TYR116', span, `${owner} does not support ${name}`, `Remove ${name} or use another value`),
  externalData: (span: Span) =>
    error(
      'TYR117',
      span,
      'externaldata is not allowed: a query cannot read from outside the tenant',
      'Import the data as events',
    ),
  refusedSource: (span: Span, name: string, why: string, wayOut: string) =>
    error('TYR151', span, `${name}() is not allowed: ${why}`, wayOut),
  functionName: (span: Span, name: string, why: string) =>
    error('TYR160', span, `${name} cannot be the name of a function: ${why}`, 'Choose another name'),
  functionText: (span: Span) =>
    error(
      'TYR161',
      span,
      'The text is not a single function',
      'Write statements and one expression, without the braces, and parameters as in a let',
    ),
  mustBeConstant: (span: Span, fn: string, position: number) =>
    error(
      'TYR120',
      span,
      `Argument ${position} of ${fn}() must be known before the query runs`,
      'Use a literal, or a let with a literal',
    ),
  badArgument: (span: Span, fn: string, why: string) => error('TYR121', span, `${fn}(): ${why}`),
  untypedSides: (span: Span, operator: string) =>
    error(
      'TYR127',
      span,
      `Both sides of ${operator} are dynamic`,
      'Convert one of them, for example with toreal() or tolong()',
    ),
  noOrder: (span: Span, name: string) =>
    error('TYR128', span, `${name}() needs sorted rows`, 'Sort the rows first, or add | serialize before it'),
  badRegex: (span: Span, why: string) =>
    error(
      'TYR126',
      span,
      `Invalid regular expression: ${why}`,
      'Patterns are RE2: no lookahead, lookbehind or backreferences; escape special characters with \\',
    ),
  argumentCount: (span: Span, fn: string) =>
    error('TYR122', span, `${fn}() has the wrong number of arguments`),
  fractionLost: (span: Span, sure: boolean): Diagnostic => ({
    code: 'TYR125',
    severity: sure ? 'error' : 'warning',
    span,
    message: sure
      ? 'Next to a whole number, this value would lose its fraction'
      : 'Next to a whole number, a dynamic value is read as one: a fraction would be cut off',
    hint: 'Write toreal() around the dynamic value, or tolong() to say that it is whole',
  }),
  badLiteral: (span: Span, what: string) => error('TYR123', span, `Not a valid ${what}`),
  unknownName: (span: Span, name: string) =>
    error('TYR130', span, `Unknown name "${name}"`, 'Check the spelling, or use column_ifexists()'),
  unknownColumn: (span: Span, name: string, strict: boolean): Diagnostic => ({
    code: 'TYR131',
    severity: strict ? 'error' : 'warning',
    span,
    message: strict
      ? `No event has had a field named ${name}`
      : `No event has had a field named ${name}; it is read as Ext.${name}`,
    hint: 'Check the spelling; completion lists the fields that were seen',
  }),
  recursion: (span: Span, name: string) =>
    error('TYR132', span, `${name} calls itself`, 'Recursion is not part of KQL'),
  needsGraph: (span: Span, name: string) =>
    error('TYR198', span, `${name} works on a graph, and this is a table`, 'Make a graph first: make-graph'),
  tooBig: (span: Span) =>
    error('TYR133', span, 'The query expands to too many steps', 'Use fewer nested let references'),
  tooManySources: (span: Span, count: number, most: number) =>
    error(
      'TYR138',
      span,
      `The query reads ${count} tables, counting repeats; the limit is ${most}`,
      'Name each table once, and name the tables that you need instead of *',
    ),
  severalTables: (span: Span, name: string) =>
    error(
      'TYR135',
      span,
      `${name} returns several tables, and only one can be shown here`,
      name === 'facet'
        ? 'Run summarize count() by each column as a separate query, or the whole query with tyrian query'
        : name === 'preview'
          ? 'Run take and count as separate queries, or the whole query with tyrian query'
          : 'Run each branch as a separate query, or the whole query with tyrian query',
    ),
  notAtTheEnd: (span: Span, name: string) =>
    error('TYR136', span, `${name} returns several tables, so no step can follow it`, 'Put it last'),
  bareGraph: (span: Span) =>
    error(
      'TYR137',
      span,
      'make-graph alone does not return a table',
      'Read the graph with graph-match or graph-to-table',
    ),
  columnsDiffer: (span: Span, name: string) =>
    error(
      'TYR134',
      span,
      `The columns of ${name} cannot be worked out here`,
      'Name the columns with project',
    ),
  ignored: (span: Span, what: string): Diagnostic => ({
    code: 'TYR140',
    severity: 'info',
    span,
    message: `${what} has no effect here`,
  }),
  /** Of what failed the first line alone: below it the language service lists places in its own files. */
  ours: (span: Span, why: string) =>
    error(
      'TYR199',
      span,
      `The compiler failed on this query: ${why.split('\n', 1)[0]}`,
      'Report this problem together with the query',
    ),
};
