import { describe, expect, it } from 'vitest';
import {
  flipFilter,
  hasFilters,
  readSignalLink,
  type SignalLink,
  setFilter,
  signalSelection,
  toggleEntity,
  toggleFilter,
  toggleWithout,
  withoutFilters,
  writeSignalLink,
} from './signal-link.ts';

const there = (link: SignalLink) => readSignalLink(new URLSearchParams(writeSignalLink(link).toString()));
const EMPTY = readSignalLink(new URLSearchParams());
const host = { role: 'suspect', type: 'host', value: 'ws|1 & co', keep: true } as const;

describe('the link of the signal queue', () => {
  it('says everything that is shown, there and back', () => {
    const link: SignalLink = {
      ...EMPTY,
      view: 'all',
      from: 'now-7d',
      filters: { tactic: ['Execution', 'Impact'], score: ['9'] },
      without: { technique: ['T1003'], stream: ['Events'] },
      entities: [host, { ...host, role: 'target', type: '', keep: false }],
      search: 'a=b',
      sort: 'score',
      descending: false,
      open: 'abc123',
    };
    expect(there(link)).toEqual(link);
    expect(there(EMPTY)).toEqual(EMPTY);
  });

  it('turns filters and entities on and off', () => {
    const on = toggleFilter(EMPTY, 'tactic', 'Impact');
    expect(on.filters).toEqual({ tactic: ['Impact'] });
    expect(toggleFilter(on, 'tactic', 'Impact').filters).toEqual({});
    expect(setFilter(on, 'tactic', []).filters).toEqual({});
    const named = toggleEntity(EMPTY, host);
    expect(toggleEntity(named, { ...host, keep: false }).entities).toEqual([{ ...host, keep: false }]);
    expect(toggleEntity(named, host).entities).toEqual([]);
  });

  it('[R-C20] leaves values out, and turns a filter into its opposite', () => {
    const chosen = toggleFilter(EMPTY, 'technique', 'T1003');
    const left = toggleWithout(chosen, 'technique', 'T1003');
    expect([left.filters, left.without]).toEqual([{}, { technique: ['T1003'] }]);
    expect(signalSelection(left).addfilters).toEqual([
      {
        filter_condition: 'AND',
        filter_key: 'technique',
        filter_operand: 'not_in',
        filter_value: ['T1003'],
      },
    ]);
    expect(hasFilters(left)).toBe(true);
    expect(flipFilter(left, 'technique')).toEqual(chosen);
    expect(toggleWithout(left, 'technique', 'T1003')).toEqual(EMPTY);
    expect(withoutFilters(left)).toEqual(EMPTY);
  });

  it('asks the server for exactly what is chosen', () => {
    const link = toggleEntity(setFilter({ ...EMPTY, search: ' mimi ' }, 'technique', ['T1003']), {
      ...host,
      keep: false,
    });
    expect(signalSelection(link)).toMatchObject({
      view: 'pending',
      include: [],
      exclude: [{ role: 'suspect', type: 'host', value: host.value }],
      addfilters: [
        { filter_key: 'technique', filter_operand: 'in', filter_value: ['T1003'] },
        { filter_key: 'name', filter_operand: 'fuzzy', filter_value: 'mimi' },
      ],
    });
  });
});
