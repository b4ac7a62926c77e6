import { call, columnReference, constant, type Plan, type PlanNode, type Scan } from '@tyrian/plan';
import { describe, expect, it } from 'vitest';
import type { ReadQuestion } from './events-stored.ts';
import { newestFirstOf } from './newest-first.ts';
import { piecesOfPlan } from './pieces-of-plan.ts';

// What the engine is asked before a range is read newest first.

const DAY_MS = 86_400_000;
const SCAN: Scan = {
  kind: 'scan',
  stream: 'Dns',
  columns: [
    { id: 1, type: 'datetime', source: { kind: 'column', name: 'TimeGenerated' } },
    { id: 2, type: 'string', source: { kind: 'column', name: 'Raw' } },
  ],
};
const FILTERED: PlanNode = {
  kind: 'filter',
  input: SCAN,
  predicate: call('bool', 'has', columnReference(2, 'string'), constant('string', 'needle')),
};

/** The plans whose events were counted, and what else was said, for the first parts of a search. */
async function asked(root: PlanNode, range: { from: number; to: number } | undefined) {
  const plan: Plan = { root, columns: [{ id: 2, name: 'Raw', type: 'string' }], nextId: 10 };
  const counted: Plan[] = [];
  const questions: ReadQuestion[] = [];
  const pieces = piecesOfPlan(
    {
      toRead: async (_tenant, question) => {
        question.query();
        questions.push(question);
        return 1_000_000_000;
      },
    },
    {
      clusterId: 't',
      stepped: newestFirstOf(plan),
      range,
      rowLimit: 1_000,
      nowMs: DAY_MS,
      of: 'Dns',
      signal: undefined,
      query: async (counts) => {
        counted.push(counts);
        return { sql: '', params: {}, settings: {}, scopes: [] };
      },
    },
  );
  const parts = [await pieces.next(0), await pieces.next(0), await pieces.next(0)];
  return { counted: counted.map((one) => one.root.kind), questions, parts };
}

describe('what is asked before a range is read newest first', () => {
  it('[T-asking][R-E12] a rare word goes through the indexes of its events once, in two parts', async () => {
    const { counted, questions, parts } = await asked(FILTERED, { from: 0, to: DAY_MS });
    expect(counted).toEqual(['scan']);
    expect(questions).toMatchObject([{ every: { of: 'Dns', spanMs: DAY_MS } }]);
    const [first, rest, end] = parts;
    expect(first?.range?.from).toBeGreaterThan(0.99 * DAY_MS);
    expect(rest?.range).toEqual({ from: 0, to: first?.range?.from });
    expect(end).toBeNull();
  });

  it('[R-E12] a query with a range of its own is estimated as it stands', async () => {
    const { counted, questions } = await asked(FILTERED, undefined);
    expect(counted).toEqual(['sort']);
    expect(questions[0]?.every).toBeUndefined();
  });
});
