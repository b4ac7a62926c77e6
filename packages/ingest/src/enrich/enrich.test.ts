import { describe, expect, it } from 'vitest';
import { newEvent } from '../event-row.ts';
import { packEnrichmentSet, readEnrichmentSet, type SetTable } from './enrichment-set.ts';
import { EventEnricher } from './event-enricher.ts';
import { GeoDatabase } from './geo-database.ts';
import { KEY_KINDS, type KeyEntry, KeyTable, packKeyTable } from './key-table.ts';
import { packGeoDatabase } from './pack-geo-database.ts';
import { parseTable } from './parse-table.ts';
import { IPV6_WORDS, readIpv4, readIpv6, readNetwork } from './read-address.ts';
import { indicatorEntry, readIndicators } from './read-indicators.ts';
import { lookupEntries, networkEntries, prefixesOf, readLookupRows, readNetworks } from './read-lookups.ts';
import { hostOfUrl, urlKey } from './url-parts.ts';

const NOW = Date.UTC(2026, 5, 1);

describe('addresses', () => {
  it('[T-enrichment] are read as numbers, and nothing else is', () => {
    expect(['0.0.0.0', '255.255.255.255', '10.1.2.3'].map(readIpv4)).toEqual([0, 4_294_967_295, 167_838_211]);
    for (const text of ['256.1.1.1', '1.2.3', '1.2.3.4.5', '1..2.3', ' 1.2.3.4', '1.2.3.4a', '', '::1'])
      expect(readIpv4(text), text).toBe(-1);
    const words = (text: string) =>
      readIpv6(text) ? [...IPV6_WORDS].map((word) => word.toString(16)) : null;
    expect(words('2001:db8::ff00:42:8329')).toEqual(['20010db8', '0', 'ff00', '428329']);
    expect(words('::')).toEqual(['0', '0', '0', '0']);
    expect(words('::ffff:1.2.3.4')).toEqual(['0', '0', 'ffff', '1020304']);
    expect(words('1:2:3:4:5:6:7:8')).toEqual(['10002', '30004', '50006', '70008']);
    for (const text of ['1:2:3:4:5:6:7', ':::', '1:2:3:4:5:6:7:8:9', 'g::1', '12345::', 'hello', '1.2.3.4'])
      expect(words(text), text).toBeNull();
  });

  it('[T-enrichment] networks lose the bits behind their prefix', () => {
    expect(readNetwork('10.1.2.3/8')).toEqual({ family: 4, prefix: 8, words: [0x0a000000] });
    expect(readNetwork('10.1.2.3')?.prefix).toBe(32);
    expect(readNetwork('2001:db8:1::/33')?.words).toEqual([0x20010db8, 0, 0, 0]);
    for (const text of ['10.1.2.3/33', '10.1.2.3/', '10.1.2.3/x', 'pc-1/8'])
      expect(readNetwork(text)).toBeNull();
  });
});

describe('a table of keys', () => {
  const table = (...entries: KeyEntry[]) => new KeyTable(packKeyTable(entries));
  const text = (key: string, value = '1') => ({ kind: KEY_KINDS.text, key, value });

  it('[T-enrichment] finds each of many keys by its letters, large or small, and no other', () => {
    const all = Array.from({ length: 5_000 }, (_, n) => text(`Key-${n}`, JSON.stringify(n % 7)));
    const keys = table(...all, text('Ünicode ключ'));
    for (let n = 0; n < 5_000; n += 13) {
      const entry = keys.find(KEY_KINDS.text, `kEY-${n}`);
      expect([keys.keyOf(entry), keys.valueOf(entry)]).toEqual([`key-${n}`, n % 7]);
      expect(keys.find(KEY_KINDS.text, `key-${n}x`)).toBe(-1);
      expect(keys.find(KEY_KINDS.hash, `key-${n}`)).toBe(-1);
    }
    expect(keys.find(KEY_KINDS.text, 'üNICODE КЛЮЧ')).toBe(5_000);
    expect(table().find(KEY_KINDS.text, '')).toBe(-1);
  });

  it('[T-enrichment] keeps the last value of a key, and equal values once', () => {
    const keys = table(text('a', '1'), text('A', '2'));
    expect([keys.entries, keys.valueOf(keys.find(KEY_KINDS.text, 'a'))]).toEqual([1, 2]);
    const value = JSON.stringify({ label: 'x'.repeat(1_000) });
    const bytes = packKeyTable(Array.from({ length: 100 }, (_, n) => text(`k${n}`, value))).length;
    expect(bytes).toBeLessThan(10_000);
  });

  it('[T-enrichment] finds a domain by itself and by those above it, never by a part of a label', () => {
    const domain = (key: string) => ({ kind: KEY_KINDS.domain, key, value: '1' });
    const keys = table(domain('evil.example'), domain('a.evil.example'));
    const found = (name: string) => {
      const entry = keys.findDomain(name);
      return entry < 0 ? null : keys.keyOf(entry);
    };
    expect(found('x.Evil.example')).toBe('evil.example');
    expect(found('b.a.evil.example')).toBe('a.evil.example');
    expect(found('a.evil.example')).toBe('a.evil.example');
    expect([found('notevil.example'), found('example'), found(''), found('evil.example.org')]).toEqual([
      ...[null, null, null, null],
    ]);
  });
});

describe('what is uploaded', () => {
  const read = (content: string, format: 'lines' | 'csv' | 'stix') =>
    readIndicators(content, format, { confidence: 40 });

  it('[T-enrichment] lines may be written defanged and with remarks; what is none is told with its line', () => {
    const list = [
      ...['# feed', '1.2.3.4', 'evil[.]example  # c2', 'hxxp://evil.example/a/', 'me@evil.example'],
      ...['d41d8cd98f00b204e9800998ecf8427e', '2001:db8::/32', '', 'no indicator'],
    ].join('\n');
    const { entries, faults } = read(list, 'lines');
    expect(entries.map(({ type, key }) => `${type} ${key}`)).toEqual([
      'ip 4/32/01020304',
      'domain evil.example',
      'url evil.example/a',
      'email me@evil.example',
      'hash d41d8cd98f00b204e9800998ecf8427e',
      'ip 6/32/20010db8000000000000000000000000',
    ]);
    expect(faults).toEqual([{ line: 9, reason: 'no-indicator', text: 'no indicator' }]);
  });

  it('[T-enrichment] CSV says confidence, expiry and label; a wrong time is told and not guessed', () => {
    const csv = 'ioc;score;valid_until;label\n1.2.3.4;high;2027-01-01;"a; b"\n1.2.3.5;;soon;\n1.2.3.6;120;;';
    const { entries, faults } = read(csv, 'csv');
    expect(entries).toMatchObject([
      { confidence: 90, until: Date.UTC(2027, 0, 1), label: 'a; b' },
      { confidence: 100 },
    ]);
    expect(faults).toEqual([{ line: 3, reason: 'no-time', text: 'soon' }]);
  });

  it('[T-enrichment] STIX 2.1 gives the values of its patterns; one that says more is refused, not bent', () => {
    const indicator = (pattern: string, more = {}) => ({ type: 'indicator', pattern, name: 'N', ...more });
    const objects = [
      indicator("[ipv4-addr:value = '1.2.3.4' OR domain-name:value = 'evil.example']", { confidence: 85 }),
      indicator(
        "[file:hashes.'SHA-256' = 'E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855']",
      ),
      indicator("[ipv4-addr:value = '1.2.3.4' AND domain-name:value = 'x.example']"),
      indicator("[ipv4-addr:value = '9.9.9.9']", { revoked: true }),
      { type: 'malware', name: 'M' },
    ];
    const { entries, faults } = read(JSON.stringify({ type: 'bundle', objects }), 'stix');
    expect(entries.map(({ type, confidence, label }) => [type, confidence, label])).toEqual([
      ...[['ip', 85, 'N'] as const, ['domain', 85, 'N'] as const, ['hash', 40, 'N'] as const],
    ]);
    expect(faults.map(({ line, reason }) => [line, reason])).toEqual([[3, 'unsupported-pattern']]);
    expect(read('{', 'stix').faults[0]?.reason).toBe('malformed');
  });

  it('[T-enrichment] tables may hold separators, quotes and line breaks in cells', () => {
    const { head, rows } = parseTable('\ufeff# remark\na,b\r\n"1, ""x""\ny",2\n\n3,');
    expect(head).toEqual(['a', 'b']);
    expect(rows).toEqual([
      { line: 3, cells: ['1, "x"\ny', '2'] },
      { line: 6, cells: ['3', ''] },
    ]);
  });

  it('[T-enrichment] urls are compared without scheme, fragment and the slash at the end', () => {
    expect(urlKey('HTTPS://evil.example/a/?q=1#x')).toBe('evil.example/a/?q=1');
    expect(
      ['https://u:p@evil.example:8080/x', 'evil.example?q', 'http://[2001:db8::1]/'].map(hostOfUrl),
    ).toEqual([...['evil.example', 'evil.example', '2001:db8::1']]);
  });
});

describe('enriching', () => {
  const geo = new GeoDatabase(
    packGeoDatabase({
      version: 'v1',
      countryV4: Buffer.from('134744064,134744319,US\n'),
      countryV6: Buffer.from('2001:db8::,2001:db8:ffff:ffff:ffff:ffff:ffff:ffff,NO\n'),
      asnV4: Buffer.from('134744064,134744319,15169,"Google, ""LLC"""\n'),
      countryNames: { US: 'United States', NO: 'Norway' },
    }),
  );
  const about = (
    kind: SetTable['kind'],
    name: string,
    entries: readonly KeyEntry[],
    columns: string[] = [],
  ) => ({
    ...{ id: name, name, kind, version: 3, columns, prefixes: prefixesOf(entries) },
    image: packKeyTable(entries),
  });
  const list = (name: string, text: string) =>
    about('indicators', name, readIndicators(text, 'csv', { confidence: 50 }).entries.map(indicatorEntry));
  const enricher = (...tables: Parameters<typeof packEnrichmentSet>[1][number][]) =>
    new EventEnricher(geo, readEnrichmentSet(packEnrichmentSet('1', tables)));
  const enriched = (one: EventEnricher, columns: Record<string, string | number>, time?: number) => {
    const event = { ...newEvent('test', 'Generic'), columns: { ...columns }, ...(time ? { time } : {}) };
    one.enrich(event, NOW);
    return event;
  };

  it('[T-enrichment] gives country, system and kind of an address, and keeps what the source said', () => {
    const { columns } = enriched(new EventEnricher(geo), { SrcIpAddr: '8.8.8.8', DstIpAddr: '2001:DB8::5' });
    expect(columns).toMatchObject({
      ...{ SrcIpType: 'PUBLIC', SrcGeoCountry: 'United States', SrcAsn: 15169 },
      ...{ SrcAsOrganization: 'Google, "LLC"', DstGeoCountry: 'Norway', EnrichedBy: 'geo@v1' },
    });
    const told = enriched(new EventEnricher(geo), { SrcIpAddr: '8.8.8.8', SrcGeoCountry: 'Mars' });
    expect(told.columns.SrcGeoCountry).toBe('Mars');
    for (const address of ['127.0.0.1', '172.31.0.1', 'fe80::1', '::1'])
      expect(enriched(new EventEnricher(geo), { SrcIpAddr: address }).columns.SrcIpType).toBe('PRIVATE');
    expect(enriched(new EventEnricher(geo), { SrcIpAddr: 'localhost' }).columns).toEqual({
      SrcIpAddr: 'localhost',
    });
  });

  it('[T-enrichment] the narrowest network of the tenant wins, also over the database', () => {
    const csv = 'network,site,country\n8.0.0.0/8,Wide,Sweden\n8.8.8.0/24,Narrow,Norway\n';
    const one = enricher(about('networks', 'Sites', networkEntries(readNetworks(csv).entries)));
    expect(enriched(one, { SrcIpAddr: '8.8.8.8', DstIpAddr: '8.1.1.1' }).columns).toMatchObject({
      ...{ SrcSite: 'Narrow', SrcGeoCountry: 'Norway', SrcAsn: 15169, DstSite: 'Wide' },
      EnrichedBy: 'geo@v1 networks/Sites@3',
    });
    expect(one.takeHits()).toEqual({ Sites: [2, 2] });
    expect(one.takeHits()).toEqual({});
  });

  it('[T-enrichment] of several matches the most confident fills the columns, and each is told', () => {
    const one = enricher(
      list('Low', 'ioc,confidence,label\n8.8.8.0/24,20,Scanner'),
      list('High', 'ioc,confidence,label,until\nevil.example,90,Botnet,\n8.8.8.8,99,Old,2020-01-01'),
    );
    const { columns, ext } = enriched(one, { SrcIpAddr: '8.8.8.8', DnsQuery: 'x.evil.example.' });
    expect(columns).toMatchObject({
      ...{ ThreatIndicator: 'evil.example', ThreatField: 'DnsQuery', ThreatList: 'High' },
      ...{ ThreatConfidence: 90, ThreatCategory: 'Botnet' },
    });
    expect((ext.Enrichment as { Trace: string[] }).Trace).toEqual([
      '["indicators","Low",3,"SrcIpAddr","8.8.8.8"]',
      '["indicators","High",3,"DnsQuery","x.evil.example."]',
    ]);
    expect(enriched(one, { SrcIpAddr: '9.9.9.9' }).columns.ThreatIndicator).toBeUndefined();
  });

  it('[T-enrichment] a row holds from its first moment to before its last, by the time of the event', () => {
    const csv = 'host,owner,valid_from,valid_until\npc,Ann,2026-01-01,2026-02-01\npc,Bob,2026-02-01,\n';
    const entries = lookupEntries(readLookupRows(csv).entries);
    const one = enricher(about('assets', 'Inventory', entries, ['DvcHostname']));
    const owner = (time: number) => {
      const { Enrichment } = enriched(one, { DvcHostname: 'PC' }, time).ext as {
        Enrichment?: { Inventory: { DvcHostname: { owner: string } } };
      };
      return Enrichment?.Inventory.DvcHostname.owner ?? null;
    };
    const at = [Date.UTC(2025, 11, 31), Date.UTC(2026, 0, 1), Date.UTC(2026, 1, 1) - 1, Date.UTC(2026, 1, 1)];
    expect(at.map(owner)).toEqual([null, 'Ann', 'Ann', 'Bob']);
  });

  it('[T-enrichment] nobody can send what only ingest says', () => {
    const event = {
      ...newEvent('test', 'Generic'),
      columns: { EnrichedBy: 'forged' },
      ext: { Enrichment: { Trace: ['forged'] } },
    };
    new EventEnricher(geo).enrich(event, NOW);
    expect(event).toMatchObject({ columns: {}, ext: { SourceEnrichment: { Trace: ['forged'] } } });
    expect(event.columns).toEqual({});
  });
});
