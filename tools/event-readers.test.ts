import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { EVENT_READERS, eventReads } from './event-readers.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

it.each([
  ["sql: 'SELECT count() FROM events WHERE 1'", [1]],
  ['a\n`SELECT Stream\n  FROM events GROUP BY Stream`', [3]],
  ["FROM merge(REGEXP('^tenant_'), '^events$')", [1]],
  ['JOIN tenant_a.events USING (x)', [1]],
  ['SELECT sum(Events) FROM event_figures', []],
  ['/** Names come from events and people. */', []],
])('[T-storage] a figure that reads events is found: %s', (text, lines) => {
  expect(eventReads('server/src/features/overview/new-figure.ts', text)).toEqual(lines);
});

it('[T-storage] the places that may read events do so, and no other name stands in the list', () => {
  for (const file of Object.keys(EVENT_READERS)) {
    expect(existsSync(path.join(root, file)), file).toBe(true);
    const text = readFileSync(path.join(root, file), 'utf8');
    expect(eventReads(file, text), file).toEqual([]);
    expect(eventReads('server/src/other.ts', text).length, file).toBeGreaterThan(0);
  }
});
