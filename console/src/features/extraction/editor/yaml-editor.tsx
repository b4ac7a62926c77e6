import {
  acceptCompletion,
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language';
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension, Prec } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import { kqlEditorTheme } from '../../../query-kit/editor/kql-editor-theme.ts';
import { completeExtractor } from './extractor-words.ts';

// The editor of a definition: YAML, in the look of the other editors, with what the server finds wrong at its place.

export interface YamlEditorHandle {
  /** Puts the cursor at the beginning of a line, from 1, and shows it. */
  showLine(line: number, column?: number): void;
}

/** Something to be marked in the text. */
export interface TextMark {
  readonly line: number;
  readonly column: number;
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

interface YamlEditorProps {
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly onSave: () => void;
  readonly marks: readonly TextMark[];
  readonly readOnly: boolean;
  readonly ariaLabel: string;
  readonly handle: Ref<YamlEditorHandle>;
}

const COLOURS = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--chart-1)' },
  { tag: tags.comment, color: 'var(--text-secondary)', fontStyle: 'italic' },
  { tag: [tags.string, tags.special(tags.string), tags.content], color: 'var(--chart-7)' },
  { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace], color: 'var(--text-secondary)' },
]);

const LINES = { least: 20, most: 34 };

const fixed = (readOnly: boolean): Extension => [
  EditorState.readOnly.of(readOnly),
  EditorView.editable.of(!readOnly),
];

type Latest = { readonly current: Pick<YamlEditorProps, 'onChange' | 'onSave'> };

const keys = (latest: Latest): Extension => [
  Prec.highest(
    keymap.of([
      {
        key: 'Mod-s',
        preventDefault: true,
        run: () => {
          latest.current.onSave();
          return true;
        },
      },
    ]),
  ),
  keymap.of([
    { key: 'Tab', run: acceptCompletion },
    indentWithTab,
    ...closeBracketsKeymap,
    ...completionKeymap,
    ...lintKeymap,
    ...searchKeymap,
    ...historyKeymap,
    ...foldKeymap,
    {
      // Tab goes on behind the editor then, so nobody is trapped.
      key: 'Escape',
      run: (view) => {
        view.contentDOM.blur();
        return true;
      },
    },
    ...defaultKeymap,
  ]),
];

function start(parent: HTMLElement, props: YamlEditorProps, latest: Latest) {
  const changeable = new Compartment();
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: props.value,
      extensions: [
        keys(latest),
        kqlEditorTheme(LINES.least, LINES.most),
        lineNumbers(),
        lintGutter(),
        foldGutter(),
        history(),
        drawSelection(),
        bracketMatching(),
        closeBrackets(),
        highlightActiveLine(),
        highlightSelectionMatches(),
        EditorView.lineWrapping,
        indentUnit.of('  '),
        yaml(),
        autocompletion({ override: [completeExtractor] }),
        syntaxHighlighting(COLOURS),
        EditorView.contentAttributes.of({ 'aria-label': props.ariaLabel, 'data-testid': 'extractor-editor' }),
        changeable.of(fixed(props.readOnly)),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) latest.current.onChange(update.state.doc.toString());
        }),
      ],
    }),
  });
  return { view, changeable };
}

/** The place of a mark in the text: from its column to the end of the line. */
function diagnosticOf(view: EditorView, { line, column, severity, message }: TextMark): Diagnostic {
  const { doc } = view.state;
  const at = doc.line(Math.min(Math.max(1, line), doc.lines));
  const from = Math.min(at.from + Math.max(0, column - 1), at.to);
  return { from, to: at.to, severity, message };
}

function mark(view: EditorView, marks: readonly TextMark[]): void {
  const diagnostics = marks.map((one) => diagnosticOf(view, one));
  view.dispatch(setDiagnostics(view.state, diagnostics));
}

/** An editor of the definition of one extractor. */
export function YamlEditor(props: YamlEditorProps) {
  const { value, readOnly, marks, handle } = props;
  const frame = useRef<HTMLDivElement>(null);
  const editor = useRef<ReturnType<typeof start> | null>(null);
  const latest = useRef<Latest['current']>(props);
  latest.current = props;
  const first = useRef(props);

  useEffect(() => {
    if (!frame.current) return;
    const started = start(frame.current, first.current, latest);
    editor.current = started;
    return () => {
      editor.current = null;
      started.view.destroy();
    };
  }, []);

  useEffect(() => {
    const view = editor.current?.view;
    if (!view || view.state.doc.toString() === view.state.toText(value).toString()) return;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value } });
  }, [value]);

  useEffect(() => {
    if (editor.current) mark(editor.current.view, marks);
  }, [marks]);

  useEffect(() => {
    const { view, changeable } = editor.current ?? {};
    view?.dispatch({ effects: changeable!.reconfigure(fixed(readOnly)) });
  }, [readOnly]);

  useImperativeHandle(handle, () => ({
    showLine: (line, column = 1) => {
      const view = editor.current?.view;
      if (!view) return;
      const { from } = diagnosticOf(view, { line, column, severity: 'error', message: '' });
      view.dispatch({ selection: { anchor: from }, scrollIntoView: true });
      view.focus();
    },
  }));

  return <div ref={frame} />;
}
