import { type Diagnostic, type Fix, type Sentence, type Span, say, saying } from '@tyrian/diagnostics';
import type { Refusal } from './refusal.ts';

// Every message that the compiler has for a user. Codes are stable; each says what is wrong and what to do next. The
// wording stands in the sentences of the diagnostics.

const error = (code: string, span: Span, text: Sentence, hint?: Sentence): Diagnostic => ({
  code,
  severity: 'error',
  span,
  ...saying(text, hint),
});

/** What a text has too many of. */
const TOO_MANY = { lets: 'tooManyLets', steps: 'tooManySteps' } as const;

export const messages = {
  empty: (span: Span) => error('TYR100', span, say('empty'), say('startWithTable')),
  freeText: (span: Span, fixes: readonly Fix[]): Diagnostic => ({
    ...error('TYR170', span, say('freeText'), say('searchOrStartWithTable')),
    fixes,
  }),
  foreignBeginning: (span: Span, text: Sentence, fixes: readonly Fix[]): Diagnostic => ({
    ...error('TYR172', span, text, say('queryStartsWithTable')),
    fixes,
  }),
  literalAlone: (span: Span, fixes: readonly Fix[]): Diagnostic => ({
    code: 'TYR171',
    severity: 'info',
    span,
    ...saying(say('literalAlone'), say('searchOrTable')),
    fixes,
  }),
  tooLong: (span: Span, most: number) =>
    error('TYR101', span, say('tooLong', { limit: most / 1024 }), say('splitLong')),
  tooDeep: (span: Span) => error('TYR102', span, say('tooDeep'), say('useLet')),
  tooMany: (span: Span, limit: number, what: keyof typeof TOO_MANY) =>
    error('TYR105', span, say(TOO_MANY[what], { limit }), say('split')),
  noResult: (span: Span) => error('TYR103', span, say('noResult'), say('endTabular')),
  operator: (span: Span, name: string | Sentence, hint = say('rewriteStep')) =>
    error('TYR110', span, say('operatorUnsupported', { name }), hint),
  scalarFunction: (span: Span, name: string) =>
    error('TYR111', span, say('functionUnsupported', { name }), say('useListedFunction')),
  functionRefused: (span: Span, name: string, { why, wayOut }: Refusal) =>
    error('TYR111', span, say('functionRefused', { name, why }), wayOut),
  aggregate: (span: Span, name: string) =>
    error('TYR112', span, say('aggregationUnsupported', { name }), say('useListedAggregation')),
  plugin: (span: Span, name: string) =>
    error('TYR113', span, say('pluginUnsupported', { name }), say('rewriteWithOperators')),
  pluginRefused: (span: Span, name: string, { why, wayOut }: Refusal) =>
    error('TYR113', span, say('pluginRefused', { name, why }), wayOut),
  pluginWithoutRows: (span: Span, name: string) =>
    error('TYR113', span, say('pluginWithoutRows', { name }), say('tableBeforePlugin', { name })),
  unboundPlugin: (span: Span, name: string) =>
    error('TYR113', span, say('pluginUnbound', { name }), say('pluginTableMustExist')),
  pluginSchemaNeeded: (span: Span, name: string) =>
    error('TYR118', span, say('pluginSchemaNeeded', { name }), say('nameColumnsAfter', { name })),
  pluginTooWide: (span: Span, name: string, limit: number) =>
    error('TYR119', span, say('pluginTooWide', { name, limit }), say('keepFewerValues')),
  pluginConflict: (span: Span, name: string) =>
    error('TYR124', span, say('pluginConflict', { name }), say('givePrefix')),
  statement: (span: Span, name: string | Sentence, hint?: Sentence) =>
    error('TYR114', span, say('statementUnsupported', { name }), hint),
  expression: (span: Span, name: string | Sentence) =>
    error('TYR115', span, say('expressionUnsupported', { name }), say('writeDifferently')),
  parameter: (span: Span, owner: string | Sentence, name: string | Sentence) =>
    error('TYR116', span, say('parameterUnsupported', { owner, name }), say('removeParameter', { name })),
  externalData: (span: Span) => error('TYR117', span, say('externalData'), say('importAsEvents')),
  refusedSource: (span: Span, name: string, { why, wayOut }: Refusal) =>
    error('TYR151', span, say('sourceRefused', { name, why }), wayOut),
  functionName: (span: Span, name: string, why: Sentence) =>
    error('TYR160', span, say('functionName', { name, why }), say('chooseOtherName')),
  functionText: (span: Span) => error('TYR161', span, say('notOneFunction'), say('functionForm')),
  mustBeConstant: (span: Span, name: string, position: number) =>
    error('TYR120', span, say('mustBeConstant', { position, name }), say('useLiteral')),
  badArgument: (span: Span, name: string, why: Sentence) =>
    error('TYR121', span, say('badArgument', { name, why })),
  untypedSides: (span: Span, operator: string) =>
    error('TYR127', span, say('bothDynamic', { operator }), say('convertOneSide')),
  noOrder: (span: Span, name: string) => error('TYR128', span, say('needsOrder', { name }), say('sortFirst')),
  badRegex: (span: Span, why: string | Sentence) =>
    error('TYR126', span, say('badRegex', { why }), say('regexIsRe2')),
  argumentCount: (span: Span, name: string) => error('TYR122', span, say('argumentCount', { name })),
  fractionLost: (span: Span, sure: boolean): Diagnostic => ({
    code: 'TYR125',
    severity: sure ? 'error' : 'warning',
    span,
    ...saying(say(sure ? 'fractionLost' : 'fractionMayBeLost'), say('writeToreal')),
  }),
  badLiteral: (span: Span, type: string) => error('TYR123', span, say('badLiteral', { type })),
  unknownName: (span: Span, name: string) =>
    error('TYR130', span, say('unknownName', { name }), say('checkSpelling')),
  unknownColumn: (span: Span, name: string, strict: boolean): Diagnostic => ({
    code: 'TYR131',
    severity: strict ? 'error' : 'warning',
    span,
    ...saying(say(strict ? 'fieldUnseen' : 'fieldReadFromExt', { name }), say('seenFieldsListed')),
  }),
  recursion: (span: Span, name: string) =>
    error('TYR132', span, say('recursion', { name }), say('noRecursion')),
  needsGraph: (span: Span, name: string) =>
    error('TYR198', span, say('needsGraph', { name }), say('makeGraphFirst')),
  tooBig: (span: Span) => error('TYR133', span, say('tooBig'), say('fewerNestedLets')),
  tooManySources: (span: Span, tables: number, limit: number) =>
    error('TYR138', span, say('tooManySources', { tables, limit }), say('nameTablesOnce')),
  severalTables: (span: Span, name: string) =>
    error(
      'TYR135',
      span,
      say('severalTables', { name }),
      say(name === 'facet' ? 'separateFacet' : name === 'preview' ? 'separatePreview' : 'separateFork'),
    ),
  notAtTheEnd: (span: Span, name: string) =>
    error('TYR136', span, say('notAtTheEnd', { name }), say('putLast')),
  bareGraph: (span: Span) => error('TYR137', span, say('bareGraph'), say('readGraph')),
  columnsDiffer: (span: Span, name: string | Sentence) =>
    error('TYR134', span, say('columnsDiffer', { name }), say('nameWithProject')),
  ignored: (span: Span, name: string | Sentence): Diagnostic => ({
    code: 'TYR140',
    severity: 'info',
    span,
    ...saying(say('ignored', { name })),
  }),
  /** Of what failed the first line alone: below it the language service lists places in its own files. */
  ours: (span: Span, why: string) =>
    error('TYR199', span, say('compilerFailed', { why: why.split('\n', 1)[0] ?? '' }), say('reportQuery')),
};
