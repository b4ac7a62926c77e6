import type { ResultColumn } from '@tyrian/contract';
import { describe, expect, it } from 'vitest';
import { huesOf } from './chart-hues.ts';
import { chartOption } from './chart-option.ts';
import { renderDirective } from './render-directive.ts';
import { chartOf, isDrawnElsewhere } from './result-chart-data.ts';
import type { ResultRow } from './result-value.ts';

const time: ResultColumn = { name: 'TimeGenerated', type: 'datetime' };
const count: ResultColumn = { name: 'count_', type: 'long' };
const user: ResultColumn = { name: 'User', type: 'string' };
const at = (hour: number) => `2026-01-01T0${hour}:00:00.0000000Z`;

const drawn = (columns: readonly ResultColumn[], rows: readonly ResultRow[], query: string) =>
  chartOf(columns, rows, renderDirective(query), query);

describe('a result as a chart', () => {
  it('splits a time chart by its text column and leaves holes where there is no row', () => {
    const rows = [
      [at(1), 'b', 5],
      [at(0), 'a', 1],
      [at(1), 'a', 2],
    ];
    const chart = drawn([time, user, count], rows, 'T | render timechart');
    expect(chart?.axisKind).toBe('time');
    expect(chart?.axis).toEqual([Date.parse(at(0)), Date.parse(at(1))]);
    expect(chart?.series).toMatchObject([
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
    expect(drawn([user, count], rows, 'T | render piechart')?.axis).toEqual(['a', 'b']);
    expect(drawn([user], [['a']], 'T | render piechart')).toBeNull();
    expect(drawn([user, count], rows, 'T | render table')).toBeNull();
  });

  it('names a slice by all texts of its row, and adds up what shares a name', () => {
    const columns = [user, { name: 'Kind', type: 'string' } as const, count];
    const rows = [
      ['a', 'x', 1],
      ['a', 'y', 3],
      ['b', 'x', 2],
    ];
    expect(drawn(columns, rows, 'T | render treemap')).toMatchObject({
      axis: ['a · x', 'a · y', 'b · x'],
      series: [{ values: [1, 3, 2] }],
      leftOut: 0,
    });
    const byKind = drawn(
      [user, count],
      [...rows, ['a', 'x', 4]].map(([name, , n]) => [name ?? '', n ?? 0]),
      'T | render piechart',
    );
    expect(byKind).toMatchObject({ axis: ['a', 'b'], series: [{ values: [8, 2] }] });
  });

  it('follows with: columns of axis, heights and series, stacking, sums and titles', () => {
    const other: ResultColumn = { name: 'other', type: 'real' };
    const rows = [
      ['a', 'x', 1, 10],
      ['a', 'y', 3, 10],
      ['b', 'x', 2, 10],
    ];
    const columns = [user, { name: 'Kind', type: 'string' } as const, count, other];
    const ask = (properties: string, kind = 'columnchart') =>
      drawn(columns, rows, `T | render ${kind} with (${properties})`);
    expect(ask('ycolumns=count_, xcolumn=Kind, series=User')).toMatchObject({
      axis: ['x', 'y'],
      series: [
        { name: 'a', values: [1, 3] },
        { name: 'b', values: [2, null] },
      ],
      stacking: 'none',
    });
    expect(ask('kind=stacked100, ycolumns=count_')).toMatchObject({
      stacking: 'share',
      series: [
        { name: 'x', values: [25, 100] },
        { name: 'y', values: [75, null] },
      ],
    });
    expect(ask('ycolumns=count_, accumulate=true')?.series[0]?.values).toEqual([1, 3]);
    expect(ask('title="Who", ymin=0, ymax=5, legend=hidden, yaxis=log')?.look).toMatchObject({
      title: 'Who',
      yMin: 0,
      yMax: 5,
      hasLegend: false,
      isYLog: true,
    });
    expect(drawn(columns, rows, 'T | render stackedareachart')?.stacking).toBe('all');
  });

  it('takes series apart that stand in arrays, and marks what stands out', () => {
    const arrays = ['TimeGenerated', 'n', 'flag'].map((name) => ({ name, type: 'dynamic' }) as const);
    const rows = [['h', [at(0), at(1), at(2)], [1, 9, 2], [0, 1, 0]]];
    const chart = drawn([user, ...arrays], rows, 'T | render anomalychart with (anomalycolumns=flag)');
    expect(chart?.axisKind).toBe('time');
    expect(chart?.series).toMatchObject([{ name: 'h', values: [1, 9, 2] }]);
    expect(chart?.anomalies).toEqual([[Date.parse(at(1)), 9]]);
  });

  it('keeps every point of a scatter, on an axis of numbers', () => {
    const numbers = ['x', 'y'].map((name) => ({ name, type: 'real' }) as const);
    const chart = drawn(
      numbers,
      [
        [1, 2],
        [1, 5],
        [0.5, 3],
      ],
      'T | render scatterchart',
    );
    expect(chart?.axisKind).toBe('number');
    expect(chart?.series[0]?.points).toEqual([
      [1, 2],
      [1, 5],
      [0.5, 3],
    ]);
  });

  it('leaves kinds that only other tools draw to the table, and says so', () => {
    const rows = [['a', 1]];
    expect(drawn([user, count], rows, 'T | render pivotchart')).toBeNull();
    expect(isDrawnElsewhere(renderDirective('T | render pivotchart'))).toBe(true);
    expect(isDrawnElsewhere(renderDirective('T | render table'))).toBe(false);
  });

  const words = { empty: '(empty)', other: 'Other' };
  const many = Array.from({ length: 12 }, (_, n) => [n === 3 ? '' : `user${n}`, 100 - n]);

  it('[R-C11] has eight slices and one for all the rest, and names the empty value', () => {
    for (const kind of ['piechart', 'treemap']) {
      const query = `T | render ${kind}`;
      const chart = chartOf([user, count], many, renderDirective(query), query, words);
      expect(chart?.axis).toEqual([
        'user0',
        'user1',
        'user2',
        '(empty)',
        'user4',
        'user5',
        'user6',
        'user7',
        'Other',
      ]);
      expect(chart?.series[0]?.values.at(-1)).toBe(92 + 91 + 90 + 89);
      expect(chart).toMatchObject({ restAt: 8, leftOut: 0 });
    }
  });

  it('[R-C11] stacks eight series and the rest; lines beside each other leave the rest to the table', () => {
    const rows = many.map(([name, n]) => [at(0), name ?? '', n ?? 0]);
    const ask = (query: string) => chartOf([time, user, count], rows, renderDirective(query), query, words);
    const stacked = ask('T | render areachart with (kind=stacked)');
    expect(stacked?.series).toHaveLength(9);
    expect(stacked?.series.at(-1)).toMatchObject({ name: 'Other', isRest: true, values: [362] });
    expect(stacked?.leftOut).toBe(0);
    const lines = ask('T | render timechart');
    expect(lines?.series).toHaveLength(8);
    expect(lines?.leftOut).toBe(4);
  });

  it('[R-C11] gives a value the hue that it has in the histogram', () => {
    const known = new Map([
      ['Dns', 0],
      ['FileEvent', 5],
    ]);
    expect(huesOf(['FileEvent', 'new', 'Dns', 'newer', 'Other'], known, new Set(['Other']))).toEqual([
      5, 1, 0, 2, 8,
    ]);
    const query = 'T | render piechart';
    const chart = chartOf([user, count], [['FileEvent', 2]], renderDirective(query), query, words);
    const palette = ['c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'grey'];
    const colours = { text: '', strong: '', line: '', raised: '', bad: '', onHue: '' };
    const ink = { ...colours, font: '', zone: 'UTC', isCalm: true };
    expect(chart && chartOption(chart, { ...ink, palette }, known).color).toEqual(['c5']);
  });
});
