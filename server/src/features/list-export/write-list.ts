import { csvCell } from '../../platform/csv-cell.ts';

// Rows of a list as text. Times carry the zone of the file; lists inside a cell are joined by semicolons.

type Row = Readonly<Record<string, unknown>>;

export interface ListFile {
  readonly entity: string;
  readonly fields: readonly string[];
  /** Fields that hold epoch milliseconds. */
  readonly timeFields: readonly string[];
  readonly timezone: string;
  /** The filters as they were asked for. */
  readonly selection: Readonly<Record<string, unknown>>;
  readonly rows: readonly Row[];
}

/** The value at a path such as `handler.name`. */
function valueAt(row: Row, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => {
    const isObject = typeof value === 'object' && value !== null;
    return isObject && Object.hasOwn(value, name) ? (value as Row)[name] : null;
  }, row);
}

function asText(value: unknown): string | number | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number') return value;
  if (Array.isArray(value)) return value.map((one) => String(asText(one) ?? '')).join('; ');
  if (typeof value === 'object') {
    const { type, value: inner } = value as { type?: unknown; value?: unknown };
    return typeof type === 'string' && typeof inner === 'string' ? `${type}:${inner}` : JSON.stringify(value);
  }
  return String(value);
}

/** CSV after RFC 4180 behind two lines that say what it holds. */
export function listAsCsv(file: ListFile): string {
  const { fields, timeFields, timezone, rows } = file;
  const zoned = new Intl.DateTimeFormat('sv-SE', {
    timeZone: timezone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  const cell = (row: Row, field: string) => {
    const value = valueAt(row, field);
    return csvCell(
      timeFields.includes(field) && typeof value === 'number' ? zoned.format(value) : asText(value),
    );
  };
  const facts = [
    `# ${file.entity}: ${rows.length} rows, times in ${timezone}`,
    `# filters: ${JSON.stringify(file.selection)}`,
  ].map((cell) => csvCell(cell));
  const lines = [facts[0] ?? '', facts[1] ?? '', fields.map((cell) => csvCell(cell)).join(',')];
  for (const row of rows) lines.push(fields.map((field) => cell(row, field)).join(','));
  return `${lines.join('\r\n')}\r\n`;
}

/** One JSON object a line; the first says what the others are. */
export function listAsNdjson(file: ListFile): string {
  const { entity, selection, timezone, rows, fields } = file;
  const head = { export: { entity, rows: rows.length, timezone, filters: selection } };
  const lines = rows.map((row) => Object.fromEntries(fields.map((field) => [field, valueAt(row, field)])));
  return [head, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('');
}
