import { forEachDiagnostic, type Diagnostic as Marker, setDiagnostics } from '@codemirror/lint';
import { type Extension, RangeSetBuilder, StateEffect, StateField } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  hoverTooltip,
  keymap,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import type { Diagnostic, Fix } from '@tyrian/diagnostics';
import type { KqlColour } from '@tyrian/kql';
import { diagnosticText } from './diagnostic-text.ts';
import { type CompletionSources, kqlCompletion } from './kql-completion.ts';
import { positionAfterFormat } from './kql-format-text.ts';
import { renameByKey } from './kql-rename.ts';
import { signatureHelp } from './kql-signature-help.ts';
import { askKqlWorker } from './kql-worker-client.ts';

// Completion, colours, marks and hover of the editor, each asked of the language worker. Without the worker
// the editor stays an editor: every question that fails is as if there was nothing to say.

const COLOURS_AFTER_MS = 150;
const MARKS_AFTER_MS = 350;
const LONGEST_COLOURED = 60_000;

const paint = StateEffect.define<readonly KqlColour[]>();

const mark = (colour: string): Decoration => Decoration.mark({ class: `kql-${colour}` });

/** Words that the service names; any other keeps the tokenizer's colour. */
const MARKS: Readonly<Partial<Record<KqlColour['kind'], Decoration>>> = {
  comment: mark('comment'),
  string: mark('string'),
  number: mark('number'),
  type: mark('type'),
  column: mark('column'),
  table: mark('table'),
  function: mark('function'),
  variable: mark('variable'),
  keyword: mark('keyword'),
  operator: mark('operator'),
};

function decorationsOf(colours: readonly KqlColour[], length: number): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { span, kind } of [...colours].sort((a, b) => a.span.start - b.span.start)) {
    const end = Math.min(span.end, length);
    const colour = MARKS[kind];
    if (colour && span.start < end) builder.add(span.start, end, colour);
  }
  return builder.finish();
}

const colourField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(colours, transaction) {
    let next = colours.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(paint)) next = decorationsOf(effect.value, transaction.newDoc.length);
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** What an editor does with the changes that mend mistakes. */
export interface Mending {
  /** What stands on the button of a change. */
  readonly name: (fix: Fix) => string;
  /** Runs the query at the cursor: a change that makes a search is one step from its results. */
  readonly run: (view: EditorView) => void;
}

/** Diagnostics as CodeMirror marks them, kept inside the text and at least one character wide. */
export function markersOf(diagnostics: readonly Diagnostic[], length: number, mending: Mending): Marker[] {
  return diagnostics.map((each) => {
    const from = Math.max(0, Math.min(each.span.start, length - 1));
    const to = Math.max(from, Math.min(length, Math.max(each.span.end, from + 1)));
    const said = diagnosticText(each);
    const message = said.hint ? `${said.message}\n${said.hint}` : said.message;
    const actions = (each.fixes ?? []).map((fix) => ({
      name: mending.name(fix),
      apply: (view: EditorView) => applyFix(view, fix, mending),
    }));
    return { from, to, severity: each.severity, message, source: each.code, actions };
  });
}

/** Mistakes of a text, and the text. */
export type OnDiagnostics = (found: readonly Diagnostic[], text: string) => void;

/** Mends a mistake; the cursor ends behind what was written. Words that become a search are looked for at once. */
export function applyFix(view: EditorView, { span, text, search }: Fix, { run }: Pick<Mending, 'run'>): void {
  const to = Math.min(span.end, view.state.doc.length);
  const from = Math.min(span.start, to);
  const insert = view.state.toText(text);
  view.dispatch({
    changes: { from, to, insert },
    selection: { anchor: from + insert.length },
    userEvent: 'input.fix',
  });
  view.focus();
  if (search !== undefined) run(view);
}

/** Ctrl+. : applies the likeliest change for the mistake that is nearest to the cursor. */
export function mendAtCursor(view: EditorView): boolean {
  const { head } = view.state.selection.main;
  let best: { readonly distance: number; readonly marker: Marker } | null = null;
  forEachDiagnostic(view.state, (marker, from, to) => {
    if (!marker.actions?.length) return;
    const distance = head < from ? from - head : Math.max(0, head - to);
    if (!best || distance < best.distance) best = { distance, marker };
  });
  const found = best as { readonly marker: Marker } | null;
  found?.marker.actions?.[0]?.apply(view, found.marker.from, found.marker.to);
  return found !== null;
}

/**
 * CodeMirror takes a line that is redrawn this soon after the focus came for a caret that the browser has put at the
 * start, and loses what is marked.
 */
const FOCUS_SETTLES_MS = 250;

/** Asks for colours and mistakes a moment after the last change; late answers are dropped. */
class LanguageWatch {
  private readonly view: EditorView;
  private readonly onDiagnostics: OnDiagnostics;
  private readonly mending: Mending;
  private timers: ReturnType<typeof setTimeout>[] = [];
  private focusedMs = 0;

  constructor(view: EditorView, onDiagnostics: OnDiagnostics, mending: Mending) {
    this.view = view;
    this.mending = mending;
    this.onDiagnostics = onDiagnostics;
    this.schedule(0, 0);
  }

  update(update: ViewUpdate): void {
    if (update.docChanged) this.schedule(COLOURS_AFTER_MS, MARKS_AFTER_MS);
  }

  /** The editor has just got the focus. */
  focus(): void {
    this.focusedMs = Date.now();
  }

  destroy(): void {
    for (const timer of this.timers) clearTimeout(timer);
  }

  private schedule(coloursMs: number, marksMs: number): void {
    this.destroy();
    this.timers = [setTimeout(() => this.colour(), coloursMs), setTimeout(() => this.check(), marksMs)];
  }

  private async untilFocusSettled(): Promise<void> {
    const leftMs = this.focusedMs + FOCUS_SETTLES_MS - Date.now();
    if (leftMs > 0) await new Promise((resolve) => setTimeout(resolve, leftMs));
  }

  private async colour(): Promise<void> {
    const { doc } = this.view.state;
    if (doc.length > LONGEST_COLOURED) return;
    const colours = await askKqlWorker({ kind: 'classify', text: doc.toString() }).catch(() => null);
    await this.untilFocusSettled();
    if (colours && this.view.state.doc === doc) this.view.dispatch({ effects: paint.of(colours) });
  }

  private async check(): Promise<void> {
    const { doc } = this.view.state;
    const text = doc.toString();
    const found = text.trim() === '' ? [] : await askKqlWorker({ kind: 'diagnose', text }).catch(() => null);
    await this.untilFocusSettled();
    if (!found || this.view.state.doc !== doc) return;
    this.view.dispatch(setDiagnostics(this.view.state, markersOf(found, doc.length, this.mending)));
    this.onDiagnostics(found, text);
  }
}

const hover = hoverTooltip(async (view, position) => {
  const text = view.state.doc.toString();
  const said = await askKqlWorker({ kind: 'hover', text, position }).catch(() => null);
  if (!said) return null;
  return {
    pos: position,
    above: true,
    create: () => {
      const dom = document.createElement('div');
      dom.className = 'kql-hover';
      dom.textContent = said;
      return { dom };
    },
  };
});

/** Completion, colours, marks and hover. `onDiagnostics` hears of every new list of mistakes. */
export function kqlServices(
  onDiagnostics: OnDiagnostics,
  mending: Mending,
  sources: CompletionSources,
): Extension {
  return [
    kqlCompletion(sources),
    colourField,
    ViewPlugin.define((view) => new LanguageWatch(view, onDiagnostics, mending), {
      eventHandlers: {
        focus() {
          this.focus();
        },
      },
    }),
    hover,
    signatureHelp(),
    renameByKey(),
    keymap.of([{ key: 'Mod-.', run: mendAtCursor }]),
  ];
}

/** Rewrites the text in the service's layout; leaves it alone when there is nothing to format. */
export async function formatKqlIn(view: EditorView): Promise<void> {
  const { doc } = view.state;
  const formatted = await askKqlWorker({ kind: 'format', text: doc.toString() }).catch(() => null);
  if (formatted === null || view.state.doc !== doc || formatted === doc.toString()) return;
  // The editor's own text: it ends lines in one way, whatever comes in.
  const insert = view.state.toText(formatted);
  const head = positionAfterFormat(doc.toString(), insert.toString(), view.state.selection.main.head);
  view.dispatch({
    changes: { from: 0, to: doc.length, insert },
    selection: { anchor: head },
    userEvent: 'input.format',
  });
}
