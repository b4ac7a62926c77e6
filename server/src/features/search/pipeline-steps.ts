// Finds the steps of the last statement of a KQL text: where each pipe of the outermost level stands. Text in
// quotes, comments and brackets is passed over. It only cuts; whether a step is right is the compiler's business.

export interface PipelineStep {
  /** Offsets of the step in the text, without the pipe. */
  readonly start: number;
  readonly end: number;
}

const OPENERS = '([{';
const CLOSERS = ')]}';

/** The steps in order; the first is the table. Empty when the text has no statement. */
export function pipelineSteps(text: string): PipelineStep[] {
  const cuts: number[] = [];
  let statementStart = 0;
  let depth = 0;
  let lastStatement: { start: number; end: number; cuts: number[] } | null = null;
  const closeStatement = (end: number): void => {
    if (stripped(text.slice(statementStart, end)).trim() !== '') {
      lastStatement = { start: statementStart, end, cuts: cuts.splice(0) };
    }
    cuts.length = 0;
  };
  for (let at = 0; at < text.length; ) {
    const after = skipInert(text, at);
    if (after > at) {
      at = after;
      continue;
    }
    const char = text[at] ?? '';
    if (OPENERS.includes(char)) depth += 1;
    else if (CLOSERS.includes(char)) depth = Math.max(0, depth - 1);
    else if (char === '|' && depth === 0) cuts.push(at);
    else if (char === ';' && depth === 0) {
      closeStatement(at);
      statementStart = at + 1;
    }
    at += 1;
  }
  closeStatement(text.length);
  return lastStatement === null ? [] : stepsOf(text, lastStatement);
}

function stepsOf(
  text: string,
  statement: { readonly start: number; readonly end: number; readonly cuts: readonly number[] },
): PipelineStep[] {
  const starts = [statement.start, ...statement.cuts.map((cut) => cut + 1)];
  const ends = [...statement.cuts, statement.end];
  return starts.map((start, index) => {
    const end = ends[index] ?? statement.end;
    let from = start;
    while (from < end) {
      const after = /\s/.test(text[from] ?? '') ? from + 1 : skipComment(text, from);
      if (after === from) break;
      from = after;
    }
    return { start: Math.min(from, end), end: start + text.slice(start, end).trimEnd().length };
  });
}

/** The offset after a string or comment that begins here; the same offset when none does. */
function skipInert(text: string, at: number): number {
  const comment = skipComment(text, at);
  if (comment > at) return comment;
  if (text.startsWith('```', at) || text.startsWith('~~~', at)) {
    const end = text.indexOf(text.slice(at, at + 3), at + 3);
    return end < 0 ? text.length : end + 3;
  }
  const verbatim = /^@["']/.test(text.slice(at, at + 2));
  const quote = text[verbatim ? at + 1 : at];
  if (quote !== '"' && quote !== "'") return at;
  return endOfString(text, verbatim ? at + 2 : at + 1, quote, verbatim);
}

function endOfString(text: string, from: number, quote: string, verbatim: boolean): number {
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (char === '\\' && !verbatim) at += 1;
    else if (char === quote && verbatim && text[at + 1] === quote) at += 1;
    else if (char === quote) return at + 1;
    else if (char === '\n' && !verbatim) return at;
  }
  return text.length;
}

function skipComment(text: string, at: number): number {
  if (!text.startsWith('//', at)) return at;
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
}

function stripped(text: string): string {
  return text.replace(/\/\/[^\n]*/g, '');
}
