import { describe, expect, it } from 'vitest';
import { eventSchema } from '../event-schema.ts';
import { boundStagesKql } from './bound-stages.ts';
import { valuePlaceKql } from './value-position.ts';

const schema = eventSchema([{ stream: 'CloudAudit', path: 'request.bucket', type: 'string' }]);
const at = (text: string) => valuePlaceKql(text, text.length, schema);

describe('where a value is written', () => {
  it('is behind a comparison and in the list of in, begun or not', () => {
    const hosts = { field: 'DvcHostname', isText: true, streams: ['Dns'] };
    for (const end of ['== ', '== "w', "=~ 'w", 'has "', 'startswith "', 'in ("a", "b', '!in~ ('])
      expect(at(`Dns | where DvcHostname ${end}`)).toEqual(hosts);
    expect(at('Dns | where tolower(DvcHostname) == "')).toEqual(hosts);
    expect(at('Dns | where EventID in (1, ')).toMatchObject({ field: 'EventID', isText: false });
  });

  it('knows other names of columns and the fields of Ext', () => {
    expect(at('Events | where src_ip == ')).toMatchObject({ field: 'SrcIpAddr', streams: [] });
    for (const field of ['request.bucket', 'Ext.request.bucket', 'Ext["request"].bucket'])
      expect(at(`CloudAudit | where ${field} == "`)).toMatchObject({ field: 'Ext.request.bucket' });
  });

  it('is not elsewhere', () => {
    for (const text of [
      'Dns | where TimeGenerated > ',
      'Dns | where ',
      'Dns | extend own = 1 | where own == ',
      'Dns | where DvcHostname == "a" and ',
    ])
      expect(at(text)).toBeNull();
  });
});

describe('the bound query', () => {
  it('shows each step with the columns that it gives', () => {
    const stages = boundStagesKql(
      'let n = 5;\nCloudAudit | where src_ip == "1" | summarize n = count() by request.bucket | take n',
      schema,
    );
    expect(stages.map(({ kind }) => kind)).toEqual([
      'NameReference',
      'FilterOperator',
      'SummarizeOperator',
      'TakeOperator',
    ]);
    expect(stages[1]?.text).toBe('where SrcIpAddr == "1"');
    expect(stages[2]?.columns?.map(({ name }) => name)).toEqual(['Ext_request_bucket', 'n']);
    expect(boundStagesKql('', schema)).toEqual([]);
    expect(boundStagesKql('print x = 1', schema)[0]?.columns).toEqual([{ name: 'x', type: 'long' }]);
  });
});
