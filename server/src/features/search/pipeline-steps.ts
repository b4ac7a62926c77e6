import { depthAfter, type KqlMark, scanKql } from '@tyrian/diagnostics';

// Finds the steps of the last statement of a KQL text: where each pipe of the outermost level stands. Text in
// quotes, comments and brackets is passed over. It only cuts; whether a step is right is the compiler's business.

export interface PipelineStep {
  /** Offsets of the step in the text, without the pipe. */
  readonly start: number;
  readonly end: number;
}

interface Statement {
  readonly start: number;
  readonly end: number;
  readonly cuts: readonly number[];
  /** Pieces that are no comment. */
  readonly pieces: readonly KqlMark[];
}

/** The steps in order; the first is the table. Empty when the text has no statement. */
export function pipelineSteps(text: string): PipelineStep[] {
  const last = statementsOf(text).findLast(({ pieces }) => pieces.length > 0);
  return last === undefined ? [] : stepsOf(text, last);
}

function statementsOf(text: string): Statement[] {
  const found: Statement[] = [];
  let start = 0;
  let depth = 0;
  let cuts: number[] = [];
  let pieces: KqlMark[] = [];
  const close = (end: number): void => {
    found.push({ start, end, cuts, pieces });
    [start, cuts, pieces] = [end + 1, [], []];
  };
  for (const mark of scanKql(text)) {
    depth = depthAfter(depth, mark);
    if (mark.kind === 'semicolon' && depth === 0) close(mark.start);
    else if (mark.kind !== 'comment') pieces.push(mark);
    if (mark.kind === 'pipe' && depth === 0) cuts.push(mark.start);
  }
  close(text.length);
  return found;
}

function stepsOf(text: string, { start: first, end: last, cuts, pieces }: Statement): PipelineStep[] {
  const starts = [first, ...cuts.map((cut) => cut + 1)];
  const ends = [...cuts, last];
  return starts.map((start, index) => {
    const end = ends[index] ?? last;
    const from = pieces.find((piece) => piece.start >= start && piece.start < end)?.start ?? end;
    return { start: from, end: start + text.slice(start, end).trimEnd().length };
  });
}
