import { autocompletion } from '@codemirror/autocomplete';
import { type Diagnostic, setDiagnostics } from '@codemirror/lint';
import type { EditorView } from '@codemirror/view';
import { type Ref, useEffect, useImperativeHandle } from 'react';
import { useYamlEditor } from '../../../query-kit/editor/use-yaml-editor.ts';
import { completeExtractor } from './extractor-words.ts';

// The editor of a definition, with what the server finds wrong at its place.

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

const SETUP = {
  lines: { least: 20, most: 34 },
  indent: 2,
  testId: 'extractor-editor',
  services: () => autocompletion({ override: [completeExtractor] }),
} as const;

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
  const { marks, handle } = props;
  const editor = useYamlEditor({ ...props, ...SETUP });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor is the same for as long as it is there
  useEffect(() => {
    const view = editor.view();
    if (view) mark(view, marks);
  }, [marks]);

  useImperativeHandle(handle, () => ({
    showLine: (line, column = 1) => {
      const view = editor.view();
      if (!view) return;
      const { from } = diagnosticOf(view, { line, column, severity: 'error', message: '' });
      view.dispatch({ selection: { anchor: from }, scrollIntoView: true });
      view.focus();
    },
  }));

  return <div ref={editor.frame} />;
}
