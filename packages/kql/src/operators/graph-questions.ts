import { constant, type Scalar } from '@tyrian/plan';
import type { Lowering, Names, Table } from '../lowering.ts';
import { argumentsOf, child, isKind, kindOf, nameOf, type Syntax, within } from '../syntax.ts';
import type { Carried } from './graph-paths.ts';

// What a query asks of the edges of a path: `e.property` and `map(e, value)` for each of them, `all(e, condition)` and
// `any(e, condition)` of all together. A path has to carry it, so it is looked up before the paths are built.

/** The questions about the edges of variable length, in the order in which paths carry the answers. */
export class PathQuestions {
  readonly #asked = new Map<string, { readonly key: string; readonly carried: Carried }[]>();

  constructor(
    clauses: readonly (Syntax | null)[],
    edges: ReadonlySet<string>,
    names: Names,
    lowering: Lowering,
  ) {
    for (const clause of clauses)
      for (const node of clause ? within(clause) : []) this.#note(node, edges, names, lowering);
  }

  #note(node: Syntax, edges: ReadonlySet<string>, names: Names, lowering: Lowering): void {
    const call = callOf(node);
    const value = call?.value;
    if (call && value && edges.has(call.edge))
      this.#add(call.edge, keyOfCall(node), {
        kind: call.kind,
        value: (edge) => lowering.expression(value, { names, columns: edge.columns }),
      });
    const property = propertyOf(node);
    if (property && edges.has(property.edge))
      this.#add(property.edge, keyOfProperty(property.name), {
        kind: 'map',
        value: (edge) => column(edge, property.name),
      });
  }

  #add(edge: string, key: string, carried: Carried): void {
    const known = this.#asked.get(edge) ?? [];
    if (!known.some((one) => one.key === key)) this.#asked.set(edge, [...known, { key, carried }]);
  }

  of(edge: string): readonly Carried[] {
    return (this.#asked.get(edge) ?? []).map(({ carried }) => carried);
  }

  /** The position of the answer to a call among what the paths of its edge carry; null for any other call. */
  callAt(node: Syntax): { readonly edge: string; readonly index: number } | null {
    const edge = callOf(node)?.edge;
    return edge === undefined ? null : this.#at(edge, keyOfCall(node));
  }

  propertyAt(edge: string, property: string): number | null {
    return this.#at(edge, keyOfProperty(property))?.index ?? null;
  }

  #at(edge: string, key: string): { readonly edge: string; readonly index: number } | null {
    const index = (this.#asked.get(edge) ?? []).findIndex((one) => one.key === key);
    return index < 0 ? null : { edge, index };
  }
}

const keyOfCall = (node: Syntax): string => `call ${node.TextStart}`;
const keyOfProperty = (name: string): string => `property ${name}`;

function callOf(node: Syntax): { kind: Carried['kind']; edge: string; value: Syntax } | null {
  if (!isKind(node, 'FunctionCallExpression')) return null;
  const kind = nameOf(child(node, 'Name'));
  if (kind !== 'map' && kind !== 'all' && kind !== 'any') return null;
  const [edge, value] = argumentsOf(node);
  return edge && value && kindOf(edge) === 'NameReference' ? { kind, edge: nameOf(edge), value } : null;
}

function propertyOf(node: Syntax): { edge: string; name: string } | null {
  if (!isKind(node, 'PathExpression')) return null;
  const [owner, selector] = [child(node, 'Expression'), child(node, 'Selector')];
  if (!isKind(owner, 'NameReference') || !isKind(selector, 'NameReference')) return null;
  return { edge: nameOf(owner), name: nameOf(selector) };
}

function column(edge: Table, name: string): Scalar {
  const found = edge.columns.find((one) => one.name === name);
  return found ? { kind: 'column', id: found.id, type: found.type } : constant('dynamic', null);
}
