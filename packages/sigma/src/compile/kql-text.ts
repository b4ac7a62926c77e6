import { ALL_EVENTS, EVENT_COLUMNS } from '@tyrian/catalog';
import type { Call, Constant, Plan, PlanNode, Scalar } from '@tyrian/plan';

// The plan of a rule as KQL that compiles to the same plan: what a rule opens as in Find. Only what rules are compiled
// to is known here.

const NAMES = EVENT_COLUMNS.map(({ name }) => name);

const BINARY: Readonly<Record<string, string>> = {
  equal: '==',
  equal_ci: '=~',
  less: '<',
  less_or_equal: '<=',
  greater: '>',
  greater_or_equal: '>=',
  contains: 'contains',
  contains_cs: 'contains_cs',
  startswith: 'startswith',
  startswith_cs: 'startswith_cs',
  endswith: 'endswith',
  endswith_cs: 'endswith_cs',
  matches_regex: 'matches regex',
};

const CONTROL = /[\p{Cc}\u2028\u2029]/gu;

/** A text as a literal of KQL. */
export const kqlText = (text: string): string =>
  `"${text
    .replace(/[\\"]/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t')
    .replace(CONTROL, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`;

function literal({ type, value }: Constant): string {
  if (type === 'string') return kqlText(String(value));
  if (type === 'real') return `real(${value})`;
  // A sign is an operator of its own; within long() it belongs to the number.
  return type === 'long' && String(value).startsWith('-') ? `long(${value})` : String(value);
}

/** Names that stand in a path without brackets. */
const PLAIN_NAME = /^[A-Za-z_]\w*$/;

function member({ args }: Call): string {
  const [base, name] = args;
  if (!base || name?.kind !== 'constant') throw new Error('A path has a name at its end');
  const text = String(name.value);
  return PLAIN_NAME.test(text) ? `${scalarKql(base)}.${text}` : `${scalarKql(base)}[${kqlText(text)}]`;
}

/** What an operator converts by itself is written without its conversion. */
function operand(value: Scalar): string {
  if (value.kind !== 'call') return scalarKql(value);
  const [inner] = value.args;
  if (value.fn === 'tolong' && inner) return scalarKql(inner);
  return value.fn === 'tostring' && inner?.type === 'dynamic' ? scalarKql(inner) : scalarKql(value);
}

function callText(one: Call): string {
  const [left, ...rest] = one.args;
  if (!left) return `${one.fn}()`;
  if (one.fn === 'and' || one.fn === 'or') return one.args.map(nested).join(` ${one.fn} `);
  if (one.fn === 'member') return member(one);
  const [right] = rest;
  const operator = Object.hasOwn(BINARY, one.fn) ? BINARY[one.fn] : undefined;
  if (operator && right) return `${operand(left)} ${operator} ${operand(right)}`;
  if (one.fn === 'in' || one.fn === 'in_ci')
    return `${operand(left)} ${one.fn === 'in' ? 'in' : 'in~'} (${rest.map(scalarKql).join(', ')})`;
  return `${one.fn}(${one.args.map(scalarKql).join(', ')})`;
}

const nested = (part: Scalar): string =>
  part.kind === 'call' && (part.fn === 'and' || part.fn === 'or') ? `(${callText(part)})` : scalarKql(part);

/** An expression over the columns of events. */
export function scalarKql(value: Scalar): string {
  switch (value.kind) {
    case 'constant':
      return literal(value);
    case 'column':
      return NAMES[value.id - 1] ?? '';
    case 'call':
      return callText(value);
    default:
      throw new Error('A rule asks no other table');
  }
}

/** The events of a rule. */
export function eventsKql(node: PlanNode): string {
  if (node.kind === 'scan') return node.stream ?? ALL_EVENTS;
  if (node.kind === 'filter') return `${eventsKql(node.input)}\n| where ${scalarKql(node.predicate)}`;
  throw new Error(`A rule has no step ${node.kind}`);
}

/** What the KQL compiler takes, in UTF-16 units. */
const LONGEST_KQL = 64 * 1024;

/** The text; null when it is longer than a query may be. */
export const withinLength = (text: string): string | null => (text.length > LONGEST_KQL ? null : text);

/** The plan of a rule as KQL; null when it is longer than a query may be. */
export const ruleKql = (plan: Plan): string | null => withinLength(eventsKql(plan.root));
