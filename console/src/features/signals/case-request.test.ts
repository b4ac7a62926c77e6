import { expect, it } from 'vitest';
import { caseRequest } from './case-request.ts';

it.each([
  [10, 'Critical'],
  [9, 'Critical'],
  [8, 'High'],
  [7, 'High'],
  [6, 'Medium'],
  [4, 'Medium'],
  [3, 'Low'],
  [1, 'Low'],
])('suggests a severity from the score %i: %s', (score, severity) => {
  expect(caseRequest(['a'], [{ name: 'One', score }]).severity).toBe(severity);
});

it('takes name and severity from the highest of several signals', () => {
  const signals = [
    { name: 'Quiet', score: 2 },
    { name: 'Loud', score: 9 },
  ];
  expect(caseRequest(['a', 'b'], signals)).toEqual({ ids: ['a', 'b'], name: 'Loud', severity: 'Critical' });
  expect(caseRequest(['c'], [])).toEqual({ ids: ['c'], name: undefined, severity: undefined });
});
