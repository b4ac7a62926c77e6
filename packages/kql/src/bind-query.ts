import { type Diagnostic, inEnglish, type Span, say } from '@tyrian/diagnostics';
import type { BoundQuery } from './bound-query.ts';
import type { KqlSchema } from './event-schema.ts';
import { type KustoCode, kusto, kustoItems } from './kusto.ts';
import { messages } from './messages.ts';
import { explainMistakes, firstOfEachStep, nearFields } from './mistakes/explain-mistakes.ts';
import { bareText, quotedFix } from './mistakes/foreign-steps.ts';
import { freeTextMistake, literalAlone } from './mistakes/free-text.ts';
import { isKnownColumn } from './mistakes/names-at.ts';
import { applyEdits, placeBefore, type TextEdit } from './text-edits.ts';
import { unionEdits } from './union-members.ts';

// Parse and bind with Microsoft's language service. A name that no column has is looked up among the other vocabularies
// and the fields seen below Ext; when it is one of them the text is rewritten and bound again. Places in the rewritten
// text are mapped back, so that messages point at what the user wrote.

const UNKNOWN_NAME = 'KS142';
const MAX_ROUNDS = 8;
/** So many unknown names are compared with those in scope. */
const MAX_COMPARED = 5;

/** Binds a text against a schema. `unknownColumns: 'error'` refuses fields that no event has had. */
export function bindQuery(text: string, schema: KqlSchema, unknownColumns: 'warn' | 'error'): BoundQuery {
  try {
    return told(bind(text, schema, unknownColumns), text, schema);
  } catch (failure) {
    // Too deep for the stack: the compiler says so, and what the text holds is not to blame.
    if (failure instanceof RangeError) throw failure;
    const code = kusto.KustoCode.Parse(text, schema.globals);
    const syntax = explainMistakes(code, schema);
    const free = freeTextMistake(text, schema);
    const diagnostics = free ? [free] : syntax.length > 0 ? syntax : stumbledOver(text, failure);
    if (diagnostics.length === 0) throw failure;
    return { code, diagnostics, original: (place) => place };
  }
}

/** Words that are no query are told as such, instead of what the parser stumbled over in them. */
function told(bound: BoundQuery, text: string, schema: KqlSchema): BoundQuery {
  const isWrong = bound.diagnostics.some((one) => one.severity === 'error');
  const found = isWrong ? freeTextMistake(text, schema) : literalAlone(text);
  if (!found) return bound;
  return { ...bound, diagnostics: isWrong ? [found] : [...bound.diagnostics, found] };
}

/** It does not get over a graph operator behind a table, nor a plug-in that looks up a table which is not there. */
function stumbledOver(text: string, failure: unknown): Diagnostic[] {
  const graph = failure instanceof TypeError ? /\bgraph-[a-z-]+/.exec(text) : null;
  if (graph) return [messages.needsGraph(spanOf(graph), graph[0])];
  const plugin = /\bevaluate\s+(\w+)/.exec(text);
  return plugin ? [messages.unboundPlugin(spanOf(plugin), plugin[1] ?? '')] : [];
}

const spanOf = (found: RegExpExecArray): Span => ({
  start: found.index,
  end: found.index + found[0].length,
});

function bind(text: string, schema: KqlSchema, unknownColumns: 'warn' | 'error'): BoundQuery {
  let edits: TextEdit[] = [];
  const warnings = new Map<number, Diagnostic>();
  let code = kusto.KustoCode.ParseAndAnalyze(text, schema.globals);
  const members = unionEdits(code);
  for (const span of members.filter((edit) => /^(where true)?$/.test(edit.text)))
    warnings.set(span.start, messages.ignored(span, say('fuzzyUnion')));
  if (members.length > 0) {
    edits = members;
    code = kusto.KustoCode.ParseAndAnalyze(applyEdits(text, edits), schema.globals);
  }
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const found = repairs(code, text, edits, schema, unknownColumns, warnings);
    if (found.length === 0) break;
    const rewritten = [...edits, ...found].sort((one, other) => one.start - other.start);
    const next = kusto.KustoCode.ParseAndAnalyze(applyEdits(text, rewritten), schema.globals);
    if (unknownNames(next).length >= unknownNames(code).length && round > 0) break;
    code = next;
    edits = rewritten;
  }
  const original = (span: Span): Span => placeBefore(span, edits);
  const errors = explainMistakes(code, schema).map(
    ({ fixes, ...one }): Diagnostic => ({
      ...one,
      span: original(one.span),
      ...(fixes ? { fixes: fixes.map((fix) => ({ ...fix, span: original(fix.span) })) } : {}),
    }),
  );
  // A field that cannot even be read from Ext is an error, not a warning as well.
  const told = errors.map((one) => {
    if (one.code !== UNKNOWN_NAME || !warnings.delete(one.span.start)) return one;
    return {
      ...messages.unknownName(one.span, text.slice(one.span.start, one.span.end)),
      code: UNKNOWN_NAME,
    };
  });
  return { code, diagnostics: [...warnings.values(), ...told], original };
}

function unknownNames(code: KustoCode): { start: number; end: number }[] {
  // Where the parser stumbled names are not to be trusted: `mv-expnd` would be the column mv less expnd.
  return firstOfEachStep(code.Text, kustoItems(code.GetDiagnostics()))
    .filter((one) => one.Code === UNKNOWN_NAME)
    .map((one) => ({ start: one.Start, end: one.Start + one.Length }));
}

function repairs(
  code: KustoCode,
  text: string,
  edits: readonly TextEdit[],
  schema: KqlSchema,
  unknownColumns: 'warn' | 'error',
  warnings: Map<number, Diagnostic>,
): TextEdit[] {
  const found: TextEdit[] = [];
  for (const place of unknownNames(code)) {
    const { start, end } = placeBefore(place, edits);
    if (edits.some((edit) => start < edit.end && end > edit.start)) continue;
    if (found.some((edit) => start < edit.end && end > edit.start)) continue;
    const dotted = dottedName(text, start, end);
    const repaired = repair(dotted, schema);
    if (repaired) {
      found.push({ start, end: start + repaired.length, text: repaired.text });
      continue;
    }
    const word = text.slice(start, end);
    const near = () => {
      const known =
        warnings.size < MAX_COMPARED ? nearFields(code, place.start, { start, word: dotted }, schema) : {};
      return withQuotes(text, start, known);
    };
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(word) || unknownColumns === 'error') {
      if (unknownColumns === 'error' && /^[A-Za-z_]\w*$/.test(word))
        warnings.set(start, hinted(messages.unknownColumn({ start, end }, dotted, true), near()));
      continue;
    }
    // A step before has dropped it: there is no Ext to read it from either.
    if (isKnownColumn(word, schema)) continue;
    const warning = messages.unknownColumn({ start, end: start + dotted.length }, dotted, false);
    warnings.set(start, hinted(warning, near()));
    found.push({ start, end, text: `Ext.${word}` });
  }
  return found;
}

/** Behind a comparison a name that nothing has is most likely a text without its quotes. */
function withQuotes(text: string, start: number, near: Near): Near {
  const bare = bareText(text, start);
  if (bare?.start !== start) return near;
  const fix = quotedFix(text, bare);
  return { hint: say('stringNeedsQuotesAs', { text: fix.text }), fixes: [fix, ...(near.fixes ?? [])] };
}

type Near = ReturnType<typeof nearFields>;

/** A warning with what was probably meant as its hint. */
const hinted = (warning: Diagnostic, { hint, fixes }: Near): Diagnostic => ({
  ...warning,
  ...(hint ? { hint: inEnglish(hint), hintText: hint } : {}),
  ...(fixes ? { fixes } : {}),
});

/** The name at a place with the path after it: `process.command_line`. */
function dottedName(text: string, start: number, end: number): string {
  const after = /^(?:\.[A-Za-z_][A-Za-z0-9_]*)*/.exec(text.slice(end));
  return text.slice(start, end) + (after?.[0] ?? '');
}

function repair(dotted: string, schema: KqlSchema): { text: string; length: number } | null {
  const bracketed = /^\['(.*)'\]$/.exec(dotted) ?? /^\["(.*)"\]$/.exec(dotted);
  const plain = bracketed?.[1] ?? dotted;
  const parts = plain.split('.');
  for (let count = parts.length; count > 0; count--) {
    const name = parts.slice(0, count).join('.');
    const length = bracketed ? dotted.length : name.length;
    const column = schema.aliases.get(name);
    if (column) return { text: column, length };
    if (schema.extPaths.has(name)) return { text: extPath(name), length };
  }
  const prefix = `${parts[0]}.`;
  const isParent = [...schema.extPaths].some((path) => path.startsWith(prefix));
  return isParent && !bracketed ? { text: extPath(parts[0] ?? ''), length: (parts[0] ?? '').length } : null;
}

const extPath = (path: string): string =>
  path
    .split('.')
    .reduce(
      (before, part) =>
        /^[A-Za-z_]\w*$/.test(part) ? `${before}.${part}` : `${before}[${JSON.stringify(part)}]`,
      'Ext',
    );
