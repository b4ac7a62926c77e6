import { child, kindOf, nameOf, type Syntax } from '../syntax.ts';

// Functions over neighbouring rows need rows that have an order, as Kusto has it: `sort`, `top`, `serialize`, `range` give
// one, most operators keep it, and what groups or gathers rows loses it.

const LOSES_ORDER = [
  'SummarizeOperator',
  'DistinctOperator',
  'JoinOperator',
  'UnionOperator',
  'LookupOperator',
];

const KEEPS_ORDER = [
  'ExtendOperator',
  'FilterOperator',
  'ProjectOperator',
  'ProjectAwayOperator',
  'ProjectKeepOperator',
  'ProjectRenameOperator',
  'ProjectReorderOperator',
  'MvExpandOperator',
  'ParseOperator',
  'TakeOperator',
];

/** Whether the rows that an operator around a call reads are known to have no order. */
export function readsUnordered(call: Syntax, isStored: (name: string) => boolean): boolean {
  let node: Syntax | null = call;
  for (let parent = child(call, 'Parent'); parent; node = parent, parent = child(parent, 'Parent')) {
    if (kindOf(parent) !== 'PipeExpression') continue;
    if (child(parent, 'Operator') !== node || kindOf(node) === 'SerializeOperator') return false;
    const input = child(parent, 'Expression');
    return input !== null && isUnordered(input, isStored);
  }
  return false;
}

function isUnordered(table: Syntax, isStored: (name: string) => boolean): boolean {
  switch (kindOf(table)) {
    case 'DataTableExpression':
      return true;
    case 'NameReference':
      return isStored(nameOf(table));
    case 'ParenthesizedExpression': {
      const inside = child(table, 'Expression');
      return inside !== null && isUnordered(inside, isStored);
    }
    case 'PipeExpression': {
      const operator = child(table, 'Operator');
      const input = child(table, 'Expression');
      if (!operator || !input) return false;
      if (LOSES_ORDER.includes(kindOf(operator))) return true;
      return KEEPS_ORDER.includes(kindOf(operator)) && isUnordered(input, isStored);
    }
    default:
      return false;
  }
}
