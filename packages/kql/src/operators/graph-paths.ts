import { call, columnReference, constant, type PlanNode, type Scalar, type UnionBranch } from '@tyrian/plan';
import { convertTo } from '../expressions/convert.ts';
import type { Graph, Lowering, NamedColumn, Table } from '../lowering.ts';
import { columnOf, referenceOf, reusable } from './make-graph.ts';

// An edge of variable length, `-[e*1..5]->`: the paths of each length are those that are one edge shorter, joined with the
// edges. A path carries the numbers of its edges, so that none stands in it twice, and what the query asks of them.

/** What a path carries of its edges: a list of values, or whether a condition holds for all or any of them. */
export interface Carried {
  readonly kind: 'map' | 'all' | 'any';
  /** Reads the value, of one edge. */
  readonly value: (edge: Table) => Scalar;
}

export interface PathRange {
  readonly least: number;
  readonly most: number;
}

/** Paths as rows. */
export interface Paths {
  readonly node: PlanNode;
  readonly start: Scalar;
  readonly end: Scalar;
  /** How many edges. */
  readonly length: Scalar;
  /** The numbers of the edges and the ids of the nodes between the ends, as texts. */
  readonly numbers: Scalar;
  readonly inner: Scalar;
  readonly carried: readonly Scalar[];
}

/** Which edges and nodes may stand in one path again. */
export type Cycles = 'all' | 'none' | 'unique_edges';

const OWN = ['start', 'end', 'length', 'numbers', 'inner'] as const;

const text = (scalar: Scalar): Scalar => convertTo(scalar, 'string');
const list = (...items: readonly Scalar[]): Scalar => call('dynamic', 'pack_array', ...items);
const not = (scalar: Scalar): Scalar => call('bool', 'not', scalar);
const within = (array: Scalar, item: Scalar): Scalar => call('bool', 'set_has_element', array, item);
const isTrue = (scalar: Scalar): Scalar =>
  call('bool', 'coalesce', convertTo(scalar, 'bool'), constant('bool', false));

/** The edges as both directions read them; an edge from a node to itself is read once. */
export function edgesBothWays(edges: () => Table, graph: Graph, lowering: Lowering): () => Table {
  return reusable(bothWays(edges, graph, lowering), lowering);
}

function bothWays(edges: () => Table, graph: Graph, lowering: Lowering): Table {
  const [forth, back] = [edges(), edges()];
  const turned = (name: string): string =>
    name === graph.source ? graph.target : name === graph.target ? graph.source : name;
  const differ = call(
    'bool',
    'not_equal',
    referenceOf(columnOf(back, graph.source)),
    referenceOf(columnOf(back, graph.target)),
  );
  const columns = forth.columns.map((column) => ({ ...column, id: lowering.newId() }));
  const branches: UnionBranch[] = [
    { input: forth.node, columns: forth.columns.map(referenceOf) },
    {
      input: { kind: 'filter', input: back.node, predicate: differ },
      columns: forth.columns.map(({ name }) => referenceOf(columnOf(back, turned(name)))),
    },
  ];
  return {
    node: { kind: 'union', columns: columns.map(({ id, type }) => ({ id, type })), branches },
    columns,
  };
}

/** Builds the paths of a range of lengths. */
export class PathBuilder {
  readonly #graph: Graph;
  readonly #lowering: Lowering;
  readonly #carried: readonly Carried[];
  readonly #cycles: Cycles;
  readonly #edges: () => Table;
  readonly #backwards: boolean;

  constructor(
    graph: Graph,
    edges: () => Table,
    backwards: boolean,
    carried: readonly Carried[],
    cycles: Cycles,
    lowering: Lowering,
  ) {
    this.#graph = graph;
    this.#lowering = lowering;
    this.#carried = carried;
    this.#cycles = cycles;
    this.#backwards = backwards;
    this.#edges = reusable(this.#withValues(edges()), lowering);
  }

  paths({ least, most }: PathRange): Paths {
    let shorter = reusable(this.#single(), this.#lowering);
    const lengths = [shorter];
    for (let length = 2; length <= most; length++) {
      shorter = reusable(this.#longer(shorter()), this.#lowering);
      lengths.push(shorter);
    }
    const wanted = lengths.slice(least - 1).map((make) => make());
    const first = wanted[0]?.columns ?? [];
    const columns = first.map((column) => ({ ...column, id: this.#lowering.newId() }));
    const branches = wanted.map(
      (table): UnionBranch => ({ input: table.node, columns: table.columns.map(referenceOf) }),
    );
    const node: PlanNode = {
      kind: 'union',
      columns: columns.map(({ id, type }) => ({ id, type })),
      branches,
    };
    const [start, end, length, numbers, inner, ...carried] = columns.map(referenceOf);
    const none = constant('dynamic', null);
    return {
      node,
      start: start ?? none,
      end: end ?? none,
      length: length ?? none,
      numbers: numbers ?? none,
      inner: inner ?? none,
      carried,
    };
  }

  /** The edges with the values that paths carry, each under a name that no query can give. */
  #withValues(edges: Table): Table {
    const items = this.#carried.map(({ kind, value }) => {
      const read = value(edges);
      return { id: this.#lowering.newId(), expression: kind === 'map' ? list(read) : isTrue(read) };
    });
    return {
      node: items.length > 0 ? { kind: 'compute', input: edges.node, items } : edges.node,
      columns: [
        ...edges.columns,
        ...items.map(({ id, expression }, index) => ({ name: ` ${index}`, id, type: expression.type })),
      ],
    };
  }

  #ends(edges: Table): readonly [Scalar, Scalar] {
    const [from, to] = [this.#graph.source, this.#graph.target].map((end) =>
      referenceOf(columnOf(edges, end)),
    ) as [Scalar, Scalar];
    return this.#backwards ? [to, from] : [from, to];
  }

  #number = (edges: Table): Scalar => text(referenceOf(columnOf(edges, this.#graph.number)));

  #values = (edges: Table): Scalar[] =>
    this.#carried.map((_, index) => referenceOf(columnOf(edges, ` ${index}`)));

  #single(): Table {
    const edges = this.#edges();
    const [from, to] = this.#ends(edges);
    const kept: PlanNode =
      this.#cycles === 'none'
        ? { kind: 'filter', input: edges.node, predicate: call('bool', 'not_equal', from, to) }
        : edges.node;
    return this.#table(kept, [
      from,
      to,
      constant('long', '1'),
      list(this.#number(edges)),
      constant('dynamic', '[]'),
      ...this.#values(edges),
    ]);
  }

  /** The paths that are one edge longer. */
  #longer(paths: Table): Table {
    const edges = this.#edges();
    const [from, to] = this.#ends(edges);
    const [start, end, length, numbers, inner, ...values] = paths.columns.map(referenceOf) as [
      Scalar,
      Scalar,
      Scalar,
      Scalar,
      Scalar,
      ...Scalar[],
    ];
    const joined: PlanNode = {
      kind: 'join',
      join: 'inner',
      left: paths.node,
      right: edges.node,
      keys: [{ left: end, right: from }],
    };
    const number = this.#number(edges);
    const apart: Scalar[] = this.#cycles === 'all' ? [] : [not(within(numbers, number))];
    if (this.#cycles === 'none')
      apart.push(
        call('bool', 'not_equal', start, to),
        call('bool', 'not_equal', end, to),
        not(within(inner, text(to))),
      );
    const node = apart.reduce<PlanNode>((input, predicate) => ({ kind: 'filter', input, predicate }), joined);
    const own = this.#values(edges);
    return this.#table(node, [
      start,
      to,
      call('long', 'add', length, constant('long', '1')),
      call('dynamic', 'array_concat', numbers, list(number)),
      call('dynamic', 'array_concat', inner, list(text(end))),
      ...values.map((before, index) => this.#together(index, before, own[index] ?? before)),
    ]);
  }

  #together(index: number, before: Scalar, last: Scalar): Scalar {
    switch (this.#carried[index]?.kind) {
      case 'all':
        return call('bool', 'and', before, last);
      case 'any':
        return call('bool', 'or', before, last);
      default:
        return call('dynamic', 'array_concat', before, last);
    }
  }

  #table(input: PlanNode, values: readonly Scalar[]): Table {
    const items = values.map((expression) => ({ id: this.#lowering.newId(), expression }));
    const columns = items.map(
      ({ id, expression }, index): NamedColumn => ({
        name: OWN[index] ?? ` ${index - OWN.length}`,
        id,
        type: expression.type,
      }),
    );
    return { node: { kind: 'compute', input, items }, columns };
  }
}

/** Whether two paths, or a path and an edge, have no edge in common. */
export const sharesNothing = (one: Scalar, other: Scalar): Scalar =>
  call(
    'bool',
    'equal',
    call('long', 'array_length', call('dynamic', 'set_intersect', one, other)),
    constant('long', '0'),
  );

/** One edge as the numbers of a path. */
export const numbersOfEdge = (number: Scalar): Scalar => list(text(number));

/** The rows whose `length` is the least among those of the same ends; one for each pair of ends unless `all`. */
export function shortestRows(
  input: PlanNode,
  ends: readonly Scalar[],
  length: Scalar,
  all: boolean,
  lowering: Lowering,
): PlanNode {
  const id = lowering.newId();
  const sorted: PlanNode = {
    kind: 'sort',
    input,
    keys: [{ expression: length, descending: false, nullsFirst: true }],
  };
  const ranked: PlanNode = {
    kind: 'window',
    input: sorted,
    partition: ends,
    items: [
      all
        ? { id, type: 'long', fn: 'row_rank_min', args: [length] }
        : { id, type: 'long', fn: 'row_number', args: [constant('long', '1')] },
    ],
  };
  const first = call('bool', 'equal', columnReference(id, 'long'), constant('long', '1'));
  return { kind: 'filter', input: ranked, predicate: first };
}
