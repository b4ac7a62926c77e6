import { depthAfter, scanKql } from '@tyrian/diagnostics';

// A text may hold several statements: `;` and empty lines part them. One that shows rows is a query; `let`, `set` and
// `declare` serve the queries after them. What runs is one query with the lets that it uses, so that a scratch text of
// ten queries needs no selecting. A line that begins with a pipe goes on with the query before it, empty line or not.

export interface TextRange {
  readonly start: number;
  readonly end: number;
}

export interface Statement extends TextRange {
  readonly kind: 'query' | 'let' | 'option';
  /** Name that a let gives; '' otherwise. */
  readonly name: string;
}

/** A query of a text with the lets that it uses. */
export interface Part {
  /** The query itself, without its lets. */
  readonly query: TextRange;
  /** Lets and query in order. */
  readonly pieces: readonly TextRange[];
  /** What runs. */
  readonly text: string;
  /** The whole text with everything else blanked out, so that places stay what they are. */
  readonly isolated: string;
}

const GOES_ON_AFTER = /(?:[|,(=<>+\-*/%~:]|\b(?:and|or|by|on|in|with|of|kind|union))$/i;
const GOES_ON_BEFORE = /^(?:[|,)\]}=<>+*/%~]|(?:and|or|by|on|with|to|step)\b)/i;

/** The statements of a text in order, comments between them left out. */
export function readStatements(text: string): readonly Statement[] {
  const found: Statement[] = [];
  let start = -1;
  let last = 0;
  let depth = 0;
  const close = (end: number) => {
    if (start >= 0) found.push(statementOf(text, start, end));
    start = -1;
    depth = 0;
  };
  let before = 0;
  for (const mark of scanKql(text)) {
    if (start >= 0 && depth === 0 && isPartedBetween(text, last, before, mark.start)) close(last);
    before = mark.end;
    if (mark.kind === 'comment') continue;
    if (mark.kind === 'semicolon' && depth === 0) close(mark.end);
    else {
      if (start < 0) start = mark.start;
      depth = depthAfter(depth, mark);
    }
    last = mark.end;
  }
  close(last);
  return found;
}

/** Whether an empty line stands between two pieces and neither side of it asks to go on. */
function isPartedBetween(text: string, last: number, from: number, to: number): boolean {
  if (
    !/\n[ \t\r]*\n/.test(text.slice(from, to)) ||
    GOES_ON_AFTER.test(text.slice(Math.max(0, last - 12), last))
  )
    return false;
  const next = text.slice(to).replace(/^(?:\s+|\/\/[^\n]*)+/, '');
  return next !== '' && !GOES_ON_BEFORE.test(next);
}

function statementOf(text: string, start: number, end: number): Statement {
  const written = text.slice(start, end);
  const name = /^let\s+([A-Za-z_]\w*)/.exec(written)?.[1];
  if (name !== undefined || /^let\b/.test(written)) return { start, end, kind: 'let', name: name ?? '' };
  return {
    start,
    end,
    kind: /^(?:set|declare|alias|restrict)\b/.test(written) ? 'option' : 'query',
    name: '',
  };
}

/** The queries of a text. A text with one query, or none, is one part as it stands. */
export function partsOf(text: string): readonly Part[] {
  const statements = readStatements(text);
  const queries = statements.filter((each) => each.kind === 'query');
  if (queries.length < 2) return [wholeText(text)];
  return queries.map((query) => partOf(text, statements, query));
}

const wholeText = (text: string): Part => {
  const whole = { start: 0, end: text.length };
  return { query: whole, pieces: [whole], text, isolated: text };
};

function partOf(text: string, statements: readonly Statement[], query: Statement): Part {
  const before = statements.slice(0, statements.indexOf(query));
  const needed = new Set<Statement>(before.filter((each) => each.kind === 'option'));
  const pending: Statement[] = [query];
  for (let each = pending.pop(); each; each = pending.pop()) {
    const words = new Set(text.slice(each.start, each.end).match(/[A-Za-z_]\w*/g));
    const earlier = before.slice(0, before.includes(each) ? before.indexOf(each) : before.length);
    for (const one of earlier)
      if (one.kind === 'let' && words.has(one.name) && !needed.has(one)) {
        needed.add(one);
        pending.push(one);
      }
  }
  const pieces = [...before.filter((each) => needed.has(each)), query];
  return {
    query,
    pieces,
    text: pieces.map(({ start, end }) => text.slice(start, end)).join('\n'),
    isolated: isolate(text, pieces),
  };
}

function isolate(text: string, pieces: readonly TextRange[]): string {
  const blank = (start: number, end: number) => text.slice(start, end).replace(/[^\n]/g, ' ');
  let result = '';
  let at = 0;
  for (const { start, end } of pieces) {
    result += blank(at, start) + text.slice(start, end);
    at = end;
  }
  return result + blank(at, text.length);
}

/** The query that a place belongs to; on a let, the next query; between two, the one before. */
export function partAt(text: string, position: number): Part {
  const statements = readStatements(text);
  const queries = statements.filter((each) => each.kind === 'query');
  if (queries.length < 2) return wholeText(text);
  const at = statements.findLastIndex((each) => each.start <= position);
  const query = statements.slice(Math.max(0, at)).find((each) => each.kind === 'query') ?? queries.at(-1);
  return query ? partOf(text, statements, query) : wholeText(text);
}

/** A place of what ran as a place of the text that it was part of. */
export function positionInText(part: Part, offset: number): number {
  let before = 0;
  for (const { start, end } of part.pieces) {
    if (offset <= before + end - start) return start + offset - before;
    before += end - start + 1;
  }
  return part.query.end;
}

const LONGEST_TITLE = 40;

/** A name for a query of a text: the comment on the line above it, else its first words. */
export function partTitle(text: string, { query }: Part): string {
  const before = text.slice(0, query.start);
  const comment = /\/\/[ \t]*([^\n]*\S)[ \t\r]*\n[ \t]*$/.exec(before)?.[1];
  const words = scanKql(text.slice(query.start, query.end))
    .filter(({ kind }) => kind === 'comment')
    .reduceRight(
      (left, { start, end }) => `${left.slice(0, start)} ${left.slice(end)}`,
      text.slice(query.start, query.end),
    )
    .replace(/\s+/g, ' ')
    .trim();
  const title = comment ?? words;
  return title.length > LONGEST_TITLE ? `${title.slice(0, LONGEST_TITLE - 1)}…` : title;
}
