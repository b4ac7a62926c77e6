import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  insertCompletionText,
  pickedCompletion,
  snippet,
  startCompletion,
} from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { KqlSuggestion, KqlValuePosition } from '@tyrian/kql';
import { type KqlSnippet, snippetsAt, withEnd } from './kql-snippets.ts';
import { askKqlWorker } from './kql-worker-client.ts';

// Completion has three sources: what the language service offers at the place, the values that the data holds where a
// value is being written, and snippets where a step or a query begins. A source that fails has nothing to offer.

export interface KnownValue {
  readonly value: string;
  readonly count: number;
}

/** What the editor is told from outside. */
export interface CompletionSources {
  /** Values of a field in the data; empty when there are too many to list. */
  readonly values: (place: KqlValuePosition) => Promise<readonly KnownValue[]>;
  readonly snippets: () => readonly KqlSnippet[];
  /** How often a value was seen, in words. */
  readonly nameCount: (count: number) => string;
  /** What stands beside a snippet. */
  readonly snippetWord: () => string;
}

const COMPLETION_TYPES: Readonly<Record<string, string>> = {
  table: 'class',
  column: 'property',
  function: 'function',
  aggregate: 'function',
  operator: 'keyword',
  keyword: 'keyword',
  variable: 'variable',
};
/** Nobody waits longer for values of the data than for the words of the language. */
const VALUES_WITHIN_MS = 1500;

/** Braces mean something in a snippet. */
const literal = (text: string): string => text.replace(/[{}]/g, '\\$&');

function completionOf(suggestion: KqlSuggestion, index: number, count: number): Completion {
  const { label, kind, detail, info, insertBefore, insertAfter } = suggestion;
  return {
    label,
    type: COMPLETION_TYPES[kind] ?? 'text',
    detail,
    info,
    // The service knows the better order; CodeMirror would sort by label.
    boost: 90 - Math.round((180 * index) / Math.max(1, count)),
    apply: insertAndGoOn(insertBefore, insertAfter),
  };
}

/** Puts a suggestion in. Where it asks for more, as `where ` does for a column, the next list opens by itself. */
export function insertAndGoOn(before: string, after: string) {
  return (view: EditorView, completion: Completion, from: number, to: number): void => {
    if (after === '')
      view.dispatch({
        ...insertCompletionText(view.state, before, from, to),
        annotations: pickedCompletion.of(completion),
      });
    else snippet(`${literal(before)}\${}${literal(after)}`)(view, completion, from, to);
    if (after !== '' || /\s$/.test(before)) startCompletion(view);
  };
}

/** A value as KQL writes it; it replaces the whole literal that was begun, closing quote included. */
function applyValue(isText: boolean) {
  return (view: EditorView, { label }: Completion, from: number, to: number): void => {
    const { doc } = view.state;
    const quote = doc.sliceString(Math.max(0, from - 1), from);
    const isQuoted = quote === '"' || quote === "'";
    const own = isQuoted ? quote : '"';
    const written = label.replaceAll('\\', '\\\\').replaceAll(own, `\\${own}`);
    const insert = isText || isQuoted ? `${own}${written}${own}` : label;
    const start = isQuoted ? from - 1 : from;
    const end = isQuoted && doc.sliceString(to, to + 1) === quote ? to + 1 : to;
    view.dispatch({
      changes: { from: start, to: end, insert },
      selection: { anchor: start + insert.length },
      userEvent: 'input.complete',
    });
  };
}

async function valuesAt(
  context: CompletionContext,
  text: string,
  sources: CompletionSources,
): Promise<readonly Completion[]> {
  const place = await askKqlWorker({ kind: 'value', text, position: context.pos });
  if (!place) return [];
  const asked = sources.values(place);
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), VALUES_WITHIN_MS));
  const inTime = await Promise.race([asked, late]);
  if (inTime === null) void asked.then((found) => found.length > 0 && openAgain(context)).catch(() => null);
  const values = inTime ?? [];
  return values.map(({ value, count }, index) => ({
    label: value,
    type: 'constant',
    detail: sources.nameCount(count),
    boost: 99 - Math.round((9 * index) / Math.max(1, values.length)),
    apply: applyValue(place.isText),
  }));
}

/** Values that came late open the list where the cursor still stands. */
function openAgain({ view, state, pos }: CompletionContext): void {
  if (!view?.hasFocus || view.state.selection.main.head !== pos || !view.state.doc.eq(state.doc)) return;
  startCompletion(view);
}

function snippetCompletions(text: string, position: number, sources: CompletionSources): Completion[] {
  return snippetsAt(text, position, sources.snippets()).map(({ name, note, template }) => ({
    label: name,
    type: 'text',
    detail: sources.snippetWord(),
    info: note === '' ? template : `${note}\n\n${template}`,
    apply: snippet(withEnd(template)),
  }));
}

async function complete(
  context: CompletionContext,
  sources: CompletionSources,
): Promise<CompletionResult | null> {
  const text = context.state.doc.toString();
  const before = text.slice(Math.max(0, context.pos - 1), context.pos);
  if (!context.explicit && !/[\w.|$'"[(,= ]/.test(before)) return null;
  const quoted = context.matchBefore(/(?:"[^"\n]*|'[^'\n]*)/);
  const [found, values] = await Promise.all([
    askKqlWorker({ kind: 'complete', text, position: context.pos }).catch(() => null),
    valuesAt(context, text, sources).catch(() => []),
  ]);
  if (context.aborted || context.view?.hasFocus === false) return null;
  const isQuoted = quoted !== null && /(?:[=~(,]|\w)\s*$/.test(text.slice(0, quoted.from));
  if (values.length > 0 && isQuoted)
    return { from: quoted.from + 1, options: [...values], validFor: /^[^"'\n]*$/ };
  const suggestions = found?.suggestions ?? [];
  const options = [
    ...values,
    ...suggestions.map((each, index) => completionOf(each, index, suggestions.length)),
    ...snippetCompletions(text, context.pos, sources),
  ];
  if (options.length === 0) return null;
  const from = Math.min(found?.span.start ?? context.pos, context.pos);
  return { from, options, validFor: /^[\w$.-]*$/ };
}

/** Completion from the language service, the data and snippets. */
export function kqlCompletion(sources: CompletionSources): Extension {
  return autocompletion({
    override: [(context) => complete(context, sources)],
    icons: false,
    maxRenderedOptions: 80,
  });
}
