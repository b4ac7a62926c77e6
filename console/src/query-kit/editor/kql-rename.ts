import { type Extension, StateEffect, StateField } from '@codemirror/state';
import { type EditorView, keymap, showTooltip, type Tooltip } from '@codemirror/view';
import type { KqlNamePositions } from '@tyrian/kql';
import { askKqlWorker } from './kql-worker-client.ts';

// F2 on a let, or on a parameter of one, renames it wherever the text names it. Enter takes the new name, Escape leaves.

const show = StateEffect.define<Tooltip | null>();

const field = StateField.define<Tooltip | null>({
  create: () => null,
  update(now, transaction) {
    for (const effect of transaction.effects) if (effect.is(show)) return effect.value;
    return transaction.docChanged ? null : now;
  },
  provide: (own) => showTooltip.from(own),
});

function tooltipOf(found: KqlNamePositions, pos: number): Tooltip {
  return {
    pos,
    above: false,
    create: (view) => {
      const dom = document.createElement('input');
      dom.className = 'kql-rename';
      dom.value = found.name;
      dom.setAttribute('aria-label', found.name);
      const close = () => {
        view.dispatch({ effects: show.of(null) });
        view.focus();
      };
      dom.addEventListener('keydown', (event) => {
        event.stopPropagation();
        if (event.key === 'Escape') close();
        else if (event.key === 'Enter') {
          event.preventDefault();
          if (rename(view, found, dom.value.trim())) close();
          else dom.setAttribute('aria-invalid', 'true');
        }
      });
      return { dom, mount: () => dom.select() };
    },
  };
}

/** False when the name is none, or stands in the text already. */
function rename(view: EditorView, { name, places }: KqlNamePositions, next: string): boolean {
  if (next === name) return true;
  const isTaken = new RegExp(`\\b${next}\\b`).test(view.state.doc.toString());
  if (!/^[A-Za-z_]\w*$/.test(next) || isTaken) return false;
  const changes = places.map(({ start, end }) => ({ from: start, to: end, insert: next }));
  view.dispatch({ changes, userEvent: 'input.rename' });
  return true;
}

async function ask(view: EditorView): Promise<void> {
  const { state } = view;
  const position = state.selection.main.head;
  const text = state.doc.toString();
  const found = await askKqlWorker({ kind: 'places', text, position }).catch(() => null);
  if (!found || view.state.doc !== state.doc) return;
  const here = found.places.find(({ start, end }) => start <= position && position <= end);
  view.dispatch({ effects: show.of(tooltipOf(found, here?.start ?? position)) });
}

export function renameByKey(): Extension {
  const run = (view: EditorView): boolean => {
    void ask(view);
    return true;
  };
  return [field, keymap.of([{ key: 'F2', run }])];
}
