import type { SearchField } from '@tyrian/contract';

// How the fields of the side bar stand: the columns shown, those worth a look, all that have data, and at the end the
// numbered ones (`Ext.a0`, `Ext.a1`, … of auditd's EXECVE), which are many and say little by their names.

export interface FieldGroups {
  readonly selected: readonly SearchField[];
  readonly popular: readonly SearchField[];
  readonly rest: readonly SearchField[];
  readonly numbered: readonly SearchField[];
}

const NUMBERED = /^(.*\D)(\d{1,4})$/;

/** Fields in their groups; a search looks at names and at what other vocabularies call them. */
export function groupFields(
  fields: readonly SearchField[],
  columns: readonly string[],
  search: string,
): FieldGroups {
  const wanted = search.trim().toLowerCase();
  const found = wanted === '' ? fields : fields.filter((field) => matches(field, wanted));
  const chosen = new Set(columns);
  const others = found.filter((field) => !chosen.has(field.name));
  // Until the server has looked at recent events it can't say which columns are filled.
  const isKnown = fields.some((field) => field.streams.length > 0);
  const isWorth = (field: SearchField) => wanted !== '' || !isKnown || field.streams.length > 0;
  const isInSeries = seriesOf(fields);
  const unfamiliar = others
    .filter((field) => !field.recommended && isWorth(field))
    .sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
  return {
    selected: columns.flatMap((name) => found.filter((field) => field.name === name)),
    popular: others.filter((field) => field.recommended),
    rest: unfamiliar.filter((field) => !isInSeries(field)),
    numbered: unfamiliar.filter(isInSeries),
  };
}

const matches = (field: SearchField, wanted: string): boolean =>
  [field.name, ...field.aliases].some((name) => name.toLowerCase().includes(wanted));

/** Tells fields of events that are counted through: `a0` beside `a1`, and not `sha1` beside `sha256`. */
function seriesOf(fields: readonly SearchField[]): (field: SearchField) => boolean {
  const names = new Set(fields.filter(({ kind }) => kind === 'ext').map(({ name }) => name));
  return ({ name }) => {
    const [, stem = '', digits] = NUMBERED.exec(name) ?? [];
    if (digits === undefined || !names.has(name)) return false;
    return [-1, 1].some((step) => names.has(`${stem}${Number(digits) + step}`));
  };
}
