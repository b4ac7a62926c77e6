import type { Diagnostic } from './diagnostic.ts';

/** A diagnostic as text for a terminal: the line, a caret under the place, the message and the hint. */
export function renderDiagnostic(text: string, diagnostic: Diagnostic): string {
  const start = Math.min(diagnostic.span.start, text.length);
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const next = text.indexOf('\n', start);
  const lineEnd = next < 0 ? text.length : next;
  const line = text.slice(lineStart, lineEnd);
  const width = Math.max(1, Math.min(diagnostic.span.end, lineEnd) - start);
  const number = text.slice(0, lineStart).split('\n').length;
  const marks = `${line.slice(0, start - lineStart).replace(/[^\t]/g, ' ')}${'^'.repeat(width)}`;
  const head = `${diagnostic.severity} ${diagnostic.code} (line ${number}): ${diagnostic.message}`;
  return [head, `  ${line}`, `  ${marks}`, ...(diagnostic.hint ? [`  ${diagnostic.hint}`] : [])].join('\n');
}
