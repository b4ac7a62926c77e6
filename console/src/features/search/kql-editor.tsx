import {
  closeBrackets,
  closeBracketsKeymap,
  closeCompletion,
  completionKeymap,
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
import { useQuery } from '@tanstack/react-query';
import { listFields } from '@tyrian/contract';
import type { Diagnostic, Fix, Span } from '@tyrian/diagnostics';
import type { ExtField } from '@tyrian/kql';
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useScope } from '../../lib/session-store.ts';
import { callQuery } from '../../lib/use-call.ts';
import { activeStatement } from './kql-active-statement.ts';
import { applyFix, formatKqlIn, kqlServices, markersOf, type OnDiagnostics } from './kql-editor-services.ts';
import { kqlEditorTheme } from './kql-editor-theme.ts';
import { kqlFolding } from './kql-folding.ts';
import { partAt } from './kql-statements.ts';
import { kqlLanguage } from './kql-stream-language.ts';
import { teachKqlWorker } from './kql-worker-client.ts';

// The one KQL editor of the console: Find, workbooks, and whatever asks for a query later.

export interface KqlEditorHandle {
  focus(): void;
  /** Puts the cursor at a place of the text and shows it. */
  select(span: Span): void;
  format(): void;
  /** The query under the cursor with the lets that it uses. */
  query(): string;
  /** Mends a mistake. */
  fix(fix: Fix): void;
}

interface KqlEditorProps {
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** Shift+Enter and Ctrl+Enter: the query under the cursor with its lets, and the whole text. */
  readonly onRun?: (query: string, text: string) => void;
  /** Mistakes that the language service found in the text as it stands. */
  readonly onDiagnostics?: OnDiagnostics;
  /** Mistakes that the server found; shown until the text changes. */
  readonly serverDiagnostics?: readonly Diagnostic[];
  readonly ariaLabel: string;
  readonly hint?: string;
  readonly readOnly?: boolean;
  readonly minLines?: number;
  readonly maxLines?: number;
  readonly handle?: Ref<KqlEditorHandle>;
}

type Callbacks = Pick<KqlEditorProps, 'onChange' | 'onRun' | 'onDiagnostics'> & {
  readonly nameFix: (text: string) => string;
};

const queryUnder = ({ state }: EditorView): string =>
  partAt(state.doc.toString(), state.selection.main.head).text;

function keys(latest: { readonly current: Callbacks }): Extension {
  const run = (view: EditorView): boolean => {
    // Also drops a completion that is still being asked for, which would cover what comes next.
    closeCompletion(view);
    latest.current.onRun?.(queryUnder(view), view.state.doc.toString());
    return latest.current.onRun !== undefined;
  };
  const own = [
    { key: 'Shift-Enter', run },
    { key: 'Mod-Enter', run },
    {
      key: 'Shift-Alt-f',
      run: (view: EditorView) => {
        void formatKqlIn(view);
        return true;
      },
    },
    // Tab indents in the editor; Escape and then Tab leaves it, so nobody is trapped.
    indentWithTab,
  ];
  return [
    Prec.highest(keymap.of(own)),
    keymap.of([
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...lintKeymap,
      ...searchKeymap,
      ...historyKeymap,
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
        (text) => latest.current.nameFix(text),
      ),
      activeStatement(),
      codeFolding(),
      foldGutter(),
      kqlFolding(),
      keymap.of(foldKeymap),
      props.hint ? placeholder(props.hint) : [],
      EditorView.contentAttributes.of({ 'aria-label': props.ariaLabel, 'data-testid': 'kql-editor' }),
      fixed.of(fixedExtension(props.readOnly ?? false)),
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

const fixedExtension = (readOnly: boolean): Extension => [
  EditorState.readOnly.of(readOnly),
  EditorView.editable.of(!readOnly),
];

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
function replaceText(view: EditorView, text: string): void {
  const old = view.state.doc.toString();
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

/** A KQL editor that grows from `minLines` to `maxLines`. */
export function KqlEditor(props: KqlEditorProps) {
  const { value, onChange, onRun, onDiagnostics, serverDiagnostics, handle, readOnly = false } = props;
  useTaughtFields();
  const frame = useRef<HTMLDivElement>(null);
  const editor = useRef<ReturnType<typeof startEditor> | null>(null);
  const { t } = useTranslation('search');
  const nameFix = (text: string) =>
    text.trim() === '' ? t('diagnostics.remove') : t('diagnostics.write', { text: text.trim() });
  const latest = useRef<Callbacks>({ onChange, onRun, onDiagnostics, nameFix });
  latest.current = { onChange, onRun, onDiagnostics, nameFix };
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
    view?.dispatch({ effects: fixed!.reconfigure(fixedExtension(readOnly)) });
  }, [readOnly]);

  useEffect(() => {
    const view = editor.current?.view;
    if (!view || !serverDiagnostics || serverDiagnostics.length === 0) return;
    view.dispatch(
      setDiagnostics(view.state, markersOf(serverDiagnostics, view.state.doc.length, latest.current.nameFix)),
    );
  }, [serverDiagnostics]);

  useImperativeHandle(handle, () => ({
    focus: () => editor.current?.view.focus(),
    select: (span) => selectSpan(editor.current?.view, span),
    query: () => (editor.current ? queryUnder(editor.current.view) : value),
    fix: ({ span, text }) => editor.current && applyFix(editor.current.view, span, text),
    format: () => void (editor.current && formatKqlIn(editor.current.view)),
  }));

  return <div ref={frame} />;
}

/** Tells the language worker which fields the events of this scope have beyond the catalog. */
function useTaughtFields(): void {
  const { clusterId, scopeId } = useScope();
  const { data } = useQuery({
    ...callQuery(listFields, { scope_id: scopeId, stream: [] }, { params: { clusterId }, quiet: true }),
    staleTime: 60_000,
  });
  useEffect(() => {
    if (!data) return;
    const fields = data.flatMap(({ kind, path, type, streams }) =>
      kind === 'ext' && path !== null
        ? streams.map((stream) => ({ stream, path, type: type as ExtField['type'] }))
        : [],
    );
    const facts = data.map(({ name, type, example, streams }) => ({
      name,
      type,
      example: example ?? '',
      streams,
    }));
    teachKqlWorker({ extFields: fields, facts });
  }, [data]);
}

function selectSpan(view: EditorView | undefined, span: Span): void {
  if (!view) return;
  const length = view.state.doc.length;
  const anchor = Math.min(span.start, length);
  view.dispatch({ selection: { anchor, head: Math.min(span.end, length) }, scrollIntoView: true });
  view.focus();
}
