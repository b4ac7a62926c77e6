import type { Fix } from '@tyrian/diagnostics';
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
      message: `A value of type ${wanted} is expected here`,
      hint: mended === '' ? 'Use another expression' : `Write ${mended}`,
      ...(fixes.length > 0 ? { fixes } : {}),
    };
  }
  if (one.Code === 'KS106')
    return {
      message: `The two sides have different types: ${one.Message.replace(/^.*operand types /, '')}`,
      hint: 'Convert one of them, e.g. with tostring(), tolong() or todatetime()',
    };
  if (one.Code === 'KS134')
    return { message: 'A whole number is expected here', hint: 'For example 10, or a let with a number' };
  return null;
}

function noCondition(written: string, start: number): Explained {
  const single = /^[^=<>!~"']*[^=<>!~\s]\s*(=)(?![=~])/.exec(written);
  if (!single)
    return {
      message: 'A true or false condition is expected here',
      hint: 'Compare it with something, e.g. == "value", or wrap it in isnotempty()',
    };
  const at = start + single[0].length - 1;
  return {
    message: 'A single = names a column; it does not compare',
    hint: 'Compare with ==, or with =~ to ignore case',
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
    message: `${name}() has the wrong number or kind of arguments`,
    hint: `Write ${forms.map((form) => form.text).join(' or ')}`,
  };
}
