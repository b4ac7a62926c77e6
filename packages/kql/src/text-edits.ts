import type { Span } from '@tyrian/diagnostics';

// A text is rewritten in part before it is bound; spans in the rewritten text are mapped back, so that messages
// point at what the user wrote.

export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The text with edits that do not overlap, in order. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = '';
  let at = 0;
  for (const edit of edits) {
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at);
}

/** From a span of the rewritten text to the span of the user's text. */
export function placeBefore(span: Span, edits: readonly TextEdit[]): Span {
  const point = (at: number, isEnd: boolean): number => {
    let shift = 0;
    for (const edit of edits) {
      const start = edit.start + shift;
      const end = start + edit.text.length;
      if (at < start || (isEnd && at === start)) break;
      if (at < end || (isEnd && at === end)) return isEnd ? edit.end : edit.start;
      shift += edit.text.length - (edit.end - edit.start);
    }
    return at - shift;
  };
  return { start: point(span.start, false), end: point(span.end, true) };
}
