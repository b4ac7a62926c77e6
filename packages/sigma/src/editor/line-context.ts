// Where in a rule a position stands, told by lines and their indents alone: while somebody types, a text is seldom YAML.

export interface LineContext {
  /** Keys around the line, outermost first; those of the items of lists too. */
  readonly path: readonly string[];
  /** Behind the key of the line, or in an item of a list of plain values. */
  readonly isValue: boolean;
  /** The key of the line; empty while it is written. */
  readonly key: string;
  /** What stands between the beginning of the value or key and the position. */
  readonly typed: string;
  /** Where `typed` begins. */
  readonly from: number;
}

const LINE = /^(\s*)((?:- +)*)(.*)$/;
const KEY = /^(?:'([^']*)'|"([^"]*)"|([^\s'"#][^:]*?))\s*:(?:\s+|$)/;

interface ReadLine {
  readonly indent: number;
  /** How deep the content stands, behind the dashes of a list. */
  readonly content: number;
  readonly isItem: boolean;
  readonly key: string | null;
}

function readLine(line: string): ReadLine | null {
  const [, spaces = '', dashes = '', rest = ''] = LINE.exec(line) ?? [];
  if (rest.trim() === '' && dashes === '') return null;
  if (rest.startsWith('#')) return null;
  const [, single, double, plain] = KEY.exec(rest) ?? [];
  return {
    indent: spaces.length,
    content: spaces.length + dashes.length,
    isItem: dashes !== '',
    key: single ?? double ?? plain ?? null,
  };
}

/** The context of a position. */
export function lineContext(text: string, position: number): LineContext {
  const start = text.lastIndexOf('\n', position - 1) + 1;
  const before = text.slice(start, position);
  const [, spaces = '', dashes = '', rest = ''] = LINE.exec(before) ?? [];
  const content = spaces.length + dashes.length;
  const path = pathAbove(text.slice(0, Math.max(0, start - 1)), content, dashes !== '', spaces.length);
  const match = KEY.exec(rest);
  if (match) {
    const key = match[1] ?? match[2] ?? match[3] ?? '';
    const at = start + content + match[0].length;
    return { path, isValue: true, key, typed: text.slice(at, position), from: at };
  }
  const isList = dashes !== '' && LISTS.has(path.at(-1) ?? '');
  return { path, isValue: isList, key: '', typed: rest, from: start + content };
}

/** Keys whose items are plain values. */
const LISTS: ReadonlySet<string> = new Set([
  'tags',
  'references',
  'falsepositives',
  'fields',
  'condition',
  'rules',
  'group-by',
]);

/** The keys of the lines above that stand less deep. */
function pathAbove(above: string, content: number, isItem: boolean, indent: number): readonly string[] {
  const path: string[] = [];
  // The items of a list may stand as deep as its key.
  let depth = isItem ? indent + 0.5 : content;
  const lines = above.split('\n');
  for (let at = lines.length - 1; at >= 0 && depth > 0; at -= 1) {
    if (/^---/.test(lines[at] ?? '')) break;
    const line = readLine(lines[at] ?? '');
    if (!line || line.key === null) continue;
    const stands = line.isItem ? line.content : line.indent;
    if (stands >= depth) continue;
    path.unshift(line.key);
    depth = line.isItem ? line.indent + 0.5 : stands;
  }
  return path;
}

/** The value of a key of the top level, or of one below it, as far as a line says it. */
export function valueUnder(text: string, outer: string, inner: string): string | undefined {
  const block = new RegExp(`^${outer}\\s*:([^\\n]*)\\n((?:[ \\t]+[^\\n]*(?:\\n|$)|\\s*\\n)*)`, 'm').exec(
    `${text}\n`,
  );
  const found = new RegExp(`(?:^|[{,\\n])\\s*${inner}\\s*:\\s*['"]?([^'",}\\n#]+)`).exec(
    `${block?.[1] ?? ''}\n${block?.[2] ?? ''}`,
  );
  const value = found?.[1]?.trim();
  return value === undefined || value === '' ? undefined : value;
}

/** The search identifiers of a text. */
export function identifiersIn(text: string): readonly string[] {
  const block = /^detection\s*:[^\n]*\n((?:[ \t]+[^\n]*(?:\n|$)|\s*\n)*)/m.exec(`${text}\n`)?.[1] ?? '';
  const lines = block.split('\n').flatMap((line) => readLine(line) ?? []);
  const least = Math.min(...lines.map(({ indent }) => indent));
  return lines.flatMap(({ indent, isItem, key }) =>
    indent === least && !isItem && key !== null && key !== 'condition' && key !== 'timeframe' ? [key] : [],
  );
}
