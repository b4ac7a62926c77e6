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
import { type RefObject, useEffect, useRef } from 'react';
import { kqlEditorTheme } from './kql-editor-theme.ts';
import { readOnlyExtension } from './read-only.ts';

// What editors of YAML have in common: rules and extractors, in the look of the KQL editor.

interface YamlEditorOptions {
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly onSave: () => void;
  readonly readOnly: boolean;
  readonly ariaLabel: string;
  /** How tall the editor is, in lines. */
  readonly lines: { readonly least: number; readonly most: number };
  /** Spaces that a step to the right has. */
  readonly indent: number;
  readonly testId: string;
  /** What the editor knows of its language; made once. */
  readonly services: () => Extension;
}

export interface YamlEditorView {
  /** Where the editor is put. */
  readonly frame: RefObject<HTMLDivElement | null>;
  /** Null until it is put there. */
  view(): EditorView | null;
}

const COLOURS = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--chart-1)' },
  { tag: tags.comment, color: 'var(--text-secondary)', fontStyle: 'italic' },
  { tag: [tags.string, tags.special(tags.string), tags.content], color: 'var(--chart-7)' },
  { tag: [tags.labelName, tags.typeName], color: 'var(--chart-5)' },
  { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace], color: 'var(--text-secondary)' },
]);

type Latest = { readonly current: Pick<YamlEditorOptions, 'onChange' | 'onSave'> };

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

function start(parent: HTMLElement, options: YamlEditorOptions, latest: Latest) {
  const changeable = new Compartment();
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: options.value,
      extensions: [
        keys(latest),
        kqlEditorTheme(options.lines.least, options.lines.most),
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
        indentUnit.of(' '.repeat(options.indent)),
        yaml(),
        syntaxHighlighting(COLOURS),
        options.services(),
        EditorView.contentAttributes.of({ 'aria-label': options.ariaLabel, 'data-testid': options.testId }),
        changeable.of(readOnlyExtension(options.readOnly)),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) latest.current.onChange(update.state.doc.toString());
        }),
      ],
    }),
  });
  return { view, changeable };
}

/** An editor of YAML in a frame, which holds what `value` says. */
export function useYamlEditor(options: YamlEditorOptions): YamlEditorView {
  const { value, readOnly } = options;
  const frame = useRef<HTMLDivElement>(null);
  const editor = useRef<ReturnType<typeof start> | null>(null);
  const latest = useRef<Latest['current']>(options);
  latest.current = options;
  const first = useRef(options);

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
    if (view && changeable) view.dispatch({ effects: changeable.reconfigure(readOnlyExtension(readOnly)) });
  }, [readOnly]);

  return { frame, view: () => editor.current?.view ?? null };
}
