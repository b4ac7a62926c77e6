import { describe, expect, it } from 'vitest';
import { compileKql, eventSchema } from '../index.ts';

// Names that every JavaScript object answers to are names like any other: a table of functions, types or units that
// is looked up by what somebody wrote must not find them.

const NAMES = [
  'constructor',
  'toString',
  'valueOf',
  '__proto__',
  '__defineGetter__',
  'isPrototypeOf',
] as const;
const CALLS = [
  'print N()',
  'print N("a", 2)',
  'Events | summarize N(EventID)',
  'Events | evaluate N()',
] as const;
const TYPES = [
  'datatable(a:N)[1]',
  'print extract("a", 1, "b", typeof(N))',
  'Events | parse Raw with "a" x:N',
];
const WORDS = [
  'print datetime_part("N", now())',
  'print datetime_add("N", 1, now())',
  'print format_datetime(now(), "N")',
  'print convert_length(1, "N", "Meter")',
  'Events | render N',
  'Events | join kind=N (Events) on EventID',
  'let N = 1; print N',
  'Events | extend N = 1 | project N',
  'Events | where Ext.N == "a"',
  'Dns | where N == "a"',
];

const compile = (text: string) =>
  compileKql(text, {
    schema: eventSchema(NAMES.map((path) => ({ stream: 'Dns', path, type: 'string' }))),
    now: new Date('2026-01-01T00:00:00Z'),
    unknownColumns: 'warn',
  });

describe('names of the prototype', () => {
  const all = [...CALLS, ...TYPES, ...WORDS].flatMap((text) => NAMES.map((name) => [text, name] as const));

  it.each(all)('[S17] %s with %s is refused or compiled, never a fault of ours', (text, name) => {
    const { diagnostics, ok } = compile(text.replaceAll(/\bN\b/g, name));
    expect(diagnostics.filter((one) => one.code === 'TYR199')).toEqual([]);
    if ((CALLS as readonly string[]).includes(text)) expect(ok).toBe(false);
  });

  it('[S17] a call of one names it as an unknown function', () => {
    for (const name of NAMES) {
      const { diagnostics } = compile(`print ${name}(1)`);
      expect(diagnostics.map((one) => one.message).join()).toContain(name);
    }
  });
});
