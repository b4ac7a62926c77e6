import { validatePlan } from '@tyrian/plan';
import { describe, expect, it } from 'vitest';
import { judgeSigma, type RuleVerdict, readSigma, sigmaLibrary } from '../index.ts';

const rule = (name: string, logSource = 'product: windows, service: security'): string =>
  `title: ${name}\nname: ${name}\nlogsource: {${logSource}}\ndetection:\n  s: {EventID: 4625}\n  condition: s\n---\n`;
const correlation = (type: string, rules: string, rest: string): string =>
  `title: C\nname: c\ncorrelation:\n  type: ${type}\n  rules: [${rules}]\n  group-by: [TargetUserName]\n  timespan: 5m\n${rest}`;

/** The verdict on the last document of a text. */
function lastVerdict(text: string): RuleVerdict {
  const documents = readSigma(text);
  const last = documents.at(-1);
  if (!last) throw new Error('The text has no document');
  return judgeSigma(last, sigmaLibrary(documents), {});
}
const said = (text: string): string => {
  const verdict = lastVerdict(text);
  return verdict.verdict === 'runs' ? 'runs' : `${verdict.verdict}: ${verdict.reason}`;
};

describe('correlations', () => {
  it.each([
    ['event_count', 'a', '  condition: {gte: 10}'],
    ['event_count', 'a', '  condition: {gt: 10, lte: 20}'],
    ['value_count', 'a', '  condition: {field: IpAddress, gte: 3}'],
    ['value_sum', 'a', '  condition: {field: ProcessId, gt: 1000}'],
    ['value_avg', 'a', '  condition: {field: ProcessId, gt: 1000}'],
    ['value_percentile', 'a', '  condition: {field: ProcessId, percentile: 95, gt: 1000}'],
    ['temporal', 'a, b', ''],
    ['temporal_ordered', 'a, b', ''],
    ['temporal', 'a, b', '  aliases:\n    TargetUserName: {a: SubjectUserName, b: TargetUserName}'],
  ])('[T-sigma] %s of %s compiles to a sound plan', (type, rules, rest) => {
    const verdict = lastVerdict(`${rule('a')}${rule('b')}${correlation(type, rules, rest)}`);
    if (verdict.verdict !== 'runs' || !verdict.compiled) throw new Error(JSON.stringify(verdict));
    expect(validatePlan(verdict.compiled.plan)).toEqual([]);
    expect(verdict.compiled.plan.columns.map(({ name }) => name)).toEqual([
      'TimeGenerated',
      'EventUid',
      'TargetUserName',
      'Figure',
    ]);
  });

  it.each([
    ['', ['c']],
    ['  generate: true', ['a', 'c']],
  ])(
    '[T-sigma] the rules of a correlation raise signals of their own where it says so %s',
    (generate, names) => {
      const documents = readSigma(
        `${rule('a')}${correlation('event_count', 'a', `  condition: {gte: 2}\n${generate}`)}`,
      );
      const library = sigmaLibrary(documents);
      const raising = documents.flatMap((one) =>
        one.ok && library.raisesSignals(one.document) ? [one.document.name] : [],
      );
      expect(raising).toEqual(names);
    },
  );

  it('[T-sigma] a correlation of a correlation', () => {
    const inner = correlation('event_count', 'a', '  condition: {gte: 10}')
      .replaceAll('c\n', 'many\n')
      .replace('name: c', 'name: many');
    const text = `${rule('a')}${rule('b')}${inner}\n---\n${correlation('temporal_ordered', 'many, b', '')}`;
    expect(said(text)).toBe('runs');
  });

  it.each([
    [
      'a circle',
      `${correlation('temporal', 'd', '')}\n---\n${correlation('temporal', 'c', '').replace('name: c', 'name: d')}`,
      'invalid: The correlation refers to itself',
    ],
    ['itself', correlation('temporal', 'c', ''), 'invalid: The correlation refers to itself'],
    [
      'a rule that is not there',
      correlation('temporal', 'x', ''),
      'invalid: The rule "x" that is referred to is not there',
    ],
    [
      'no condition',
      `${rule('a')}${correlation('event_count', 'a', '')}`,
      'invalid: The rule has no "condition"',
    ],
    [
      'no field',
      `${rule('a')}${correlation('value_count', 'a', '  condition: {gte: 1}')}`,
      'invalid: The rule has no "condition: field"',
    ],
    [
      'an unknown type',
      `${rule('a')}${correlation('value_mode', 'a', '')}`,
      'invalid: "value_mode" is no type of a correlation',
    ],
    [
      'a timespan that is none',
      `${rule('a')}${correlation('temporal', 'a', '')}`.replace('5m', '5x'),
      'invalid: "5x" is not a time such as 5m',
    ],
    [
      'a rule without a source',
      `${rule('a', 'product: toaster')}${correlation('temporal', 'a', '')}`,
      'missing source: The rule "a" that is referred to',
    ],
    [
      'some of an order',
      `${rule('a')}${rule('b')}${correlation('temporal_ordered', 'a, b', '  condition: {gte: 1}')}`,
      'unsupported: An ordered correlation of some',
    ],
  ])('[T-sigma] refuses %s', (_, text, reason) => {
    expect(said(text)).toContain(reason);
  });
});
