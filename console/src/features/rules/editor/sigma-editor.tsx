import {
  acceptCompletion,
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
import { lintGutter, lintKeymap } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension, Prec } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import { kqlEditorTheme } from '../../../query-kit/editor/kql-editor-theme.ts';
import { type SigmaServices, type SigmaWords, sigmaServices } from './sigma-text-services.ts';

// The editor of a rule: YAML with what Sigma knows, in the look of the KQL editor.

export interface SigmaEditorHandle {
  /** Puts the cursor at a place and shows it. */
  select(span: { readonly start: number; readonly end: number }): void;
  focus(): void;
}

interface SigmaEditorProps {
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly onSave: () => void;
  readonly words: SigmaWords;
  readonly onRemarks: SigmaServices['onRemarks'];
  readonly readOnly: boolean;
  readonly ariaLabel: string;
  readonly handle: Ref<SigmaEditorHandle>;
}

const COLOURS = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--chart-1)' },
  { tag: tags.comment, color: 'var(--text-secondary)', fontStyle: 'italic' },
  { tag: [tags.string, tags.special(tags.string), tags.content], color: 'var(--chart-7)' },
  { tag: [tags.labelName, tags.typeName], color: 'var(--chart-5)' },
  { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace], color: 'var(--text-secondary)' },
]);

const LINES = { least: 24, most: 200 };

const fixed = (readOnly: boolean): Extension => [
  EditorState.readOnly.of(readOnly),
  EditorView.editable.of(!readOnly),
];

type Latest = { readonly current: Pick<SigmaEditorProps, 'onChange' | 'onSave' | 'words' | 'onRemarks'> };

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

function start(parent: HTMLElement, props: SigmaEditorProps, latest: Latest) {
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
        highlightSpecialChars(),
        history(),
        drawSelection(),
        bracketMatching(),
        closeBrackets(),
        highlightActiveLine(),
        highlightSelectionMatches(),
        EditorView.lineWrapping,
        indentUnit.of('    '),
        yaml(),
        syntaxHighlighting(COLOURS),
        sigmaServices({
          words: () => latest.current.words,
          onRemarks: (remarks) => latest.current.onRemarks(remarks),
        }),
        EditorView.contentAttributes.of({ 'aria-label': props.ariaLabel, 'data-testid': 'sigma-editor' }),
        changeable.of(fixed(props.readOnly)),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) latest.current.onChange(update.state.doc.toString());
        }),
      ],
    }),
  });
  return { view, changeable };
}

/** An editor of the text of one rule. */
export function SigmaEditor(props: SigmaEditorProps) {
  const { value, readOnly, handle } = props;
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
    const { view, changeable } = editor.current ?? {};
    view?.dispatch({ effects: changeable!.reconfigure(fixed(readOnly)) });
  }, [readOnly]);

  useImperativeHandle(handle, () => ({
    focus: () => editor.current?.view.focus(),
    select: ({ start: from, end }) => {
      const view = editor.current?.view;
      if (!view) return;
      const most = view.state.doc.length;
      const selection = { anchor: Math.min(from, most), head: Math.min(end, most) };
      view.dispatch({ selection, scrollIntoView: true });
      view.focus();
    },
  }));

  return <div ref={frame} />;
}
