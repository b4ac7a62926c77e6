import { type Fix, oneOf, type Sentence, say } from '@tyrian/diagnostics';
import { SUPPORTED_OPERATORS } from '../supported-names.ts';
import type { Explained } from './explained.ts';
import { bareText, curlyQuotes, foreignStep, quotedFix } from './foreign-steps.ts';
import { nearNames } from './near-names.ts';

// What the parser says, in words that help: what was expected where, why it probably is not there, and the change that
// mends it.

interface SyntaxMistake {
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

/** A parser's error explained; null when there is nothing better to say. */
export function explainSyntax(code: string, mistake: SyntaxMistake): Explained | null {
  const known = /^KS(?:00[1256]|198)$/.test(code)
    ? (curlyQuotes(mistake.text, mistake.start) ?? textWithoutQuotes(mistake))
    : null;
  if (known) return known;
  switch (code) {
    case 'KS176':
      return unknownOperator(mistake);
    case 'KS174':
      return {
        text: say('startsWithOperator'),
        hint: say('tableBefore'),
      };
    case 'KS001':
      return missingToken(mistake);
    case 'KS005':
      return expected(mistake);
    case 'KS006':
      return (
        foreignOperator(mistake) ??
        joinWithoutKey(mistake) ?? {
          text: say('incomplete'),
          hint: say('finishStep'),
        }
      );
    case 'KS002':
    case 'KS198':
      return unexpected(mistake);
    default:
      return null;
  }
}

function unknownOperator({ text, start }: SyntaxMistake): Explained {
  const at = skipSpaces(text, start);
  if (text[at] === '|' || text.slice(start, at + 1).includes('|'))
    return {
      text: say('emptyStep'),
      hint: say('addOperator'),
      fixes: swap(text.indexOf('|', start), text.indexOf('|', start) + 1, ''),
    };
  const word = wordAt(text, at);
  if (word === '')
    return {
      text: say('operatorMissing'),
      hint: say('operatorExamples'),
    };
  const foreign = foreignStep(text, at);
  if (foreign) return foreign;
  const near = nearNames(word, SUPPORTED_OPERATORS);
  return {
    text: say('unknownOperator', { name: word }),
    span: { start: at, end: at + word.length },
    ...(near.length > 0
      ? { hint: say('didYouMean', { names: oneOf(near) }), fixes: swap(at, at + word.length, ...near) }
      : { hint: say('operatorsListed') }),
  };
}

/** An address, a path or a name with a dash where a text belongs: the parser stumbles within it. */
function textWithoutQuotes({ text, start }: SyntaxMistake): Explained | null {
  const span = bareText(text, start);
  if (!span || span.start === start) return null;
  const fix = quotedFix(text, span);
  return { text: say('stringNeedsQuotes'), hint: say('write', { text: fix.text }), fixes: [fix], span };
}

function joinWithoutKey({ text, start, end }: SyntaxMistake): Explained | null {
  if (!/^\s*join\b/.test(text.slice(start, end))) return null;
  return {
    text: say('joinWithoutKey'),
    hint: say('joinForm'),
  };
}

function missingToken({ start, message }: SyntaxMistake): Explained {
  const token = /^Missing: (.+)$/.exec(message)?.[1] ?? '';
  if (token === '"' || token === "'")
    return {
      text: say('unclosedString'),
      hint: say('closeString', { quote: token }),
      fixes: insert(start, token),
    };
  return { text: say('missingHere', { text: token }), fixes: insert(start, token) };
}

function expected(mistake: SyntaxMistake): Explained | null {
  const { text, start, end, message } = mistake;
  const several = /^Expected one of: (.+)$/.exec(message)?.[1]?.split(', ');
  if (several) {
    const word = wordAt(text, start);
    const near = word === '' ? [] : nearNames(word, several);
    return {
      text:
        word === '' ? say('expectedHere', { names: oneOf(several) }) : say('unexpectedHere', { text: word }),
      hint:
        near.length > 0 ? say('didYouMean', { names: oneOf(near) }) : say('write', { text: oneOf(several) }),
      ...(near.length > 0 ? { fixes: swap(start, start + word.length, ...near) } : {}),
    };
  }
  const token = /^Expected: (.+)$/.exec(message)?.[1] ?? '';
  if (token === ';') return leftOver(mistake);
  if (/^[)\]}]$/.test(token))
    return {
      text: say('closingMissing', { bracket: token }),
      hint: say('bracketsPair', { bracket: token }),
      fixes: insert(start, token),
    };
  if (/^[\w-]+$/.test(token)) {
    const gap = start === end || /\s/.test(text[start - 1] ?? ' ') ? '' : ' ';
    return { text: say('missingHere', { text: token }), fixes: insert(start, `${gap}${token} `) };
  }
  return token === '' ? null : { text: say('missingHere', { text: token }), fixes: insert(start, token) };
}

/** The parser had read a whole query and found more text. */
function leftOver({ text, start }: SyntaxMistake): Explained {
  const at = skipSpaces(text, start);
  const before = text.slice(0, start).trimEnd();
  const word = wordAt(text, at);
  if (/\blet\s[^;|]*$/.test(before))
    return {
      text: say('letUnclosed'),
      hint: say('closeWithSemicolon'),
      fixes: insert(before.length, ';'),
    };
  if (SUPPORTED_OPERATORS.has(word) && !['let', 'print', 'range', 'datatable'].includes(word))
    return {
      text: say('pipeMissing', { name: word }),
      hint: say('stepStartsWithPipe'),
      fixes: insert(at, '| '),
      span: { start: at, end: at + word.length },
    };
  if (/["'][^"'\n]*["']$/.test(before) && word !== '')
    return {
      text: say('stringEnded'),
      hint: say('quoteInside'),
    };
  if (word === 'not' && /^not\s+(contains|has|startswith|endswith|in|between)\b/.test(text.slice(at))) {
    const operator = wordAt(text, skipSpaces(text, at + 3));
    const end = skipSpaces(text, at + 3) + operator.length;
    return {
      text: say('oppositeOf', { operator }),
      hint: say('notForm'),
      fixes: swap(at, end, `!${operator}`),
      span: { start: at, end },
    };
  }
  const shown = word || text.charAt(at);
  return {
    text: shown === '' ? say('queryGoesOn') : say('unexpectedHere', { text: shown }),
    hint: say('stepEnds'),
  };
}

const FOREIGN: readonly (readonly [string, string, Sentence])[] = [
  ['&&', 'and', say('useAnd')],
  ['||', 'or', say('useOr')],
  ['===', '==', say('useEquals')],
  ['~=', '=~', say('useEqualsNoCase')],
  ['<>', '!=', say('useNotEqual')],
];

/** An operator of another language that the parser stumbled over at a place. */
function foreignOperator({ text, start }: SyntaxMistake): Explained | null {
  for (const [foreign, own, hint] of FOREIGN)
    for (let back = 0; back < foreign.length; back++)
      if (text.startsWith(foreign, start - back))
        return {
          text: say('notAnOperator', { operator: foreign }),
          hint,
          fixes: swap(start - back, start - back + foreign.length, own),
          span: { start: start - back, end: start - back + foreign.length },
        };
  return null;
}

function unexpected(mistake: SyntaxMistake): Explained {
  const foreign = foreignOperator(mistake);
  if (foreign) return foreign;
  const { text } = mistake;
  const start = skipSpaces(text, mistake.start);
  const shown = wordAt(text, start) || text.charAt(start);
  return {
    text: say('unexpectedHere', { text: shown }),
    hint: say('removeOrComplete'),
    span: { start, end: start + shown.length },
  };
}
