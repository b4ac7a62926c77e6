import { describe, expect, it } from 'vitest';
import { branchesIn } from './kql-branches.ts';

describe('the queries that a text runs', () => {
  it('are its queries, one each', () => {
    expect(branchesIn('// Names\nDns | take 5\n\nEvents | count')).toEqual([
      { text: 'Dns | take 5', title: 'Names' },
      { text: 'Events | count', title: 'Events | count' },
    ]);
  });

  it('are the branches of fork over the same rows', () => {
    const text =
      'let n = 5;\nDns\n| where DnsQuery != ")"\n| fork (take n) hosts=(summarize count() by DvcHostname)';
    expect(branchesIn(text)).toEqual([
      { text: 'let n = 5;\nDns\n| where DnsQuery != ")"\n| take n', title: 'Table_1' },
      {
        text: 'let n = 5;\nDns\n| where DnsQuery != ")"\n| summarize count() by DvcHostname',
        title: 'hosts',
      },
    ]);
  });

  it('are the counts of facet, and what its pipe gives before them', () => {
    expect(branchesIn('Dns | facet by Stream, DvcHostname with (take 5 | project DnsQuery)')).toEqual([
      { text: 'Dns\n| take 5 | project DnsQuery', title: 'with' },
      { text: 'Dns\n| summarize count_Stream = count() by Stream', title: 'Stream' },
      { text: 'Dns\n| summarize count_DvcHostname = count() by DvcHostname', title: 'DvcHostname' },
    ]);
  });

  it('is the text as it stands when the brackets are not closed', () => {
    expect(branchesIn('Dns | fork (take 5')).toHaveLength(1);
    expect(branchesIn('fork')).toHaveLength(1);
  });
});
