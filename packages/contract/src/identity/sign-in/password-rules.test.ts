import { describe, expect, it } from 'vitest';
import { brokenPasswordRules } from './password-rules.ts';

describe('password rules', () => {
  it.each([
    ['Abcdef1!', []],
    ['Abc1!', ['length']],
    [`Aa1!${'x'.repeat(27)}`, ['length']],
    ['abcdef1!', ['upper']],
    ['ABCDEF1!', ['lower']],
    ['Abcdefg!', ['digit']],
    ['Abcdefg1', ['special']],
    ['Abcdef1?', ['special']],
    ['', ['length', 'upper', 'lower', 'digit', 'special']],
    ['Éàbcdef1%', []],
  ])('[C013][S5-21] %s breaks %o', (password, broken) => {
    expect(brokenPasswordRules(password)).toEqual(broken);
  });
});
