import { type KustoCode, kustoItems } from './kusto.ts';
import {
  child,
  children,
  isKind,
  nameOf,
  optionalChild,
  parametersOf,
  type Syntax,
  textOf,
  wildcardOf,
  within,
  wordOfParameter,
} from './syntax.ts';
import type { TextEdit } from './text-edits.ts';

// What the language service leaves open in a union: a wildcard also means the views of the query's own let statements,
// and a fuzzy union goes without the members that it does not find. Both are settled in the text, before it is bound for
// good, so that the columns of the union are those of the members that are left.

const FUZZY_NAME = 'KS205';
const UNKNOWN_NAME = 'KS142';

/** The edits that spell out the members of unions. */
export function unionEdits(code: KustoCode): TextEdit[] {
  if (!/\bunion\b/.test(code.Text)) return [];
  const found = kustoItems(code.GetDiagnostics());
  const startsOf = (...codes: string[]) =>
    found.filter(({ Code }) => codes.includes(Code)).map(({ Start }) => Start);
  const unknown = startsOf(FUZZY_NAME, UNKNOWN_NAME);
  if (unknown.length === 0 && !/\bview\b/.test(code.Text)) return [];
  const fuzzy = new Set(startsOf(FUZZY_NAME));
  const views: string[] = [];
  const edits: TextEdit[] = [];
  for (const node of within(code.Syntax)) {
    if (isKind(node, 'LetStatement') && isView(child(node, 'Expression')))
      views.push(nameOf(child(node, 'Name')));
    if (isKind(node, 'UnionOperator')) edits.push(...memberEdits(node, views, unknown, fuzzy));
  }
  // A union within a member that goes away goes with it.
  return edits.filter(
    (one) => !edits.some((other) => other !== one && other.start <= one.start && other.end >= one.end),
  );
}

function memberEdits(
  node: Syntax<'UnionOperator'>,
  views: readonly string[],
  unknown: readonly number[],
  fuzzy: ReadonlySet<number>,
): TextEdit[] {
  const isFuzzy = wordOfParameter(node, 'isfuzzy')?.toLowerCase() === 'true';
  const parameters = parametersOf(node);
  const isNamed = parameters.has('withsource') || parameters.has('with_source');
  const members = children(node, 'Expressions').map(
    (one): { start: number; end: number; text: string | null } => {
      const [start, end] = [one.TextStart, one.End];
      const missed = unknown.filter((at) => at >= start && at < end);
      const like = wildcardOf(one);
      const named = like ? views.filter((name) => like.test(name)) : [];
      if (named.length > 0)
        return { start, end, text: [...(missed.length > 0 ? [] : [textOf(one)]), ...named].join(', ') };
      const missing = like ? isFuzzy && missed.length > 0 : missed.some((at) => fuzzy.has(at));
      return { start, end, text: missing ? '' : null };
    },
  );
  const first = members.findIndex((one) => one.text !== '');
  // Nothing to add to the rows before.
  if (first < 0 && isKind(node.Parent, 'PipeExpression') && !isNamed)
    return [{ start: node.TextStart, end: node.End, text: 'where true' }];
  if (first < 0) return [];
  return members.flatMap(({ start, end, text }, index): TextEdit[] => {
    if (text === null) return [];
    if (text !== '') return [{ start, end, text }];
    const next = members[index + 1];
    const before = members[index - 1];
    return [
      index < first && next
        ? { start, end: next.start, text: '' }
        : { start: before ? before.end : start, end, text: '' },
    ];
  });
}

const isView = (node: Syntax): boolean =>
  isKind(node, 'FunctionDeclaration') && optionalChild(node, 'ViewKeyword') !== null;
