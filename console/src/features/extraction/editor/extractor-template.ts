/** Letters, digits, blanks and `_.-`, as a source-name may have them. */
const plain = (text: string): string =>
  text
    .replace(/[^\p{L}\p{N} _.-]+/gu, ' ')
    .trim()
    .slice(0, 64);

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** What all of the lines begin with, as far as it is worth a filter. */
function commonStart(lines: readonly string[]): string {
  let start = lines[0] ?? '';
  for (const line of lines) while (!line.startsWith(start)) start = start.slice(0, -1);
  return /^[^\d{<]{3,40}/.exec(start)?.[0] ?? '';
}

/** How the lines look, as the decoder that reads them. */
function entryFor(lines: readonly string[]): string[] {
  const [first = ''] = lines;
  if (first.startsWith('{')) return ['      decoder: json'];
  const pairs = first.match(/[\w.-]+=/g) ?? [];
  if (pairs.length >= 2) return ['      decoder: key-value'];
  return ['      decoder: regex', "      pattern: '^(?<word>[^ ]+) (?<rest>.*)$'"];
}

/** The names of fields that the first line shows. */
function fieldsIn(lines: readonly string[]): string[] {
  const [first = ''] = lines;
  if (first.startsWith('{')) {
    try {
      return Object.keys(JSON.parse(first) as object);
    } catch {
      return [];
    }
  }
  return [...first.matchAll(/([\w.-]+)=/g)].map(([, name]) => name ?? '');
}

/** A definition to begin with, made for the events of a source where they are known. */
export function templateFor(source: string, lines: readonly string[]): string {
  const name = plain(source) || 'my-source';
  const isJson = lines[0]?.startsWith('{') ?? false;
  const start = commonStart(lines);
  const field = fieldsIn(lines)[0];
  const filters = isJson
    ? ['record-filters:', `  ${field ?? 'type'}: '*'`]
    : ['master-filters:', `  - '${start === '' ? '^.' : `^${escaped(start)}`.replaceAll("'", "''")}'`];
  const keys = fieldsIn(lines)
    .filter((key) => /^[\w.-]+$/.test(key))
    .slice(0, 12);
  const mapping =
    keys.length === 0
      ? ['      event-key-mapping:', '        rest: Message']
      : [
          '      # Which field goes into which column; the others are kept below Ext.',
          '      event-key-mapping:',
          ...keys.map((key) => `        ${key}: Ext.${key}`),
        ];
  return [
    'schema-version: 1',
    `source-name: ${name}`,
    `source-type: ${name}`,
    'source-description: ""',
    'streams: [Generic]',
    ...filters,
    'event-details:',
    '  first-match:',
    '    - name: line',
    ...entryFor(lines),
    ...mapping,
    '      annotate:',
    '        Stream: Generic',
    'fallback:',
    '  annotate:',
    '    Stream: Generic',
    '',
  ].join('\n');
}
