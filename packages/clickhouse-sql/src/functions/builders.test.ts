import { AGGREGATES, OPERATORS, SCALAR_FUNCTIONS } from '@tyrian/plan';
import { describe, expect, it } from 'vitest';
import { isComparison } from '../comparison-sql.ts';
import { isExtreme } from '../split/extreme-rows.ts';
import { isTextSearch } from '../text-search-sql.ts';
import { AGGREGATE_BUILDERS } from './aggregate-builders.ts';
import { SCALAR_BUILDERS } from './scalar-builders.ts';

/** Settled beside the table: logic, comparison, search, and what the compiler resolves before it plans. */
const ELSEWHERE = new Set(['and', 'or', 'iff', 'ingestion_time', 'current_database']);

describe('the registry and the builders', () => {
  it('have the same functions', () => {
    const names = [...SCALAR_FUNCTIONS, ...OPERATORS].map((one) => one.name);
    const missing = names.filter(
      (name) => !SCALAR_BUILDERS[name] && !ELSEWHERE.has(name) && !isComparison(name) && !isTextSearch(name),
    );
    expect(missing).toEqual([]);
    expect(Object.keys(SCALAR_BUILDERS).filter((name) => !names.includes(name))).toEqual([]);
  });

  it('have the same aggregations', () => {
    const names = AGGREGATES.map((one) => one.name);
    expect(names.filter((name) => !AGGREGATE_BUILDERS[name] && !isExtreme({ fn: name }))).toEqual([]);
    expect(Object.keys(AGGREGATE_BUILDERS).filter((name) => !names.includes(name))).toEqual([]);
  });
});
