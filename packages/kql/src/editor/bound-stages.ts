import type { Span } from '@tyrian/diagnostics';
import { bindQuery } from '../bind-query.ts';
import type { KqlSchema } from '../event-schema.ts';
import { kustoItems } from '../kusto.ts';
import { child, isKind, kindOf, type Syntax, within } from '../syntax.ts';

// The query as it is bound: every step of its pipe with the columns that it gives. It is the first of the stages that
// "Show plan" prints; those behind it are plans.

export interface BoundStage {
  /** The step as it was bound: names of other vocabularies and of fields are replaced by what they stand for. */
  readonly text: string;
  /** Kind of its syntax, e.g. `FilterOperator`. */
  readonly kind: string;
  /** Where it stands in the text that was written. */
  readonly span: Span;
  /** Columns after the step, in order; null where the step gives no table. */
  readonly columns: readonly { readonly name: string; readonly type: string }[] | null;
}

/** The steps of the last query of a text, source first. Pure; some 10 ms. */
export function boundStagesKql(text: string, schema: KqlSchema): readonly BoundStage[] {
  const { code, original } = bindQuery(text, schema, 'warn');
  const query = lastQuery(code.Syntax);
  if (!query) return [];
  const steps: BoundStage[] = [];
  let node = query;
  while (isKind(node, 'PipeExpression')) {
    steps.push(stageOf(child(node, 'Operator'), node, code.Text, original));
    node = child(node, 'Expression');
  }
  steps.push(stageOf(node, node, code.Text, original));
  return steps.reverse();
}

function lastQuery(root: Syntax): Syntax | null {
  let found: Syntax | null = null;
  for (const node of within(root, (one) => !isKind(one, 'ExpressionStatement'))) {
    const own = isKind(node, 'ExpressionStatement') ? child(node, 'Expression') : null;
    if (own && (!found || own.TextStart > found.TextStart)) found = own;
  }
  return found;
}

function stageOf(step: Syntax, table: Syntax, bound: string, original: (span: Span) => Span): BoundStage {
  const span = { start: step.TextStart, end: step.End };
  const given = table.ResultType?.Columns;
  const columns = given ? kustoItems(given).map(({ Name, Type }) => ({ name: Name, type: Type.Name })) : null;
  return { text: bound.slice(span.start, span.end), kind: kindOf(step), span: original(span), columns };
}
