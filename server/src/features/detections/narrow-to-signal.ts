import type { SignalBody } from '@tyrian/contract';
import type { Plan } from '@tyrian/plan';
import { fieldsRead } from '../signals/finding.ts';
import { analysePlan } from './analyse-plan.ts';

/** Columns that occurrences read beside the fields of the signal block. */
const ALWAYS_READ = ['TimeGenerated', 'IngestedTime', 'EventUid', 'Stream'];

/** The column of a field: `Ext.TaskName` is in `Ext`. */
const columnOf = (field: string): string => field.split('.')[0] ?? field;

/** The plan with only the columns that occurrences need, where each row is an event; null for other plans. */
export function narrowedToSignal(plan: Plan, signal: SignalBody): Plan | null {
  if (!analysePlan(plan).rowByRow) return null;
  const needed = new Set([...ALWAYS_READ, ...fieldsRead(signal).map(columnOf)]);
  const columns = plan.columns.filter((column) => needed.has(column.name));
  return columns.length === 0 ? null : { ...plan, columns };
}
