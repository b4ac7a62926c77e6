import { Readable } from 'node:stream';
import { parse } from 'csv-parse';

// Tables in text, as lines of JSON under the names of their first row.

const DELIMITERS = [',', ';', '\t', '|'] as const;
/** So much of a file says how it is delimited. */
const LOOKED_AT = 65_536;
/** A row longer than this ends the reading: the file is no table. */
const MAX_ROW_CHARS = 16 * 1024 * 1024;

/** How often each delimiter stands outside of quotes, line by line. */
function countsByLine(text: string, delimiter: string): number[] {
  const counts: number[] = [];
  let count = 0;
  let isQuoted = false;
  for (const char of text) {
    if (char === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (char === delimiter) count += 1;
    else if (char === '\n') {
      counts.push(count);
      count = 0;
    }
  }
  return counts.length === 0 ? [count] : counts;
}

/** The delimiter of a table: the one that stands equally often in the head and in most rows, else most often in the head. */
export function guessDelimiter(beginning: string): string {
  const text = beginning.slice(0, LOOKED_AT);
  let best: { readonly delimiter: string; readonly score: number } = { delimiter: ',', score: 0 };
  for (const delimiter of DELIMITERS) {
    const [head = 0, ...rows] = countsByLine(text, delimiter);
    if (head === 0) continue;
    const alike = rows.filter((count) => count === head).length;
    const score = (rows.length === 0 ? 1 : alike / rows.length) * 1_000 + head;
    if (score > best.score) best = { delimiter, score };
  }
  return best.delimiter;
}

/** Enough of a stream to see how it is delimited. */
async function beginningOf(parts: AsyncIterator<Buffer>): Promise<Buffer> {
  const read: Buffer[] = [];
  let size = 0;
  while (size < LOOKED_AT) {
    const next = await parts.next();
    if (next.done === true) break;
    read.push(next.value);
    size += next.value.length;
  }
  return Buffer.concat(read);
}

async function* withFirst(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

/** Names of columns: those of the head, numbers where it has none, and none twice. */
function columnNames(head: readonly string[]): string[] {
  const taken = new Set<string>();
  return head.map((written, at) => {
    const plain = written.trim() || `column${at + 1}`;
    let name = plain;
    for (let n = 2; taken.has(name); n += 1) name = `${plain}_${n}`;
    taken.add(name);
    return name;
  });
}

/** Rows as lines of JSON. Values beyond the head get numbered names; quoted values may hold line ends. */
export async function* csvLines(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const parts = stream[Symbol.asyncIterator]();
  const first = await beginningOf(parts);
  if (first.length === 0) return;
  const rows = Readable.from(withFirst(first, parts)).pipe(
    parse({
      bom: true,
      delimiter: guessDelimiter(first.toString('utf8').replace(/^\ufeff/, '')),
      record_delimiter: ['\r\n', '\n'],
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: MAX_ROW_CHARS,
    }),
  );
  let names: string[] | undefined;
  for await (const row of rows as AsyncIterable<string[]>) {
    if (names === undefined) {
      names = columnNames(row);
      continue;
    }
    if (row.length === 1 && row[0] === '') continue;
    const known = names;
    const fields = row.map((value, at) => [known[at] ?? `column${at + 1}`, value] as const);
    yield Buffer.from(`${JSON.stringify(Object.fromEntries(fields))}\n`);
  }
}
