import { type Extension, StateEffect, StateField } from '@codemirror/state';
import {
  type EditorView,
  keymap,
  showTooltip,
  type Tooltip,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { scanKql } from '@tyrian/diagnostics';
import type { KqlSignatureHelp } from '@tyrian/kql';
import { askKqlWorker } from './kql-worker-client.ts';

// While an argument is being written the call's parameters stand above it, the present one bold. Escape takes them away.

interface CallPosition {
  readonly name: string;
  readonly argument: number;
  /** Offset of the opening bracket. */
  readonly at: number;
}

/** The innermost call whose brackets are open at a place; null when there is none. */
function callAt(text: string, position: number): CallPosition | null {
  const open: { name: string; argument: number; at: number }[] = [];
  for (const { kind, start: at, end } of scanKql(text)) {
    if (at >= position) break;
    if (kind === 'comment' || kind === 'string') {
      if (end > position || (kind === 'comment' && end === position)) return null;
    } else if (kind === 'open') {
      const name = text.charAt(at) === '(' ? (/([A-Za-z_]\w*)$/.exec(text.slice(0, at))?.[1] ?? '') : '';
      open.push({ name, argument: 0, at });
    } else if (kind === 'close') open.pop();
    else if (kind === 'comma') {
      const last = open.at(-1);
      if (last) last.argument += 1;
    }
  }
  const last = open.at(-1);
  return last && last.name !== '' ? last : null;
}

const show = StateEffect.define<Tooltip | null>();

const field = StateField.define<Tooltip | null>({
  create: () => null,
  update(now, transaction) {
    for (const effect of transaction.effects) if (effect.is(show)) return effect.value;
    return now && transaction.docChanged ? { ...now, pos: transaction.changes.mapPos(now.pos) } : now;
  },
  provide: (own) => showTooltip.from(own),
});

function tooltipOf(help: KqlSignatureHelp, pos: number): Tooltip {
  return {
    pos,
    above: true,
    create: () => {
      const dom = document.createElement('div');
      dom.className = 'kql-hover';
      for (const form of help.forms.slice(0, 3)) {
        const line = dom.appendChild(document.createElement('div'));
        const [head = ''] = form.text.split('(');
        line.append(`${head}(`);
        const last = form.parameters.length - 1;
        form.parameters.forEach(({ label, type }, index) => {
          const isHere =
            index === help.argument || (index === last && help.argument > last && label.endsWith('...'));
          const part = line.appendChild(document.createElement(isHere ? 'strong' : 'span'));
          part.textContent = isHere && type !== '' ? `${label}: ${type}` : label;
          if (index < last) line.append(', ');
        });
        line.append(form.result === '' ? ')' : `): ${form.result}`);
      }
      if (help.note !== '') dom.appendChild(document.createElement('div')).textContent = help.note;
      return { dom };
    },
  };
}

class Watch {
  private readonly view: EditorView;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(view: EditorView) {
    this.view = view;
  }

  update(update: ViewUpdate): void {
    if (!update.docChanged && !update.selectionSet && !update.focusChanged) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.ask(update.docChanged), 120);
  }

  destroy(): void {
    clearTimeout(this.timer);
  }

  /** Typing opens the help; moving only follows it or closes it. */
  private async ask(isTyped: boolean): Promise<void> {
    const { state } = this.view;
    const isOpen = state.field(field) !== null;
    const place = this.view.hasFocus && (isTyped || isOpen) ? this.place() : null;
    if (!place) {
      if (isOpen) this.view.dispatch({ effects: show.of(null) });
      return;
    }
    const text = state.doc.toString();
    const { name, argument } = place;
    const help = await askKqlWorker({ kind: 'signature', text, name, argument }).catch(() => null);
    if (this.view.state !== state && this.view.state.doc !== state.doc) return;
    this.view.dispatch({ effects: show.of(help && tooltipOf(help, place.at)) });
  }

  private place(): CallPosition | null {
    const { doc, selection } = this.view.state;
    return selection.main.empty ? callAt(doc.toString(), selection.main.head) : null;
  }
}

/** Parameters of the call round the cursor. */
export function signatureHelp(): Extension {
  const close = (view: EditorView): boolean => {
    if (view.state.field(field) === null) return false;
    view.dispatch({ effects: show.of(null) });
    return true;
  };
  return [field, ViewPlugin.define((view) => new Watch(view)), keymap.of([{ key: 'Escape', run: close }])];
}
