import { afterAll, beforeAll, expect, it } from 'vitest';
import { ingestFeature } from './ingest-feature.ts';
import { type SenderSetup, senderSetup } from './testing/sender-setup.ts';

// The table has a partition for each day. One token must not be able to make thousands of them.

const DAY_MS = 86_400_000;
/** Late days and old days that one batch may bring; docs/ingest.md. */
const LATE = 92;
const PER_BATCH = 92;

const PLAIN = { kind: 'http', networks: [], by: null } as const;

let setup: SenderSetup;

beforeAll(async () => {
  setup = await senderSetup();
});
afterAll(() => setup.close());

const now = () => setup.test.platform.clock.now();

/** One line for each day from so many days ago to so many, with the time of that day. */
function days(from: number, to: number, what: string): string {
  const lines: string[] = [];
  for (let n = from; n < to; n += 1) {
    const at = new Date(now() - n * DAY_MS).toISOString();
    lines.push(`{"@timestamp":"${at}","Message":"${what} ${n}"}`);
  }
  return lines.join('\n');
}

const post = async (body: string, source: string) => {
  const answer = await setup.post(`/ingest/ndjson?source=${source}`, body);
  expect(answer.status).toBe(200);
  return answer.body.data as Record<string, number>;
};
/** Days that the tenant's table has partitions for. */
const partitions = async () =>
  Number((await setup.rows('SELECT uniqExact(toDate(TimeGenerated)) FROM events'))[0]?.[0]);

it('[S09] 9,000 days in one request make few partitions, and every event is stored and can be counted', async () => {
  const first = await post(days(0, 9_000, 'flood'), 'flood');
  expect(first).toMatchObject({ received: 9_000, stored: 9_000 });
  expect(await partitions()).toBeLessThanOrEqual(1 + LATE + PER_BATCH);
  expect(first['past-time']).toBe(9_000 - (1 + LATE) - PER_BATCH);
  expect(await setup.count("SourceName = 'flood'")).toBe(9_000);
  const marked = "has(Ext.IngestMarks.:`Array(Nullable(String))`, 'past-time')";
  expect(await setup.count(`SourceName = 'flood' AND ${marked}`)).toBe(first['past-time']);
  expect(
    await setup.rows(
      `SELECT toString(Ext.DeviceTime), TimeGenerated = IngestedTime FROM events WHERE Message = 'flood 8999'`,
    ),
  ).toEqual([[new Date(now() - 8_999 * DAY_MS).toISOString(), 1]]);
});

it('[S09] more requests make no more days than the source has in an hour, however they are spread', async () => {
  const before = await partitions();
  const feature = ingestFeature(setup.test.platform, {
    audit: setup.company.identity.audit,
    limits: { oldDaysPerSource: 30, oldDaysPerTenant: 45 },
  });
  const { clusterId, scope: scopeId } = setup.company.a;
  const target = (sourceId: string) => ({
    clusterId,
    scopeId,
    sourceId,
    sourceName: sourceId,
    sourceAddress: '',
  });
  const kept = async (source: string, from: number, to: number) => {
    const { counts } = await feature.ingest.ingest(target(source), days(from, to, source));
    expect(counts.stored).toBe(to - from);
    return to - from - (counts['past-time'] ?? 0);
  };
  try {
    // Other days each time, and at once: in several threads.
    const spread = await Promise.all(
      Array.from({ length: 8 }, (_, n) => kept(setup.sourceId, 1_000 + n * 100, 1_100 + n * 100)),
    );
    expect(spread.reduce((sum, one) => sum + one, 0)).toBe(30);
    // Another source of the tenant has what is left of the tenant's.
    const other = await feature.sources.create({ ...PLAIN, clusterId, scopeId, name: 'other' });
    expect(await kept(other.source.source_id, 3_000, 3_100)).toBe(15);
    expect(await partitions()).toBeLessThanOrEqual(before + 45);
    // What comes late in ordinary use keeps its time all the same, and the next hour has days again.
    expect(await kept(setup.sourceId, LATE - 2, LATE)).toBe(2);
    setup.test.platform.clock.advance(3_600_000);
    expect(await kept(setup.sourceId, 4_000, 4_010)).toBe(10);
    await feature.sources.flush();
    await expect
      .poll(async () => (await setup.counts())['past-time'], { timeout: 5_000 })
      .toBeGreaterThan(9_000);
  } finally {
    await feature.work.stop();
  }
});
