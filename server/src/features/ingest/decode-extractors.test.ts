import { readRowBlocks } from '@tyrian/ingest';
import { afterAll, expect, it } from 'vitest';
import { createLog } from '../../platform/log.ts';
import { createDecodePool } from './decode-pool.ts';
import type { ActiveExtractors } from './extractor-versions.ts';
import type { RowChunk } from './ingest-batch.ts';

// The extractors of tenants in the decoding threads, which several tenants share.

const pool = createDecodePool({ log: createLog('silent'), size: 1 });
afterAll(() => pool.close());

const naming = (name: string) => `
schema-version: 1
source-name: ${name}
source-type: Test
streams: [AuditEvent]
master-filters: ['^door ']
event-details:
  first-match:
    - decoder: regex
      pattern: '^door (?<who>\\w+)$'
      event-key-mapping: { who: ActorUsername }
fallback: built-in
`;
const setOf = (version: string, name: string): ActiveExtractors => ({
  version,
  extractors: [{ id: 10_001, yaml: naming(name) }],
});

async function typesOf(extractors: ActiveExtractors | undefined, text: string) {
  const chunks: RowChunk[] = [];
  await pool.decode(
    {
      format: 'lines',
      body: Buffer.from(text),
      isGzip: false,
      hints: {},
      scopeId: 's',
      sourceName: 'n',
      sourceAddress: '',
      batchId: '0123456789abcdef',
      receivedMs: 1_767_225_600_000,
      ...(extractors === undefined ? {} : { extractors }),
    },
    (chunk) => chunks.push(chunk),
  );
  return chunks
    .flatMap(({ body }) => readRowBlocks(body))
    .map((row) => `${row.SourceType} ${row.ActorUsername ?? ''}`);
}

it('[T-extractors] each batch is read with the extractors of its tenant, also where a thread has seen others', async () => {
  const one = setOf('v1', 'one');
  const two = setOf('v2', 'two');
  expect(await typesOf(one, 'door ada\nwindow')).toEqual(['one ada', 'text ']);
  expect(await typesOf(two, 'door ada')).toEqual(['two ada']);
  expect(await typesOf(undefined, 'door ada')).toEqual(['text ']);
  // Known to the thread by now: only the version crosses.
  expect(await typesOf(one, 'door eve')).toEqual(['one eve']);
  // More sets than a thread holds: what went is sent again.
  for (let n = 0; n < 120; n += 1)
    expect(await typesOf(setOf(`w${n}`, `x${n}`), 'door ada')).toEqual([`x${n} ada`]);
  expect(await typesOf(one, 'door eve')).toEqual(['one eve']);
});
