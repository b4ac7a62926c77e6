import type { SignalBody } from '@tyrian/contract';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { KEPT_EVENT_UIDS } from './anchored-rows.ts';
import { mergeOccurrences, type Occurrence, OccurrenceCollector } from './occurrence.ts';

const RULE = { clusterId: 'c', scopeId: 's', workbookId: 'w' };
const FROM = Date.UTC(2026, 10, 28, 3);
const WINDOW = { from: FROM, to: FROM + 60_000 };
const SIGNAL = {
  name: '_$User_ ran _$Ext.Task_',
  suspects: [{ type: 'account', field: 'User' }],
  targets: [{ type: 'host', field: 'Ext.Host' }],
} as unknown as SignalBody;

const wireTime = (ms: number): string => `${new Date(ms).toISOString().slice(0, -1)}0000Z`;
const time = fc.integer({ min: FROM - 5_000, max: FROM + 59_999 }).map(wireTime);
const name = fc.constantFrom('bob', ' bob', 'eve', '', null, 'a\0b', '\uD800');
const uid = fc.integer({ min: 0, max: 400 }).map((n) => `uid-${n}`);
const times = {
  TimeGenerated: fc.option(time, { nil: '' }),
  StartTime: time,
  LastTime: time,
  IngestedTime: time,
};
const row = fc.record(
  {
    ...times,
    User: fc.oneof(name, fc.array(name, { maxLength: 3 })),
    Ext: fc.record({ Task: name, Host: name }, { requiredKeys: [] }),
    EventUid: uid,
    EventUids: fc.array(uid, { maxLength: 300 }),
    Stream: fc.constantFrom('Dns', 'Email'),
  },
  { requiredKeys: [] },
);

function collected(rows: readonly Record<string, unknown>[]): readonly Occurrence[] {
  const collector = new OccurrenceCollector(RULE, SIGNAL, WINDOW, 0);
  for (const one of rows) collector.add(one);
  expect(collector.rows).toBe(rows.length);
  return collector.occurrences();
}

const COLUMNS = Object.keys({ ...times, User: 0, Ext: 0, EventUid: 0, EventUids: 0, Stream: 0 });

it('[T-storage] rows of a result are the occurrences that they are by column name', () => {
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 60 }), (some) => {
      const rows = some.map((one) => ({
        ...Object.fromEntries(COLUMNS.map((name) => [name, null])),
        ...one,
      }));
      const collector = new OccurrenceCollector(RULE, SIGNAL, WINDOW, 0);
      collector.addRows(
        COLUMNS,
        rows.map((one: Record<string, unknown>) => COLUMNS.map((name) => one[name])),
      );
      expect(collector.occurrences()).toEqual(collected(rows));
    }),
  );
});

it('[T-storage] rows that are collected together are the occurrences that each of them alone would be, as one', () => {
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 60 }), (rows) => {
      const alone = new Map<string, Occurrence[]>();
      for (const one of rows.flatMap((each) => collected([each])))
        alone.set(one.occurrenceId, [...(alone.get(one.occurrenceId) ?? []), one]);
      const together = collected(rows);
      expect(together.map(({ occurrenceId }) => occurrenceId).sort()).toEqual([...alone.keys()].sort());
      for (const one of together)
        expect(one).toEqual(mergeOccurrences(alone.get(one.occurrenceId) as [Occurrence]));
    }),
    { numRuns: 300 },
  );
});

it('[T-storage] an occurrence keeps the ids of its first events and counts the others', () => {
  const rows = Array.from({ length: KEPT_EVENT_UIDS + 50 }, (_, at) => ({
    ...{ User: 'bob', Stream: 'Dns', EventUid: `uid-${at}` },
    ...{ IngestedTime: wireTime(FROM + at), TimeGenerated: wireTime(FROM - at) },
  }));
  const [one, ...others] = collected([...rows, ...rows.slice(0, KEPT_EVENT_UIDS)]);
  expect(others).toEqual([]);
  expect(one).toMatchObject({
    rowCount: 2 * KEPT_EVENT_UIDS + 50,
    moreEvents: 50,
    firstMs: FROM - rows.length + 1,
    lastMs: FROM,
    ingestedMs: FROM,
  });
  expect(one?.eventUids).toEqual(rows.slice(0, KEPT_EVENT_UIDS).map(({ EventUid }) => EventUid));
});
