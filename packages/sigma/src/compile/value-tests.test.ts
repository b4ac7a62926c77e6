import { describe, expect, it } from 'vitest';
import { conditionOf, ruleText, verdictOf } from '../testing/rule-text.ts';

const of = (item: string, logSource: string): string => conditionOf(`s:\n  ${item}\ncondition: s`, logSource);
const KUBERNETES = 'product: kubernetes, service: audit';
const NETWORK = 'product: windows, category: network_connection';
const WINDOWS = 'product: windows, category: process_creation';

describe('lists in events', () => {
  it('[T-sigma] a value is that of a field, or an element of its list', () => {
    expect(of("user.groups: 'dev'", KUBERNETES)).toBe(
      'Ext.user.groups =~ "dev" or tostring(Ext.user.groups) matches regex "(?is)^\\\\[(?:.*[,\\\\[])?\\"dev\\"[,\\\\]]"'.replace(
        'tostring(Ext.user.groups)',
        'Ext.user.groups',
      ),
    );
  });

  it('[T-sigma] records of Windows hold none, so nothing is asked of them twice', () => {
    expect(of("FileVersion: 'dev'", WINDOWS)).toBe('Ext.FileVersion =~ "dev"');
  });

  it('[T-sigma] what contains finds in the text of the list anyway is asked once', () => {
    expect(of("user.groups|contains: 'dev'", KUBERNETES)).toBe('Ext.user.groups contains "dev"');
  });

  it('[T-sigma] a name behind a list of maps is looked for in each map', () => {
    const asked = of("target.displayName: 'Console'", 'product: okta, service: okta');
    expect(asked).toContain('Ext.target.displayName =~ "Console"');
    expect(asked).toMatch(/Ext\.target matches regex ".*displayName.*Console/);
  });
});

describe('values below Ext', () => {
  it('[T-sigma] an empty text is there, null is not', () => {
    expect(of("FileVersion: ''", WINDOWS)).toBe(
      'isempty(tostring(Ext.FileVersion)) and not(isnull(Ext.FileVersion))',
    );
    expect(of('FileVersion: null', WINDOWS)).toBe('isnull(Ext.FileVersion)');
    expect(of('FileVersion|exists: yes', WINDOWS)).toBe('not(isnull(Ext.FileVersion))');
  });
});

describe('variants of one value', () => {
  it('[T-sigma] are alternatives also where all values have to match', () => {
    expect(of("CommandLine|contains|all|windash: ['-a', '-b']", WINDOWS)).toBe(
      ['a', 'b']
        .map(
          (flag) =>
            `(${['-', '/', '–', '—', '―'].map((dash) => `CommandLine contains "${dash}${flag}"`).join(' or ')})`,
        )
        .join(' and '),
    );
  });
});

describe('networks', () => {
  it('[T-sigma] several of IPv4 are one test of the address', () => {
    expect(of("DestinationIp|cidr: ['10.0.0.0/8', '192.168.0.0/16', 'fe80::/10']", NETWORK)).toContain(
      'coalesce(ipv4_is_in_any_range(DstIpAddr, "10.0.0.0/8", "192.168.0.0/16"), false) or coalesce(ipv6_is_in_range(DstIpAddr, "fe80::/10"), false)',
    );
    expect(of("DestinationIp|cidr: '10.0.0.0/8'", NETWORK)).toContain(
      'coalesce(ipv4_is_in_range(DstIpAddr, "10.0.0.0/8"), false)',
    );
  });

  it('[T-sigma] and so are several of IPv6', () => {
    expect(of("DestinationIp|cidr: ['fe80::/10', 'fc00::/7']", NETWORK)).toContain(
      'coalesce(ipv6_is_in_any_range(DstIpAddr, "fe80::/10", "fc00::/7"), false)',
    );
  });
});

describe('fields by the names of products', () => {
  it.each([
    ["http.hostname: 'a'", 'DstHostname'],
    ["client.ipAddress: '10.0.0.1'", 'SrcIpAddr'],
    ['eventTime|hour: 3', 'hourofday(TimeGenerated)'],
  ])('[T-sigma] %s reads %s', (item, column) => {
    expect(of(item, 'product: github, service: audit')).toContain(column);
  });

  it('[T-sigma] a field of Windows that is called like a column is also read under its own name', () => {
    expect(of("Operation|contains: 'x'", 'product: windows, service: wmi')).toBe(
      'Operation contains "x" or Ext.Operation contains "x"',
    );
  });

  it('[T-sigma] an address that is mapped into IPv6 is asked for as it is stored', () => {
    expect(of("IpAddress: '::ffff:10.0.0.4'", 'product: windows, service: security')).toContain('"10.0.0.4"');
  });
});

it('[T-sigma] a value of thousands of wildcards is refused', () => {
  const verdict = verdictOf(ruleText(`s:\n  CommandLine: '${'*a'.repeat(2000)}'\ncondition: s`));
  expect(verdict).toMatchObject({ verdict: 'unsupported', code: 'SIG126' });
});
