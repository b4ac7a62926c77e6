import { describe, expect, it } from 'vitest';
import { compileKql, eventSchema } from '../index.ts';

const compile = (query: string) =>
  compileKql(query, { schema: eventSchema([]), now: new Date(0), unknownColumns: 'warn' });

/** Queries in which `P` is the place of a pattern. */
const QUERIES = [
  'Events | where Raw matches regex P',
  'Events | where not(Raw matches regex P)',
  'Events | where * matches regex P',
  'Events | extend x = extract(P, 0, Raw)',
  'Events | extend x = extract(P, 0, Raw, typeof(long))',
  'Events | extend x = extract_all(P, Raw)',
  'Events | extend x = extract_all(P, dynamic([1]), Raw)',
  'Events | extend x = replace_regex(Raw, P, "x")',
  'Events | extend x = indexof_regex(Raw, P)',
  'Events | extend x = countof(Raw, P, "regex")',
  'Events | extend x = trim(P, Raw)',
  'Events | extend x = trim_start(P, Raw)',
  'Events | extend x = trim_end(P, Raw)',
  'Events | parse kind=regex Raw with P x:string',
  'Events | parse-where kind=regex Raw with P x:string',
  'Events | summarize countif(Raw matches regex P)',
];
const REFUSED = [
  '"a)"',
  '"("',
  '"(?=a)"',
  '"(?<!a)b"',
  '@"(a)\\1"',
  '"[z-a]"',
  '"a**"',
  '"a{1001}"',
  '@"\\"',
];
const TAKEN = [
  '@"(?i)^\\S+\\.exe$"',
  '"[[:alpha:]]+"',
  '@"\\p{Greek}|\\x{10FFFF}"',
  '"(?P<n>a)(?<n>b)(?P<é>c)"',
  '@"\\C"',
  '"a{2"',
  '"(?U)a.*?"',
];

/** The place and the message of the refusal of a pattern. */
function refusalOf(text: string) {
  const { diagnostics, ok } = compile(text);
  const found = diagnostics.find((one) => one.code === 'TYR126');
  return { ok, message: found?.message, at: text.slice(found?.span.start, found?.span.end) };
}

describe('a pattern', () => {
  it.each(QUERIES)('[S21] that RE2 refuses is refused at its place: %s', (query) => {
    const pattern = `"')..."`;
    expect(refusalOf(query.replace('P', () => pattern))).toEqual({
      ok: false,
      message: "Invalid regular expression: unexpected ): `')...`",
      at: pattern,
    });
  });

  it.each(REFUSED)('[S21] %s is refused', (pattern) => {
    expect(refusalOf(`Events | where Raw matches regex ${pattern}`)).toMatchObject({
      ok: false,
      at: pattern,
    });
  });

  it.each(TAKEN)('that RE2 takes is taken: %s', (pattern) => {
    expect(compile(`Events | where Raw matches regex ${pattern}`)).toMatchObject({
      ok: true,
      diagnostics: [],
    });
  });

  it('[S21] behind a let is refused at the expression, and too long a one is refused unread', () => {
    const behind = compile(`let p = "a)"; Events | where Raw matches regex p`);
    expect(behind.diagnostics.map((one) => one.code)).toEqual(['TYR126']);
    const inFunction = compile('let f = (t:string) { t matches regex "a)" }; Events | where f(Raw)');
    expect(inFunction.diagnostics.map((one) => one.code)).toEqual(['TYR126']);
    const long = compile(`Events | where Raw matches regex "${'a'.repeat(10_001)}"`);
    expect(long.diagnostics[0]?.message).toContain('longer than 10000 characters');
  });

  it('is none when it is a text to look for', () => {
    for (const query of [
      'Events | where Raw has "a)"',
      'print countof("x", "a)")',
      'Events | parse Raw with "a)" x',
    ]) {
      expect(compile(query).ok).toBe(true);
    }
  });
});
