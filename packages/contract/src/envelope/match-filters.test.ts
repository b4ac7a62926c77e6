import { describe, expect, it } from 'vitest';
import { type AddFilter, addFilterSchema } from './list-request.ts';
import { matchesFilters } from './match-filters.ts';

const record: Record<string, string | number | null | string[]> = {
  name: 'Harbour Bank',
  score: 12,
  tags: ['red', 'blue'],
  handler: null,
};
const filter = (
  key: string,
  operand: AddFilter['filter_operand'],
  value: AddFilter['filter_value'],
  or = false,
) =>
  addFilterSchema.parse({
    filter_condition: or ? 'OR' : 'AND',
    filter_key: key,
    filter_operand: operand,
    filter_value: value,
  });
const passes = (...filters: AddFilter[]) => matchesFilters(filters, (key) => record[key] ?? null);

describe('addfilters', () => {
  it.each([
    [filter('name', 'exact', 'harbour bank'), true],
    [filter('name', 'exact', 'harbour'), false],
    [filter('name', 'fuzzy', 'BOUR'), true],
    [filter('name', 'fuzzy', '%'), false],
    [filter('tags', 'in', ['green', 'blue']), true],
    [filter('tags', 'not_in', ['blue']), false],
    [filter('handler', 'not_in', ['x']), true],
    [filter('handler', 'exact', 'null'), false],
    [filter('score', 'gt', 9), true],
    [filter('score', 'gt', '9'), true],
    [filter('score', 'lt', 12), false],
    [filter('score', 'between', [12, 13]), true],
    [filter('score', 'between', [13, 20]), false],
    [filter('handler', 'gt', 0), false],
  ])('[S3-13] %o: %s', (one, expected) => {
    expect(passes(one)).toBe(expected);
  });

  it('[S3-13] conditions are read from left to right', () => {
    const yes = filter('score', 'exact', 12);
    const no = filter('score', 'exact', 1);
    expect(passes()).toBe(true);
    expect(passes(no, { ...yes, filter_condition: 'OR' })).toBe(true);
    expect(passes(yes, { ...yes, filter_condition: 'OR' }, no)).toBe(false);
    expect(passes({ ...no, filter_condition: 'OR' })).toBe(false);
  });
});
