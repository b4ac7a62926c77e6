import { type Diagnostic, oneOf, readSentence, type Sentence, say, saying } from '@tyrian/diagnostics';
import type { KqlSchema } from '../event-schema.ts';
import { type KustoCode, type KustoDiagnostic, kustoItems } from '../kusto.ts';
import { SUPPORTED_OPERATORS } from '../supported-names.ts';
import { isOverStrict } from './binder-strictness.ts';
import { explainSyntax } from './explain-syntax.ts';
import { explainCall, explainType } from './explain-type.ts';
import type { Explained } from './explained.ts';
import { isKnownColumn, namesAt } from './names-at.ts';
import { nearNames } from './near-names.ts';

// The language service's errors as messages that say what is wrong, why, and what to do. One slip makes several errors;
// of each step only the first that the parser found is told, because the others go away with it.

const PARSER = /^KS(00\d|17\d|198)$/;
/** So many names are compared with what could have been meant; further ones are only named. */
const MAX_LOOKUPS = 5;

/** The errors of a bound text, at places of that text. */
export function explainMistakes(code: KustoCode, schema: KqlSchema): Diagnostic[] {
  const found = kustoItems(code.GetDiagnostics()).filter((one) => !isOverStrict(code.Text, one));
  if (found.length === 0) return [];
  const text = code.Text;
  let lookUps = MAX_LOOKUPS;
  return firstOfEachStep(text, found).map((one) => {
    const mistake = { text, start: one.Start, end: one.Start + one.Length, message: one.Message };
    const explained =
      foreignStart(text, one) ??
      explainSyntax(one.Code, mistake) ??
      (lookUps-- > 0 ? explainName(code, one, schema) : null) ??
      explainType(text, one) ??
      explainCall(text, one);
    return diagnostic(one, explained);
  });
}

function diagnostic(one: KustoDiagnostic, explained: Explained | null): Diagnostic {
  const found = {
    code: one.Code,
    severity: one.Severity === 'Error' ? 'error' : one.Severity === 'Warning' ? 'warning' : 'info',
    span: { start: one.Start, end: one.Start + one.Length },
  } as const;
  if (!explained) {
    const text = readSentence(one.Code, one.Message);
    return { ...found, message: one.Message, ...(text ? { text } : {}) };
  }
  const { text, hint, ...rest } = explained;
  return { ...found, ...saying(text, hint), ...rest };
}

/** Of each step the first error of the parser, which makes the others; all errors up to the first such step. */
export function firstOfEachStep(text: string, found: readonly KustoDiagnostic[]): KustoDiagnostic[] {
  const sorted = [...found].sort((one, other) => one.Start - other.Start);
  const broken = new Map<number, KustoDiagnostic>();
  const stepOf = stepNumbers(text);
  for (const one of sorted) {
    const step = stepOf(one.Start);
    if (PARSER.test(one.Code) && !broken.has(step)) broken.set(step, one);
  }
  const firstBroken = Math.min(...broken.keys());
  return sorted.filter((one) => {
    // Nobody knows the columns behind a step that could not be read.
    if (!PARSER.test(one.Code) && stepOf(one.Start) > firstBroken) return false;
    const first = broken.get(stepOf(one.Start));
    return first === undefined || first === one;
  });
}

/** Numbers the steps of a text: a pipe or a semicolon begins the next one. */
function stepNumbers(text: string): (at: number) => number {
  const starts = [...text.matchAll(/[|;]+/g)].map((match) => match.index + match[0].length);
  return (at) => {
    let step = 0;
    while (step < starts.length && (starts[step] ?? 0) <= at) step += 1;
    return step;
  };
}

function foreignStart(text: string, one: KustoDiagnostic): Explained | null {
  const select = /^\s*(select)\b/i.exec(text);
  if (!select || !PARSER.test(one.Code) || stepNumbers(text)(one.Start) !== 0) return null;
  const start = select[0].length - 'select'.length;
  return {
    text: say('thisIsSql'),
    hint: say('sqlExample'),
    span: { start, end: start + 'select'.length },
  };
}

function explainName(code: KustoCode, one: KustoDiagnostic, schema: KqlSchema): Explained | null {
  const end = one.Start + one.Length;
  const word = code.Text.slice(one.Start, end);
  if (one.Code === 'KS142') return unknownName(code, one.Start, word, schema);
  if (one.Code === 'KS204') {
    const names = [...namesAt(code, one.Start).tables, ...schema.tables.keys()];
    const hint = say('tablesAreStreams');
    return withNear(say('unknownTable', { name: word }), one.Start, word, names, hint);
  }
  if (one.Code === 'KS211') {
    const { functions } = namesAt(code, one.Start);
    const hint = say('functionsListed');
    return withNear(say('unknownFunction', { name: word }), one.Start, word, functions, hint);
  }
  return null;
}

/**
 * What a field that no event has had was probably meant to be: a column in scope, a field seen below Ext, or another
 * vocabulary's name of a column. `asked` is the name with its path, at its place in the user's text.
 */
export function nearFields(
  code: KustoCode,
  position: number,
  asked: { readonly start: number; readonly word: string },
  schema: KqlSchema,
): Pick<Explained, 'hint' | 'fixes'> {
  const { start, word } = asked;
  const targets = new Map<string, string>();
  for (const [alias, column] of schema.aliases) targets.set(alias, column);
  for (const path of schema.extPaths) {
    targets.set(path, `Ext.${path}`);
    targets.set(path.slice(path.lastIndexOf('.') + 1), `Ext.${path}`);
  }
  for (const column of namesAt(code, position).columns) targets.set(column, column);
  const exact = targets.get(word);
  const names = nearNames(word, targets.keys()).map((name) => targets.get(name) ?? name);
  const near = [...new Set(exact ? [exact, ...names] : names)].slice(0, 3);
  if (near.length === 0) return {};
  const span = { start, end: start + word.length };
  return {
    hint: say('didYouMean', { names: oneOf(near) }),
    fixes: near.map((name) => ({ span, text: name })),
  };
}

/** A name that nothing in scope has, with what was probably meant. */
function unknownName(code: KustoCode, start: number, word: string, schema: KqlSchema): Explained {
  if (SUPPORTED_OPERATORS.has(word) && /^\s*$/.test(code.Text.slice(0, start)))
    return {
      text: say('startsWithOperator'),
      hint: say('eventsBefore', { name: word }),
    };
  const { columns, tables } = namesAt(code, start);
  if (isKnownColumn(word, schema) && !columns.includes(word))
    return {
      text: say('columnRemoved', { name: word }),
      hint: say('keepColumn'),
    };
  const names = [...columns, ...tables];
  return withNear(
    say('unknownName', { name: word }),
    start,
    word,
    names,
    say('spellingOrIfexists', { name: word }),
  );
}

function withNear(
  text: Sentence,
  start: number,
  word: string,
  names: readonly string[],
  hint: Sentence,
): Explained {
  const near = nearNames(word, names);
  if (near.length === 0) return { text, hint };
  const span = { start, end: start + word.length };
  return {
    text,
    hint: say('didYouMean', { names: oneOf(near) }),
    fixes: near.map((name) => ({ span, text: name })),
  };
}
