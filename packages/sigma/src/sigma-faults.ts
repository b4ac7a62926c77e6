import type { Diagnostic, Severity, Span } from '@tyrian/diagnostics';

// Every sentence about a rule. Codes are stable. A fault is of one of three kinds, which becomes the verdict of the rule:
// `invalid` (the text is no rule), `unsupported` (a rule that Tyrian cannot run), `missing` (of a list that a tenant keeps).

/** What a fault makes of its rule. */
export type FaultKind = 'invalid' | 'unsupported' | 'missing-list';

/** A reason why a rule does not run, with its position in the text. */
export interface SigmaFault extends Diagnostic {
  readonly kind: FaultKind;
}

const fault = (kind: FaultKind, code: string, span: Span, message: string): SigmaFault => ({
  kind,
  code,
  severity: 'error',
  span,
  message,
});
const invalid = (code: string, span: Span, message: string): SigmaFault =>
  fault('invalid', code, span, message);
const unsupported = (code: string, span: Span, message: string): SigmaFault =>
  fault('unsupported', code, span, message);

/** At most so much of a user's text is repeated in a sentence. */
const shown = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}...` : text);

export const faults = {
  notUtf8: (span: Span) => invalid('SIG100', span, 'The text is not UTF-8'),
  tooLong: (span: Span, most: number) => invalid('SIG101', span, `The text is longer than ${most / 1024} KB`),
  yaml: (span: Span, why: string) => invalid('SIG102', span, `The text is not YAML: ${shown(why)}`),
  tooDeep: (span: Span, most: number) => invalid('SIG103', span, `The text nests deeper than ${most} levels`),
  tooManyNodes: (span: Span, most: number) =>
    invalid(
      'SIG104',
      span,
      `The text holds more than ${most} values, those of aliases counted wherever they stand`,
    ),
  tooManyDocuments: (span: Span, most: number) =>
    invalid('SIG105', span, `The text holds more than ${most} documents`),
  noDocument: (span: Span) => invalid('SIG106', span, 'The text holds no rule'),
  duplicateKey: (span: Span, key: string) => invalid('SIG107', span, `The key "${shown(key)}" stands twice`),
  aliasUnknown: (span: Span) => invalid('SIG108', span, 'The alias has no anchor before it'),
  severalRules: (span: Span, count: number) =>
    invalid('SIG109', span, `The text holds ${count} rules; one is expected here`),
  missing: (span: Span, what: string) => invalid('SIG110', span, `The rule has no "${what}"`),
  wrongType: (span: Span, what: string, wanted: string) =>
    invalid('SIG111', span, `"${shown(what)}" is not ${wanted}`),
  notOneOf: (span: Span, what: string, value: string, allowed: readonly string[]): SigmaFault => ({
    ...invalid('SIG112', span, `"${shown(value)}" is no ${what}: one of ${allowed.join(', ')}`),
  }),
  action: (span: Span, name: string) =>
    invalid('SIG113', span, `"${shown(name)}" is no action of a document`),
  emptyDetection: (span: Span, name: string) => invalid('SIG120', span, `"${shown(name)}" selects nothing`),
  modifier: (span: Span, name: string) =>
    unsupported('SIG121', span, `The modifier "${shown(name)}" is unknown`),
  modifierOrder: (span: Span, name: string, why: string) =>
    invalid('SIG122', span, `The modifier "${name}" cannot stand here: ${why}`),
  value: (span: Span, text: string, wanted: string) =>
    invalid('SIG123', span, `"${shown(text)}" is not ${wanted}`),
  regex: (span: Span, why: string) =>
    unsupported('SIG124', span, `The regular expression is none that RE2 reads: ${shown(why)}`),
  encodedWildcard: (span: Span) => unsupported('SIG125', span, 'A value with a wildcard cannot be encoded'),
  tooManyWildcards: (span: Span, most: number) =>
    unsupported('SIG126', span, `A value holds more than ${most} wildcards`),
  condition: (span: Span, why: string) => invalid('SIG130', span, `The condition cannot be read: ${why}`),
  unknownIdentifier: (span: Span, name: string) =>
    invalid('SIG131', span, `The condition names "${shown(name)}", which is not there`),
  noneLike: (span: Span, pattern: string) =>
    invalid('SIG132', span, `No search identifier is called like "${shown(pattern)}"`),
  aggregation: (span: Span) =>
    unsupported('SIG133', span, 'Aggregation after a pipe; write a correlation rule instead'),
  quantifier: (span: Span, word: string) =>
    unsupported('SIG134', span, `"${shown(word)} of" is not known: 1, any or all`),
  tooManyTests: (span: Span, most: number) =>
    unsupported('SIG140', span, `The rule compares with more than ${most} values`),
  list: (span: Span, name: string) =>
    fault('missing-list', 'SIG141', span, `The list %${shown(name)}% has no values`),
  ruleUnknown: (span: Span, name: string) =>
    invalid('SIG150', span, `The rule "${shown(name)}" that is referred to is not there`),
  cycle: (span: Span, name: string) =>
    invalid('SIG151', span, `The correlation refers to itself through "${shown(name)}"`),
  correlation: (span: Span, why: string) => unsupported('SIG152', span, why),
  ruleFails: (span: Span, name: string, why: SigmaFault): SigmaFault => ({
    ...why,
    span,
    message: `The rule "${shown(name)}" that is referred to: ${why.message}`,
  }),
} as const;

/** A remark that does not keep a rule from running. */
export function remark(
  code: string,
  span: Span,
  message: string,
  severity: Severity = 'warning',
): Diagnostic {
  return { code, severity, span, message };
}

/** Carries a fault out of deep reading; caught where a document begins. */
export class SigmaFailure extends Error {
  readonly fault: SigmaFault;

  constructor(found: SigmaFault) {
    super(found.message);
    this.fault = found;
  }
}

/** Ends the reading of a document with a fault. */
export function refuse(found: SigmaFault): never {
  throw new SigmaFailure(found);
}
