import { SAMPLE_LIMITS } from '@tyrian/contract';
import { describe, expect, it } from 'vitest';
import { isSampleFile, regressionSamples, samplesInText, samplesOfList } from './sample-files.ts';

const RULE = (samples: string): string => `title: R\nlogsource: {product: windows}\n${samples}\n`;

describe('samples in files', () => {
  it('[T-samples] stand below `samples`, events as mappings or lines, for each document of a text', () => {
    const one = 'samples:\n  - {name: a, expect: match, events: [{EventID: 1}, "sshd[1]: x"]}';
    const other = 'samples:\n  - {name: b, signals: 0, events: [x]}';
    const text = `${RULE(one)}---\n${RULE(other)}---\n${RULE('')}`;
    expect(samplesInText(text, 0)).toEqual([
      { name: 'a', expect: 'match', events: ['{"EventID":1}', 'sshd[1]: x'] },
    ]);
    expect(samplesInText(text, 1)).toEqual([{ name: 'b', expect: 'no match', events: ['x'] }]);
    expect(samplesInText(text, 2)).toEqual([]);
    expect(samplesInText(RULE('description: |\n  samples: none'), 0)).toEqual([]);
  });

  it.each([
    ['no list', 'samples: 5'],
    ['no YAML', 'samples: [{name: a, expect: match, events: [x'],
    ['a word that is no expectation', 'samples: [{name: a, expect: maybe, events: [x]}]'],
    ['no event', 'samples: [{name: a, expect: match, events: []}]'],
    [
      'a bomb of aliases',
      `samples:\n  - &a [x, x]\n${'  - &b [*a, *a, *a, *a, *a, *a, *a, *a]\n'.repeat(40)}`,
    ],
  ])('[T-samples] %s becomes a sample that fails and says why', (_, samples) => {
    const [first] = samplesInText(RULE(samples), 0);
    expect(first?.name).toMatch(/^Cannot be read: /);
    expect(first?.expect).toBe('match');
  });

  it('[T-samples] are as many as a rule may have, with names that differ', () => {
    const many = Array.from({ length: 60 }, () => ({ name: 'same', expect: 'match', events: ['x'] }));
    const read = samplesOfList(many);
    expect(read).toHaveLength(SAMPLE_LIMITS.samples);
    expect(new Set(read.map(({ name }) => name)).size).toBe(read.length);
    expect(read.at(-1)?.name).toContain('more samples than a rule may have');
  });

  it('[T-samples] of SigmaHQ are told by info.yml, with the JSON beside it; a case without it fails', () => {
    const folder = 'sigma/regression_data/rules/windows/a';
    expect(isSampleFile(`${folder}/info.yml`)).toBe(true);
    expect(isSampleFile(`${folder}/x.json`)).toBe(true);
    expect(isSampleFile('sigma/rules/windows/info.yml')).toBe(false);
    const info = (id: string, file: string, count: number) =>
      `rule_metadata: [{id: ${id}}]\nregression_tests_info: [{name: N, type: evtx, path: ${folder}/${file}.evtx, match_count: ${count}}]`;
    const found = regressionSamples([
      { path: `${folder}/info.yml`, text: info('one', 'x', 1) },
      { path: `${folder}/x.json`, text: '{"a":1}\n{"a":2}\n' },
      { path: `${folder}/b/info.yml`, text: info('two', 'gone', 0) },
    ]);
    expect(found.get('one')).toEqual([{ name: 'N', expect: 'match', events: ['{"a":1}', '{"a":2}'] }]);
    expect(found.get('two')?.[0]?.name).toContain('Cannot be read');
  });
});
