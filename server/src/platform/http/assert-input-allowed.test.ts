import { describe, expect, it } from 'vitest';
import { AppError } from '../app-error.ts';
import { storableJson, storableText } from '../postgres/storable.ts';
import { assertInputAllowed, assertQueryAllowed } from './assert-input-allowed.ts';
import { INPUT_LIMITS } from './input-limits.ts';

function refusalOf(check: () => void): string | null {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof AppError && error.kind === 'bad-input') return error.message;
    throw error;
  }
}
const refused = (input: unknown) => refusalOf(() => assertInputAllowed(input));
const nested = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);

describe('the input of a call', () => {
  it.each([
    [{ a: [{ b: 'x\ud800' }] }, 'a.0.b: contains a character'],
    [{ a: 'x\udc00y' }, 'a: contains a character'],
    [{ a: { b: '\0' } }, 'a.b: contains a character'],
    [{ a: { 'b\0': 1 } }, 'a: contains a field name'],
    [{ '\ud800': 1 }, 'body: contains a field name'],
    ['\0', 'body: contains a character'],
    [new URLSearchParams([['SAMLResponse', 'a\0']]), 'SAMLResponse: contains a character'],
  ])('[S04][S17] %j is refused with its place and what to do', (input, message) => {
    expect(refused(input)).toContain(message);
    expect(refused(input)).toContain('remove it and send it again');
  });

  it('[S17] is bounded in depth, values and length, however deep it is', () => {
    const { depth, values, textLength, nameLength } = INPUT_LIMITS;
    expect(refused(nested(depth))).toBeNull();
    expect(refused({ a: nested(depth) })).toContain('a.0.0');
    expect(refused(nested(500_000))).toContain(`nested deeper than ${depth}`);
    expect(refused(Array.from({ length: values }, () => 0))).toBeNull();
    expect(refused(Array.from({ length: values + 1 }, () => 0))).toContain(`more than ${values} values`);
    const fields = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`k${at}`, [...Array(600)]]));
    expect(refused(fields)).toContain('values in total');
    expect(refused({ a: 'x'.repeat(textLength + 1) })).toContain(`a: has ${textLength + 1} characters`);
    expect(refused({ ['x'.repeat(nameLength + 1)]: 1 })).toContain('longer than');
  });

  it('[S17] any other character is taken: emoji, right-to-left, joiners, controls', () => {
    expect(
      refused({ a: '👩‍👩‍👧‍👦 \u202E\u200b e\u0301 \u0001 \uffff', b: [null, 1e308, true, ''] }),
    ).toBeNull();
  });

  it('[S17] a query string has few parameters, repeated ones counted', () => {
    const many = { a: Array.from({ length: INPUT_LIMITS.queryParameters }, () => '1') };
    expect(refusalOf(() => assertQueryAllowed(many))).toBeNull();
    expect(refusalOf(() => assertQueryAllowed({ ...many, b: '1' }))).toContain('query parameters');
    expect(refusalOf(() => assertQueryAllowed({ b: '\0' }))).toContain('b: contains a character');
  });
});

describe('what comes from elsewhere', () => {
  it('[S17] is kept with U+FFFD for what PostgreSQL refuses, in names too', () => {
    expect(storableText('a\0b\ud800')).toBe('a\u{FFFD}b\u{FFFD}');
    expect(storableJson({ 'k\0': ['\udc00', 1, null, { x: '😀' }] })).toBe(
      '{"k\u{FFFD}":["\u{FFFD}",1,null,{"x":"😀"}]}',
    );
  });
});
