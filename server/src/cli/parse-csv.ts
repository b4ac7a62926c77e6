/** Reads CSV (RFC 4180): rows of fields; quoted fields may hold commas, quotes as `""`, and newlines. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;
  while (field.lastIndex < text.length) {
    const at = field.lastIndex;
    const found = field.exec(text);
    if (found === null) {
      // A stray quote: the rest of the line is one field.
      const end = text.indexOf('\n', at);
      row.push(text.slice(at, end < 0 ? undefined : end).replace(/\r$/, ''));
      rows.push(row);
      row = [];
      field.lastIndex = end < 0 ? text.length : end + 1;
      continue;
    }
    row.push(found[1] === undefined ? (found[2] ?? '') : found[1].replaceAll('""', '"'));
    if (found[3] !== ',') {
      rows.push(row);
      row = [];
    } else if (field.lastIndex === text.length) {
      rows.push([...row, '']);
      row = [];
    }
  }
  if (row.length > 0) rows.push(row);
  return rows;
}
