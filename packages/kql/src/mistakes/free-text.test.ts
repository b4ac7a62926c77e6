import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compileKql } from '../compile-kql.ts';
import { eventSchema } from '../event-schema.ts';

// The cases stand in the corpus of mistakes; here is what holds for all of them.

const schema = eventSchema([]);
const mistakesIn = (text: string) => compile(text).diagnostics.filter((one) => one.severity === 'error');
const compile = (text: string) => compileKql(text, { schema, now: new Date(0), unknownColumns: 'warn' });
const cases = readFileSync(new URL('../../corpus/errors/free-text.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { query: string; code: string; mended?: string })
  .flatMap(({ query, mended }) => (mended ? [{ query, mended }] : []));

describe('words that are no query', () => {
  it.each(cases)('[R-C7] $query becomes a query that runs', ({ query, mended }) => {
    const fix = compile(query).diagnostics[0]?.fixes?.[0];
    const after = fix && query.slice(0, fix.span.start) + fix.text + query.slice(fix.span.end);
    expect(after).toBe(mended);
    expect(mistakesIn(mended)).toEqual([]);
    expect(compile(mended).ok).toBe(true);
  });

  it('[R-C7] the change says what it looks for, so that it can be named and run at once', () => {
    expect(compile('powershell   -enc').diagnostics[0]?.fixes?.[0]?.search).toBe('powershell -enc');
    expect(compile('“mimikatz”').diagnostics[0]?.fixes?.[0]?.search).toBe('mimikatz');
    expect(compile('"mimikatz"').diagnostics[0]?.fixes?.[0]?.search).toBe('mimikatz');
    expect(compile('Dns | stats count by DnsQuery').diagnostics[0]?.fixes?.[0]?.search).toBeUndefined();
  });

  it.each([
    ['Evnts | where EventID == 1', 'failed login | take 5'],
    ['where EventID == 1', 'user:ana'],
    ['Dns where EventID == 1', 'Dns evil.example'],
    ['let x = 1', 'powershell -enc'],
    ['Dns | where (EventID == 1', '(root OR admin) NOT cron'],
    ['union Dns, Nothing', 'hanna.aydin AND Failure'],
    ['Nothing(1)', 'constructor toString'],
    ['TargetUsername', 'mimikatz'],
    ['select * from Dns', 'index=main sourcetype=linux error user=root'],
    ['Dns | take 5;\nDns | whre EventID == 1', 'mimi*'],
  ])('[R-C7] %j keeps the words of its own mistake, other than %j', (query, words) => {
    const codes = [query, words].map((text) => compile(text).diagnostics.map(({ code }) => code));
    expect(codes[0]).not.toContain('TYR170');
    expect(codes[1]).toContain('TYR170');
  });
});
