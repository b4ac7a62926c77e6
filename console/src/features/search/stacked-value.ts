import { EVENT_COLUMNS } from '@tyrian/catalog';
import { kqlName, kqlPath } from '../../query-kit/editor/kql-literal.ts';
import type { ConditionPosition } from '../../query-kit/editor/kql-text-edit.ts';
import type { ValueTarget } from '../../query-kit/results/value-target.ts';

const TYPES = new Map<string, string>(EVENT_COLUMNS.map(({ name, type }) => [name, type]));
/** Types whose text is also their literal. */
const AS_WRITTEN = ['string', 'int', 'long', 'real'];

/** A value that bars are stacked by, which comes as text whatever the field holds, as something to filter by. */
export function stackedValue(
  field: string,
  value: string | null,
): { readonly target: ValueTarget; readonly position: ConditionPosition } {
  const isPath = field.startsWith('Ext.');
  const known = TYPES.get(field);
  const type = known !== undefined && AS_WRITTEN.includes(known) ? known : 'dynamic';
  const column = { name: field, type, reference: isPath ? kqlPath(field.split('.')) : kqlName(field) };
  const isMissing = value === '' && type !== 'string' && type !== 'dynamic';
  return {
    target: { column, value: isMissing ? null : value },
    // What the query makes exists only below the step that makes it.
    position: isPath || known !== undefined ? 'source' : 'result',
  };
}
