import { type ServerMessage, say } from '@tyrian/contract';
import { CST, type Document, isScalar, Lexer, parseDocument, visit } from 'yaml';

// YAML that somebody sends: read in time that grows with its length. The parser takes minutes for half a megabyte of
// nested marks, so the marks are counted before it sees them.

export interface YamlProblem {
  readonly said: ServerMessage;
  /** From 1. */
  readonly line: number;
}

export type YamlAnswer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problems: readonly YamlProblem[] };

const MAX_MARKS = 60_000;
const DEEPEST = 16;
const MAX_ALIASES = 100;
const OPENING: readonly unknown[] = ['flow-map-start', 'flow-seq-start'];
const CLOSING: readonly unknown[] = ['flow-map-end', 'flow-seq-end'];
const STACKING: readonly unknown[] = ['seq-item-ind', 'map-value-ind', 'anchor', 'tag'];

/** What makes the text too expensive to read; null when nothing does. */
function excessOf(text: string): YamlProblem | null {
  let marks = 0;
  let depth = 0;
  let stacked = 0;
  let line = 1;
  for (const mark of new Lexer().lex(text)) {
    const type = CST.tokenType(mark);
    marks += 1;
    if (OPENING.includes(type)) depth += 1;
    if (CLOSING.includes(type)) depth -= 1;
    if (STACKING.includes(type)) stacked += 1;
    else if (type !== 'space') stacked = 0;
    if (type === 'explicit-key-ind') return { said: say('workbooks.yamlKey'), line };
    if (depth > DEEPEST || stacked > DEEPEST)
      return { said: say('workbooks.yamlTooDeep', { most: DEEPEST }), line };
    if (marks > MAX_MARKS) return { said: say('workbooks.yamlTooLong'), line };
    for (let at = mark.indexOf('\n'); at >= 0; at = mark.indexOf('\n', at + 1)) line += 1;
  }
  return null;
}

/** Keys that stand twice in one mapping: the parser would compare each with each. */
function repeatedKeys(document: Document, lineAt: (offset: number) => number): YamlProblem[] {
  const problems: YamlProblem[] = [];
  visit(document, {
    Map: (_key, map) => {
      const seen = new Set<unknown>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) {
          problems.push({
            said: say('workbooks.yamlKeyTwice', { key: String(key.value) }),
            line: lineAt(key.range?.[0] ?? 0),
          });
        }
        seen.add(key.value);
      }
    },
  });
  return problems;
}

/** The value of one YAML document, or what is wrong with it and where. */
export function readYaml(text: string): YamlAnswer {
  const excess = excessOf(text);
  if (excess) return { ok: false, problems: [excess] };
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length;
  try {
    const document = parseDocument(text, { prettyErrors: false, uniqueKeys: false, logLevel: 'error' });
    const wrong = document.errors
      .slice(0, 20)
      .map(({ message, pos }) => ({ said: say('workbooks.yaml', { fault: message }), line: lineAt(pos[0]) }));
    const problems = wrong.length > 0 ? wrong : repeatedKeys(document, lineAt);
    if (problems.length > 0) return { ok: false, problems };
    return { ok: true, value: document.toJS({ maxAliasCount: MAX_ALIASES }) };
  } catch (error) {
    return {
      ok: false,
      problems: [{ said: say('workbooks.yaml', { fault: (error as Error).message.slice(0, 300) }), line: 1 }],
    };
  }
}
