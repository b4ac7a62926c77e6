import type { KqlType } from '@tyrian/catalog';
import {
  type ComputeItem,
  call,
  columnReference,
  constant,
  type ExpandItem,
  type PlanColumn,
  type PlanNode,
  type Scalar,
} from '@tyrian/plan';
import { convertTo } from '../expressions/convert.ts';
import { typeOfLiteral } from '../expressions/special-calls.ts';
import type { Lowering, NamedColumn, Names, Table } from '../lowering.ts';
import {
  argumentsOf,
  asKind,
  boundColumns,
  child,
  children,
  isKind,
  kindOf,
  nameOf,
  optionalChild,
  parametersOf,
  type Syntax,
  textOf,
  wordOf,
} from '../syntax.ts';
import { writtenName } from './compute-columns.ts';
import { rowCount } from './lower-take.ts';

// What mv-expand and mv-apply have in common: a row for each element, or for each property of a bag.

export interface ExpandedRows {
  readonly node: PlanNode;
  readonly columns: readonly NamedColumn[];
  /** The position of the element in its array, from 0; -1 where `keepEmpty` has kept a row without one. */
  readonly index: PlanColumn;
}

type ExpandKind = 'MvExpandOperator' | 'MvApplyOperator';

/** Takes apart the arrays that the operator names. */
export function expandArrays(
  node: Syntax<ExpandKind>,
  input: Table,
  names: Names,
  lowering: Lowering,
  keepEmpty = false,
): ExpandedRows {
  const parameters = parametersOf(node);
  const bag = parameters.get('bagexpansion') ?? parameters.get('kind');
  const indexName = parameters.get('with_itemindex');
  const limit = optionalChild(node, 'RowLimitClause');
  const rowLimit = limit
    ? rowCount(child(limit, 'RowLimit'), 'mv-expand', names, lowering)
    : defaultLimit(node);
  const items: ExpandItem[] = [];
  const typed: ComputeItem[] = [];
  const columns: NamedColumn[] = [...input.columns];
  const bound = boundColumns(node);
  for (const expanded of children(node, 'Expressions')) {
    const expression = expressionOf(expanded);
    const source = convertTo(lowering.expression(expression, { names, columns: input.columns }), 'dynamic');
    const id = lowering.newId();
    items.push({ source, id, type: 'dynamic' });
    const type = elementType(expanded);
    const name = writtenName(expression) ?? argumentName(expression) ?? madeUpName(bound, columns);
    let made: NamedColumn = { name, id, type: 'dynamic' };
    if (type && type !== 'dynamic') {
      const cast = lowering.newId();
      typed.push({ id: cast, expression: elementAs(columnReference(id, 'dynamic'), type) });
      made = { name, id: cast, type };
    }
    const at = columns.findIndex((column) => column.name === name);
    if (at >= 0) columns[at] = made;
    else columns.push(made);
  }
  const index: PlanColumn = { id: lowering.newId(), type: 'long' };
  if (indexName) columns.push({ name: nameOf(indexName) || textOf(indexName), ...index });
  const bagAsArray = bag !== undefined && textOf(bag).toLowerCase() === 'array';
  const expand: PlanNode = {
    kind: 'expand',
    input: input.node,
    items,
    bagAsArray,
    index,
    rowLimit,
    ...(keepEmpty ? { keepEmpty } : {}),
  };
  return {
    node: typed.length > 0 ? { kind: 'compute', input: expand, items: typed } : expand,
    columns,
    index,
  };
}

/** The old spelling `mvexpand` stops after 128 elements of a row. */
const defaultLimit = (node: Syntax<ExpandKind>): number | null =>
  isKind(node, 'MvExpandOperator') && wordOf(node, 'MvExpandKeyword') === 'mvexpand' ? 128 : null;

/** The kinds of element, as gettype() says them, that a type admits; a type that is not here converts. */
const ADMITTED: Readonly<Partial<Record<KqlType, readonly string[]>>> = {
  bool: ['bool'],
  int: ['int', 'long', 'real', 'double'],
  long: ['int', 'long', 'real', 'double'],
  real: ['int', 'long', 'real', 'double'],
  decimal: ['int', 'long', 'real', 'double'],
  datetime: ['string'],
  timespan: ['string'],
  guid: ['string'],
};

/** `to typeof()` does not parse: an element of another kind is null. */
function elementAs(element: Scalar, type: KqlType): Scalar {
  const converted = convertTo(element, type);
  const admitted = ADMITTED[type];
  if (!admitted) return converted;
  const kind = call('string', 'gettype', element);
  const fits = call('bool', 'in', kind, ...admitted.map((one) => constant('string', one)));
  return call(type, 'iff', fits, converted, constant(type, null));
}

type Expanded = Syntax<'MvExpandExpression' | 'MvApplyExpression'>;

const expressionOf = (expanded: Expanded): Syntax =>
  isKind(expanded, 'MvExpandExpression')
    ? child(expanded, 'Expression')
    : (optionalChild(asKind(expanded, 'MvApplyExpression'), 'Expression') ?? expanded);

function elementType(node: Expanded): KqlType | null {
  const clause = optionalChild(node, 'ToTypeOf');
  return clause ? typeOfLiteral(child(clause, 'TypeOf')) : null;
}

/** Result name kinds of the language service under which a call goes by the name of its first argument. */
const NAMED_BY_ARGUMENT = new Set([7, 8]);

/** `todynamic(a)` takes the place of `a`; null where the call has a name of its own. */
function argumentName(node: Syntax): string | null {
  if (kindOf(node) === 'NameReference') return nameOf(node);
  if (!isKind(node, 'FunctionCallExpression')) return null;
  if (!NAMED_BY_ARGUMENT.has(Number(node.ReferencedSymbol?.ResultNameKind))) return null;
  const [first] = argumentsOf(node);
  return first ? argumentName(first) : null;
}

const madeUpName = (bound: readonly { name: string }[], columns: readonly NamedColumn[]): string =>
  bound.find((one) => !columns.some((column) => column.name === one.name))?.name ?? 'Column1';
