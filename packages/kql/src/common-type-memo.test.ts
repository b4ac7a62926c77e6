import { afterEach, describe, expect, it, vi } from 'vitest';
import { rememberCommonType, type VersionedList } from './common-type-memo.ts';
import { eventSchema } from './event-schema.ts';
import { kusto } from './kusto.ts';

const { TypeFacts } = kusto.Symbols;
const { globals } = eventSchema([]);

const caseOf = (branches: number): string =>
  `print x = case(${Array.from({ length: branches }, (_, n) => `1 == ${n}, "x"`).join(', ')}, "y")`;

/** How often the binder joins two types for a text. */
function joins(text: string): number {
  const joined = vi.spyOn(TypeFacts, 'TryGetCommonType');
  kusto.KustoCode.ParseAndAnalyze(text, globals);
  const { length } = joined.mock.calls;
  joined.mockRestore();
  return length;
}

describe('the type that the arguments of a call share', () => {
  afterEach(() => vi.restoreAllMocks());

  it('is found out in work that is linear in the branches of a case', () => {
    const [few, many] = [joins(caseOf(50)), joins(caseOf(500))];
    expect(few).toBeGreaterThanOrEqual(50);
    expect(many).toBeLessThan(12 * few);
  });

  it.each([
    ['print x = case(1 == 1, "a", 2 == 2, "b", "c"), y = case(1 == 1, 1, 2 == 2, 2, 3)', ['string', 'long']],
    [
      'print x = coalesce(int(null), 2), y = coalesce("", "b"), z = iff(true, 1, 2.5)',
      ['long', 'string', 'real'],
    ],
    [
      'print x = max_of(1, 2.5), y = max_of(now(), datetime(2024)), z = max_of(1, 2)',
      ['real', 'datetime', 'long'],
    ],
  ])('is each call’s own: %s', (text, expected) => {
    const { ResultType } = kusto.KustoCode.ParseAndAnalyze(text, globals);
    const columns = Array.from({ length: expected.length }, (_, n) => ResultType?.Columns?.getItem(n));
    expect(columns.map((column) => column?.Type.Name)).toEqual(expected);
  });

  it('is asked for again after a list changed, for another list, and without dynamic values', () => {
    const ask = vi.fn(
      (_parameters: VersionedList, types: VersionedList & { answer?: string }) => types.answer ?? null,
    );
    const remembered = rememberCommonType(ask);
    const parameters = { _version: 1 };
    const types = { _version: 1, answer: 'long' };
    expect([remembered(parameters, types), remembered(parameters, types)]).toEqual(['long', 'long']);
    expect(ask).toHaveBeenCalledTimes(1);
    Object.assign(types, { _version: 2, answer: 'real' });
    expect([remembered(parameters, types), remembered(parameters, types)]).toEqual(['real', 'real']);
    expect(ask).toHaveBeenCalledTimes(2);
    remembered(parameters, types, null, true);
    remembered({ _version: 1 }, types, null, true);
    expect(ask).toHaveBeenCalledTimes(4);
  });

  it('is not kept for lists that do not tell of changes', () => {
    const ask = vi.fn(() => 'long');
    const remembered = rememberCommonType<string>(ask);
    const list = {};
    remembered(list, list);
    remembered(list, list);
    expect(ask).toHaveBeenCalledTimes(2);
  });
});
