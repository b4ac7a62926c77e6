import { describe, expect, it } from 'vitest';
import { eventSchema } from '../event-schema.ts';
import { classifyKql } from './classify-kql.ts';
import { completeKql } from './complete-kql.ts';
import { diagnoseKql } from './diagnose-kql.ts';
import { ENGLISH_WORDS } from './editor-words.ts';
import { formatKql } from './format-kql.ts';
import { hoverKql } from './hover-kql.ts';
import { namePositions } from './name-positions.ts';
import { signatureKql } from './signature-kql.ts';

const schema = eventSchema([
  { stream: 'Dns', path: 'RuleName', type: 'string' },
  { stream: 'CloudAudit', path: 'request.bucket', type: 'string' },
]);

const labels = (text: string): string[] =>
  completeKql(text, text.length, schema).suggestions.map((one) => one.label);

describe('completion', () => {
  it('offers streams where a table stands', () => {
    expect(labels('')).toEqual(expect.arrayContaining(['Dns', 'ProcessEvent', 'Events']));
  });

  it('offers operators that compile after a pipe, and none that does not', () => {
    const found = labels('Dns | ');
    expect(found).toEqual(expect.arrayContaining(['where', 'summarize', 'mv-expand']));
    expect(found).not.toContain('reduce');
  });

  it('offers columns, fields seen in the data and functions that compile', () => {
    const found = labels('Dns | where ');
    expect(found).toEqual(expect.arrayContaining(['DnsQuery', 'Ext.RuleName', 'tolower']));
    expect(found).not.toContain('cursor_after');
  });

  it('[R-F17] offers == before what few people write, and tables with events before all others', () => {
    expect(labels('Dns | where DnsQuery ').slice(0, 4)).toEqual(['==', '!=', 'has', 'contains']);
    expect(labels('Dns | where EventID ').slice(0, 3)).toEqual(['==', '!=', '>']);
    const tables = completeKql(
      '',
      0,
      schema,
      new Map([['X', { name: 'X', type: 'string', example: '', streams: ['Dns'] }]]),
    );
    expect(
      tables.suggestions
        .slice(0, 2)
        .map((one) => one.label)
        .sort(),
    ).toEqual(['Dns', 'Events']);
  });

  it('tells of count what it is at its place: a step, or an aggregation', () => {
    const infoAt = (text: string) =>
      completeKql(text, text.length, schema).suggestions.find(({ label }) => label === 'count')?.info;
    expect(infoAt('Dns | coun')).toContain('| count');
    expect(infoAt('Dns | summarize coun')).toBe('Number of rows in the group.');
  });

  it('offers what was seen below Ext', () => {
    const completion = completeKql('CloudAudit | where Ext.request.b', 32, schema);
    expect(completion.suggestions.map((one) => one.label)).toEqual(['bucket']);
    expect(completion.span).toEqual({ start: 31, end: 32 });
  });

  it('offers the names of other vocabularies for a column', () => {
    const found = completeKql('Dns | where src_i', 17, schema).suggestions.find(
      (one) => one.label === 'src_ip',
    );
    expect(found?.insertBefore).toBe('SrcIpAddr');
  });
});

describe('what the data shows', () => {
  const facts = new Map([
    [
      'Ext.request.bucket',
      { name: 'Ext.request.bucket', type: 'string', example: 'backups', streams: ['CloudAudit'] },
    ],
    ['DnsQuery', { name: 'DnsQuery', type: 'string', example: 'example.org', streams: ['Dns'] }],
  ]);

  it('stands beside columns and nested fields: type and an example', () => {
    const below = completeKql('CloudAudit | where Ext.request.b', 32, schema, facts).suggestions[0];
    expect(below).toMatchObject({ detail: 'string · backups', info: 'Seen in CloudAudit' });
    const column = completeKql('Dns | where ', 12, schema, facts).suggestions[0];
    expect(column).toMatchObject({ label: 'DnsQuery', detail: 'string · example.org' });
  });
});

describe('calls and names', () => {
  it('says what a function takes', () => {
    const help = signatureKql('print substring("a", 1', 'substring', 1);
    expect(help?.forms[0]?.parameters.map(({ label }) => label)).toEqual(['string', 'start', 'length?']);
    expect(help?.note).toContain('Part of a text');
    expect(signatureKql('let f = (a: long, b: string) { a };', 'f', 0)?.forms[0]?.text).toBe(
      'f(a: long, b: string)',
    );
    expect(signatureKql('', 'nope', 0)).toBeNull();
  });

  it('finds every place of a let, and nothing for a column', () => {
    const text = 'let a = 5;\nDns | where EventID == a | take a';
    const found = namePositions(text, text.lastIndexOf('a'), schema);
    expect(found?.name).toBe('a');
    expect(found?.places.map(({ start }) => start)).toEqual([4, text.indexOf('a |'), text.lastIndexOf('a')]);
    expect(namePositions(text, text.indexOf('EventID') + 2, schema)).toBeNull();
  });

  it('explains operators and comparisons', () => {
    expect(hoverKql('Dns | mv-expand Ext', 8, schema)).toContain('one row for each value');
    expect(hoverKql('Dns | where DnsQuery has "x"', 22, schema)).toContain('whole term');
  });
});

describe('the words of another language', () => {
  const words = {
    ...ENGLISH_WORDS,
    columns: { DnsQuery: 'Nom de domaine demandé' },
    functions: { tolower: 'Texte en minuscules.' },
    operators: { take: 'Renvoie des lignes.' },
    labels: { alias: '{{alias}} correspond à {{column}}', seenIn: 'Vu dans {{streams}}' },
  };
  const facts = new Map([
    ['DnsQuery', { name: 'DnsQuery', type: 'string', example: 'example.org', streams: ['Dns'] }],
  ]);
  const hover = (text: string, position: number) => hoverKql(text, position, schema, facts, words);

  it('[R-D] are said by hover, by completion and beside a call', () => {
    expect(hover('Dns | where DnsQuery == 1', 14)).toContain('\nNom de domaine demandé\n');
    expect(hover('Dns | where query == 1', 14)).toContain('query correspond à DnsQuery');
    expect(hover('Dns | take 5', 7)).toBe('Renvoie des lignes.\n| take 100');
    expect(hover('print tolower("a")', 8)).toContain('Texte en minuscules.');
    expect(signatureKql('', 'tolower', 0, [], words)?.note).toBe('Texte en minuscules.');
    const { suggestions } = completeKql('Dns | where ', 12, schema, facts, words);
    const column = suggestions.find(({ label }) => label === 'DnsQuery');
    expect(column?.info).toContain('Nom de domaine demandé\nVu dans Dns');
  });

  it('[R-D] have the English of what they lack, and nothing for names of JavaScript', () => {
    expect(hover('Dns | where SrcPortNumber == 1', 14)).toContain('Source port');
    expect(hover('Dns | where constructor == 1', 14) ?? '').not.toContain('native code');
  });
});

describe('reading a text', () => {
  it('tells tables, operators, columns and literals apart', () => {
    const kinds = classifyKql("Dns | where DnsQuery has 'x'", schema).map((one) => one.kind);
    expect(kinds).toEqual(expect.arrayContaining(['table', 'keyword', 'column', 'string']));
  });

  it('explains columns, streams and functions', () => {
    expect(hoverKql('Dns | where DnsQuery == 1', 14, schema)).toContain('Domain name that was queried');
    expect(hoverKql('Dns | where src_ip == 1', 14, schema)).toContain('src_ip is SrcIpAddr');
    expect(hoverKql('Dns | extend x = tolower(DnsQuery)', 20, schema)).toMatch(
      /tolower\(.*\nA text in lower case/,
    );
  });

  it('explains well-known tables, and the union of all streams', () => {
    expect(hoverKql('SecurityEvent | take 1', 3, schema)).toBe('SecurityEvent\nWindows security log');
    expect(hoverKql('Events | take 1', 3, schema)).toContain('All events');
    const [table] = completeKql('SecurityEv', 10, schema).suggestions.filter(
      ({ label }) => label === 'SecurityEvent',
    );
    expect(table?.info).toBe('Windows security log');
  });

  it('tells one slip once', () => {
    const text = 'Events | whre EventID == 1 | summarize count() by Stream';
    expect(diagnoseKql(text, schema, new Date(0)).map((one) => one.code)).toEqual(['KS176']);
  });

  it('lays a text out', () => {
    expect(formatKql('Dns|where  DnsQuery=="x"|take 5', schema)?.split('\n')).toHaveLength(3);
  });

  it('marks mistakes and refusals at their place', () => {
    const [mistake] = diagnoseKql('Dns | where series_fft(DnsQuery) == 1', schema, new Date(0));
    expect(mistake?.severity).toBe('error');
    expect(diagnoseKql('Dns | take 5', schema, new Date(0))).toEqual([]);
  });
});
