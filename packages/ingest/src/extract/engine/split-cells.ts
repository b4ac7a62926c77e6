import type { Fields } from '../../event-row.ts';

// Cells of a line: separated by one character or more, quoted cells with doubled quotes inside. Read once, front to back.

const MOST_CELLS = 1_000;

/** The cells of a line of CSV. Behind the last that is counted the rest of the line is one cell. */
export function splitCells(line: string, separator: string): readonly string[] {
  const cells: string[] = [];
  let at = 0;
  while (at <= line.length && cells.length < MOST_CELLS) {
    if (line[at] === '"') {
      const { text, end } = quotedCell(line, at);
      cells.push(text);
      const next = line.indexOf(separator, end);
      if (next < 0) return cells;
      at = next + separator.length;
      continue;
    }
    const next = line.indexOf(separator, at);
    cells.push(next < 0 ? line.slice(at) : line.slice(at, next));
    if (next < 0) return cells;
    at = next + separator.length;
  }
  return cells;
}

function quotedCell(line: string, start: number): { text: string; end: number } {
  let text = '';
  let from = start + 1;
  for (;;) {
    const quote = line.indexOf('"', from);
    if (quote < 0) return { text: text + line.slice(from), end: line.length };
    text += line.slice(from, quote);
    if (line[quote + 1] !== '"') return { text, end: quote + 1 };
    text += '"';
    from = quote + 2;
  }
}

/** Cells under the names of their columns; a cell without a name is called by its number, empty ones are left out. */
export function namedCells(cells: readonly string[], names: readonly string[]): Fields {
  const fields: Fields = {};
  for (const [at, cell] of cells.entries()) if (cell !== '') fields[names[at] ?? `column${at + 1}`] = cell;
  return fields;
}

/** Pairs with a separator and a sign between name and value that the extractor names. Values may stand in quotes. */
export function splitPairs(text: string, separator: string, assign: string): Fields {
  const fields: Fields = {};
  let count = 0;
  for (let at = 0; at < text.length && count < MOST_CELLS; count += 1) {
    const sign = text.indexOf(assign, at);
    if (sign < 0) break;
    // What stands before the last separator in front of the sign belongs to no pair.
    const name = text
      .slice(Math.max(at, text.lastIndexOf(separator, sign - 1) + separator.length), sign)
      .trim();
    let from = sign + assign.length;
    let end: number;
    if (text[from] === '"') {
      end = text.indexOf('"', from + 1);
      if (end < 0) end = text.length;
      from += 1;
    } else {
      end = text.indexOf(separator, from);
      if (end < 0) end = text.length;
    }
    const value = text.slice(from, end).trim();
    if (name !== '' && value !== '') fields[name] ??= value;
    at = Math.max(end + 1, sign + assign.length);
  }
  return fields;
}
