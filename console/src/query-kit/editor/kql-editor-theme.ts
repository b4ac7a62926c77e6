import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

// Colours are the tokens of the theme, so dark and light need no second style.

/** Colour of each kind that the tokenizer or the language service gives. */
const KQL_COLOURS: Readonly<Record<string, string>> = {
  keyword: 'var(--chart-6)',
  operator: 'var(--text-secondary)',
  function: 'var(--chart-2)',
  table: 'var(--chart-3)',
  column: 'var(--chart-1)',
  string: 'var(--chart-7)',
  number: 'var(--chart-8)',
  comment: 'var(--text-secondary)',
  type: 'var(--chart-5)',
  variable: 'var(--chart-4)',
};

const highlight = HighlightStyle.define([
  { tag: tags.keyword, color: KQL_COLOURS.keyword },
  { tag: tags.operatorKeyword, color: KQL_COLOURS.keyword },
  { tag: tags.function(tags.variableName), color: KQL_COLOURS.function },
  { tag: tags.string, color: KQL_COLOURS.string },
  { tag: [tags.number, tags.bool], color: KQL_COLOURS.number },
  { tag: tags.comment, color: KQL_COLOURS.comment, fontStyle: 'italic' },
  { tag: tags.typeName, color: KQL_COLOURS.type },
  { tag: [tags.operator, tags.punctuation], color: KQL_COLOURS.operator },
]);

const service = Object.fromEntries(
  Object.entries(KQL_COLOURS).map(([kind, color]) => [`.kql-${kind}, .kql-${kind} *`, { color }]),
);

const LINE_PX = 18;

const frame = (minLines: number, maxLines: number): Extension =>
  EditorView.theme({
    '&': { fontSize: '12.5px', backgroundColor: 'transparent', color: 'var(--text)' },
    '&.cm-focused': { outline: 'none' },
    '.cm-scroller': {
      fontFamily: 'var(--font-mono)',
      fontVariantLigatures: 'none',
      lineHeight: `${LINE_PX}px`,
      minHeight: `${minLines * LINE_PX + 12}px`,
      maxHeight: `${maxLines * LINE_PX + 12}px`,
      overflow: 'auto',
    },
    '.cm-content': { padding: '6px 0', caretColor: 'var(--text)' },
    '.cm-cursor': { borderLeftColor: 'var(--text)' },
    '.cm-gutters': {
      backgroundColor: 'transparent',
      color: 'var(--text-secondary)',
      border: 'none',
    },
    '.cm-lineNumbers .cm-gutterElement': { padding: '0 8px 0 6px', minWidth: '24px' },
    '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
    '&.cm-focused .cm-activeLine': {
      backgroundColor: 'color-mix(in srgb, var(--text) 4%, transparent)',
    },
    '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
      backgroundColor: 'color-mix(in srgb, var(--accent) 35%, transparent)',
    },
    '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
      backgroundColor: 'transparent',
      outline: '1px solid var(--text-secondary)',
    },
    '.cm-selectionMatch': {
      backgroundColor: 'color-mix(in srgb, var(--text) 12%, transparent)',
    },
    '.cm-placeholder': { color: 'var(--text-secondary)' },
    ...service,
  });

const popups = EditorView.theme({
  '.cm-tooltip': {
    backgroundColor: 'var(--raised)',
    border: '1px solid var(--line)',
    borderRadius: 'var(--radius)',
    boxShadow: 'var(--shadow)',
    color: 'var(--text)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--font-mono)',
    fontSize: '12px',
    maxHeight: '240px',
    minWidth: '280px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 8px', lineHeight: '18px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--hover)',
    color: 'var(--text)',
    boxShadow: 'inset 2px 0 0 var(--accent)',
  },
  '.cm-completionDetail': { color: 'var(--text-secondary)', fontStyle: 'normal', marginLeft: '12px' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: 700 },
  '.cm-tooltip-hover, .cm-diagnostic': { fontSize: '12px', lineHeight: '18px', maxWidth: '480px' },
  '.kql-rename': {
    font: '12.5px var(--font-mono)',
    padding: '3px 8px',
    color: 'var(--text)',
    background: 'var(--panel)',
    border: '1px solid var(--accent)',
    borderRadius: 'var(--radius)',
  },
  '.kql-rename[aria-invalid]': { borderColor: 'var(--bad)' },
  '.kql-active-statement': { boxShadow: 'inset 2px 0 0 var(--accent)' },
  '.cm-diagnosticAction': {
    background: 'var(--accent)',
    color: 'var(--accent-contrast, #fff)',
    borderRadius: '4px',
    padding: '1px 8px',
  },
  '.kql-hover': { padding: '6px 10px', whiteSpace: 'pre-wrap' },
  '.cm-panels': {
    backgroundColor: 'var(--raised)',
    color: 'var(--text)',
    borderColor: 'var(--line)',
  },
});

/** The look of the editor; it grows from `minLines` to `maxLines` and then scrolls. */
export function kqlEditorTheme(minLines: number, maxLines: number): Extension {
  return [frame(minLines, maxLines), popups, syntaxHighlighting(highlight)];
}
