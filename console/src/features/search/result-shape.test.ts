import { describe, expect, it } from 'vitest';
import { conditionText } from '../../query-kit/editor/kql-text-edit.ts';
import { compareValues, defaultColumns } from '../../query-kit/results/result-value.ts';
import { conditionOf } from '../../query-kit/results/value-target.ts';
import { chosenColumns, shapeOf } from './result-shape.ts';
import { stackedValue } from './stacked-value.ts';

const columns = (...names: string[]) => names.map((name) => ({ name, type: 'string' as const }));

describe('the shape of a result', () => {
  it('[R-C1] is that of its columns', () => {
    const shape = shapeOf(columns('A', 'B'));
    expect(shapeOf(columns('A', 'B'))).toBe(shape);
    expect(shapeOf(columns('A', 'C'))).not.toBe(shape);
    expect(shapeOf(columns('A'))).not.toBe(shape);
    const chosen = { columns: ['B'], shape };
    expect(chosenColumns(chosen, columns('A', 'B'))).toEqual(['B']);
    expect(chosenColumns(chosen, columns('B', 'Runs'))).toEqual([]);
    expect(chosenColumns({ columns: ['B', 'gone'], shape: '' }, columns('A', 'B'))).toEqual([]);
  });

  it('[R-C1] shows what the query itself made among many columns', () => {
    const many = columns(
      ...['TimeGenerated', 'Stream', 'DvcHostname', 'EventType', 'EventResult', 'ActorUsername'],
      ...['TargetUsername', 'SrcIpAddr', 'DstIpAddr', 'ProcessName', 'CommandLine', 'DnsQuery', 'Url'],
      ...['Operation', 'FilePath', 'RegistryKey', 'Channel', 'Provider', 'Message', 'SourceName'],
      ...['SourceType', 'Scope', 'EventUid', 'Raw', 'Risk'],
    );
    const row = many.map(({ name }) => (name === 'Risk' ? '' : name));
    const shown = defaultColumns(many, [row]);
    expect(shown).toHaveLength(9);
    expect(shown.at(-1)).toBe('Risk');
  });
});

describe('what the engine and the browser both do', () => {
  it('[R-C3] sorts numbers below a dynamic column by their size, others behind them, blanks last', () => {
    const sorted = (descending: boolean) =>
      [10, '', 9, 'b', '100', null, 'a'].sort((a, b) => compareValues(a, b, 'dynamic', descending));
    expect(sorted(false)).toEqual([9, 10, '100', 'a', 'b', '', null]);
    expect(sorted(true)).toEqual(['100', 10, 9, 'b', 'a', '', null]);
  });

  it.each([
    ['Stream', 'Dns', 'Stream == "Dns"', 'source'],
    ['EventID', '4625', 'EventID == 4625', 'source'],
    ['EventID', '', 'isnull(EventID)', 'source'],
    ['Ext.user.name', 'ana', 'tostring(Ext.user.name) == "ana"', 'source'],
    ['TimeGenerated', '2026-01-01', 'tostring(TimeGenerated) == "2026-01-01"', 'source'],
    ['Odd', '1', 'tostring(Odd) == "1"', 'result'],
  ])('[R-C15] filters by a value of %s that bars are stacked by', (field, value, text, place) => {
    const found = stackedValue(field, value);
    expect(conditionText(conditionOf(found.target, true))).toBe(text);
    expect(found.position).toBe(place);
  });
});
