import { readPipeline } from '../editor/kql-pipeline.ts';

// How a query asks to be drawn: the kind behind `render`, and what stands in `with (…)` behind it.

export interface RenderDirective {
  /** In lower case, e.g. `timechart`. */
  readonly kind: string;
  /** By name in lower case; lists of columns stay one text with commas. */
  readonly properties: ReadonlyMap<string, string>;
}

/** Null when the query does not end in `render`. */
export function renderDirective(text: string): RenderDirective | null {
  const last = readPipeline(text).stages.at(-1);
  if (last?.operator !== 'render') return null;
  const [, kind = '', rest = ''] = /^render\s+([a-z]+)([\s\S]*)$/i.exec(last.text) ?? [];
  if (kind === '') return null;
  const inside = /^\s*with\s*\(([\s\S]*)\)\s*$/i.exec(rest)?.[1] ?? rest;
  return { kind: kind.toLowerCase(), properties: readProperties(inside) };
}

function readProperties(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const parts = text.match(
    /([A-Za-z_]\w*)\s*=\s*((?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^"'=])*?)(?=\s*,?\s*[A-Za-z_]\w*\s*=|\s*$)/g,
  );
  for (const part of parts ?? []) {
    const equals = part.indexOf('=');
    const value = part.slice(equals + 1).replace(/^[\s(]+|[\s),]+$/g, '');
    found.set(part.slice(0, equals).trim().toLowerCase(), unquoted(value));
  }
  return found;
}

function unquoted(value: string): string {
  const quote = value.charAt(0);
  const isQuoted = value.length > 1 && (quote === '"' || quote === "'") && value.endsWith(quote);
  return isQuoted ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value;
}

/** Names of columns, commas between. */
export function namesIn(value: string | undefined): readonly string[] {
  return (value ?? '')
    .split(',')
    .map((name) => name.trim().replace(/^\[["'](.*)["']\]$/, '$1'))
    .filter((name) => name !== '');
}
