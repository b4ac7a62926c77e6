import { describe, expect, it } from 'vitest';
import { eventSchema } from '../event-schema.ts';
import { classifyKql } from './classify-kql.ts';
import { completeKql } from './complete-kql.ts';
import { diagnoseKql } from './diagnose-kql.ts';
import { formatKql } from './format-kql.ts';
import { hoverKql } from './hover-kql.ts';

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
    expect(found).not.toContain('make-graph');
  });

  it('offers columns, fields seen in the data and functions that compile', () => {
    const found = labels('Dns | where ');
    expect(found).toEqual(expect.arrayContaining(['DnsQuery', 'Ext.RuleName', 'tolower']));
    expect(found).not.toContain('series_fft');
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

describe('reading a text', () => {
  it('tells tables, operators, columns and literals apart', () => {
    const kinds = classifyKql("Dns | where DnsQuery has 'x'", schema).map((one) => one.kind);
    expect(kinds).toEqual(expect.arrayContaining(['table', 'keyword', 'column', 'string']));
  });

  it('explains columns, streams and functions', () => {
    expect(hoverKql('Dns | where DnsQuery == 1', 14, schema)).toContain('Name that was asked for');
    expect(hoverKql('Dns | where src_ip == 1', 14, schema)).toContain('src_ip is SrcIpAddr');
    expect(hoverKql('Dns | extend x = tolower(DnsQuery)', 20, schema)).toContain('tolower(string)');
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
