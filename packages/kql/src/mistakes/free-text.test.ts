import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compileKql } from '../compile-kql.ts';
import { eventSchema } from '../event-schema.ts';

// The cases stand in the corpus of mistakes; here is what holds for all of them.

const schema = eventSchema([]);
const compile = (text: string) => compileKql(text, { schema, now: new Date(0), unknownColumns: 'warn' });
const cases = readFileSync(new URL('../../corpus/errors/free-text.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { query: string; code: string; mended?: string })
  .flatMap(({ query, mended }) => (mended ? [{ query, mended }] : []));

describe('words that are no query', () => {
  it.each(cases)('[R-C7] $query becomes a query that runs', ({ mended }) => {
    expect(compile(mended).diagnostics.filter((one) => one.severity === 'error')).toEqual([]);
    expect(compile(mended).ok).toBe(true);
  });

  it('[R-C7] the change says what it looks for, so that it can be named and run at once', () => {
    expect(compile('powershell   -enc').diagnostics[0]?.fixes?.[0]?.search).toBe('powershell -enc');
    expect(compile('“mimikatz”').diagnostics[0]?.fixes?.[0]?.search).toBe('mimikatz');
    expect(compile('"mimikatz"').diagnostics[0]?.fixes?.[0]?.search).toBe('mimikatz');
    expect(compile('Dns | stats count by DnsQuery').diagnostics[0]?.fixes?.[0]?.search).toBeUndefined();
  });

  it.each([
    'Evnts | where EventID == 1',
    'where EventID == 1',
    'Dns where EventID == 1',
    'let x = 1',
    'Dns | where (EventID == 1',
    'union Dns, Nothing',
    'Nothing(1)',
    'TargetUsername',
    'select * from Dns',
    'Dns | take 5;\nDns | whre EventID == 1',
  ])('[R-C7] %s keeps the words of its own mistake', (query) => {
    expect(compile(query).diagnostics.map(({ code }) => code)).not.toContain('TYR170');
  });
});
