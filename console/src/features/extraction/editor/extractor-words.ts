import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { EVENT_COLUMNS, STREAMS } from '@tyrian/catalog';

// What may stand where in the definition of an extractor, for completion. The language itself is read by the server, which
// says what is wrong and where.

const HEAD_KEYS = [
  'schema-version',
  'source-name',
  'source-type',
  'source-description',
  'streams',
  'master-filters',
  'apps',
  'record-filters',
  'built-in',
  'globals',
  'subs',
  'event-details',
  'event-key-mapping',
  'annotate',
  'translate',
  'time',
  'fallback',
] as const;
const ENTRY_KEYS = [
  'name',
  'decoder',
  'pattern',
  'when',
  'separator',
  'assign',
  'columns',
  'known-names',
  'event-key-mapping',
  'annotate',
  'translate',
  'time',
] as const;
const DECODERS = [
  'json',
  'xml',
  'csv',
  'tsv',
  'w3c',
  'key-value',
  'cef',
  'leef',
  'regex',
  'grok',
  'none',
] as const;

const keyOf = (name: string): Completion => ({ label: name, apply: `${name}: `, type: 'property' });
const HEAD = HEAD_KEYS.map(keyOf);
const ENTRY = ENTRY_KEYS.map(keyOf);
const DECODER_WORDS = DECODERS.map((label): Completion => ({ label, type: 'keyword' }));
const STREAM_WORDS = STREAMS.filter(({ name }) => name !== 'Signals').map(
  ({ name, description }): Completion => ({ label: name, info: description, type: 'type' }),
);
const COLUMN_WORDS = EVENT_COLUMNS.filter(({ name }) => name !== 'Ext' && name !== 'Raw').map(
  ({ name, type, description }): Completion => ({
    label: name,
    detail: type,
    info: description,
    type: 'variable',
  }),
);
const COLUMN_KEYS = COLUMN_WORDS.map((one): Completion => ({ ...one, apply: `${one.label}: ` }));

const indentOf = (line: string): number => line.length - line.trimStart().length;
const keyIn = (line: string): string | undefined => /^\s*(?:- )?([\w-]+):/.exec(line)?.[1];

/** The keys above a line, the nearest first. */
function keysAbove(lines: readonly string[], at: number): string[] {
  const keys: string[] = [];
  let indent = indentOf((lines[at] ?? '').replace('- ', '  '));
  for (let above = at - 1; above >= 0 && indent > 0; above -= 1) {
    const line = lines[above] ?? '';
    if (line.trim() === '') continue;
    const own = indentOf(line.replace('- ', '  '));
    if (own >= indent) continue;
    indent = own;
    const key = keyIn(line);
    if (key !== undefined) keys.push(key);
  }
  return keys;
}

function wordsAt(lines: readonly string[], at: number, before: string): readonly Completion[] {
  const [parent, grand] = keysAbove(lines, at);
  const value = /^\s*(?:- )?([^:]+):\s+\S*$/.exec(before)?.[1];
  if (value !== undefined) {
    if (value === 'decoder') return DECODER_WORDS;
    if (value === 'Stream') return STREAM_WORDS;
    return parent === 'event-key-mapping' ? COLUMN_WORDS : [];
  }
  if (parent === undefined) return HEAD;
  if (parent === 'streams') return STREAM_WORDS;
  if (parent === 'annotate' || parent === 'translate') return [keyOf('Stream'), ...COLUMN_KEYS];
  if (grand === 'event-key-mapping') return COLUMN_WORDS;
  if (parent === 'event-details') return [keyOf('first-match')];
  if (parent === 'first-match') return ENTRY;
  return [];
}

/** Completes keys, decoders, streams and columns by where the cursor stands. */
export function completeExtractor(context: CompletionContext): CompletionResult | null {
  const line = context.state.doc.lineAt(context.pos);
  const before = line.text.slice(0, context.pos - line.from);
  const word = /[\w-]*$/.exec(before)?.[0] ?? '';
  if (word === '' && !context.explicit) return null;
  const lines = context.state.doc.toString().split('\n');
  const options = wordsAt(lines, line.number - 1, before);
  return options.length === 0
    ? null
    : { from: context.pos - word.length, options: [...options], validFor: /^[\w-]*$/ };
}
