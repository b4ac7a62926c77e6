import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestPlatform, testPlatform } from '../../engines/testing/index.ts';
import { createEventsStored } from './events-stored.ts';
import { createExportService } from './export-service.ts';
import { createKqlCompiler, type KqlCompiler } from './kql-compiler.ts';
import { createQueryService } from './query-service.ts';
import { createQuerySlots } from './query-slots.ts';

const TENANT = 'stalled';

let platform: TestPlatform;
let compiler: KqlCompiler;

beforeAll(async () => {
  platform = await testPlatform();
  compiler = createKqlCompiler({ size: 1 });
});
afterAll(async () => {
  await compiler?.close();
  await platform?.close();
});

it('[S21] cuts off a download that nobody reads, so that its slot goes to whoever waits', async () => {
  const slots = createQuerySlots();
  const noFields = async () => ({ version: 'none', fields: [], extFields: [] });
  const queries = createQueryService({
    events: platform.eventStore,
    compiler,
    seenFields: { fieldsOf: noFields, sampledFieldsOf: noFields },
    slots,
    stored: createEventsStored(platform.eventStore),
    clock: platform.clock,
  });
  const exports = createExportService({ queries, stalledMs: 50 });
  const noted: string[] = [];
  const open = (kql: string) =>
    exports.open({
      clusterId: TENANT,
      userId: 'u1',
      scopes: ['main'],
      reach: { tenant: [], scopes: [] },
      kql,
      range: { from: 0, to: platform.clock.now() },
      format: 'ndjson',
      columns: [],
      bom: false,
      csv: { formulaGuard: true, zone: null },
      signal: new AbortController().signal,
      note: async ({ state }) => {
        noted.push(state);
      },
    });
  const file = await open('range x from 1 to 2000000 step 1');
  expect(slots.load(TENANT).own).toBe(1);
  const failed = new Promise<Error>((resolve) => file.body.once('error', resolve));
  // One piece is taken, and then nothing more.
  file.body.once('readable', () => file.body.read(1));
  expect((await failed).message).toBe('The download made no progress for 0.05 s');
  await expect.poll(() => slots.load(TENANT).own).toBe(0);
  await expect.poll(() => noted).toEqual(['BEGUN', 'BROKEN OFF']);

  const read = await open('range x from 1 to 50000 step 1');
  let lines = 0;
  for await (const chunk of read.body) lines += String(chunk).split('\n').length - 1;
  expect(lines).toBe(50_000);
  expect(noted.slice(2)).toEqual(['BEGUN', 'SUCCESS']);
});
