import { describe, expect, it } from 'vitest';
import { decodeRecord } from '../index.ts';

describe('words of a record that a column says in others', () => {
  it('[T-sigma] stay beside it, so that a rule finds them', () => {
    const { columns, ext } = decodeRecord({ eventType: 'x', outcome: { result: 'ALLOW' }, level: 'warn' }, 0);
    expect(columns.EventResult).toBe('Success');
    expect(ext).toMatchObject({ outcome: { result: 'ALLOW' } });
  });

  it('[T-sigma] are kept once where the column says the same', () => {
    const { columns, ext } = decodeRecord({ eventType: 'x', outcome: { result: 'SUCCESS' } }, 0);
    expect(columns.EventResult).toBe('Success');
    expect(ext).toEqual({});
  });
});
