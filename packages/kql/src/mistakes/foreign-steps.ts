import { type Diagnostic, type Fix, say } from '@tyrian/diagnostics';
import { aggregateByName } from '@tyrian/plan';
import type { Explained } from './explained.ts';
import { quoted } from './quoted-text.ts';

// Steps as other query languages write them, and texts without straight quotes: what KQL writes instead.

/** The operator of KQL by the name that other languages have for it. */
const OPERATORS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    stats: 'summarize',
    aggregate: 'summarize',
    groupby: 'summarize',
    group: 'summarize',
    eventstats: 'summarize',
    eval: 'extend',
    fields: 'project',
    table: 'project',
    select: 'project',
    columns: 'project',
    filter: 'where',
    dedup: 'distinct',
    uniq: 'distinct',
    head: 'take',
    rename: 'project-rename',
  }),
);

/** Aggregations by the names that other languages have for them. */
const AGGREGATIONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    dc: 'dcount',
    distinct_count: 'dcount',
    estdc: 'dcount',
    values: 'make_set',
    list: 'make_list',
    mean: 'avg',
  }),
);

/** A step that begins with a word of another language, or with an aggregation; null for any other. */
export function foreignStep(text: string, at: number): Explained | null {
  const word = /^[A-Za-z_]\w*/.exec(text.slice(at))?.[0] ?? '';
  const end = endOfStep(text, at);
  const step = text.slice(at, end);
  const operator = OPERATORS.get(word.toLowerCase());
  const span = { start: at, end: at + word.length };
  if (operator === undefined) {
    if (word === '' || !/^\w+\s*\(/.test(step) || !aggregateByName(word)) return null;
    return {
      text: say('aggregationAsStep', { name: word }),
      hint: say('write', { text: `summarize ${step}` }),
      fixes: [{ span: { start: at, end: at }, text: 'summarize ' }],
      span,
    };
  }
  const mended = operator === 'summarize' ? summarized(step.slice(word.length)) : step.slice(word.length);
  return {
    text: say('foreignOperator', { name: word, own: operator }),
    hint: say('write', { text: `${operator}${mended}` }),
    fixes: [{ span: { start: at, end }, text: `${operator}${mended}` }],
    span,
  };
}

/** `count by user`, `dc(user) as users by host` as summarize has them. */
function summarized(rest: string): string {
  return rest
    .replace(/^(\s*)by\b/, '$1count() by')
    .replace(/\bcount\b(?!\s*\()/g, 'count()')
    .replace(/\b(\w+)\(/g, (call, name: string) => `${AGGREGATIONS.get(name) ?? call.slice(0, -1)}(`)
    .replace(/(\w+\([^()]*\))\s+as\s+"?(\w+)"?/gi, '$2 = $1');
}

/** Where the step ends, without the spaces before the next pipe. */
/** By its own signs, as what stands here is no KQL yet and the lexer would cut it otherwise. */
function endOfStep(text: string, at: number): number {
  const rest = /^(?:"[^"\n]*"|'[^'\n]*'|[^|;"'\n])*/.exec(text.slice(at))?.[0] ?? '';
  return at + rest.trimEnd().length;
}

const CURLY = /[“”„«»‘’]/;
const CURLY_TEXT = /[“„«”]([^“”„«»"\n]*)[”“»"]|[‘’]([^‘’'\n]*)[’']/g;

/** Quotes of word processors and chats, at or after the place where the parser stumbled; null where there are none. */
export function curlyQuotes(text: string, start: number): Explained | null {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  for (const found of text.matchAll(CURLY_TEXT)) {
    const end = found.index + found[0].length;
    if (end < start || found.index < lineStart - 1) continue;
    const span = { start: found.index, end };
    const fixes: readonly Fix[] = [{ span, text: quoted(found[1] ?? found[2] ?? '') }];
    return {
      text: say('straightQuotes'),
      hint: say('straightQuotesBoth'),
      fixes,
      span,
    };
  }
  return CURLY.test(text.slice(start, start + 1))
    ? { text: say('straightQuotes'), hint: say('straightQuotesBoth') }
    : null;
}

const COMPARISONS =
  /(?:==|!=|=~|!~|\|\s*search\b|\bwhere\b[^|=]*[^|=!<>~]=|\b!?(?:has|contains|startswith|endswith|hasprefix|hassuffix)(?:_cs)?\b)\s*$/;

/** The text without quotes that a place is in or right behind, after a comparison: `== Failure`, `has web-01`. */
export function bareText(text: string, position: number): Diagnostic['span'] | null {
  const before = /[\w.@\\:/-]*$/.exec(text.slice(0, position))?.[0].length ?? 0;
  const start = position - before;
  if (!COMPARISONS.test(text.slice(Math.max(0, start - 200), start))) return null;
  const length = /^[\w.@\\:/-]+/.exec(text.slice(start))?.[0].length ?? 0;
  return length === 0 ? null : { start, end: start + length };
}

/** The change that writes a text without quotes as a text. */
export const quotedFix = (text: string, span: Diagnostic['span']): Fix => ({
  span,
  text: quoted(text.slice(span.start, span.end)),
});
