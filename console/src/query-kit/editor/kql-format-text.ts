import { readStatements } from './kql-statements.ts';

// Laying out a text of several statements: each on its own, what stands between them as it is.

/** The text laid out; null when `format` has nothing to say about any of it. */
export function formatStatements(text: string, format: (statement: string) => string | null): string | null {
  const statements = readStatements(text);
  if (statements.filter(({ kind }) => kind === 'query').length < 2) return format(text);
  let result = '';
  let at = 0;
  for (const { start, end } of statements) {
    const written = text.slice(start, end);
    result += text.slice(at, start) + (format(written)?.trim() || written);
    at = end;
  }
  return result + text.slice(at);
}

/** Where a place of a text is once it is laid out: behind as many letters that are no spaces. */
export function positionAfterFormat(before: string, after: string, position: number): number {
  let letters = before.slice(0, position).replace(/\s/g, '').length;
  let at = 0;
  while (at < after.length && letters > 0) {
    if (!/\s/.test(after.charAt(at))) letters -= 1;
    at += 1;
  }
  return at;
}
