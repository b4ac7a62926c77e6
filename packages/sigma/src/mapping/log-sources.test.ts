import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { LOG_SOURCES } from './log-sources.ts';
import type { SourceCondition } from './source-condition.ts';

// Rules of a product look at the events of its vendor, and at those of which nobody knows who wrote them.

const EXTRACTORS = new URL('../../../../content/extractors/', import.meta.url);

/** The vendors that the extractors of the product write into `EventVendor`. */
const annotated = new Set(
  readdirSync(EXTRACTORS).flatMap((file) => {
    const text = readFileSync(new URL(file, EXTRACTORS), 'utf8');
    return [...text.matchAll(/EventVendor: ([^,}\n]+)/g)].map(([, vendor = '']) => vendor.trim());
  }),
);

const conditionsOf = (id: string): readonly SourceCondition[] => {
  const mapping = LOG_SOURCES.find((one) => one.id === id);
  if (!mapping) throw new Error(`there is no mapping ${id}`);
  return mapping.where;
};

/** Whether an event of the vendor may be one of the log source. */
const takes = (id: string, vendor: string): boolean =>
  conditionsOf(id).every(
    (one) => !('notAmong' in one) || one.column !== 'EventVendor' || !one.notAmong.includes(vendor),
  );

it('[T-sigma] a product of which we read nothing takes no event of a vendor that an extractor names', () => {
  expect(annotated.size).toBeGreaterThan(20);
  for (const vendor of annotated) expect([vendor, takes('qualys', vendor)]).toEqual([vendor, false]);
  expect(takes('qualys', '')).toBe(true);
  expect(takes('qualys', 'Qualys')).toBe(true);
});

it('[T-sigma] other products take those of their own vendor alone, and what is not labelled', () => {
  const own = {
    cisco: 'Cisco',
    zeek: 'Zeek',
    fortios: 'Fortinet',
    okta: 'Okta',
    github: 'GitHub',
    m365: 'Microsoft',
  };
  for (const [id, vendor] of Object.entries(own)) {
    const taken = [...annotated].filter((one) => takes(id, one));
    expect([id, taken]).toEqual([id, [vendor]]);
    expect(takes(id, '')).toBe(true);
  }
  expect(takes('linux', 'Linux')).toBe(true);
  expect(takes('linux', 'Postfix')).toBe(true);
  expect(takes('linux', 'Fortinet')).toBe(false);
});
