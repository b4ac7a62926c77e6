import { say } from '@tyrian/diagnostics';
import type { JoinKey, JoinKind, PlanNode, Scalar } from '@tyrian/plan';
import { columnReference } from '@tyrian/plan';
import { commonType, convertTo } from '../expressions/convert.ts';
import type { Lowering, NamedColumn, Names, Table } from '../lowering.ts';
import { messages } from '../messages.ts';
import {
  boundColumns,
  child,
  children,
  isKind,
  nameOf,
  optionalChild,
  parametersOf,
  type Syntax,
  spanOf,
  textOf,
  wordOf,
} from '../syntax.ts';

const KINDS: Readonly<Record<string, JoinKind | 'innerunique'>> = {
  inner: 'inner',
  innerunique: 'innerunique',
  leftouter: 'leftouter',
  rightouter: 'rightouter',
  fullouter: 'fullouter',
  leftsemi: 'leftsemi',
  rightsemi: 'rightsemi',
  leftanti: 'leftanti',
  anti: 'leftanti',
  leftantisemi: 'leftanti',
  rightanti: 'rightanti',
  rightantisemi: 'rightanti',
};

/** `join`: innerunique unless a kind is said. Hints have no effect. */
export function lowerJoin(
  node: Syntax<'JoinOperator'>,
  input: Table,
  names: Names,
  lowering: Lowering,
): Table {
  const kind = joinKind(node, 'innerunique', lowering);
  const right = rightSide(node, names, lowering);
  const keys = joinKeys(optionalChild(node, 'ConditionClause'), input, right, names, lowering);
  const left: PlanNode =
    kind === 'innerunique'
      ? { kind: 'unique-by', input: input.node, keys: keys.map((key) => key.left) }
      : input.node;
  const join = kind === 'innerunique' ? 'inner' : kind;
  const kept =
    join === 'leftsemi' || join === 'leftanti'
      ? input.columns
      : join === 'rightsemi' || join === 'rightanti'
        ? right.columns
        : [...input.columns, ...right.columns];
  return {
    node: { kind: 'join', join, left, right: right.node, keys },
    columns: named(node, kept, lowering),
  };
}

/** `lookup`: the right side adds its columns, keys left out; leftouter unless a kind is said. */
export function lowerLookup(
  node: Syntax<'LookupOperator'>,
  input: Table,
  names: Names,
  lowering: Lowering,
): Table {
  const kind = joinKind(node, 'leftouter', lowering);
  const right = rightSide(node, names, lowering);
  const keys = joinKeys(child(node, 'LookupClause'), input, right, names, lowering);
  const keyIds = new Set(keys.flatMap((key) => columnIds(key.right)));
  const added = right.columns.filter((column) => !keyIds.has(column.id));
  const join = kind === 'inner' ? 'inner' : 'leftouter';
  return {
    node: { kind: 'join', join, left: input.node, right: right.node, keys },
    columns: named(node, [...input.columns, ...added], lowering),
  };
}

const columnIds = (scalar: Scalar): number[] =>
  scalar.kind === 'column' ? [scalar.id] : scalar.kind === 'call' ? scalar.args.flatMap(columnIds) : [];

type JoinLike = 'JoinOperator' | 'LookupOperator';

function joinKind(
  node: Syntax<JoinLike>,
  fallback: JoinKind | 'innerunique',
  lowering: Lowering,
): JoinKind | 'innerunique' {
  const given = parametersOf(node).get('kind');
  if (!given) return fallback;
  const kind = KINDS[textOf(given).toLowerCase()];
  if (kind) return kind;
  lowering.refuse(messages.parameter(spanOf(given), 'join', `kind=${textOf(given)}`));
  return fallback;
}

const rightSide = (node: Syntax<JoinLike>, names: Names, lowering: Lowering): Table =>
  lowering.table(child(node, 'Expression'), { names, columns: [] });

function joinKeys(
  clause: Syntax | null,
  left: Table,
  right: Table,
  names: Names,
  lowering: Lowering,
): JoinKey[] {
  if (!clause) return [];
  if (!isKind(clause, 'JoinOnClause')) {
    lowering.refuse(messages.expression(spanOf(clause), say('thisJoinCondition')));
    return [];
  }
  return children(clause, 'Expressions').flatMap((condition) =>
    joinKey(condition, left, right, names, lowering),
  );
}

function joinKey(node: Syntax, left: Table, right: Table, names: Names, lowering: Lowering): JoinKey[] {
  if (isKind(node, 'ParenthesizedExpression'))
    return joinKey(child(node, 'Expression'), left, right, names, lowering);
  if (isKind(node, 'NameReference')) {
    const one = left.columns.find((column) => column.name === nameOf(node));
    const two = right.columns.find((column) => column.name === nameOf(node));
    if (one && two) return [sameType(columnReference(one.id, one.type), columnReference(two.id, two.type))];
  }
  if (isKind(node, 'BinaryExpression')) {
    const [first, second] = [child(node, 'Left'), child(node, 'Right')];
    const operator = wordOf(node, 'Operator');
    if (operator === 'and')
      return [
        ...joinKey(first, left, right, names, lowering),
        ...joinKey(second, left, right, names, lowering),
      ];
    if (operator === '==') {
      const context = { names, columns: left.columns, right: right.columns };
      const sides = [first, second].map((side) => lowering.expression(side, context));
      const [one, two] = sideOf(first) === '$right' ? sides.reverse() : sides;
      if (one && two) return [sameType(one, two)];
    }
  }
  lowering.refuse(messages.expression(spanOf(node), say('thisJoinCondition')));
  return [];
}

const sideOf = (node: Syntax): string =>
  isKind(node, 'PathExpression') ? nameOf(child(node, 'Expression')) : '';

function sameType(left: Scalar, right: Scalar): JoinKey {
  const common = commonType([left.type, right.type]);
  const type = common === 'dynamic' ? 'string' : common;
  return { left: convertTo(left, type), right: convertTo(right, type) };
}

function named(node: Syntax, columns: readonly NamedColumn[], lowering: Lowering): NamedColumn[] {
  const bound = boundColumns(node);
  if (bound.length !== columns.length) lowering.refuse(messages.columnsDiffer(spanOf(node), 'join'));
  return columns.map((column, index) => ({ ...column, name: bound[index]?.name ?? column.name }));
}
