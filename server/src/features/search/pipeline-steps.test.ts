import { describe, expect, it } from 'vitest';
import { pipelineSteps } from './pipeline-steps.ts';

const texts = (kql: string): string[] => pipelineSteps(kql).map(({ start, end }) => kql.slice(start, end));

describe('steps of a query', () => {
  it('cuts at pipes of the outermost level', () => {
    expect(texts('Events | where a == 1\n| take 5')).toEqual(['Events', 'where a == 1', 'take 5']);
    expect(texts('A | join (B | where x) on y | count')).toEqual(['A', 'join (B | where x) on y', 'count']);
  });

  it('passes over text in quotes and comments', () => {
    const kql = `// a | b\nEvents | where Raw has "x|y" and z == 'it\\'s |' // | no\n| where p == @"C:\\" | take 1`;
    expect(texts(kql)).toEqual([
      'Events',
      `where Raw has "x|y" and z == 'it\\'s |' // | no`,
      'where p == @"C:\\"',
      'take 1',
    ]);
    expect(texts('print ```a | b``` | take 1')).toEqual(['print ```a | b```', 'take 1']);
  });

  it('takes the last statement', () => {
    expect(texts('let x = Dns | take 1; x | count;  ')).toEqual(['x', 'count']);
    expect(texts('  // nothing ')).toEqual([]);
  });
});
