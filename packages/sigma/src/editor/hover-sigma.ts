import type { Span } from '@tyrian/diagnostics';
import { TOP_KEYS } from '../lint/lint-head.ts';
import { fieldSourceText } from '../mapping/field-source.ts';
import { resolveField } from '../mapping/resolve-field.ts';
import { type AttackNames, CONDITION_WORDS, mappingOf, SIGMA_MODIFIERS } from './complete-sigma.ts';
import { lineContext } from './line-context.ts';

// What a word of a rule is: a key, a modifier, a field and the columns that it is read from, a tag, a log source.

export interface SigmaHover extends Span {
  readonly kind: 'key' | 'modifier' | 'field' | 'tag' | 'source' | 'condition';
  readonly name: string;
  /** Of a field: where it is read, as KQL writes it, and which table says so. */
  readonly sources?: readonly string[];
  readonly table?: string;
  /** The mapping of the log source, and its streams; null for all. */
  readonly mapping?: string;
  readonly streams?: readonly string[] | null;
  /** The name of a technique or tactic. */
  readonly title?: string;
}

const WORD = /[\w.@-]/;

/** The word at a position. */
function wordAt(text: string, position: number): Span | null {
  let [start, end] = [position, position];
  while (start > 0 && WORD.test(text[start - 1] ?? '')) start -= 1;
  while (end < text.length && WORD.test(text[end] ?? '')) end += 1;
  return start === end ? null : { start, end };
}

/** What is known of the word at a position; null for nothing. */
export function hoverSigma(text: string, position: number, attack: AttackNames): SigmaHover | null {
  const span = wordAt(text, position);
  if (!span) return null;
  const name = text.slice(span.start, span.end);
  // The context at the end of the word, its key being read there.
  const { path, isValue, key } = lineContext(text, span.end);
  const [outer] = path;
  if (outer === 'tags' || (outer === undefined && key === 'tags')) return tagHover(name, span, attack);
  if (outer === 'logsource')
    return isValue && key !== 'definition' ? sourceHover(text, name, span) : keyHover(name, span);
  if (!isValue) return outer === undefined ? keyHover(name, span) : wordOfDetection(text, name, span, path);
  const isCondition = key === 'condition' || path.at(-1) === 'condition';
  if (isCondition && CONDITION_WORDS.some((word) => word.split(' ').includes(name.toLowerCase())))
    return { ...span, kind: 'condition', name: name.toLowerCase() };
  return null;
}

const keyHover = (name: string, span: Span): SigmaHover | null =>
  ([...TOP_KEYS, 'product', 'category', 'service', 'definition'] as readonly string[]).includes(name)
    ? { ...span, kind: 'key', name }
    : null;

function tagHover(name: string, span: Span, attack: AttackNames): SigmaHover | null {
  const title = attack.get(
    name
      .replace(/^attack\./, '')
      .replaceAll('_', '-')
      .toLowerCase(),
  );
  return title === undefined ? null : { ...span, kind: 'tag', name, title };
}

function sourceHover(text: string, name: string, span: Span): SigmaHover | null {
  const mapping = mappingOf(text);
  return mapping
    ? { ...span, kind: 'source', name, mapping: mapping.id, streams: mapping.streams }
    : { ...span, kind: 'source', name };
}

function wordOfDetection(text: string, name: string, span: Span, path: readonly string[]): SigmaHover | null {
  const [outer, inner] = path;
  if (outer === 'correlation') return null;
  if (outer !== 'detection' && outer !== 'filter') return null;
  if (inner === undefined) return name === 'condition' ? { ...span, kind: 'key', name } : null;
  if (text[span.start - 1] === '|')
    return (SIGMA_MODIFIERS as readonly string[]).includes(name) ? { ...span, kind: 'modifier', name } : null;
  const mapping = mappingOf(text);
  if (!mapping) return null;
  const { table, sources } = resolveField(name, mapping);
  return { ...span, kind: 'field', name, table, sources: sources.map(fieldSourceText) };
}
