import {
  acceptCompletion,
  closeBrackets,
  closeBracketsKeymap,
  closeCompletion,
  completionKeymap,
  completionStatus,
  snippet,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, codeFolding, foldGutter, foldKeymap } from '@codemirror/language';
import { lintKeymap, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension, Prec } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view';
import type { Diagnostic, Fix, Span } from '@tyrian/diagnostics';
import { type Ref, type RefObject, useEffect, useImperativeHandle, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { TimeRange } from '../../lib/time-range.ts';
import { fixName } from './diagnostic-list.tsx';
import { activeStatement } from './kql-active-statement.ts';
import type { CompletionSources } from './kql-completion.ts';
import {
  applyFix,
  formatKqlIn,
  kqlServices,
  type Mending,
  markersOf,
  mendAtCursor,
  type OnDiagnostics,
} from './kql-editor-services.ts';
import { kqlEditorTheme } from './kql-editor-theme.ts';
import { kqlFolding } from './kql-folding.ts';
import { withEnd } from './kql-snippets.ts';
import { partAt } from './kql-statements.ts';
import { kqlLanguage } from './kql-stream-language.ts';
import { readOnlyExtension } from './read-only.ts';
import { useCompletionSources } from './use-completion-sources.ts';
import { useEditorWords } from './use-editor-words.ts';
import { useTaughtNames } from './use-taught-names.ts';

// The one KQL editor of the console: Find, workbooks, and whatever asks for a query later.

export type EditorCommand = 'save' | 'history' | 'saved';

export interface KqlEditorHandle {
  focus(): void;
  /** Gives the focus on arrival: `suggested` is marked whole, so that typing replaces it; behind any other text. */
  arrive(suggested: string): void;
  /** Puts the cursor at a place of the text and shows it. */
  select(span: Span): void;
  format(): void;
  /** The query under the cursor with the lets that it uses. */
  query(): string;
  /** Mends a mistake. */
  fix(fix: Fix): void;
  /** Mends the mistake that is nearest to the cursor; false when there is none. */
  mend(): boolean;
  /** Puts a snippet in at the cursor; Tab goes through its places. */
  insert(template: string): void;
  /** Takes the place of the whole text; Ctrl+Z brings that back. */
  replace(text: string): void;
  /** Puts a further query below the text. */
  append(text: string): void;
}

interface KqlEditorProps {
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** Shift+Enter and Ctrl+Enter: the query under the cursor with its lets, and the whole text. */
  readonly onRun?: (query: string, text: string) => void;
  /** Ctrl+Shift+Enter: all queries of the text. */
  readonly onRunAll?: (text: string) => void;
  /** Mistakes that the language service found in the text as it stands. */
  readonly onDiagnostics?: OnDiagnostics;
  /** Mistakes that the server found; shown until the text changes. */
  readonly serverDiagnostics?: readonly Diagnostic[];
  /** Range that values for completion are looked up in; the last day when absent. */
  readonly range?: TimeRange;
  /** Keys that the page answers: Ctrl+S saves, Alt+H opens the history, Alt+O the saved queries. */
  readonly onCommand?: (command: EditorCommand) => void;
  readonly ariaLabel: string;
  readonly hint?: string;
  readonly readOnly?: boolean;
  readonly minLines?: number;
  readonly maxLines?: number;
  readonly handle?: Ref<KqlEditorHandle>;
}

type Callbacks = Pick<KqlEditorProps, 'onChange' | 'onRun' | 'onRunAll' | 'onDiagnostics' | 'onCommand'> & {
  readonly nameFix: Mending['name'];
  readonly sources: CompletionSources;
};

const COMMAND_KEYS = [
  { key: 'Mod-s', command: 'save' },
  { key: 'Alt-h', command: 'history' },
  { key: 'Alt-o', command: 'saved' },
] as const satisfies readonly { key: string; command: EditorCommand }[];

const queryUnder = ({ state }: EditorView): string =>
  partAt(state.doc.toString(), state.selection.main.head).text;

/** A list that has just opened takes no key yet; the text is not moved aside meanwhile. */
const takeCompletion = (view: EditorView): boolean =>
  acceptCompletion(view) || completionStatus(view.state) === 'active';

/** Several cursors become one first. */
function leave(view: EditorView): boolean {
  if (view.state.selection.ranges.length > 1) return false;
  view.contentDOM.blur();
  return true;
}

function keys(latest: { readonly current: Callbacks }): Extension {
  const run = (view: EditorView): boolean => {
    // Also drops a completion that is still being asked for, which would cover what comes next.
    closeCompletion(view);
    latest.current.onRun?.(queryUnder(view), view.state.doc.toString());
    return latest.current.onRun !== undefined;
  };
  const runAll = (view: EditorView): boolean => {
    closeCompletion(view);
    latest.current.onRunAll?.(view.state.doc.toString());
    return latest.current.onRunAll !== undefined;
  };
  const own = [
    { key: 'Mod-Shift-Enter', run: runAll },
    { key: 'Shift-Enter', run },
    { key: 'Mod-Enter', run },
    {
      key: 'Shift-Alt-f',
      run: (view: EditorView) => {
        void formatKqlIn(view);
        return true;
      },
    },
    ...COMMAND_KEYS.map(({ key, command }) => ({
      key,
      preventDefault: true,
      run: () => {
        latest.current.onCommand?.(command);
        return latest.current.onCommand !== undefined;
      },
    })),
  ];
  return [
    Prec.highest(keymap.of(own)),
    keymap.of([
      // Tab takes a completion, goes to the next place of a snippet (its own keys come first), or indents; Escape
      // leaves the editor when there is nothing to close, and Tab then goes on behind it, so nobody is trapped.
      { key: 'Tab', run: takeCompletion },
      indentWithTab,
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...lintKeymap,
      ...searchKeymap,
      ...historyKeymap,
      { key: 'Escape', run: leave },
      ...defaultKeymap,
    ]),
  ];
}

function startEditor(parent: HTMLElement, props: KqlEditorProps, latest: { readonly current: Callbacks }) {
  // Texts that were told and have not come back as `value` yet. One that comes back late is an echo, not a wish.
  const told: string[] = [];
  const fixed = new Compartment();
  const state = EditorState.create({
    doc: props.value,
    extensions: [
      keys(latest),
      kqlEditorTheme(props.minLines ?? 3, props.maxLines ?? 12),
      lineNumbers(),
      highlightSpecialChars(),
      history(),
      drawSelection(),
      bracketMatching(),
      closeBrackets(),
      highlightActiveLine(),
      highlightSelectionMatches(),
      EditorView.lineWrapping,
      kqlLanguage(),
      kqlServices(
        (found, text) => latest.current.onDiagnostics?.(found, text),
        mendingOf(latest),
        latestSources(latest),
      ),
      activeStatement(),
      codeFolding(),
      foldGutter(),
      kqlFolding(),
      keymap.of(foldKeymap),
      props.hint ? placeholder(props.hint) : [],
      EditorView.contentAttributes.of({ 'aria-label': props.ariaLabel, 'data-testid': 'kql-editor' }),
      fixed.of(readOnlyExtension(props.readOnly ?? false)),
      EditorView.updateListener.of((update) => {
        if (!update.docChanged) return;
        const text = update.state.doc.toString();
        told.push(text);
        latest.current.onChange(text);
      }),
    ],
  });
  return { view: new EditorView({ state, parent }), fixed, told };
}

/** Changes are named in the language of the moment, and run what the page runs now. */
const mendingOf = (latest: { readonly current: Callbacks }): Mending => ({
  name: (fix) => latest.current.nameFix(fix),
  run: (view) => latest.current.onRun?.(queryUnder(view), view.state.doc.toString()),
});

/** Sources that ask the newest ones: the editor outlives a change of scope, range or language. */
const latestSources = (latest: { readonly current: Callbacks }): CompletionSources => ({
  values: (position) => latest.current.sources.values(position),
  snippets: () => latest.current.sources.snippets(),
  nameCount: (count) => latest.current.sources.nameCount(count),
  snippetWord: () => latest.current.sources.snippetWord(),
});

/** Takes over a text from outside; what the editor itself said a moment ago never overwrites what was typed since. */
function takeValue({ view, told }: ReturnType<typeof startEditor>, text: string): void {
  const echo = told.lastIndexOf(text);
  if (echo >= 0) told.splice(0, echo + 1);
  else {
    replaceText(view, text);
    told.length = 0;
  }
}

/** Replaces only what differs, so that the cursor stays where the analyst left it. */
function replaceText(view: EditorView, value: string): void {
  const old = view.state.doc.toString();
  const text = view.state.toText(value).toString();
  if (old === text) return;
  const shorter = Math.min(old.length, text.length);
  let start = 0;
  while (start < shorter && old[start] === text[start]) start++;
  let tail = 0;
  while (tail < shorter - start && old[old.length - 1 - tail] === text[text.length - 1 - tail]) tail++;
  view.dispatch({
    changes: { from: start, to: old.length - tail, insert: text.slice(start, text.length - tail) },
  });
}

/** What the page around may do with the editor; `value` stands for its text until it is there. */
function handleOf(
  editor: RefObject<ReturnType<typeof startEditor> | null>,
  value: string,
  latest: RefObject<Callbacks>,
): KqlEditorHandle {
  return {
    focus: () => editor.current?.view.focus(),
    arrive: (suggested) => editor.current && arriveAt(editor.current.view, suggested),
    select: (span) => selectSpan(editor.current?.view, span),
    query: () => (editor.current ? queryUnder(editor.current.view) : value),
    fix: (fix) => editor.current && applyFix(editor.current.view, fix, mendingOf(latest)),
    mend: () => editor.current !== null && mendAtCursor(editor.current.view),
    insert: (template) => editor.current && insertSnippet(editor.current.view, template),
    replace: (text) => editor.current && replaceAll(editor.current.view, text),
    append: (text) => editor.current && appendQuery(editor.current.view, text),
    format: () => void (editor.current && formatKqlIn(editor.current.view)),
  };
}

/** A KQL editor that grows from `minLines` to `maxLines`. */
export function KqlEditor(props: KqlEditorProps) {
  const { value, onChange, onRun, onRunAll, onDiagnostics, onCommand, serverDiagnostics, handle } = props;
  const { readOnly = false } = props;
  const sources = useCompletionSources(props.range);
  useTaughtNames();
  useEditorWords();
  const frame = useRef<HTMLDivElement>(null);
  const editor = useRef<ReturnType<typeof startEditor> | null>(null);
  const { t } = useTranslation('search');
  const nameFix = (fix: Fix) => fixName(fix, t);
  const latest = useRef<Callbacks>({ onChange, onRun, onRunAll, onDiagnostics, onCommand, nameFix, sources });
  latest.current = { onChange, onRun, onRunAll, onDiagnostics, onCommand, nameFix, sources };
  const first = useRef(props);

  useEffect(() => {
    if (!frame.current) return;
    const started = startEditor(frame.current, first.current, latest);
    editor.current = started;
    return () => {
      editor.current = null;
      started.view.destroy();
    };
  }, []);

  useEffect(() => {
    if (editor.current) takeValue(editor.current, value);
  }, [value]);

  useEffect(() => {
    const { view, fixed } = editor.current ?? {};
    view?.dispatch({ effects: fixed!.reconfigure(readOnlyExtension(readOnly)) });
  }, [readOnly]);

  useEffect(() => {
    const view = editor.current?.view;
    if (!view || !serverDiagnostics || serverDiagnostics.length === 0) return;
    view.dispatch(
      setDiagnostics(view.state, markersOf(serverDiagnostics, view.state.doc.length, mendingOf(latest))),
    );
  }, [serverDiagnostics]);

  useImperativeHandle(handle, () => handleOf(editor, value, latest));

  return <div ref={frame} />;
}

/** Puts the snippet where the cursor is; a step of a pipe gets a line of its own. */
function insertSnippet(view: EditorView, template: string): void {
  const { head } = view.state.selection.main;
  const line = view.state.doc.lineAt(head);
  const isStep = /^\|/.test(template);
  const at = isStep && line.text.trim() !== '' ? line.to : head;
  snippet(withEnd(isStep && line.text.trim() !== '' ? `\n${template}` : template))(view, null, at, at);
  view.focus();
}

function replaceAll(view: EditorView, text: string): void {
  const insert = view.state.toText(text);
  view.dispatch({
    changes: { from: 0, to: view.state.doc.length, insert },
    selection: { anchor: insert.length },
    userEvent: 'input.replace',
  });
  view.focus();
}

function appendQuery(view: EditorView, text: string): void {
  const { doc } = view.state;
  const end = doc.toString().trimEnd().length;
  const insert = view.state.toText(end === 0 ? text : `\n\n${text}`);
  view.dispatch({
    changes: { from: end, to: doc.length, insert },
    selection: { anchor: end + insert.length },
    scrollIntoView: true,
    userEvent: 'input.append',
  });
  view.focus();
}

function arriveAt(view: EditorView, suggested: string): void {
  const head = view.state.doc.length;
  const anchor = view.state.doc.toString() === suggested ? 0 : head;
  view.dispatch({ selection: { anchor, head } });
  view.focus();
}

function selectSpan(view: EditorView | undefined, span: Span): void {
  if (!view) return;
  const length = view.state.doc.length;
  const anchor = Math.min(span.start, length);
  view.dispatch({ selection: { anchor, head: Math.min(span.end, length) }, scrollIntoView: true });
  view.focus();
}
