import type { ResultValue } from '@tyrian/contract';
import type { ValueCondition } from '../editor/kql-text-edit.ts';
import type { ResultRow, ShownColumn } from './result-value.ts';

/** A value that somebody points at: in a row of a result, or in the field list. */
export interface ValueTarget {
  readonly column: Pick<ShownColumn, 'name' | 'type' | 'reference'>;
  readonly value: ResultValue;
  /** The row that holds it; absent for a value of the field list. */
  readonly row?: ResultRow;
}

export interface MenuPoint {
  readonly x: number;
  readonly y: number;
}

/** The condition that keeps, or throws out, rows with this value. */
export function conditionOf({ column, value }: ValueTarget, keep: boolean): ValueCondition {
  return { reference: column.reference, type: column.type, value, keep };
}
