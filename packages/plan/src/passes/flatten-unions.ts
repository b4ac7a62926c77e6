import type { ColumnId, Plan, Scalar, Union, UnionBranch } from '../plan-node.ts';
import { rewritePlan, rewriteScalar } from '../walk-plan.ts';

// A union of unions is one union: `A | union B | union C` reads three branches side by side, where nested selects would
// carry every column of A through each of them, and the engine looks at each level anew.

/** Puts the branches of a union that is a branch of another in its place. */
export function flattenUnions(plan: Plan): Plan {
  return {
    ...plan,
    root: rewritePlan(plan.root, (node) =>
      node.kind === 'union' && node.branches.some(isUnion)
        ? { ...node, branches: node.branches.flatMap(branchesOf) }
        : node,
    ),
  };
}

const isUnion = ({ input, columns }: UnionBranch): boolean =>
  input.kind === 'union' && columns.every(isSmall);

/** What can stand in a branch without being worked out twice. */
const isSmall = (scalar: Scalar): boolean =>
  scalar.kind === 'column' ||
  scalar.kind === 'constant' ||
  (scalar.kind === 'call' && scalar.args.length === 1 && scalar.args[0]?.kind === 'column');

function branchesOf(branch: UnionBranch): readonly UnionBranch[] {
  if (branch.input.kind !== 'union' || !isUnion(branch)) return [branch];
  const inner: Union = branch.input;
  return inner.branches.map((one) => {
    const values = new Map<ColumnId, Scalar>();
    inner.columns.forEach(({ id }, position) => {
      const value = one.columns[position];
      if (value) values.set(id, value);
    });
    const inPlace = (scalar: Scalar): Scalar =>
      scalar.kind === 'column' ? (values.get(scalar.id) ?? scalar) : scalar;
    return { input: one.input, columns: branch.columns.map((column) => rewriteScalar(column, inPlace)) };
  });
}
