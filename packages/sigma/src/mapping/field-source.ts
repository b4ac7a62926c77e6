// Where the value of a Sigma field stands in a stored event. A field may stand in several, of which one holds it:
// a column in some events, `Ext` where the column was taken or the value did not fit.

/** EventIDs for which a source counts, or does not. */
export interface EventGuard {
  readonly ids: readonly number[];
  readonly negated: boolean;
}

export type FieldSource =
  | { readonly kind: 'column'; readonly name: string; readonly guard?: EventGuard }
  | { readonly kind: 'ext'; readonly path: readonly string[] }
  /** The whole event as it was received. */
  | { readonly kind: 'raw' };

/**
 * A source as data is written: `CommandLine` a column, `Ext.a.b` a path below `Ext` (dots part names), `Raw` the whole
 * text, `GroupName@4728,4732` a column for those EventIDs alone, `TargetUsername@!4728` for all others.
 */
export function parseFieldSource(text: string): FieldSource {
  if (text === 'Raw') return { kind: 'raw' };
  if (text.startsWith('Ext.')) return extSource(text.slice('Ext.'.length));
  const [name = '', events] = text.split('@');
  if (events === undefined) return { kind: 'column', name };
  const negated = events.startsWith('!');
  const ids = events.replace('!', '').split(',').map(Number);
  return { kind: 'column', name, guard: { ids, negated } };
}

/** The field under its own name below `Ext`, where ingest keeps what has no column. */
export const extSource = (field: string): FieldSource => ({
  kind: 'ext',
  path: field.split('.').filter((part) => part !== ''),
});
