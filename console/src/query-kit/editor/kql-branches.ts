import { depthAfter, scanKql } from '@tyrian/diagnostics';
import { readPipeline } from './kql-pipeline.ts';
import { partsOf, partTitle } from './kql-statements.ts';

// `fork` and `facet` end a query with several tables. Each of them is a query of its own, and runs as one.

/** A query that runs, and what its result is called. */
export interface Branch {
  readonly text: string;
  readonly title: string;
}

/** All queries that a text runs, in order. */
export function branchesIn(text: string): readonly Branch[] {
  return partsOf(text).flatMap((part) => branchesOf(part.text, partTitle(text, part)));
}

/** The queries of one query: itself, unless it ends in `fork` or `facet`. */
export function branchesOf(query: string, title = ''): readonly Branch[] {
  const { stages } = readPipeline(query);
  const last = stages.at(-1);
  if (!last || stages.length < 2) return [{ text: query, title }];
  const before = query.slice(0, last.start).trimEnd();
  const made =
    last.operator === 'fork' ? forked(last.text) : last.operator === 'facet' ? faceted(last.text) : [];
  if (made.length === 0) return [{ text: query, title }];
  return made.map((branch) => ({ text: `${before}\n| ${branch.text}`, title: branch.title }));
}

/** `fork (a) name=(b)`. */
function forked(stage: string): readonly Branch[] {
  const found: Branch[] = [];
  let at = 'fork'.length;
  for (;;) {
    const open = /^\s*(?:([A-Za-z_]\w*)\s*=\s*)?\(/.exec(stage.slice(at));
    if (!open) break;
    const start = at + open[0].length;
    const end = closing(stage, start);
    if (end < 0) return [];
    const text = stage.slice(start, end).trim();
    const named = open[1] ?? /\|\s*as\s+(\w+)\s*$/.exec(text)?.[1];
    found.push({ text: text.replace(/^\|\s*/, ''), title: named ?? `Table_${found.length + 1}` });
    at = end + 1;
  }
  return stage.slice(at).trim() === '' ? found : [];
}

/** `facet by a, b with (pipe)`: what the pipe gives, and the counts of each column. */
function faceted(stage: string): readonly Branch[] {
  const [, names = '', rest = ''] = /^facet\s+by\s+([^()]*?)(\s+with\b[\s\S]*)?$/i.exec(stage) ?? [];
  const columns = names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (columns.length === 0) return [];
  const counts = columns.map((name) => {
    const suffix = /^\w+$/.test(name) ? name : 'value';
    return { text: `summarize count_${suffix} = count() by ${name}`, title: name };
  });
  const open = /^\s+with\s*\(/i.exec(rest);
  if (rest === '') return counts;
  const end = open ? closing(rest, open[0].length) : -1;
  if (!open || end < 0) return [];
  return [
    {
      text: rest
        .slice(open[0].length, end)
        .trim()
        .replace(/^\|\s*/, ''),
      title: 'with',
    },
    ...counts,
  ];
}

/** Where the bracket that is open at `start` closes; -1 when it never does. */
function closing(text: string, start: number): number {
  let depth = 1;
  for (const mark of scanKql(text.slice(start))) {
    depth = depthAfter(depth, mark);
    if (depth === 0) return start + mark.start;
  }
  return -1;
}
