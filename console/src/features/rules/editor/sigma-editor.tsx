import { type Ref, useImperativeHandle, useRef } from 'react';
import { useYamlEditor } from '../../../query-kit/editor/use-yaml-editor.ts';
import { type SigmaServices, type SigmaWords, sigmaServices } from './sigma-text-services.ts';

// The editor of a rule: YAML with what Sigma knows.

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

const SETUP = { lines: { least: 24, most: 200 }, indent: 4, testId: 'sigma-editor' } as const;

/** An editor of the text of one rule. */
export function SigmaEditor(props: SigmaEditorProps) {
  const latest = useRef(props);
  latest.current = props;
  const editor = useYamlEditor({
    ...props,
    ...SETUP,
    services: () =>
      sigmaServices({
        words: () => latest.current.words,
        onRemarks: (remarks) => latest.current.onRemarks(remarks),
      }),
  });

  useImperativeHandle(props.handle, () => ({
    focus: () => editor.view()?.focus(),
    select: ({ start, end }) => {
      const view = editor.view();
      if (!view) return;
      const most = view.state.doc.length;
      const selection = { anchor: Math.min(start, most), head: Math.min(end, most) };
      view.dispatch({ selection, scrollIntoView: true });
      view.focus();
    },
  }));

  return <div ref={editor.frame} />;
}
