import { describe, expect, it } from 'vitest';
import type { Need } from './literal-need.ts';
import { regexNeed } from './regex-needs.ts';

// A regular expression needs the texts that every match holds, and no others.

const leaf = (value: string): Need => ({
  kind: 'literals',
  literals: [
    {
      text: { key: '', expression: { kind: 'constant', type: 'string', value: '' }, columns: [] },
      isWhole: false,
      value,
      key: value,
    },
  ],
});

/** `a & b`: both; `a | b`: one of them. */
function shown(need: Need | null): string {
  if (!need) return 'nothing';
  if (need.kind === 'literals') return need.literals.map(({ value }) => value).join(' | ');
  return need.needs.map((each) => `(${shown(each)})`).join(need.kind === 'all' ? ' & ' : ' | ');
}

describe('what a regular expression needs', () => {
  it.each([
    ['alpha', 'alpha'],
    ['alpha.*beta', '(alpha) & (beta)'],
    ['^alpha\\.exe$', 'alpha.exe'],
    ['alpha|beta', 'alpha | beta'],
    ['one(alpha|beta)two', '(one) & (alpha | beta) & (two)'],
    ['one(alpha|.)two', '(one) & (two)'],
    ['(alpha)?beta', 'beta'],
    ['(?:alpha)+beta', '(alpha) & (beta)'],
    ['alphas?beta', '(alpha) & (beta)'],
    ['alphas*?beta', '(alpha) & (beta)'],
    ['alphas{0,3}beta', '(alpha) & (beta)'],
    ['alphas{2}beta', '(alphas) & (beta)'],
    ['alpha{x', 'alpha{x'],
    ['alpha[bc]delta', '(alpha) & (delta)'],
    ['alpha[]x]delta', '(alpha) & (delta)'],
    ['alpha[[:alpha:]]delta', '(alpha) & (delta)'],
    ['alpha\\d\\sdelta\\\\end', '(alpha) & (delta\\end)'],
    ['alpha\\x41\\pL\\p{Greek}delta', '(alpha) & (delta)'],
    ['(?i)alpha(?s)delta', '(alpha) & (delta)'],
    ['(?i:alpha)(?P<name>delta)', '(alpha) & (delta)'],
    ['a(b(c(d)))', 'nothing'],
    ['alpha|', 'nothing'],
    ['\\Qal.pha\\E', 'nothing'],
    ['alpha(?=beta)', 'nothing'],
    ['alpha)', 'nothing'],
    ['[alpha', 'nothing'],
    ['', 'nothing'],
    [`${'('.repeat(60)}alpha${')'.repeat(60)}`, 'nothing'],
  ])('%s', (pattern, expected) => {
    expect(shown(regexNeed(pattern, leaf))).toBe(expected);
  });
});
