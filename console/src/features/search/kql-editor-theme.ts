import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

// Colours come from the theme's variables, so dark and light need no second style. The first ladder step is
// for light, the second for dark.

const tone = (name: string): string =>
  `light-dark(var(--mantine-color-${name}-9), var(--mantine-color-${name}-3))`;

/** Colour of each kind that the tokenizer or the language service gives. */
export const KQL_COLOURS: Readonly<Record<string, string>> = {
  keyword: tone('indigo'),
  operator: 'var(--mantine-color-dimmed)',
  function: tone('violet'),
  table: tone('teal'),
  column: tone('cyan'),
  string: tone('green'),
  number: tone('yellow'),
  comment: 'var(--mantine-color-dimmed)',
  type: tone('grape'),
  variable: tone('pink'),
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
    '&': { fontSize: '12.5px', backgroundColor: 'transparent', color: 'var(--mantine-color-text)' },
    '&.cm-focused': { outline: 'none' },
    '.cm-scroller': {
      fontFamily: 'var(--mantine-font-family-monospace)',
      lineHeight: `${LINE_PX}px`,
      minHeight: `${minLines * LINE_PX + 12}px`,
      maxHeight: `${maxLines * LINE_PX + 12}px`,
      overflow: 'auto',
    },
    '.cm-content': { padding: '6px 0', caretColor: 'var(--mantine-color-text)' },
    '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)' },
    '.cm-gutters': {
      backgroundColor: 'transparent',
      color: 'var(--mantine-color-dimmed)',
      border: 'none',
    },
    '.cm-lineNumbers .cm-gutterElement': { padding: '0 8px 0 6px', minWidth: '24px' },
    '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
    '&.cm-focused .cm-activeLine': {
      backgroundColor: 'color-mix(in srgb, var(--mantine-color-text) 4%, transparent)',
    },
    '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
      backgroundColor: 'color-mix(in srgb, var(--mantine-primary-color-filled) 35%, transparent)',
    },
    '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
      backgroundColor: 'transparent',
      outline: '1px solid var(--mantine-color-dimmed)',
    },
    '.cm-selectionMatch': {
      backgroundColor: 'color-mix(in srgb, var(--mantine-color-text) 12%, transparent)',
    },
    '.cm-placeholder': { color: 'var(--mantine-color-dimmed)' },
    ...service,
  });

const popups = EditorView.theme({
  '.cm-tooltip': {
    backgroundColor: 'var(--mantine-color-default)',
    border: '1px solid var(--mantine-color-default-border)',
    borderRadius: 'var(--mantine-radius-sm)',
    boxShadow: 'var(--mantine-shadow-md)',
    color: 'var(--mantine-color-text)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--mantine-font-family-monospace)',
    fontSize: '12px',
    maxHeight: '240px',
    minWidth: '280px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 8px', lineHeight: '18px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--mantine-color-default-hover)',
    color: 'var(--mantine-color-text)',
    boxShadow: 'inset 2px 0 0 var(--mantine-primary-color-filled)',
  },
  '.cm-completionDetail': { color: 'var(--mantine-color-dimmed)', fontStyle: 'normal', marginLeft: '12px' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: 700 },
  '.cm-tooltip-hover, .cm-diagnostic': { fontSize: '12px', lineHeight: '18px', maxWidth: '480px' },
  '.kql-hover': { padding: '6px 10px', whiteSpace: 'pre-wrap' },
  '.cm-panels': {
    backgroundColor: 'var(--mantine-color-default)',
    color: 'var(--mantine-color-text)',
    borderColor: 'var(--mantine-color-default-border)',
  },
});

/** The look of the editor; it grows from `minLines` to `maxLines` and then scrolls. */
export function kqlEditorTheme(minLines: number, maxLines: number): Extension {
  return [frame(minLines, maxLines), popups, syntaxHighlighting(highlight)];
}
