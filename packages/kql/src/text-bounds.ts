import { type Diagnostic, type Span, say } from '@tyrian/diagnostics';
import { kusto } from './kusto.ts';
import { messages } from './messages.ts';

// What is looked at before a text reaches the parser, whose work grows faster than the text: commands, whose grammar
// takes seconds to build, brackets within brackets, statements and steps without number. Words are told apart by the
// lexer of the language service, which goes once over the text and never deep.

/** So deep brackets may stand within brackets; the language service itself binds hardly more than half of it. */
export const MAX_NESTED = 200;
export const MAX_LETS = 500;
/** Pipes of a text, those of subqueries included. */
export const MAX_STEPS = 1000;

const OPENS = new Set(['(', '[', '{']);
const CLOSES = new Set([')', ']', '}']);

/** Why a text is not parsed at all; null for any that is. Iterative, in time linear in the text. */
export function textRefusal(text: string): Diagnostic | null {
  const whole: Span = { start: 0, end: text.length };
  if (kusto.KustoCode.GetKind(text) === 'Command') return messages.statement(whole, say('aCommand'));
  if (!mayPassBounds(text)) return null;
  let depth = 0;
  let lets = 0;
  let steps = 0;
  let end = 0;
  for (let token = tokenAt(text, 0); token; token = tokenAt(text, end)) {
    const start = end + token.Trivia.length;
    end = start + token.Text.length;
    if (CLOSES.has(token.Text)) depth -= 1;
    if (OPENS.has(token.Text)) depth += 1;
    if (token.Text === 'let') lets += 1;
    if (token.Text === '|') steps += 1;
    if (depth > MAX_NESTED) return messages.tooDeep({ start, end });
    if (lets > MAX_LETS) return messages.tooMany({ start, end }, MAX_LETS, 'lets');
    if (steps > MAX_STEPS) return messages.tooMany({ start, end }, MAX_STEPS, 'steps');
  }
  return null;
}

/** The word at this place, with the blanks and comments before it; one by one, as most of a text is never looked at. */
const tokenAt = (text: string, start: number) =>
  start < text.length ? kusto.Parsing.TokenParser.ParseToken(text, start, null) : null;

/** Whether strings and comments have to be told from the rest to know. */
function mayPassBounds(text: string): boolean {
  const countOf = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  return countOf(/[([{]/g) > MAX_NESTED || countOf(/\blet\b/g) > MAX_LETS || countOf(/\|/g) > MAX_STEPS;
}
