import type { ColumnId, Union } from '@tyrian/plan';
import { castSql } from '../cast-sql.ts';
import { scalarSql } from '../scalar-sql.ts';
import { computed, plainValue, type SqlValue } from '../sql-value.ts';
import { closed, contextOf, openRelation, type Relation, ready, type SplitState } from './relation.ts';

/** Every branch gives its columns in one form, so that UNION ALL meets equal types. */
export function splitUnion(node: Union, inputs: readonly Relation[], state: SplitState): Relation {
  const branches = node.branches.map((branch, index) => {
    const input = inputs[index];
    if (!input) throw new Error('A union lacks a branch');
    const base = ready(input, branch.columns);
    return { base, values: branch.columns.map((column) => scalarSql(column, contextOf(base, state))) };
  });
  const columns = new Map<ColumnId, SqlValue>();
  const forms = node.columns.map((column, index) => {
    const values = branches.map((branch) => branch.values[index]);
    const stored = values.every((value) => value?.form === 'milliseconds');
    const nullable = values.some((value) => value?.nullable);
    const indexed = values.every((value) => value?.indexed);
    const value = plainValue(column.type, { kind: 'column', id: column.id }, nullable);
    columns.set(column.id, {
      ...value,
      form: stored ? 'milliseconds' : 'plain',
      ...(indexed ? { indexed } : {}),
    });
    return { id: column.id, stored, nullable };
  });
  const selects = branches.map(({ base, values }) => {
    const own = new Map<ColumnId, SqlValue>();
    forms.forEach(({ id, stored, nullable }, index) => {
      const value = values[index];
      if (value) own.set(id, stored ? value : castSql(computed(value), nullable));
    });
    return closed({ ...base, columns: own });
  });
  return openRelation({ kind: 'union', selects }, columns);
}
