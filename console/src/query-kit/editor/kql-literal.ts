// Writes values and names as KQL text. Values come from events, so every character of theirs is hostile.

const NUMERIC = new Set(['int', 'long', 'real']);
const CONSTRUCTED = new Set(['datetime', 'timespan', 'guid', 'decimal']);

const KEYWORDS = new Set(
  `and as asc between by contains datatable desc else endswith evaluate false first has in invoke join kind
   last let limit matches nulls of on or print project range render search set sort startswith summarize
   take to toscalar top true typeof union where with`.split(/\s+/),
);

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '"': '\\"',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

const isControl = (char: string): boolean => char < ' ' || (char >= '\u007f' && char < '\u00a0');

const escapeChar = (char: string): string =>
  ESCAPES[char] ?? (isControl(char) ? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}` : char);

/** A KQL string literal; verbatim (`@"C:\a"`) when that reads better, escaped otherwise. */
export function kqlString(value: string): string {
  const chars = [...value];
  if (value.includes('\\') && !chars.some(isControl)) return `@"${value.replaceAll('"', '""')}"`;
  return `"${chars.map(escapeChar).join('')}"`;
}

/** A column name as KQL: bare when it may be, else `['my field']`. */
export function kqlName(name: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !KEYWORDS.has(name.toLowerCase())) return name;
  return `['${[...name].map((char) => (char === "'" ? "\\'" : escapeChar(char))).join('')}']`;
}

/** A path below a dynamic column: `Ext.user.name`, `Ext["a b"]`. The first part is a column name. */
export function kqlPath(parts: readonly string[]): string {
  const [first = '', ...rest] = parts;
  return (
    kqlName(first) +
    rest.map((part) => (/^[A-Za-z_][A-Za-z0-9_]*$/.test(part) ? `.${part}` : `[${kqlString(part)}]`)).join('')
  );
}

/** The literal of a wire value of the given KQL type; null when the type has no literal of that value. */
export function kqlLiteral(value: unknown, type: string): string | null {
  if (value === null || value === undefined) return null;
  if (type === 'bool') return value === true ? 'true' : 'false';
  if (type === 'real' && typeof value === 'string') {
    return value === 'NaN' ? 'real(nan)' : value === '-Infinity' ? 'real(-inf)' : 'real(+inf)';
  }
  if (NUMERIC.has(type)) return `${value}`;
  if (CONSTRUCTED.has(type)) return `${type}(${String(value)})`;
  if (type === 'dynamic') return kqlString(typeof value === 'object' ? JSON.stringify(value) : String(value));
  return kqlString(String(value));
}
