import { describe, expect, it } from 'vitest';
import { outputsOf } from './outputs-of.ts';
import type { JoinKind, Plan, PlanNode } from './plan-node.ts';
import { columnReference, constant } from './scalar.ts';
import { planOf } from './testing/sample-plans.ts';
import { validatePlan } from './validate-plan.ts';

const values = (id: number): PlanNode => ({
  kind: 'values',
  columns: [{ id, type: 'long' }],
  rows: [['1']],
  ordinal: id + 1,
});
const long = (id: number) => columnReference(id, 'long');

describe('what is wrong with a plan', () => {
  it.each<[string, Plan, readonly string[]]>([
    ['a result that is not there', planOf(values(1), 9), ['the result names column 9, which does not exist']],
    [
      'an expression that reads above its input',
      planOf({ kind: 'compute', input: values(1), items: [{ id: 3, expression: long(4) }] }, 3),
      ['compute reads column 4, which its input does not have'],
    ],
    [
      'an expression that reads its own neighbour',
      planOf(
        {
          kind: 'compute',
          input: values(1),
          items: [
            { id: 3, expression: constant('long', '1') },
            { id: 4, expression: long(3) },
          ],
        },
        4,
      ),
      ['compute reads column 3, which its input does not have'],
    ],
    [
      'two columns of one id',
      planOf({ kind: 'join', join: 'inner', left: values(1), right: values(1), keys: [] }, 1),
      ['column 1 is made twice', 'column 2 is made twice'],
    ],
    [
      'what a semi join has dropped',
      planOf(
        {
          kind: 'filter',
          input: { kind: 'join', join: 'leftsemi', left: values(1), right: values(3), keys: [] },
          predicate: long(3),
        },
        1,
      ),
      ['filter reads column 3, which its input does not have'],
    ],
    [
      'a plan in an expression that looks outside',
      planOf(
        {
          kind: 'filter',
          input: values(1),
          predicate: {
            kind: 'in-subquery',
            type: 'bool',
            needle: long(1),
            plan: { kind: 'filter', input: values(3), predicate: long(1) },
            column: 3,
          },
        },
        1,
      ),
      ['filter reads column 1, which its input does not have'],
    ],
    ['nothing', planOf(values(1), 1), []],
  ])('%s', (_, plan, faults) => {
    expect(validatePlan(plan)).toEqual(faults);
  });
});

describe('what a join hands on', () => {
  it.each<[JoinKind, readonly number[]]>([
    ['inner', [1, 2, 3, 4]],
    ['leftouter', [1, 2, 3, 4]],
    ['rightouter', [1, 2, 3, 4]],
    ['fullouter', [1, 2, 3, 4]],
    ['leftsemi', [1, 2]],
    ['leftanti', [1, 2]],
    ['rightsemi', [3, 4]],
    ['rightanti', [3, 4]],
  ])('%s', (join, ids) => {
    const node: PlanNode = { kind: 'join', join, left: values(1), right: values(3), keys: [] };
    expect(outputsOf(node).map(({ id }) => id)).toEqual(ids);
  });
});
