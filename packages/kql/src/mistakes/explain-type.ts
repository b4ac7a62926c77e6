import { type Fix, type Sentence, say } from '@tyrian/diagnostics';
import { signaturesOf } from '../editor/call-signature.ts';
import type { KustoDiagnostic } from '../kusto.ts';
import type { Explained } from './explained.ts';

// Types that do not fit and calls with the wrong number of arguments.

const CONVERSIONS: Readonly<Record<string, string>> = {
  string: 'tostring',
  bool: 'tobool',
  int: 'toint',
  long: 'tolong',
  integer: 'tolong',
  real: 'toreal',
  decimal: 'todecimal',
  datetime: 'todatetime',
  timespan: 'totimespan',
  guid: 'toguid',
  dynamic: 'todynamic',
};

/** A type error explained; null for other errors. */
export function explainType(text: string, one: KustoDiagnostic): Explained | null {
  const span = { start: one.Start, end: one.Start + one.Length };
  const written = text.slice(span.start, span.end);
  const wanted = /(?:must have the type|one of the types:|value of type) (\w+)/.exec(one.Message)?.[1] ?? '';
  if (one.Code === 'KS141' && wanted === 'bool') return noCondition(written, one.Start);
  if (wanted !== '') {
    const isSpan = wanted === 'timespan' && /^["']\d+(?:\.\d+)?(?:ms|[dhms])["']$/.test(written);
    const convert = CONVERSIONS[wanted];
    const mended = isSpan ? written.slice(1, -1) : convert ? `${convert}(${written})` : '';
    const fixes: readonly Fix[] = mended === '' ? [] : [{ span, text: mended }];
    return {
      text: say('typeExpected', { type: wanted }),
      hint: mended === '' ? say('useOtherExpression') : say('write', { text: mended }),
      ...(fixes.length > 0 ? { fixes } : {}),
    };
  }
  const sides = / operand types (.+) and (.+)\.$/.exec(one.Message);
  if (one.Code === 'KS106' && sides)
    return {
      text: say('sidesDiffer', { one: sides[1] ?? '', other: sides[2] ?? '' }),
      hint: say('convertOne'),
    };
  if (one.Code === 'KS134') return { text: say('wholeNumberExpected'), hint: say('numberExample') };
  return null;
}

function noCondition(written: string, start: number): Explained {
  const single = /^[^=<>!~"']*[^=<>!~\s]\s*(=)(?![=~])/.exec(written);
  if (!single)
    return {
      text: say('conditionExpected'),
      hint: say('compareIt'),
    };
  const at = start + single[0].length - 1;
  return {
    text: say('singleEquals'),
    hint: say('doubleEquals'),
    fixes: [{ span: { start: at, end: at + 1 }, text: '==' }],
  };
}

/** A call with the wrong number of arguments, with its signature as the hint. */
export function explainCall(text: string, one: KustoDiagnostic): Explained | null {
  if (!/expects|argument/i.test(one.Message)) return null;
  const name = text.slice(one.Start, one.Start + one.Length).replace(/\(.*$/s, '');
  const forms = signaturesOf(name);
  if (forms.length === 0) return null;
  return {
    text: say('wrongArguments', { name }),
    hint: say('write', { text: eitherOf(forms.map((form) => form.text)) }),
  };
}

/** Signatures as alternatives; they have commas of their own. */
const eitherOf = (forms: readonly string[]): string | Sentence =>
  forms.reduce<string | Sentence>((one, other) => (one === '' ? other : say('either', { one, other })), '');
