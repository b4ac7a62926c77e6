import { depthAfter, type KqlMark, scanKql } from '@tyrian/diagnostics';

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

/** The text with comments replaced by spaces of the same length. */
function blankComments(text: string, marks: readonly KqlMark[]): string {
  let out = text;
  for (const { start, end } of marks.filter(({ kind }) => kind === 'comment')) {
    out = out.slice(0, start) + ' '.repeat(end - start) + out.slice(end);
  }
  return out;
}

/** What stands in no bracket. */
function outermost(marks: readonly KqlMark[]): readonly KqlMark[] {
  let depth = 0;
  return marks.filter((mark) => {
    depth = depthAfter(depth, mark);
    return depth === 0;
  });
}

/** Splits the last statement of `text` into its source and its pipe stages. */
export function readPipeline(text: string): Pipeline {
  const all = scanKql(text);
  const bare = blankComments(text, all);
  const marks = outermost(all);
  let statementEnd = bare.trimEnd().length;
  let prefixEnd = 0;
  for (const mark of marks.filter((each) => each.kind === 'semicolon').reverse()) {
    if (bare.slice(mark.start + 1, statementEnd).trim() === '') {
      statementEnd = bare.slice(0, mark.start).trimEnd().length;
    } else {
      prefixEnd = mark.start + 1;
      break;
    }
  }
  const pipes = marks.filter((m) => m.kind === 'pipe' && m.start >= prefixEnd && m.start < statementEnd);
  const body = bare.slice(prefixEnd, statementEnd);
  if (body.trim() === '') return { prefixEnd, stages: [] };
  const starts = [prefixEnd + (body.length - body.trimStart().length), ...pipes.map((pipe) => pipe.start)];
  const stages = starts.map((start, index) => {
    const limit = starts[index + 1] ?? statementEnd;
    const inner = bare.slice(index === 0 ? start : start + 1, limit).trim();
    const end = start + bare.slice(start, limit).trimEnd().length;
    const operator = index === 0 ? '' : (/^[a-z][a-z-]*/i.exec(inner)?.[0] ?? '').toLowerCase();
    return { operator, start, end, text: inner };
  });
  return { prefixEnd, stages };
}
