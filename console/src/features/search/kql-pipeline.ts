// Reads just enough of a KQL text to know where its statements and pipe stages begin and end. The editor's
// buttons change queries through it, so strings, comments and brackets must never be mistaken for pipes.

export interface PipelineStage {
  /** Lower-case operator after the pipe, e.g. `where`; empty for the source. */
  readonly operator: string;
  /** Offset of the pipe (of the first letter for the source). */
  readonly start: number;
  /** Offset after the last letter that is neither space nor comment. */
  readonly end: number;
  /** What stands between the pipe and `end`, without the pipe. */
  readonly text: string;
}

export interface Pipeline {
  /** Everything before the last statement: `let` statements and their semicolons. */
  readonly prefixEnd: number;
  /** Source first; empty when the last statement is blank. */
  readonly stages: readonly PipelineStage[];
}

interface Mark {
  readonly kind: 'pipe' | 'semicolon';
  readonly at: number;
}

interface Scan {
  readonly marks: readonly Mark[];
  /** Half-open ranges that are comments. */
  readonly comments: readonly (readonly [number, number])[];
}

const FENCES = ['```', '~~~'] as const;

/** Offset after the string literal that begins at `at`, or null when none begins there. */
export function endOfString(text: string, at: number): number | null {
  for (const fence of FENCES) {
    if (text.startsWith(fence, at)) {
      const close = text.indexOf(fence, at + 3);
      return close < 0 ? text.length : close + 3;
    }
  }
  const verbatim = text[at] === '@';
  const quoteAt = verbatim ? at + 1 : at;
  const quote = text[quoteAt];
  if (quote !== '"' && quote !== "'") return null;
  return verbatim ? endOfVerbatim(text, quoteAt, quote) : endOfEscaped(text, quoteAt, quote);
}

function endOfVerbatim(text: string, quoteAt: number, quote: string): number {
  for (let i = quoteAt + 1; i < text.length; i++) {
    if (text[i] !== quote) continue;
    if (text[i + 1] === quote) i++;
    else return i + 1;
  }
  return text.length;
}

function endOfEscaped(text: string, quoteAt: number, quote: string): number {
  for (let i = quoteAt + 1; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === quote || text[i] === '\n') return i + 1;
  }
  return text.length;
}

function scan(text: string): Scan {
  const marks: Mark[] = [];
  const comments: [number, number][] = [];
  let depth = 0;
  let i = 0;
  while (i < text.length) {
    if (text.startsWith('//', i)) {
      const newline = text.indexOf('\n', i);
      const end = newline < 0 ? text.length : newline;
      comments.push([i, end]);
      i = end;
      continue;
    }
    const afterString = endOfString(text, i);
    if (afterString !== null) {
      i = afterString;
      continue;
    }
    const char = text.charAt(i);
    if ('([{'.includes(char)) depth++;
    else if (')]}'.includes(char)) depth = Math.max(0, depth - 1);
    else if (depth === 0 && char === '|') marks.push({ kind: 'pipe', at: i });
    else if (depth === 0 && char === ';') marks.push({ kind: 'semicolon', at: i });
    i++;
  }
  return { marks, comments };
}

/** The text with comments replaced by spaces of the same length. */
function blankComments(text: string, comments: Scan['comments']): string {
  let out = text;
  for (const [start, end] of comments) {
    out = out.slice(0, start) + ' '.repeat(end - start) + out.slice(end);
  }
  return out;
}

/** Splits the last statement of `text` into its source and its pipe stages. */
export function readPipeline(text: string): Pipeline {
  const { marks, comments } = scan(text);
  const bare = blankComments(text, comments);
  let statementEnd = bare.trimEnd().length;
  let prefixEnd = 0;
  for (const mark of marks.filter((each) => each.kind === 'semicolon').reverse()) {
    if (bare.slice(mark.at + 1, statementEnd).trim() === '') {
      statementEnd = bare.slice(0, mark.at).trimEnd().length;
    } else {
      prefixEnd = mark.at + 1;
      break;
    }
  }
  const pipes = marks.filter((m) => m.kind === 'pipe' && m.at >= prefixEnd && m.at < statementEnd);
  const body = bare.slice(prefixEnd, statementEnd);
  if (body.trim() === '') return { prefixEnd, stages: [] };
  const starts = [prefixEnd + (body.length - body.trimStart().length), ...pipes.map((pipe) => pipe.at)];
  const stages = starts.map((start, index) => {
    const limit = starts[index + 1] ?? statementEnd;
    const inner = bare.slice(index === 0 ? start : start + 1, limit).trim();
    const end = start + bare.slice(start, limit).trimEnd().length;
    const operator = index === 0 ? '' : (/^[a-z][a-z-]*/i.exec(inner)?.[0] ?? '').toLowerCase();
    return { operator, start, end, text: inner };
  });
  return { prefixEnd, stages };
}
