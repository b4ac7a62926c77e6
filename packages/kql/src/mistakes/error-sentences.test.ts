import { readdirSync, readFileSync } from 'node:fs';
import { type Diagnostic, inEnglish, readSentence, SENTENCES, say } from '@tyrian/diagnostics';
import { describe, expect, it } from 'vitest';
import { compileKql } from '../compile-kql.ts';
import { eventSchema } from '../event-schema.ts';
import { checkFunction } from '../views/function-probe.ts';

// What a diagnostic says travels as data beside its English text, so that the console can say it in other languages.

const schema = eventSchema([{ stream: 'Dns', path: 'RuleName', type: 'string' }]);
const options = { schema, now: new Date(0), unknownColumns: 'warn' } as const;
const corpus = new URL('../../corpus/', import.meta.url);

const queriesIn = (file: string): string[] =>
  readFileSync(new URL(file, corpus), 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { query: string }).query);

const files = readdirSync(corpus, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /^errors.*\.jsonl$/.test(name),
);
const queries = [...new Set(files.flatMap(queriesIn))];

/** Diagnostics whose data does not come to their English text. */
const untold = (found: readonly Diagnostic[]): unknown[] =>
  found.filter(
    ({ message, hint, text, hintText }) =>
      !text || inEnglish(text) !== message || (hintText && inEnglish(hintText)) !== hint,
  );

const diagnose = (query: string) => compileKql(query, options).diagnostics;

describe('diagnostics as data', () => {
  it('[R-C39] of every query with a mistake come to the very same English text', () => {
    expect(queries.length).toBeGreaterThan(100);
    expect(queries.flatMap((query) => untold(diagnose(query)))).toEqual([]);
  });

  it('[R-C39] carry no English within a sentence: reasons are sentences of their own', () => {
    const [refused] = diagnose('print x=1 | evaluate autocluster()');
    expect(refused).toMatchObject({
      text: { key: 'pluginRefused', values: { name: 'autocluster', why: { key: 'segmentsUndocumented' } } },
      hintText: { key: 'countCombinations' },
    });
    const [regex] = diagnose('Dns | where DvcHostname matches regex "(a"');
    expect(regex).toMatchObject({ text: { values: { why: { key: 'regexMissingParen' } } } });
  });

  it('[R-C39] name the function that they are in as a sentence around their own', () => {
    const body = 'Dns | where EventID == nope(1)';
    const saved = eventSchema([], undefined, [{ name: 'Mine', parameters: '', body }]);
    const found = compileKql('Mine', { ...options, schema: saved }).diagnostics;
    expect(found[0]?.text).toMatchObject({ key: 'inFunction', values: { name: 'Mine' } });
    expect(untold(found)).toEqual([]);
    const taken = checkFunction({ name: 'Dns', parameters: '', body: 'print 1' }, options);
    expect(taken.diagnostics[0]?.text).toEqual(say('functionName', { name: 'Dns', why: say('nameTaken') }));
  });
});

describe('sentences of the language service', () => {
  it.each([
    ['Dns | extend a = 1, a = 2 | union withsource=a (Dns)', null],
    ['let a = 1; let a = 2; print a', 'KS201'],
    ['Dns | join kind=inner (Dns) on $left.nope == $right.EventID', null],
    ['Dns | project EventID, EventID', null],
    ['datatable(a:long, b:long) [1, 2, 3]', 'KS173'],
    ['Dns | take 5 | top 5 by count()', 'KS144'],
    ['print toscalar(5)', null],
    ['Dns | where EventID', null],
  ])('[R-C39] are read from what it says of %s', (query, code) => {
    const found = diagnose(query);
    if (code !== null) expect(found.map((one) => one.code)).toContain(code);
    expect(untold(found)).toEqual([]);
  });

  it('[R-C39] are known by code, with their names cut out', () => {
    expect(readSentence('KS145', "The column 'x' must exist on both sides of the join.")).toEqual({
      key: 'KS145',
      values: { name: 'x' },
    });
    expect(readSentence('KS119', "The function 'f' expects 1 argument.")).toMatchObject({ key: 'KS119b' });
    expect(readSentence('KS141', 'The expression must have one of the types: int, long or real.')).toEqual(
      say('KS141b', { types: say('either', { one: 'int, long', other: 'real' }) }),
    );
    expect(readSentence('KS145', 'Something new.')).toBeNull();
    expect(readSentence('KS999', 'Something new.')).toBeNull();
  });

  it('[R-C39] come to their own text again, whatever stands in them', () => {
    for (const [key, template] of Object.entries(SENTENCES)) {
      if (!/^KS\d/.test(key)) continue;
      const text = template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => `${name} $& (x)`);
      const read = readSentence(key.replace(/[a-z]$/, ''), text);
      expect(read && inEnglish(read), key).toBe(text);
    }
  });
});
