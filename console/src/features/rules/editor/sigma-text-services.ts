import {
  autocompletion,
  type Completion,
  type CompletionSource,
  startCompletion,
} from '@codemirror/autocomplete';
import { linter, type Diagnostic as Marker } from '@codemirror/lint';
import type { Extension } from '@codemirror/state';
import { hoverTooltip } from '@codemirror/view';
import type { LintFinding, SigmaHover } from '@tyrian/sigma';
import { askSigmaWorker } from './sigma-worker-client.ts';
import type { SigmaMistake } from './sigma-worker-protocol.ts';

// What the worker says of a rule, as CodeMirror shows it.

/** What the editor found in a text. */
export interface SigmaRemarks {
  readonly text: string;
  readonly mistake: SigmaMistake | null;
  readonly findings: readonly LintFinding[];
}

/** The words of the page. */
export interface SigmaWords {
  readonly mistake: (mistake: SigmaMistake) => string;
  readonly finding: (finding: LintFinding) => string;
  readonly hover: (hover: SigmaHover) => { readonly title: string; readonly lines: readonly string[] } | null;
}

export interface SigmaServices {
  readonly words: () => SigmaWords;
  readonly onRemarks: (remarks: SigmaRemarks) => void;
}

const TYPES: Readonly<Record<string, string>> = {
  key: 'property',
  field: 'variable',
  modifier: 'function',
  condition: 'keyword',
  tag: 'constant',
  source: 'type',
  value: 'text',
};

const complete: CompletionSource = async (context) => {
  const found = await askSigmaWorker({
    kind: 'complete',
    text: context.state.doc.toString(),
    position: context.pos,
  }).catch(() => null);
  if (!found || context.aborted) return null;
  const typed = context.state.sliceDoc(found.from, context.pos);
  // An empty line shows what may stand there only when it is asked for; behind a bar and a colon at once.
  const before = context.state.sliceDoc(Math.max(0, found.from - 2), found.from);
  if (typed === '' && !context.explicit && !/(?:\||: |- )$/.test(before)) return null;
  const options = found.options.map(
    ({ label, kind, detail, insert }): Completion => ({
      label,
      type: TYPES[kind] ?? 'text',
      ...(detail === undefined ? {} : { detail }),
      ...(insert === undefined
        ? {}
        : {
            apply: (view, _completion, from, to) => {
              view.dispatch({ changes: { from, to, insert }, selection: { anchor: from + insert.length } });
              startCompletion(view);
            },
          }),
    }),
  );
  return { from: found.from, options, validFor: /^[\w.@*-]*$/ };
};

const SEVERITY = { error: 'error', warning: 'warning', info: 'info' } as const;

function markersOf({ text, mistake, findings }: SigmaRemarks, words: SigmaWords): Marker[] {
  const place = ({ start, end }: { start: number; end: number }) => {
    const to = Math.min(Math.max(end, start + 1), text.length);
    // Of what goes over many lines the first is marked.
    const line = text.indexOf('\n', Math.min(start, to));
    return { from: Math.min(start, to), to: line > start ? Math.min(to, line) : to };
  };
  return [
    ...(mistake
      ? [{ ...place(mistake.span), severity: 'error', message: words.mistake(mistake) } as const]
      : []),
    ...findings.map((finding) => ({
      ...place(finding.span),
      severity: SEVERITY[finding.severity],
      message: `${words.finding(finding)} (${finding.code})`,
    })),
  ];
}

/** Completion, hover and remarks. */
export function sigmaServices({ words, onRemarks }: SigmaServices): Extension {
  return [
    autocompletion({ override: [complete], maxRenderedOptions: 60 }),
    linter(
      async ({ state }) => {
        const text = state.doc.toString();
        const found = await askSigmaWorker({ kind: 'lint', text }).catch(() => null);
        if (!found) return [];
        const remarks = { text, ...found };
        onRemarks(remarks);
        return markersOf(remarks, words());
      },
      { delay: 250 },
    ),
    hoverTooltip(async (view, position) => {
      const text = view.state.doc.toString();
      const found = await askSigmaWorker({ kind: 'hover', text, position }).catch(() => null);
      const said = found && words().hover(found);
      if (!found || !said) return null;
      return { pos: found.start, end: found.end, above: true, create: () => ({ dom: hoverBox(said) }) };
    }),
  ];
}

function hoverBox({
  title,
  lines,
}: {
  readonly title: string;
  readonly lines: readonly string[];
}): HTMLElement {
  const dom = document.createElement('div');
  dom.className = 'kql-hover';
  const head = document.createElement('strong');
  head.textContent = title;
  dom.append(
    head,
    ...lines.map((line) => Object.assign(document.createElement('div'), { textContent: line })),
  );
  return dom;
}
