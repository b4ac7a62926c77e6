import type { ResultColumn } from '@tyrian/contract';
import { describe, expect, it } from 'vitest';
import { chartOf } from './result-chart-data.ts';

const time: ResultColumn = { name: 'TimeGenerated', type: 'datetime' };
const count: ResultColumn = { name: 'count_', type: 'long' };
const user: ResultColumn = { name: 'User', type: 'string' };
const at = (hour: number) => `2026-01-01T0${hour}:00:00.0000000Z`;

describe('a result as a chart', () => {
  it('splits a time chart by its text column and leaves holes where there is no row', () => {
    const rows = [
      [at(1), 'b', 5],
      [at(0), 'a', 1],
      [at(1), 'a', 2],
    ];
    const chart = chartOf([time, user, count], rows, 'timechart', 'T | render timechart');
    expect(chart?.isTime).toBe(true);
    expect(chart?.axis).toEqual([Date.parse(at(0)), Date.parse(at(1))]);
    expect(chart?.series).toEqual([
      { name: 'b', values: [null, 5] },
      { name: 'a', values: [1, 2] },
    ]);
  });

  it('takes counts in bins of time for a chart without being asked', () => {
    const query = 'T | summarize count() by bin(TimeGenerated, 1h)';
    expect(chartOf([time, count], [[at(0), 1]], null, query)?.kind).toBe('column');
    expect(chartOf([time, count], [[at(0), 1]], null, 'T | project TimeGenerated, count_')).toBeNull();
  });

  it('draws names for a pie, and nothing without a number or when a table is asked for', () => {
    const rows = [
      ['a', 3],
      ['b', '9007199254740993'],
    ];
    expect(chartOf([user, count], rows, 'piechart', '')?.axis).toEqual(['a', 'b']);
    expect(chartOf([user], [['a']], 'piechart', '')).toBeNull();
    expect(chartOf([user, count], rows, 'table', '')).toBeNull();
  });
});
