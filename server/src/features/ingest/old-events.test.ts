import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SenderSetup, senderSetup } from './testing/sender-setup.ts';

// Events may be of any day; the table has a partition for each day on which events came in, so that old ones cost no more.

const DAY_MS = 86_400_000;

let setup: SenderSetup;

beforeAll(async () => {
  setup = await senderSetup();
});
afterAll(() => setup.close());

const now = () => setup.test.platform.clock.now();
const dayBefore = (n: number) => new Date(now() - n * DAY_MS).toISOString();

/** One line for each day from so many days ago to so many, with the time of that day. */
function days(from: number, to: number, what: string): string {
  return Array.from(
    { length: to - from },
    (_, n) => `{"@timestamp":"${dayBefore(from + n)}","Message":"${what} ${from + n}"}`,
  ).join('\n');
}

async function post(body: string, source: string): Promise<Record<string, number>> {
  const answer = await setup.post(`/ingest/ndjson?source=${source}`, body);
  expect(answer.status).toBe(200);
  return answer.body.data as Record<string, number>;
}

/** Parts, active or merged since, that hold rows of this source. */
const partsOf = async (source: string) =>
  (await setup.rows(`SELECT DISTINCT _part, _partition_id FROM events WHERE SourceName = '${source}'`)).map(
    ([part, partition]) => ({ part, partition }),
  );
const ingestDay = () => `${new Date(now()).toISOString().slice(0, 10).replaceAll('-', '')}-0`;

it('[S09][R-E10] 9,000 days in one request make one part, and every event keeps its time', async () => {
  const counts = await post(days(0, 9_000, 'flood'), 'flood');
  expect(counts).toMatchObject({ received: 9_000, stored: 9_000 });
  expect(await partsOf('flood')).toEqual([expect.objectContaining({ partition: ingestDay() })]);
  expect(
    await setup.rows(
      `SELECT uniqExact(toDate(TimeGenerated)), countIf(has(Ext, 'IngestMarks')) FROM events WHERE SourceName = 'flood'`,
    ),
  ).toEqual([[9000, 0]]);
});

it('[S09] requests of many days at once, from several threads, make one partition between them', async () => {
  await Promise.all(
    Array.from({ length: 8 }, (_, n) => post(days(n * 100, n * 100 + 900, `at once ${n}`), 'spread')),
  );
  expect(await setup.count("SourceName = 'spread'")).toBe(7_200);
  expect(new Set((await partsOf('spread')).map(({ partition }) => partition))).toEqual(
    new Set([ingestDay()]),
  );
});
