import { type Constant, constant } from '@tyrian/plan';
import type { Lowering } from '../lowering.ts';
import { messages } from '../messages.ts';
import {
  boundType,
  boundValue,
  child,
  children,
  isKind,
  type Syntax,
  spanOf,
  textOf,
  wordOf,
} from '../syntax.ts';
import { literalValue } from './literal-text.ts';

/** The digits of the least long, which without their sign are none. */
export const LEAST_LONG = '9223372036854775808';

/** A literal of any type. */
export function lowerLiteral(node: Syntax, lowering: Lowering): Constant {
  const type = boundType(node) ?? 'string';
  if (type === 'string') return constant('string', stringOf(node));
  const text = literalText(node);
  const value = type === 'dynamic' ? (/null/i.test(text) ? null : undefined) : literalValue(type, text);
  if (value !== undefined) return constant(type, value);
  lowering.refuse(messages.badLiteral(spanOf(node), type));
  return constant(type, null);
}

/** A string literal; neighbours in the text are one. */
export function stringOf(node: Syntax): string {
  const value = boundValue(node);
  if (typeof value === 'string') return value;
  const tokens = isKind(node, 'CompoundStringLiteralExpression') ? children(node, 'Tokens') : [];
  return tokens.map((token) => token.ValueText ?? '').join('');
}

/** `dynamic(...)`: its inside as JSON text. */
export function lowerDynamic(node: Syntax<'DynamicExpression'>, lowering: Lowering): Constant {
  const json = jsonOf(child(node, 'Expression'), lowering);
  return constant('dynamic', json === 'null' ? null : json);
}

function jsonOf(node: Syntax, lowering: Lowering): string {
  if (isKind(node, 'JsonObjectExpression')) {
    const pairs = children(node, 'Pairs').map((pair) => {
      const name = child(pair, 'Name');
      const key = name.ValueText ?? textOf(name).replace(/^["']|["']$/g, '');
      return `${JSON.stringify(key)}:${jsonOf(child(pair, 'Value'), lowering)}`;
    });
    return `{${pairs.join(',')}}`;
  }
  if (isKind(node, 'JsonArrayExpression'))
    return `[${children(node, 'Values')
      .map((value) => jsonOf(value, lowering))
      .join(',')}]`;
  if (isKind(node, 'DynamicExpression')) return String(lowerDynamic(node, lowering).value ?? 'null');
  if (isKind(node, 'PrefixUnaryExpression')) {
    const operand = child(node, 'Expression');
    return textOf(operand).trim() === LEAST_LONG ? `-${LEAST_LONG}` : `-${jsonOf(operand, lowering)}`;
  }
  if (literalText(node).trim() === 'null') return 'null';
  return jsonOfLiteral(lowerLiteral(node, lowering));
}

/** The text of a whole node is put together from all that stands around it, which takes long in a long list. */
const literalText = (node: Syntax): string =>
  isKind(node, 'LiteralExpression') ? wordOf(node, 'Token') : textOf(node);

function jsonOfLiteral(literal: Constant): string {
  const { type, value } = literal;
  if (value === null) return 'null';
  switch (type) {
    case 'string':
    case 'guid':
      return JSON.stringify(String(value));
    case 'datetime':
      return JSON.stringify(momentText(BigInt(String(value))));
    case 'timespan':
      return JSON.stringify(spanText(BigInt(String(value))));
    case 'real':
      return typeof value === 'number' ? realJson(value) : JSON.stringify(value);
    default:
      return String(value);
  }
}

/** A real shows that it is one. */
const realJson = (value: number): string =>
  Number.isInteger(value) && Math.abs(value) < 1e21 ? value.toFixed(1) : String(value);

function momentText(ticks: bigint): string {
  const rest = ((ticks % 10_000_000n) + 10_000_000n) % 10_000_000n;
  const date = new Date(Number((ticks - rest) / 10_000n));
  return `${date.toISOString().slice(0, 19)}.${rest.toString().padStart(7, '0')}Z`;
}

function spanText(ticks: bigint): string {
  const all = ticks < 0n ? -ticks : ticks;
  const seconds = all / 10_000_000n;
  const two = (value: bigint): string => value.toString().padStart(2, '0');
  const clock = [(seconds / 3600n) % 24n, (seconds / 60n) % 60n, seconds % 60n].map(two).join(':');
  const days = seconds / 86_400n;
  const fraction = all % 10_000_000n;
  const tail = fraction === 0n ? '' : `.${fraction.toString().padStart(7, '0')}`;
  return `${ticks < 0n ? '-' : ''}${days > 0n ? `${days}.` : ''}${clock}${tail}`;
}
