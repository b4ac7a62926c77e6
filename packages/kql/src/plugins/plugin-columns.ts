import type { Diagnostic, Span } from '@tyrian/diagnostics';
import type { Plan } from '@tyrian/plan';
import type { BoundQuery } from '../bound-query.ts';
import { child, isKind, kindOf, nameOf, type Syntax, within, writtenText } from '../syntax.ts';
import type { PluginQuestion, PluginSchema } from './plugin-schema.ts';

/** A text with the output schemas that were found in the data written behind their operators. */
interface TextWithSchemas {
  readonly text: string;
  /** A place of that text as a place of the user's text. */
  readonly original: (span: Span) => Span;
}

/** Writes the found schemas into the text. */
export function writeSchemas(text: string, found: readonly PluginSchema[]): TextWithSchemas {
  const inserted = [...found]
    .sort((one, other) => one.at - other.at)
    .map(({ at, columns }) => ({
      at,
      text: ` : (${columns.map(({ name, type }) => `[${JSON.stringify(name)}]:${type}`).join(', ')})`,
    }));
  let result = '';
  let from = 0;
  for (const one of inserted) {
    result += text.slice(from, one.at) + one.text;
    from = one.at;
  }
  const point = (at: number): number => {
    let shift = 0;
    for (const one of inserted) {
      const start = one.at + shift;
      if (at <= start) break;
      if (at <= start + one.text.length) return one.at;
      shift += one.text.length;
    }
    return at - shift;
  };
  return {
    text: result + text.slice(from),
    original: ({ start, end }) => ({ start: point(start), end: point(end) }),
  };
}

/** What the data says about the columns of plug-ins, and what has to be asked of it. */
export class PluginColumns {
  readonly questions: PluginQuestion[] = [];
  readonly #text: string;
  readonly #original: (span: Span) => Span;
  readonly #found: readonly PluginSchema[];

  constructor(text: string, original: (span: Span) => Span, found: readonly PluginSchema[]) {
    this.#text = text;
    this.#original = original;
    this.#found = found;
  }

  /**
   * Where an operator stands in the user's text; null when it does not stand there, as in a stored function. The body
   * of a function is bound apart, with places of its own, so it is looked for by its text.
   */
  placeOf(node: Syntax<'EvaluateOperator'>): Span | null {
    const own = this.#original({ start: node.TextStart, end: node.End });
    if (/^evaluate\b/.test(this.#text.slice(own.start, own.end))) return own;
    const call = child(node, 'FunctionCall');
    const written = writtenText(call);
    const start = written === '' ? -1 : this.#text.indexOf(written);
    if (start < 0 || this.#text.indexOf(written, start + 1) >= 0) return null;
    return { start, end: start + written.length };
  }

  found(at: number): PluginSchema | undefined {
    return this.#found.find((schema) => schema.at === at);
  }

  /** Asks once for each operator; one that is used twice must ask the same both times. False when it does not. */
  ask(question: PluginQuestion): boolean {
    const before = this.questions.find((one) => one.at === question.at);
    if (before) return canonical(before.plan) === canonical(question.plan);
    this.questions.push(question);
    return true;
  }
}

const ID_KEYS = new Set(['id', 'ordinal', 'column', 'nextId']);

/** A plan as text, its columns numbered as they come: equal for plans that differ in their ids alone. */
function canonical(plan: Plan): string {
  const numbers = new Map<number, number>();
  return JSON.stringify(plan, (key, value: unknown) => {
    if (!ID_KEYS.has(key) || typeof value !== 'number') return value;
    if (key === 'nextId') return 0;
    const known = numbers.get(value) ?? numbers.size;
    numbers.set(value, known);
    return known;
  });
}

/** Names behind an operator that the binder takes for columns which only the data can tell, the next such step included. */
export function namesAskedFor(node: Syntax): string[] {
  const names = new Set<string>();
  let stop = Number.POSITIVE_INFINITY;
  const isBehind = (one: Syntax): boolean => one.End > node.End && one.TextStart < stop;
  for (const one of within(rootOf(node), isBehind)) {
    if (!isBehind(one)) continue;
    if (kindOf(one) === 'EvaluateOperator' && one.TextStart >= node.End) stop = one.End;
    if (kindOf(one) === 'NameReference' && one.TextStart >= node.End && isUnknown(one))
      names.add(nameOf(one));
  }
  return [...names].filter((name) => name !== '');
}

function rootOf(node: Syntax): Syntax {
  let root = node;
  for (let above = root.Parent; above; above = root.Parent) root = above;
  return root;
}

function isUnknown(node: Syntax): boolean {
  if (node.ResultType?.Name !== 'unknown') return false;
  const parent = node.Parent;
  return !(isKind(parent, 'PathExpression') && child(parent, 'Selector') === node);
}

/**
 * The language service knows two arguments of bag_unpack, the language four: what it finds wrong with the others is
 * nothing that is wrong with the query.
 */
export function withoutFalseAlarms(bound: BoundQuery): Diagnostic[] {
  const suspects = bound.diagnostics.filter((one) => one.code === 'KS119' || one.code === 'KS107');
  if (suspects.length === 0) return [...bound.diagnostics];
  const calls: Span[] = [];
  for (const node of within(bound.code.Syntax)) {
    const call = isKind(node, 'EvaluateOperator') ? child(node, 'FunctionCall') : null;
    if (call && nameOf(child(call, 'Name')) === 'bag_unpack')
      calls.push(bound.original({ start: call.TextStart, end: call.End }));
  }
  const isInside = ({ span }: Diagnostic): boolean =>
    calls.some((call) => span.start >= call.start && span.end <= call.end);
  return bound.diagnostics.filter((one) => !(suspects.includes(one) && isInside(one)));
}
