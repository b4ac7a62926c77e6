import { expect, it } from 'vitest';
import { contentExtractors } from '../../../../tools/content-extractors.ts';
import { recordFuzzer } from './testing/fuzz-record.ts';

const fuzzRecord = recordFuzzer(contentExtractors());

it('[T-extractors] [S06] no mutated record fails a decoder, an extractor or the framing, or loses its text', () => {
  const statuses = new Map<string, number>();
  const heads = new Map<number, readonly string[]>();
  for (let index = 0; index < 2_000; index += 1) {
    const { event } = fuzzRecord(7, index, heads);
    statuses.set(event.status, (statuses.get(event.status) ?? 0) + 1);
  }
  // Broken records, unknown ones, and many that are still what they were.
  expect(statuses.get('PAD') ?? 0).toBeGreaterThan(300);
  expect(statuses.get('NLF') ?? 0).toBeGreaterThan(50);
  expect(statuses.get('PER') ?? 0).toBeGreaterThan(50);
});
