import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeRecord, decodeText } from './decode-event.ts';
import { cloudTrailRecordTexts } from './decoders/cloudtrail.ts';
import { readBulkItems } from './framing/bulk-actions.ts';
import { scanJsonObjects } from './framing/json-values.ts';
import { splitLines } from './framing/split-lines.ts';
import { SyslogStream } from './framing/syslog-stream.ts';
import { readRowBlocks } from './native/read-row-blocks.ts';
import { RowBlock } from './native/row-block.ts';
import { parseJsonRecord } from './normalise/parse-json-record.ts';
import {
  DEEPEST_NESTING,
  jsonFault,
  LONGEST_NAME,
  MAX_ELEMENTS,
  MAX_FIELDS,
  MAX_RECORD_CHARS,
  pairsFault,
  xmlFault,
} from './record-limits.ts';
import { writeRow } from './write-row.ts';

// What anybody may write into a log. Each record becomes exactly one row, whatever it holds.

const NOW = Date.UTC(2026, 0, 15);
const CONTEXT = {
  scope: 's',
  sourceName: 'n',
  sourceAddress: '',
  receivedMs: NOW,
  batchId: '0123456789abcdef',
};

const block = new RowBlock();

/** Decodes and writes one record; answers the row as the store gets it. */
function rowOf(raw: string): Record<string, unknown> & { Ext: Record<string, unknown> } {
  const event = decodeText(raw, NOW);
  writeRow(block, CONTEXT, { event, raw, index: 0, marks: [] });
  const [row] = readRowBlocks(block.take());
  if (row === undefined) throw new Error('no row');
  return { ...row, Ext: JSON.parse(String(row.Ext ?? '{}')) as Record<string, unknown> };
}

/** Halves of surrogate pairs are no text that UTF-8 can write. */
const wellFormed = (text: string) => Buffer.from(text).toString();

const nested = (depth: number, open: string, close: string, core = '1') =>
  `${open.repeat(depth)}${core}${close.repeat(depth)}`;
const arrays = (depth: number) => nested(depth, '[', ']', '');
const objects = (depth: number) => nested(depth, '{"a":', '}');
const xml = (depth: number) =>
  `<Event><System><EventID>1</EventID></System>${nested(depth, '<a>', '</a>', 'x')}</Event>`;
const wide = (fields: number) => `{${Array.from({ length: fields }, (_, n) => `"k${n}":1`).join(',')}}`;

describe('[S06] limits of a record', () => {
  const beyond: readonly (readonly [string, string, string])[] = [
    ['arrays', `{"x":${arrays(100_000)}}`, 'too-deep'],
    ['arrays that never end', `{"x":${'['.repeat(100_000)}`, 'too-deep'],
    ['a bare array', arrays(100_000), 'too-deep'],
    ['objects', objects(100_000), 'too-deep'],
    [
      'objects behind a syslog header',
      `<14>1 2026-01-01T00:00:00Z h a - - - ${objects(100_000)}`,
      'too-deep',
    ],
    ['objects in a collector’s message', JSON.stringify({ message: objects(100_000) }), 'too-deep'],
    [
      'objects in the text of a row of syslog',
      JSON.stringify({ Type: 'Syslog', SyslogMessage: objects(100_000) }),
      'too-deep',
    ],
    ['one level more than allowed', objects(DEEPEST_NESTING + 1), 'too-deep'],
    ['syslog in syslog', '<1>'.repeat(100_000), 'too-deep'],
    ['XML', xml(100_000), 'too-deep'],
    ['many fields', wide(MAX_FIELDS + 1), 'too-many-fields'],
    ['many elements', `{"a":[${'1,'.repeat(MAX_ELEMENTS + 1)}1]}`, 'too-many-elements'],
    ['a long name', `{"${'n'.repeat(LONGEST_NAME + 1)}":1}`, 'too-long-name'],
    ['pairs', 'a=b '.repeat(MAX_FIELDS + 1), 'too-many-fields'],
    ['pairs of an audit log', `type=X msg=audit(1.1:1): ${'a=b '.repeat(MAX_FIELDS + 1)}`, 'too-many-fields'],
    ['pairs of CEF', `CEF:0|a|b|c|d|e|1|${'a=b '.repeat(MAX_FIELDS + 1)}`, 'too-many-fields'],
    ['elements of syslog', `<14>1 - - - - - ${'[a]'.repeat(MAX_FIELDS + 2)} m`, 'too-many-fields'],
    ['XML elements', `<Event><System>${'<a/>'.repeat(MAX_FIELDS + 1)}</System></Event>`, 'too-many-fields'],
  ];
  it.each(beyond)('[S06] keeps %s as text, marked', (_what, text, mark) => {
    const raw = text.slice(0, MAX_RECORD_CHARS);
    const row = rowOf(raw);
    expect(row.ParseStatus).toBe('PER');
    expect(row.Ext.IngestMarks).toContain(mark);
    expect(row.Raw).toBe(raw);
    expect(row.ParseError).not.toBe('');
  });

  it('[S06] reads what is just within the limits', () => {
    for (const text of [objects(DEEPEST_NESTING), wide(MAX_FIELDS), `{"a":${arrays(DEEPEST_NESTING - 1)}}`])
      expect(rowOf(text).ParseStatus).toBe('NLF');
    expect(jsonFault(`{"text":"${'{['.repeat(5_000)}\\"${'{'.repeat(5_000)}"}`)).toBeUndefined();
    expect(xmlFault(xml(DEEPEST_NESTING - 1))).toBeUndefined();
    expect(pairsFault('a=b '.repeat(MAX_FIELDS))).toBeUndefined();
  });

  it('[S06] unfolds no dotted name deeper than the store takes', () => {
    for (const name of ['a.'.repeat(2_000), `x.${'y.'.repeat(19)}z`]) {
      const text = JSON.stringify({ [name]: { [name]: 1 } });
      const row = rowOf(text);
      expect(row.ParseStatus).toBe('NLF');
      expect(jsonFault(JSON.stringify(row.Ext))).toBeUndefined();
    }
  });
});

describe('[S06] texts that take an expression more than one pass', () => {
  // Each took minutes or longer where the expression tried every way of reading them; now all of them together take
  // about a second. What is checked is the row; a decoder that does not end shows as a test that does not.
  const long = (part: string) => part.repeat(Math.floor(900_000 / part.length));
  const slow: readonly (readonly [string, string])[] = [
    ['colons where an address belongs', JSON.stringify({ src_ip: `${long(':')}x` })],
    ['a name without end in an audit log', `type=X msg=audit(1.1:1): ${long('a')}`],
    ['parentheses in an audit log', `type=X msg=audit(1.1:1): ${long('a=( ').slice(0, 39_000)}`],
    ['tags that do not close', `<Event><System><EventID>1</EventID>${long('<EventID ')}</System></Event>`],
    [
      'attributes that do not close',
      `<Event><EventID>1</EventID>${long("<Provider Name='")}</System></Event>`,
    ],
    ['directories of sudo', `<14>h: a : ${long('; TTY=x ; PWD=').slice(0, 130_000)}\n`],
    [
      'commands of sudo',
      `a : TTY=x ; PWD=/ ; USER=r ; COMMAND=${long('; TTY=x ; PWD=/ ; USER=r ; COMMAND=').slice(0, 80_000)}\n`,
    ],
    ['spaces behind PAM', `pam_unix(a:auth): authentication failure;${long(' ')}`],
    ['hosts behind PAM', `pam_unix(a:auth): authentication failure;${long('rhost=').slice(0, 50_000)}`],
    ['spaces in structured data', `<14>1 - - - - - [a${long(' ')}`],
    ['quotes that do not close', `<14>x ${long(' a="\\"').slice(0, 50_000)}`],
    ['backslashes', JSON.stringify({ a: long('\\') })],
    ['long numbers', `{"a":${long('1')}}`],
  ];
  it.each(slow)('[S06] reads %s once', (_what, text) => {
    expect(rowOf(text).Raw).toBe(text);
  });
});

const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc
    .array(
      fc.constantFrom(
        '{',
        '}',
        '[',
        ']',
        '"',
        ':',
        ',',
        '\\',
        '\u0000',
        '\ud800',
        '\udc00',
        '=',
        ' ',
        '\t',
        "'",
        '(',
        ')',
        '|',
        '<',
        '>',
        '/',
        '-',
        '.',
        '%',
        'a',
        '0',
        'e9',
        '<Event>',
        '</System>',
        '<Data Name="a">',
        '<EventID>4688</EventID>',
        '<14>1 ',
        '<191>',
        'CEF:0|',
        'LEEF:2.0|',
        'type=SYSCALL msg=audit(1.2:3): ',
        '"event":',
        '"EventID":',
        '"winlog":',
        '"message":"',
        '"Records":[',
        '"__proto__":',
        '"toString":',
        '"constructor":',
        "msg='",
        '\u001d',
        '2026-01-01T00:00:00Z',
        'Jan  1 00:00:00 ',
        'Failed password for ',
        'null',
        '1e999',
      ),
      { maxLength: 60 },
    )
    .map((parts) => parts.join('')),
);
const FIELD_NAMES = [
  'EventID',
  'EventId',
  'Channel',
  'Event',
  'System',
  'EventData',
  'Data',
  'winlog',
  'event_id',
  'event_data',
  'keywords',
  'process',
  'message',
  'SyslogMessage',
  'log',
  'category',
  'Type',
  'properties',
  'status',
  'Status',
  'userPrincipalName',
  'appDisplayName',
  'eventSource',
  'eventName',
  'awsRegion',
  'userIdentity',
  'sessionContext',
  'Operation',
  'Workload',
  'RecordType',
  'UserId',
  'event',
  '@timestamp',
  'time',
  'ResultType',
  'Hashes',
  'src_ip',
  'Level',
  'Keywords',
  'Direction',
  'Initiated',
  'ObjectType',
  '',
  '.',
  'a.b',
  '__proto__',
  'toString',
  'valueOf',
  'constructor',
  'length',
  '#text',
  '$',
  '@attributes',
] as const;
const hostileJson = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(
      null,
      true,
      0,
      -1,
      4688,
      1e308,
      '',
      '4688',
      'SigninLogs',
      'AuditLogs',
      'Microsoft-Windows-Sysmon/Operational',
      '{"errorCode":[[1]]}',
      '\ud800',
      '-',
    ),
    hostileText,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...FIELD_NAMES), tie('value'), { maxKeys: 8, noNullPrototype: true }),
  ),
})).value;

it('[S06] no name of a field reaches what all objects share', () => {
  const names = ['__proto__.polluted', '__proto__', 'constructor.prototype.polluted', 'a.__proto__.polluted'];
  for (const name of names) {
    rowOf(`{${JSON.stringify(name)}:{"polluted":1}}`);
    rowOf(`{"a":{},${JSON.stringify(name)}:1,"x.y":1}`);
  }
  rowOf('{"event":{"category":"constructor"},"severity":"constructor","outcome":"__proto__"}');
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  expect(rowOf('{"event":{"category":"constructor"}}').Stream).toBe('Generic');
  expect(rowOf('{"__proto__.x":1}').Ext._proto_).toEqual({ x: 1 });
});

describe('[S06] hostile input, generated', () => {
  const runs = { numRuns: 3_000, seed: 6 };

  it('[S06] makes one row of any text, and loses no letter of it', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(rowOf(text).Raw ?? '').toBe(wellFormed(text));
      }),
      runs,
    );
  });

  it('[S06] makes one row of any object, as text and as a value', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...FIELD_NAMES), hostileJson, { maxKeys: 10 }), (record) => {
        const text = JSON.stringify(record);
        expect(rowOf(text).Raw ?? '').toBe(wellFormed(text));
        const event = decodeRecord(parseJsonRecord(text) as Record<string, unknown>, NOW);
        expect(['PAD', 'PER', 'NLF']).toContain(event.status);
      }),
      runs,
    );
  });

  it('[S06] cuts any bytes into lines, items, envelopes and messages', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 300 }),
        fc.array(hostileText, { maxLength: 6 }),
        (bytes, texts) => {
          const body = `${texts.join('\n')}${Buffer.from(bytes).toString('utf8')}`;
          const lines = [...splitLines(body)];
          expect([...readBulkItems(body, '')].length).toBeLessThanOrEqual(lines.length + 1);
          for (const { start, end } of scanJsonObjects(body).slices) expect(end).toBeGreaterThan(start);
          cloudTrailRecordTexts(`{"Records":${body}`);
          const stream = new SyslogStream();
          const chunk = Buffer.concat([bytes, Buffer.from(texts.join(''))]);
          const messages = [
            ...stream.push(chunk.subarray(0, 7)),
            ...stream.push(chunk.subarray(7)),
            ...stream.end(),
          ];
          expect(messages.reduce((sum, one) => sum + one.bytes.length, 0)).toBeLessThanOrEqual(chunk.length);
        },
      ),
      runs,
    );
  });
});
