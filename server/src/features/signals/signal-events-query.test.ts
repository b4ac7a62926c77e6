import * as contract from '@tyrian/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DetectionApp, detectionApp } from '../detections/testing/detection-app.ts';
import { OccurrenceCollector } from './occurrence.ts';
import { recordOccurrences } from './signal-recorder.ts';

// The way from a signal to exactly the events that raised it.

const HOUR = 3_600_000;
const T0 = Date.UTC(2026, 2, 4, 10);
const UIDS = ['0a000000-0000-4000-8000-000000000001', '0a000000-0000-4000-8000-000000000002'];
let app: DetectionApp;

beforeAll(async () => {
  app = await detectionApp(T0 + 10 * HOUR);
});
afterAll(() => app?.test.close());

/** Records the signal of a counting rule, whose row carries the start of its bin and the ids that it collected. */
async function record(row: Readonly<Record<string, unknown>>): Promise<string> {
  const { a } = app.company;
  const signal = contract.signalBodySchema.parse({
    name: 'Many failures of _$Who_',
    tactic: 'Credential Access',
    technique: 'T1110',
    confidence: 'High',
    score: 8,
    suspects: [{ type: 'user', field: 'Who' }],
  });
  const rule = {
    clusterId: a.clusterId,
    scopeId: a.scope,
    workbookId: 'wb',
    workbookName: 'Lab',
    version: 1,
    stage: 'prod' as const,
    stream: 'ProcessEvent',
    signal,
  };
  const time = T0 + 6 * HOUR;
  const collector = new OccurrenceCollector(rule, signal, { from: time, to: time + 60_000 }, 0);
  collector.add({ TimeGenerated: new Date(time).toISOString(), ...row });
  await app.test.platform.postgres.inTenant(a.clusterId, (trx) =>
    recordOccurrences(trx, rule, collector.occurrences(), time + 90_000),
  );
  const { data } = await app.call(contract.listSignals, { include: [{ value: String(row.Who) }] });
  return data.data[0]?.signal_id ?? '';
}

describe('the query for the events of a signal', () => {
  it('[R-C17][signals.readEventsQuery] names exactly the events that raised it, and the time that they lie in', async () => {
    const ida = { ActorUsername: 'ida' };
    await app.store([
      { time: T0 + 7 * HOUR, columns: { EventUid: UIDS[0], ...ida } },
      { time: T0 + 8 * HOUR, columns: { EventUid: UIDS[1], ...ida } },
      { time: T0 + 8 * HOUR, columns: ida },
    ]);
    const signal_id = await record({ Who: 'ida', EventUids: [...UIDS, 'no) id'] });
    const { data } = await app.call(contract.signalEventsQuery, { signal_id }, 'analyst');
    expect(data).toMatchObject({ matched_by: 'events', total_count: 2, more_events: 0 });
    expect([data.start, data.end]).toEqual([T0 + 7 * HOUR, T0 + 8 * HOUR + 1]);
    expect(data.kql.match(/guid\([^)]*\)/g)).toEqual(UIDS.map((uid) => `guid(${uid})`));
  });

  it('[signals.readEventsQuery] finds by entities where no ids were kept, and says so when the events are gone', async () => {
    const signal_id = await record({ Who: 'bo', Count: 3 });
    const { data } = await app.call(contract.signalEventsQuery, { signal_id }, 'analyst');
    expect(data).toMatchObject({ matched_by: 'entities', total_count: 0 });
    expect(data.start).toBeLessThan(data.end);
  });
});
