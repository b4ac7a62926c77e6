import { describe, expect, it } from 'vitest';
import { compileKql } from './compile-kql.ts';
import { eventSchema } from './event-schema.ts';
import { MAX_LETS, MAX_NESTED, MAX_STEPS, textRefusal } from './text-bounds.ts';
import { checkFunction } from './views/function-probe.ts';

const options = { schema: eventSchema([]), now: new Date(0), unknownColumns: 'warn' } as const;
const codeOf = (text: string) => textRefusal(text)?.code;
const nested = (depth: number) => `print ${'('.repeat(depth)}1${')'.repeat(depth)}`;
const lets = (count: number) =>
  `${Array.from({ length: count }, (_, index) => `let a${index} = 1;`).join('')} print a0`;

describe('what is not given to the parser', () => {
  it.each([
    '.show tables',
    '  .show tables',
    '\n// words\n.drop table T',
    '#line\n.show tables',
    '\uFEFF.show',
  ])('[S07] %j is a command, known by its first words', (text) => {
    expect(compileKql(text, options)).toMatchObject({
      ok: false,
      diagnostics: [{ code: 'TYR114', message: 'A command is not supported in a query' }],
    });
  });

  it('[S07] knows 1,000 brackets, 2,000 lets and endless steps by their number', () => {
    expect(codeOf(nested(1000))).toBe('TYR102');
    expect(codeOf('('.repeat(60_000))).toBe('TYR102');
    expect(codeOf(`print dynamic(${'['.repeat(30_000)}`)).toBe('TYR102');
    expect(codeOf(lets(2000))).toBe('TYR105');
    expect(codeOf(`Events ${'| take 1'.repeat(5000)}`)).toBe('TYR105');
    expect(textRefusal(nested(MAX_NESTED))).toBeNull();
    expect(textRefusal(lets(MAX_LETS))).toBeNull();
    expect(textRefusal(`Events ${'| take 1'.repeat(MAX_STEPS)}`)).toBeNull();
  });

  it('[S07] counts no bracket, let or pipe that stands in a string or a comment', () => {
    const many = '([{|let '.repeat(1500);
    expect(textRefusal(`print "${many}", @'${many}', \`\`\`${many}\`\`\` // ${many}`)).toBeNull();
    expect(textRefusal(`print a = 1 ${'()'.repeat(5000)}`)).toBeNull();
  });

  it('[S07] holds for the body of a function that is checked', () => {
    const wanted = { name: 'deep', parameters: '', body: nested(1000).slice('print '.length) };
    expect(checkFunction(wanted, options)).toMatchObject({ ok: false, diagnostics: [{ code: 'TYR102' }] });
  });
});
