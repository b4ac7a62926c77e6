import { unfold } from '../expressions/user-call.ts';
import type { Binding, ExpressionContext, Lowering, Table } from '../lowering.ts';
import { messages } from '../messages.ts';
import { child, isKind, kindOf, nameOf, type Syntax, spanOf } from '../syntax.ts';
import { emptyTable } from './empty-table.ts';
import { lowerDatatable } from './lower-datatable.ts';
import { refuseLeadingEvaluate } from './lower-evaluate.ts';
import { lowerFind } from './lower-find.ts';
import { lowerOperator } from './lower-operator.ts';
import { lowerPrint } from './lower-print.ts';
import { lowerRange } from './lower-range.ts';
import { lowerScan, lowerTableCall } from './lower-scan.ts';
import { lowerSearchSource } from './lower-search.ts';
import { lowerUnionSource } from './lower-union.ts';
import { sharedTable } from './shared-table.ts';

/** A tabular expression: a table, a pipe, or one of the operators that make rows. */
export function lowerTable(node: Syntax, context: ExpressionContext, lowering: Lowering): Table {
  if (!lowering.step()) {
    lowering.refuse(messages.tooBig(spanOf(node)));
    return emptyTable(lowering);
  }
  if (isKind(node, 'PipeExpression')) return lowerPipe(node, context, lowering);
  if (isKind(node, 'ParenthesizedExpression', 'MaterializeExpression', 'ToTableExpression'))
    return lowerTable(child(node, 'Expression'), context, lowering);
  if (isKind(node, 'NameReference')) return lowerTableName(node, context, lowering);
  if (isKind(node, 'FunctionCallExpression')) return lowerTableFunction(node, context, lowering);
  if (isKind(node, 'DataTableExpression')) return lowerDatatable(node, lowering);
  if (isKind(node, 'PrintOperator')) return lowerPrint(node, context, lowering);
  if (isKind(node, 'RangeOperator')) return lowerRange(node, context, lowering);
  if (isKind(node, 'UnionOperator')) return lowerUnionSource(node, context, lowering);
  if (isKind(node, 'SearchOperator')) return lowerSearchSource(node, context, lowering);
  if (isKind(node, 'FindOperator')) return lowerFind(node, context, lowering);
  if (isKind(node, 'EvaluateOperator')) refuseLeadingEvaluate(node, lowering);
  else if (kindOf(node) === 'ExternalDataExpression') lowering.refuse(messages.externalData(spanOf(node)));
  else lowering.refuse(messages.operator(spanOf(node), operatorName(node)));
  return emptyTable(lowering);
}

/** The name of an operator as it is written, from its kind. */
const operatorName = (node: Syntax): string =>
  kindOf(node)
    .replace(/(Operator|Expression)$/, '')
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase();

/**
 * Pipes nest to the left; they are walked without recursion, because queries can be long. A name given by `as` stands
 * for the pipe before it and is lowered anew wherever it is used, so its columns never meet under one id.
 */
function lowerPipe(node: Syntax<'PipeExpression'>, context: ExpressionContext, lowering: Lowering): Table {
  const pipes: Syntax<'PipeExpression'>[] = [];
  let source: Syntax = node;
  while (isKind(source, 'PipeExpression')) {
    pipes.push(source);
    source = child(source, 'Expression');
  }
  let table = lowerTable(source, context, lowering);
  let names = context.names;
  for (const pipe of pipes.reverse()) {
    const operator = child(pipe, 'Operator');
    const before = child(pipe, 'Expression');
    if (isKind(operator, 'AsOperator')) {
      const name = nameOf(child(operator, 'Name'));
      const binding: Binding = { kind: 'table', expression: before, names, byAs: true };
      table = sharedTable(binding, table, lowering);
      names = new Map(names).set(name, binding);
    } else table = lowerOperator(operator, table, names, lowering);
  }
  return table;
}

function lowerTableName(
  node: Syntax<'NameReference'>,
  context: ExpressionContext,
  lowering: Lowering,
): Table {
  const name = nameOf(node);
  const binding = context.names.get(name);
  if (binding?.kind === 'table')
    return sharedTable(
      binding,
      lowerTable(binding.expression, { names: binding.names, columns: [] }, lowering),
      lowering,
    );
  if (binding?.kind === 'rows') return binding.make();
  if (binding?.kind === 'function') return lowerTableFunction(node, context, lowering);
  return lowerScan(name, node, lowering);
}

function lowerTableFunction(
  node: Syntax<'NameReference' | 'FunctionCallExpression'>,
  context: ExpressionContext,
  lowering: Lowering,
): Table {
  const name = nameOf(isKind(node, 'FunctionCallExpression') ? child(node, 'Name') : node);
  const binding = context.names.get(name);
  if (binding?.kind !== 'function') return lowerTableCall(name, node, context, lowering);
  const table = unfold(node, binding, context, lowering, (body, names) =>
    lowerTable(body, { names, columns: [] }, lowering),
  );
  return table ?? emptyTable(lowering);
}
