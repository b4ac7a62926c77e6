import type { ConstantValue, KqlType } from '@tyrian/plan';
import { datetimeTicks } from './datetime-text.ts';

// The text of literals to the values of constants. Null when the text is not a value of the type.

const UNITS: readonly (readonly [RegExp, bigint])[] = [
  [/^(d|day|days)$/, 864_000_000_000n],
  [/^(h|hr|hrs|hour|hours)$/, 36_000_000_000n],
  [/^(m|min|minute|minutes)$/, 600_000_000n],
  [/^(s|sec|second|seconds)$/, 10_000_000n],
  [/^(ms|milli|millis|millisecond|milliseconds)$/, 10_000n],
  [/^(micro|micros|microsecond|microseconds)$/, 10n],
  [/^(tick|ticks)$/, 1n],
];

/** Ticks from the text of a span: `1d`, `1.5h`, `01:02:03.5`, `3.00:00:00`; undefined when it is none. */
function timespanTicks(text: string): string | undefined {
  const trimmed = text.trim().replace(/^["']|["']$/g, '');
  const clock = /^(-)?(?:(\d+)\.)?(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.(\d{1,7}))?)?$/.exec(trimmed);
  if (clock) {
    const [, sign, days = '0', hours = '0', minutes = '0', seconds = '0', fraction = ''] = clock;
    const all =
      (((BigInt(days) * 24n + BigInt(hours)) * 60n + BigInt(minutes)) * 60n + BigInt(seconds)) * 10_000_000n +
      BigInt(fraction.padEnd(7, '0'));
    return (sign ? -all : all).toString();
  }
  const spelled = /^(-)?(\d+)(?:\.(\d+))?\s*([a-z]+)?$/i.exec(trimmed);
  if (!spelled) return undefined;
  const [, sign, whole = '0', fraction = '', unit = 'd'] = spelled;
  const ticks = UNITS.find(([pattern]) => pattern.test(unit.toLowerCase()))?.[1];
  if (ticks === undefined) return undefined;
  const scale = 10n ** BigInt(fraction.length);
  const all = (BigInt(whole + fraction) * ticks) / scale;
  return (sign ? -all : all).toString();
}

/** `long(0xff)`, `12`, `-3`. */
function wholeNumberText(text: string): string | undefined {
  const match = /^\s*(-?)\s*(0[xX][0-9a-fA-F]+|\d+)\s*$/.exec(text);
  if (!match) return undefined;
  const value = BigInt(match[2] ?? '0');
  const signed = match[1] ? -value : value;
  return signed >= -(2n ** 63n) && signed < 2n ** 63n ? signed.toString() : undefined;
}

/** The inside of `type(...)`, or the text itself. */
function literalBody(text: string): string {
  const match = /^\s*[a-z0-9]+\s*\(([\s\S]*)\)\s*$/i.exec(text);
  return (match?.[1] ?? text).trim();
}

/** The value of a literal of a type; undefined when the text is not one. */
export function literalValue(type: KqlType, text: string): ConstantValue | undefined {
  const body = literalBody(text);
  if (body.toLowerCase() === 'null') return type === 'string' ? '' : null;
  switch (type) {
    case 'bool':
      return boolValue(body);
    case 'int': {
      const whole = wholeNumberText(body);
      const value = whole === undefined ? fromReal(body) : Number(whole);
      return value !== undefined && Math.abs(value + 0.5) < 2 ** 31 ? value : undefined;
    }
    case 'long':
      return wholeNumberText(body) ?? fromReal(body)?.toString();
    case 'real':
      return realValue(body);
    case 'decimal':
      return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(body) ? body : undefined;
    case 'datetime':
      return datetimeTicks(body);
    case 'timespan':
      return timespanTicks(body);
    case 'guid': {
      const plain = body.replace(/^["'{]+|["'}]+$/g, '').toLowerCase();
      return /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/.test(plain) ? plain : undefined;
    }
    default:
      return undefined;
  }
}

function boolValue(text: string): boolean | undefined {
  const lower = text.toLowerCase();
  if (lower === 'true' || lower === '1') return true;
  return lower === 'false' || lower === '0' ? false : undefined;
}

/** `long(1.9)`, `1e3`: a whole number beyond 64 bits is none. */
const fromReal = (text: string): number | undefined => {
  const value = Number(text);
  return text !== '' && Math.abs(value) < 2 ** 63 ? Math.trunc(value) : undefined;
};

function realValue(text: string): number | string | undefined {
  const lower = text.toLowerCase();
  if (lower === 'nan') return 'NaN';
  if (lower === '+inf' || lower === 'inf') return 'Infinity';
  if (lower === '-inf') return '-Infinity';
  const value = Number(text);
  return text !== '' && Number.isFinite(value) ? value : undefined;
}
