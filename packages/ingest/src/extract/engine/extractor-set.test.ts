import { describe, expect, it } from 'vitest';
import { decodeText } from '../../decode-event.ts';
import { readExtractor } from '../language/read-extractor.ts';
import { compileExtractors } from './extractor-set.ts';
import { simulate } from './simulate.ts';

const NOW = Date.UTC(2026, 0, 10);

const DOOR = `
schema-version: 1
source-name: door-reader
source-type: Access control
streams: [Authentication, AuditEvent]
master-filters: ['^DOOR ']
annotate: { EventVendor: Acme, EventProduct: Door }
time: { field: at, format: 'dd.MM.yyyy HH:mm:ss', zone: '+02:00' }
event-details:
  first-match:
    - name: badge
      decoder: regex
      pattern: '^DOOR (?<at>[0-9.]+ [0-9:]+) badge=(?<who>\\w+) (?<result>\\w+) at (?<place>\\w+)$'
      event-key-mapping: { who: TargetUsername, result: EventResult, place: [Object, Ext.room] }
      annotate: { Stream: Authentication, EventType: Logon }
      translate: { EventResult: { ok: Success, '*': Failure } }
    - name: pairs
      decoder: key-value
      separator: ';'
      assign: ':'
      event-key-mapping: { door: Object }
      annotate: { Stream: AuditEvent }
fallback: { annotate: { Stream: AuditEvent } }
`;

const APP = `
schema-version: 1
source-name: shop
source-type: Application
streams: [AuditEvent]
record-filters: { app: shop, kind: '/^audit\\./' }
event-details:
  first-match:
    - decoder: json
      event-key-mapping: { user.name: ActorUsername, 'items[].id': Object, when: Ext.moment }
      time: { field: when }
fallback: built-in
`;

const kindsOf = (yaml: string) => readExtractor(yaml).faults.map(({ code }) => code);

describe('extractors', () => {
  it('[T-extractors] read text by pattern and pairs, and say which one read it', () => {
    const samples = [
      'DOOR 05.01.2026 10:00:00 badge=ada ok at lab',
      'DOOR 05.01.2026 10:00:00 badge=eve denied at lab',
      'DOOR door:7;alarm:on',
      'DOOR burns',
      'WINDOW open',
    ];
    const seen = simulate({ id: 10_001, yaml: DOOR }, samples, NOW);
    expect(seen.map(({ reach, stream, entry, status }) => [reach, stream, entry, status])).toEqual([
      ['read', 'Authentication', 'badge', 'PAD'],
      ['read', 'Authentication', 'badge', 'PAD'],
      ['read', 'AuditEvent', 'pairs', 'PAD'],
      ['fallback', 'AuditEvent', null, 'NLF'],
      ['not-taken', 'Generic', null, 'NLF'],
    ]);
    expect(seen[0]?.columns).toMatchObject({
      TargetUsername: 'ada',
      EventResult: 'Success',
      Object: 'lab',
      EventVendor: 'Acme',
    });
    expect(seen[0]?.ext).toMatchObject({ room: 'lab', result: 'ok' });
    expect(seen[0]?.time).toBe(Date.UTC(2026, 0, 5, 8));
    expect(seen[1]?.columns.EventResult).toBe('Failure');
    expect(seen[2]?.ext).toMatchObject({ alarm: 'on' });
    expect(seen[3]?.columns.Message).toBe('DOOR burns');
  });

  it('[T-extractors] read JSON by paths and lists, before the built-in decoders and behind syslog alike', () => {
    const extractors = compileExtractors([{ id: 10_002, yaml: APP }]);
    const record = {
      app: 'shop',
      kind: 'audit.order',
      user: { name: 'ada', age: 3 },
      items: [{ id: 'a' }, { id: 'b' }],
      when: '2026-01-02T03:04:05Z',
    };
    const text = JSON.stringify(record);
    for (const line of [text, `<13>Jan  5 10:00:00 web shop: ${text}`, JSON.stringify({ message: text })]) {
      const event = decodeText(line, NOW, { extractors });
      expect(event).toMatchObject({
        extractorId: 10_002,
        sourceType: 'shop',
        stream: 'AuditEvent',
        status: 'PAD',
      });
      expect(event.columns).toMatchObject({ ActorUsername: 'ada', Object: 'a,b' });
      expect(event.ext.user).toEqual({ age: 3 });
      expect(event.time).toBe(Date.UTC(2026, 0, 2, 3, 4, 5));
    }
    const other = decodeText(JSON.stringify({ ...record, kind: 'trace' }), NOW, { extractors });
    expect(other.extractorId).toBeUndefined();
  });

  it('[T-extractors] that are broken say where, by code, line and what was meant', () => {
    const { extractor, faults } = readExtractor(DOOR.replace('TargetUsername', 'TargetUserName'));
    expect(extractor).toBeNull();
    expect(faults.map(({ code, line }) => [code, line])).toEqual(
      expect.arrayContaining([['unknown-column-meant', 14]]),
    );
    expect(kindsOf('a: [')).toEqual(['not-yaml', 'not-yaml'].slice(0, kindsOf('a: [').length));
    expect(kindsOf('- a')).toEqual(['not-a-map']);
    expect(kindsOf('x: &a 1\ny: *a')).toContain('alias');
    expect(kindsOf(`a: ${'['.repeat(5_000)}`)).toEqual(['too-deep']);
    expect(kindsOf(DOOR.replace("'^DOOR '", "'(?=x)'"))).toContain('bad-pattern');
    expect(kindsOf(DOOR.replace('source-name', 'source-nam'))).toEqual(
      expect.arrayContaining(['unknown-key-meant', 'key-missing']),
    );
    expect(kindsOf(DOOR.replace('Stream: AuditEvent } }', 'Stream: Dns } }'))).toContain('stream-not-listed');
    expect(kindsOf(DOOR.replace('place: [Object', 'place: [Raw'))).toContain('our-column');
    const grok = DOOR.replace('decoder: regex', 'decoder: grok').replace('(?<who>\\w+)', '%{USER:who}');
    expect(readExtractor(grok).faults).toEqual([]);
    expect(kindsOf(grok.replace('USER', 'USR'))).toContain('unknown-grok');
  });

  it('[T-data-model] name the streams of their tenant beside those that every tenant has', () => {
    const yaml = DOOR.replaceAll('AuditEvent', 'DoorEvent');
    expect(kindsOf(yaml)).toContain('unknown-stream');
    expect(readExtractor(yaml, { streams: ['DoorEvent'] }).faults).toEqual([]);
    const set = compileExtractors([{ id: 10_001, yaml, added: { streams: ['DoorEvent'] } }]);
    expect(decodeText('DOOR door:7;alarm:on', NOW, { extractors: set }).stream).toBe('DoorEvent');
  });

  it('[T-data-model] map to the fields that their tenant added to their streams; values stand where queries read them', () => {
    const yaml = DOOR.replace('TargetUsername', 'BadgeHolder');
    expect(kindsOf(yaml)).toContain('unknown-column');
    const added = (stream: string) => ({ fields: [{ stream, name: 'BadgeHolder' }] });
    expect(readExtractor(yaml, added('Dns')).faults.map(({ code }) => code)).toContain('unknown-column');
    expect(readExtractor(yaml, added('AuditEvent')).faults).toEqual([]);
    const set = compileExtractors([{ id: 10_001, yaml, added: added('AuditEvent') }]);
    const { ext, columns } = decodeText('DOOR 05.01.2026 10:00:00 badge=ada ok at lab', NOW, {
      extractors: set,
    });
    expect([ext.BadgeHolder, columns.TargetUsername]).toEqual(['ada', undefined]);
  });
});
