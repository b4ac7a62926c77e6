import type { Diagnostic, Span } from '@tyrian/diagnostics';

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
  tooLong: (span: Span, most: number) =>
    error(
      'TYR101',
      span,
      `The query is longer than ${most / 1024} KB`,
      'Split it, or keep long lists elsewhere',
    ),
  tooDeep: (span: Span) =>
    error('TYR102', span, 'The query is nested too deeply to compile', 'Break it up with let statements'),
  noResult: (span: Span) =>
    error('TYR103', span, 'The query has no table as its result', 'End with a tabular expression'),
  operator: (span: Span, name: string, hint = 'Rewrite this step with operators that are') =>
    error('TYR110', span, `The operator ${name} is not supported`, hint),
  scalarFunction: (span: Span, name: string) =>
    error('TYR111', span, `The function ${name}() is not supported`, 'Use a function that completion offers'),
  functionRefused: (span: Span, name: string, why: string, wayOut: string) =>
    error('TYR111', span, `The function ${name}() is refused: ${why}`, wayOut),
  aggregate: (span: Span, name: string) =>
    error(
      'TYR112',
      span,
      `The aggregation ${name}() is not supported`,
      'Use an aggregation that completion offers',
    ),
  plugin: (span: Span, name: string) =>
    error('TYR113', span, `The plugin ${name} is not supported`, 'Rewrite this step with operators'),
  pluginRefused: (span: Span, name: string, why: string, wayOut: string) =>
    error('TYR113', span, `The plugin ${name} is refused: ${why}`, wayOut),
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
      'The table that it looks up and the columns that it compares have to exist',
    ),
  pluginSchemaNeeded: (span: Span, name: string) =>
    error(
      'TYR118',
      span,
      `The columns of ${name} depend on the data, which cannot be looked at here first`,
      `Name them behind it: evaluate ${name}(...) : (*, name:string)`,
    ),
  pluginTooWide: (span: Span, name: string, most: number) =>
    error(
      'TYR119',
      span,
      `${name} would give more than ${most} columns`,
      'Keep fewer values with where, or name the columns behind it',
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
    error('TYR115', span, `${name} is not supported here`, 'Write this expression in another way'),
  parameter: (span: Span, owner: string, name: string) =>
    error('TYR116', span, `${owner} does not support ${name}`, `Leave ${name} out or use another value`),
  externalData: (span: Span) =>
    error(
      'TYR117',
      span,
      'externaldata is refused: a query does not leave the tenant',
      'Import the data as events',
    ),
  refusedSource: (span: Span, name: string, why: string, wayOut: string) =>
    error('TYR151', span, `${name}() is refused: ${why}`, wayOut),
  functionName: (span: Span, name: string, why: string) =>
    error('TYR160', span, `${name} cannot be the name of a function: ${why}`, 'Choose another name'),
  functionText: (span: Span) =>
    error(
      'TYR161',
      span,
      'The text is not one function',
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
  badRegex: (span: Span, why: string) =>
    error(
      'TYR126',
      span,
      `This is not a regular expression: ${why}`,
      'Patterns are RE2: no lookahead, lookbehind or backreferences, and \\ before a sign that is meant as it is',
    ),
  argumentCount: (span: Span, fn: string) =>
    error('TYR122', span, `${fn}() has the wrong number of arguments`),
  fractionLost: (span: Span, sure: boolean): Diagnostic => ({
    code: 'TYR125',
    severity: sure ? 'error' : 'warning',
    span,
    message: sure
      ? 'Beside a whole number this one would lose its fraction'
      : 'Beside a whole number a dynamic value counts as one: a fraction would be cut off',
    hint: 'Write toreal() around the dynamic value, or tolong() to say that it is whole',
  }),
  badLiteral: (span: Span, what: string) => error('TYR123', span, `This is not a valid ${what}`),
  unknownName: (span: Span, name: string) =>
    error('TYR130', span, `Nothing here is called ${name}`, 'Check the spelling, or use column_ifexists()'),
  unknownColumn: (span: Span, name: string, strict: boolean): Diagnostic => ({
    code: 'TYR131',
    severity: strict ? 'error' : 'warning',
    span,
    message: strict
      ? `No events have had a field called ${name}`
      : `No events have had a field called ${name}; it is read as Ext.${name}`,
    hint: 'Check the spelling; completion offers the fields that were seen',
  }),
  recursion: (span: Span, name: string) =>
    error('TYR132', span, `${name} calls itself`, 'Recursion is not part of KQL'),
  needsGraph: (span: Span, name: string) =>
    error('TYR198', span, `${name} works on a graph, and this is a table`, 'Make a graph first: make-graph'),
  tooBig: (span: Span) =>
    error('TYR133', span, 'The query unfolds to too many steps', 'Use fewer nested let references'),
  tooManySources: (span: Span, count: number, most: number) =>
    error(
      'TYR138',
      span,
      `The query reads ${count} tables, the same ones included; the engine takes ${most}`,
      'Name a table once, and the tables that you mean instead of *',
    ),
  severalTables: (span: Span, name: string) =>
    error(
      'TYR135',
      span,
      `${name} gives several tables, and only one can be shown here`,
      name === 'facet'
        ? 'Run summarize count() by each column as a query of its own, or all of it with tyrian query'
        : name === 'preview'
          ? 'Run take and count as queries of their own, or all of it with tyrian query'
          : 'Run each branch as a query of its own, or all of it with tyrian query',
    ),
  notAtTheEnd: (span: Span, name: string) =>
    error('TYR136', span, `${name} gives several tables, which nothing can read on`, 'Put it last'),
  bareGraph: (span: Span) =>
    error(
      'TYR137',
      span,
      'make-graph alone gives no table',
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
      'Please report it with the query',
    ),
};
