import { type Sentence, say } from '@tyrian/diagnostics';
import type { Lowering, Names, Table } from '../lowering.ts';
import { messages } from '../messages.ts';
import { kindOf, type Syntax, type SyntaxKind, spanOf } from '../syntax.ts';
import { lowerGraphComponents } from './graph-components.ts';
import { lowerGraphMatch } from './graph-match.ts';
import { lowerGraphToTable } from './graph-to-table.ts';
import { lowerAssertSchema } from './lower-assert-schema.ts';
import { lowerCount } from './lower-count.ts';
import { lowerDistinct } from './lower-distinct.ts';
import { lowerEvaluate } from './lower-evaluate.ts';
import { lowerExtend } from './lower-extend.ts';
import { lowerGetschema } from './lower-getschema.ts';
import { lowerInvoke } from './lower-invoke.ts';
import { lowerJoin, lowerLookup } from './lower-join.ts';
import { lowerMakeSeries } from './lower-make-series.ts';
import { lowerMvApply } from './lower-mv-apply.ts';
import { lowerMvExpand } from './lower-mv-expand.ts';
import { lowerParse } from './lower-parse.ts';
import { lowerParseKv } from './lower-parse-kv.ts';
import { lowerPartition } from './lower-partition.ts';
import { lowerProject } from './lower-project.ts';
import {
  lowerProjectAway,
  lowerProjectKeep,
  lowerProjectRename,
  lowerProjectReorder,
} from './lower-project-names.ts';
import { lowerRender } from './lower-render.ts';
import { lowerSample, lowerSampleDistinct } from './lower-sample.ts';
import { lowerScanSteps } from './lower-scan-steps.ts';
import { lowerSearch } from './lower-search.ts';
import { lowerSort } from './lower-sort.ts';
import { withinSubtables, worksInSubquery } from './lower-subquery.ts';
import { lowerSummarize } from './lower-summarize.ts';
import { lowerTake } from './lower-take.ts';
import { lowerTop } from './lower-top.ts';
import { lowerTopHitters } from './lower-top-hitters.ts';
import { lowerTopNested } from './lower-top-nested.ts';
import { lowerUnion } from './lower-union.ts';
import { lowerWhere } from './lower-where.ts';
import { lowerMakeGraph } from './make-graph.ts';
import { lowerFacet, lowerFork } from './several-tables.ts';

type OperatorLowering<K extends SyntaxKind> = (
  node: Syntax<K>,
  input: Table,
  names: Names,
  lowering: Lowering,
) => Table;

const OPERATORS: { readonly [K in SyntaxKind]?: OperatorLowering<K> } = {
  FilterOperator: lowerWhere,
  ProjectOperator: lowerProject,
  ExtendOperator: lowerExtend,
  SerializeOperator: lowerExtend,
  ProjectAwayOperator: lowerProjectAway,
  ProjectKeepOperator: lowerProjectKeep,
  ProjectRenameOperator: lowerProjectRename,
  ProjectReorderOperator: lowerProjectReorder,
  SummarizeOperator: lowerSummarize,
  DistinctOperator: lowerDistinct,
  SortOperator: lowerSort,
  TopOperator: lowerTop,
  TopHittersOperator: lowerTopHitters,
  TopNestedOperator: lowerTopNested,
  TakeOperator: lowerTake,
  SampleOperator: lowerSample,
  SampleDistinctOperator: lowerSampleDistinct,
  AssertSchemaOperator: lowerAssertSchema,
  CountOperator: lowerCount,
  JoinOperator: lowerJoin,
  LookupOperator: lowerLookup,
  UnionOperator: lowerUnion,
  MvExpandOperator: lowerMvExpand,
  MakeGraphOperator: lowerMakeGraph,
  MakeSeriesOperator: lowerMakeSeries,
  MvApplyOperator: lowerMvApply,
  PartitionOperator: lowerPartition,
  EvaluateOperator: lowerEvaluate,
  FacetOperator: lowerFacet,
  ForkOperator: lowerFork,
  ParseOperator: lowerParse,
  ParseWhereOperator: lowerParse,
  ParseKvOperator: lowerParseKv,
  ScanOperator: lowerScanSteps,
  SearchOperator: lowerSearch,
  GetSchemaOperator: lowerGetschema,
  GraphMarkComponentsOperator: lowerGraphComponents,
  GraphMatchOperator: lowerGraphMatch,
  GraphShortestPathsOperator: lowerGraphMatch,
  GraphToTableOperator: lowerGraphToTable,
  InvokeOperator: lowerInvoke,
  RenderOperator: lowerRender,
  ConsumeOperator: (_node, input) => ({ ...input, node: { kind: 'limit', input: input.node, count: 0 } }),
};

/** One operator of a pipe. */
export function lowerOperator(node: Syntax, input: Table, names: Names, lowering: Lowering): Table {
  if (!lowering.step()) {
    lowering.refuse(messages.tooBig(spanOf(node)));
    return input;
  }
  // The compiler cannot tell that the entry of a kind is for nodes of it.
  const lower = OPERATORS[kindOf(node) as SyntaxKind] as OperatorLowering<SyntaxKind> | undefined;
  if (lower && input.subtables && !worksInSubquery(node, input, lowering)) return input;
  if (lower) return withinSubtables(lower(node, input, names, lowering), input, node);
  const word = operatorWord(node);
  lowering.refuse(messages.operator(spanOf(node), word, WAYS_OUT[word]));
  return input;
}

const WAYS_OUT: Readonly<Record<string, Sentence>> = {
  'reduce-by': say('useReplaceRegex'),
};

const operatorWord = (node: Syntax): string =>
  kindOf(node)
    .replace(/Operator$/, '')
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase();
