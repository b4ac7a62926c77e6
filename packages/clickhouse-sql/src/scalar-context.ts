import type { ColumnId, PlanNode } from '@tyrian/plan';
import type { Select } from './sql.ts';
import type { SqlValue } from './sql-value.ts';

/** What an expression needs to know of its surroundings. */
export interface ScalarContext {
  /** The value of a column of the input. */
  readonly column: (id: ColumnId) => SqlValue;
  /** A plan inside an expression as a select of one column. */
  readonly subselect: (plan: PlanNode, column: ColumnId) => Select;
}
