// Where the value of a Sigma field stands in a stored event. A field may stand in several, of which one holds it:
// a column in some events, `Ext` where the column was taken or the value did not fit.

/** EventIDs for which a source counts, or does not. */
export interface EventGuard {
  readonly ids: readonly number[];
  readonly negated: boolean;
}

export type FieldSource =
  | { readonly kind: 'column'; readonly name: string; readonly guard?: EventGuard }
  /** `items`: the path holds a list of maps, and these names lead to the value in each of them. */
  | { readonly kind: 'ext'; readonly path: readonly string[]; readonly items?: readonly string[] }
  /** The whole event as it was received. */
  | { readonly kind: 'raw' };

/**
 * A source as data is written: `CommandLine` a column, `Ext.a.b` a path below `Ext` (dots part names), `Raw` the whole
 * text, `Ext.a[].b` what stands as `b` in the maps of a list, `GroupName@4728,4732` a column for those EventIDs alone, `TargetUsername@!4728` for all others.
 */
export function parseFieldSource(text: string): FieldSource {
  if (text === 'Raw') return { kind: 'raw' };
  if (text.startsWith('Ext.')) {
    const [path = '', items] = text.slice('Ext.'.length).split('[].');
    return items === undefined ? extSource(path) : itemSource(path, items);
  }
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

/** A field of the maps of a list below `Ext`. */
export const itemSource = (list: string, field: string): FieldSource => ({
  kind: 'ext',
  path: list.split('.'),
  items: field.split('.').filter((part) => part !== ''),
});

/** A source as data is written: what `parseFieldSource` reads. */
export function fieldSourceText(source: FieldSource): string {
  if (source.kind === 'raw') return 'Raw';
  if (source.kind === 'ext') {
    const path = ['Ext', ...source.path].join('.');
    return source.items ? `${path}[].${source.items.join('.')}` : path;
  }
  const { name, guard } = source;
  return guard ? `${name}@${guard.negated ? '!' : ''}${guard.ids.join(',')}` : name;
}

/** What a tenant stores; what is absent is not asked about. */
export interface StoredFields {
  /** Columns that are stored. */
  readonly columns?: ReadonlySet<string>;
  /** Paths below `Ext` that were seen, names parted by dots. */
  readonly extPaths?: ReadonlySet<string>;
}

/** Whether events of the tenant may have the source. */
export function isSourceHere(source: FieldSource, { columns, extPaths }: StoredFields): boolean {
  if (source.kind === 'column') return columns === undefined || columns.has(source.name);
  return source.kind === 'raw' || extPaths === undefined || extPaths.has(source.path.join('.'));
}
