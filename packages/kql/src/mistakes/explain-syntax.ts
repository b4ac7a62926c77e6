import type { Fix } from '@tyrian/diagnostics';
import { SUPPORTED_OPERATORS } from '../supported-names.ts';
import type { Explained } from './explained.ts';
import { bareText, curlyQuotes, foreignStep, quotedFix } from './foreign-steps.ts';
import { nearNames } from './near-names.ts';

// What the parser says, in words that help: what was expected where, why it probably is not there, and the change that
// mends it.

interface Place {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** What the parser said. */
  readonly message: string;
}

const insert = (at: number, text: string): readonly Fix[] => [{ span: { start: at, end: at }, text }];

const swap = (start: number, end: number, ...texts: readonly string[]): readonly Fix[] =>
  texts.map((text) => ({ span: { start, end }, text }));

const wordAt = (text: string, at: number): string => /^[A-Za-z_][\w-]*/.exec(text.slice(at))?.[0] ?? '';

/** The place itself, or after the spaces that follow it. */
const skipSpaces = (text: string, at: number): number => at + (/^\s*/.exec(text.slice(at))?.[0].length ?? 0);

/** "A", "A or B", "A, B or C". */
export const oneOf = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;

/** A parser's error explained; null when there is nothing better to say. */
export function explainSyntax(code: string, place: Place): Explained | null {
  const known = /^KS(?:00[1256]|198)$/.test(code)
    ? (curlyQuotes(place.text, place.start) ?? textWithoutQuotes(place))
    : null;
  if (known) return known;
  switch (code) {
    case 'KS176':
      return unknownOperator(place);
    case 'KS174':
      return {
        message: 'A query starts with a table, not with an operator',
        hint: 'Put a table before it, e.g. Events | where ...',
      };
    case 'KS001':
      return missingToken(place);
    case 'KS005':
      return expected(place);
    case 'KS006':
      return (
        foreignOperator(place) ??
        joinWithoutKey(place) ?? {
          message: 'Incomplete expression',
          hint: 'Finish it or remove this step',
        }
      );
    case 'KS002':
    case 'KS198':
      return unexpected(place);
    default:
      return null;
  }
}

function unknownOperator({ text, start }: Place): Explained {
  const at = skipSpaces(text, start);
  if (text[at] === '|' || text.slice(start, at + 1).includes('|'))
    return {
      message: 'Empty step',
      hint: 'Add an operator or remove the pipe; a logical or is written or',
      fixes: swap(text.indexOf('|', start), text.indexOf('|', start) + 1, ''),
    };
  const word = wordAt(text, at);
  if (word === '')
    return {
      message: 'An operator is missing after the pipe',
      hint: 'For example where, summarize, project or take',
    };
  const foreign = foreignStep(text, at);
  if (foreign) return foreign;
  const near = nearNames(word, SUPPORTED_OPERATORS);
  return {
    message: `Unknown operator ${word}`,
    span: { start: at, end: at + word.length },
    ...(near.length > 0
      ? { hint: `Did you mean ${oneOf(near)}?`, fixes: swap(at, at + word.length, ...near) }
      : { hint: 'The completion list after the pipe shows the operators' }),
  };
}

/** An address, a path or a name with a dash where a text belongs: the parser stumbles within it. */
function textWithoutQuotes({ text, start }: Place): Explained | null {
  const span = bareText(text, start);
  if (!span || span.start === start) return null;
  const fix = quotedFix(text, span);
  return { message: 'A string must be in quotes', hint: `Write ${fix.text}`, fixes: [fix], span };
}

function joinWithoutKey({ text, start, end }: Place): Explained | null {
  if (!/^\s*join\b/.test(text.slice(start, end))) return null;
  return {
    message: 'This join does not say which columns to match',
    hint: 'Write join kind=inner (Table) on Column',
  };
}

function missingToken({ start, message }: Place): Explained {
  const token = /^Missing: (.+)$/.exec(message)?.[1] ?? '';
  if (token === '"' || token === "'")
    return {
      message: 'This string has no closing quote',
      hint: `Close it with ${token}; write a quote inside as \\${token}`,
      fixes: insert(start, token),
    };
  return { message: `${token} is missing here`, fixes: insert(start, token) };
}

function expected(place: Place): Explained | null {
  const { text, start, end, message } = place;
  const several = /^Expected one of: (.+)$/.exec(message)?.[1]?.split(', ');
  if (several) {
    const word = wordAt(text, start);
    const near = word === '' ? [] : nearNames(word, several);
    return {
      message: word === '' ? `Expected here: ${oneOf(several)}` : `${word} is not expected here`,
      hint: near.length > 0 ? `Did you mean ${oneOf(near)}?` : `Write ${oneOf(several)}`,
      ...(near.length > 0 ? { fixes: swap(start, start + word.length, ...near) } : {}),
    };
  }
  const token = /^Expected: (.+)$/.exec(message)?.[1] ?? '';
  if (token === ';') return leftOver(place);
  if (/^[)\]}]$/.test(token))
    return {
      message: `The closing ${token} is missing`,
      hint: `Every opening bracket needs its ${token}`,
      fixes: insert(start, token),
    };
  if (/^[\w-]+$/.test(token)) {
    const gap = start === end || /\s/.test(text[start - 1] ?? ' ') ? '' : ' ';
    return { message: `${token} is missing here`, fixes: insert(start, `${gap}${token} `) };
  }
  return token === '' ? null : { message: `${token} is missing here`, fixes: insert(start, token) };
}

/** The parser had read a whole query and found more text. */
function leftOver({ text, start }: Place): Explained {
  const at = skipSpaces(text, start);
  const before = text.slice(0, start).trimEnd();
  const word = wordAt(text, at);
  if (/\blet\s[^;|]*$/.test(before))
    return {
      message: 'The let statement is not closed',
      hint: 'Close it with a semicolon',
      fixes: insert(before.length, ';'),
    };
  if (SUPPORTED_OPERATORS.has(word) && !['let', 'print', 'range', 'datatable'].includes(word))
    return {
      message: `The pipe before ${word} is missing`,
      hint: 'Each step starts with |',
      fixes: insert(at, '| '),
      span: { start: at, end: at + word.length },
    };
  if (/["'][^"'\n]*["']$/.test(before) && word !== '')
    return {
      message: 'The string ended at the quote before this',
      hint: 'Write a quote inside a string as \\\' or \\", or use the other kind around it',
    };
  if (word === 'not' && /^not\s+(contains|has|startswith|endswith|in|between)\b/.test(text.slice(at))) {
    const operator = wordAt(text, skipSpaces(text, at + 3));
    const end = skipSpaces(text, at + 3) + operator.length;
    return {
      message: `The opposite of ${operator} is written !${operator}`,
      hint: 'not() takes a whole condition in parentheses',
      fixes: swap(at, end, `!${operator}`),
      span: { start: at, end },
    };
  }
  const shown = word || text.charAt(at);
  return {
    message: shown === '' ? 'The query continues where it should end' : `${shown} is not expected here`,
    hint: 'A step ends with |, a statement with ; or with an empty line',
  };
}

const FOREIGN: readonly (readonly [string, string, string])[] = [
  ['&&', 'and', 'Use and between conditions'],
  ['||', 'or', 'Use or between conditions'],
  ['===', '==', 'Use == to compare'],
  ['~=', '=~', 'Use =~ to compare and ignore case'],
  ['<>', '!=', 'Use != for not equal'],
];

/** An operator of another language that the parser stumbled over at a place. */
function foreignOperator({ text, start }: Place): Explained | null {
  for (const [foreign, own, hint] of FOREIGN)
    for (let back = 0; back < foreign.length; back++)
      if (text.startsWith(foreign, start - back))
        return {
          message: `${foreign} is not an operator of KQL`,
          hint,
          fixes: swap(start - back, start - back + foreign.length, own),
          span: { start: start - back, end: start - back + foreign.length },
        };
  return null;
}

function unexpected(place: Place): Explained {
  const foreign = foreignOperator(place);
  if (foreign) return foreign;
  const { text } = place;
  const start = skipSpaces(text, place.start);
  const shown = wordAt(text, start) || text.charAt(start);
  return {
    message: `${shown} is not expected here`,
    hint: 'Remove it, or complete what comes before it',
    span: { start, end: start + shown.length },
  };
}
