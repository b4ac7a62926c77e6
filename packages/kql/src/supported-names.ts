import { aggregateByName, scalarFunctionByName } from '@tyrian/plan';
import { isPercentileArray } from './expressions/percentile-call.ts';
import { SPECIAL_CALLS } from './expressions/special-calls.ts';
import { isWindowFunction } from './expressions/window-call.ts';
import { isMultiColumnAggregate } from './operators/lower-summarize.ts';

/** Whether a call of this name compiles somewhere: a function, an aggregation or a window function. */
export function isSupportedFunction(name: string): boolean {
  return (
    scalarFunctionByName(name) !== undefined ||
    aggregateByName(name) !== undefined ||
    Object.hasOwn(SPECIAL_CALLS, name) ||
    isWindowFunction(name) ||
    isMultiColumnAggregate(name) ||
    isPercentileArray(name) ||
    ['toscalar', 'materialize', 'table', 'typeof'].includes(name)
  );
}

/** The operators that compile, as they are written. */
export const SUPPORTED_OPERATORS: ReadonlySet<string> = new Set([
  'as',
  'consume',
  'count',
  'datatable',
  'distinct',
  'evaluate',
  'extend',
  'facet',
  'fork',
  'getschema',
  'graph-mark-components',
  'graph-match',
  'graph-shortest-paths',
  'graph-to-table',
  'invoke',
  'join',
  'let',
  'limit',
  'lookup',
  'mv-expand',
  'order',
  'parse',
  'parse-where',
  'print',
  'project',
  'project-away',
  'project-keep',
  'project-rename',
  'project-reorder',
  'range',
  'render',
  'search',
  'serialize',
  'sort',
  'summarize',
  'take',
  'top',
  'union',
  'assert-schema',
  'find',
  'make-graph',
  'make-series',
  'mv-apply',
  'parse-kv',
  'partition',
  'sample',
  'sample-distinct',
  'scan',
  'top-hitters',
  'top-nested',
  'declare',
  'where',
  'filter',
  'mvexpand',
]);
