import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ConnectorSetup, connectorSetup } from './testing/connector-setup.ts';
import { BUCKET_KEYS, BUCKET_SECRET, type BucketService, startBucketService } from './testing/s3-service.ts';

let setup: ConnectorSetup;
let bucket: BucketService;

beforeAll(async () => {
  [setup, bucket] = await Promise.all([connectorSetup(), startBucketService()]);
});
afterAll(async () => {
  await bucket?.close();
  await setup?.close();
});

const config = (more: object) => ({ endpoint: bucket.origin, ...BUCKET_KEYS, ...more });
const secrets = { secret_key: BUCKET_SECRET };
const gets = () => bucket.asked.filter(({ url }) => !url.searchParams.has('list-type')).length;
const textsOf = async (source: string) => [...(await setup.texts(source))].sort();

it('[T-CONNECTORS] reads each object of a bucket once, packed or not, in any order of names, and passes over broken ones', async () => {
  const now = setup.test.platform.clock.now();
  bucket.put('a/2 late+name.json.gz', gzipSync('{"Records":[{"n":1},\n {"n":2}]}'), now - 60_000);
  bucket.put('a/9.json', '{"Records":[{"n":3}]}', now - 50_000);
  bucket.put('a/5.json.gz', Buffer.concat([gzipSync('{"Records":[]}').subarray(0, 12)]), now - 40_000);
  bucket.put('a/old.json', '{"Records":[{"n":0}]}', now - 9 * 86_400_000);
  bucket.put('b/other.json', '{"Records":[{"n":99}]}', now);
  const { id } = await setup.create(
    'bucket',
    's3',
    config({ prefix: 'a/', records_path: 'Records' }),
    secrets,
  );
  await setup.turn();
  expect(await textsOf('bucket')).toEqual(['{"n":1}', '{"n":2}', '{"n":3}']);
  const after = await setup.find(id);
  expect(after).toMatchObject({ state: 'running', validation: { status: 'ok' } });
  expect(after.reason?.message).toContain('a/5.json.gz');
  const before = gets();
  bucket.put('a/1.json', '{"Records":[{"n":4}]}', now + 30_000);
  await setup.turn(61_000);
  expect(gets()).toBe(before + 1);
  expect(await textsOf('bucket')).toEqual(['{"n":1}', '{"n":2}', '{"n":3}', '{"n":4}']);
  expect((await setup.find(id)).reason).toBeNull();
  expect((await setup.try(id)).data.records[0]?.raw).toBe('{"n":4}');
  await setup.act(id, 'stop');
});

it('[T-CONNECTORS] lists behind the last name where names grow with time', async () => {
  const now = setup.test.platform.clock.now();
  for (const n of [1, 2, 3]) bucket.put(`c/${n}`, `line ${n}\n`, now);
  const { id } = await setup.create(
    'ordered',
    's3',
    config({ prefix: 'c/', format: 'lines', is_ordered: true }),
    secrets,
  );
  await setup.turn();
  expect(await textsOf('ordered')).toEqual(['line 1', 'line 2', 'line 3']);
  bucket.put('c/4', 'line 4\n', now);
  await setup.turn(61_000);
  expect(bucket.asked.at(-2)?.url.searchParams.get('start-after')).toBe('c/3');
  expect(await textsOf('ordered')).toEqual(['line 1', 'line 2', 'line 3', 'line 4']);
  await setup.act(id, 'stop');
});

it('[T-CONNECTORS] says in the words of the bucket why it is not let in', async () => {
  const { id } = await setup.create('refused', 's3', config({ prefix: 'c/' }), {
    secret_key: 'wrong-secret-of-bucket',
  });
  await setup.turn();
  const { state, validation } = await setup.find(id);
  expect([state, validation.reason?.message]).toEqual([
    'failed',
    expect.stringContaining('SignatureDoesNotMatch'),
  ]);
});
