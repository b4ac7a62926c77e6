// CSV as spreadsheets write it (RFC 4180): quoted cells may hold separators and line breaks. The separator is the one
// that the head has most of.

export interface ParsedTable {
  readonly head: readonly string[];
  /** With the line on which each begins, from 1. Blank lines are left out. */
  readonly rows: readonly { readonly line: number; readonly cells: readonly string[] }[];
}

function separatorOf(text: string): string {
  const head = text.slice(0, text.search(/\r?\n|$/));
  const counts = [',', ';', '\t'].map((mark) => ({ mark, count: head.split(mark).length }));
  return counts.reduce((best, one) => (one.count > best.count ? one : best)).mark;
}

/** Reads a table; its first line that is not blank and no comment (`#`) is the head. */
export function parseTable(written: string): ParsedTable {
  const text = written.replace(/^\ufeff/, '').replace(/^(?:\s*#[^\n]*\n|\s*\n)+/, '');
  const skipped = written.length - text.length;
  let line = written.slice(0, skipped).split('\n').length;
  const separator = separatorOf(text);
  const records: { line: number; cells: string[] }[] = [];
  let cells: string[] = [];
  let began = line;
  let at = 0;
  const endRecord = () => {
    if (cells.length > 1 || (cells[0] ?? '').trim() !== '') records.push({ line: began, cells });
    cells = [];
    began = line;
  };
  while (at < text.length) {
    let cell = '';
    if (text[at] === '"') {
      at += 1;
      for (;;) {
        const quote = text.indexOf('"', at);
        const end = quote < 0 ? text.length : quote;
        cell += text.slice(at, end);
        at = end + 1;
        if (text[at] !== '"') break;
        cell += '"';
        at += 1;
      }
      line += cell.split('\n').length - 1;
    }
    const start = at;
    while (at < text.length && text[at] !== separator && text[at] !== '\n') at += 1;
    cells.push(cell + text.slice(start, at).replace(/\r$/, ''));
    if (at >= text.length || text[at] === '\n') {
      line += 1;
      endRecord();
    } else if (at === text.length - 1) {
      cells.push('');
      endRecord();
    }
    at += 1;
  }
  const [head, ...rows] = records;
  return { head: (head?.cells ?? []).map((name) => name.trim()), rows };
}
