import { type Extension, RangeSetBuilder } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { partAt, partsOf } from './kql-statements.ts';

// With several queries in the editor, a bar beside the lines shows which one runs, with the lets that it takes along.

const line = Decoration.line({ class: 'kql-active-statement' });

function marks({ state }: EditorView): DecorationSet {
  const text = state.doc.toString();
  const builder = new RangeSetBuilder<Decoration>();
  if (partsOf(text).length < 2) return builder.finish();
  for (const { start, end } of partAt(text, state.selection.main.head).pieces)
    for (let at = start; at <= end; ) {
      const { from, to } = state.doc.lineAt(at);
      builder.add(from, from, line);
      at = to + 1;
    }
  return builder.finish();
}

class ActiveStatement {
  decorations: DecorationSet;

  constructor(view: EditorView) {
    this.decorations = marks(view);
  }

  update(update: ViewUpdate): void {
    if (update.docChanged || update.selectionSet) this.decorations = marks(update.view);
  }
}

export function activeStatement(): Extension {
  return ViewPlugin.define((view) => new ActiveStatement(view), {
    provide: (plugin) =>
      EditorView.decorations.of((view) => view.plugin(plugin)?.decorations ?? Decoration.none),
  });
}
