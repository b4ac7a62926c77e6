import { decodeRow, printQuery } from '@tyrian/clickhouse-sql';
import { compileKql, eventSchema } from '@tyrian/kql';
import { scopeToTenant, type ValuePath } from '@tyrian/plan';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestPlatform, testPlatform } from '../../engines/testing/index.ts';
import { fieldsInRange } from './fields-in-range.ts';
import { insertEvents } from './testing/insert-events.ts';

// What the events of a range hold below Ext: where that is known, fields are read at less cost, with the same answers.

/** Fields that are texts everywhere, never, sometimes, and above others. */
const EVENTS = [
  { text: 'five', number: 5, either: '5', above: 'x', list: 'a', 'dotted.text': 'y' },
  { text: '5', number: 7, either: 5, above: { below: 'z' }, list: ['a', 'b'], flag: true },
  { text: '', number: 5.5, either: { text: '5' }, other: { deep: 'w' } },
  {},
];
const FIELDS = ['text', 'number', 'either', 'above', 'above.below', 'list', 'flag', 'other.deep', 'none'];
const ARRIVED = Date.UTC(2026, 2, 1);
const RANGE = { from: ARRIVED, to: ARRIVED + 60_000 };

let platform: TestPlatform;
let clusterId: string;
beforeAll(async () => {
  platform = await testPlatform();
  clusterId = await platform.newTenant();
  await insertEvents(platform.eventStore, clusterId, EVENTS.length, (n) => ({
    ...{ Scope: 's1', Stream: 'Other', Raw: `event ${n}`, TimeGenerated: ARRIVED + n, Ext: EVENTS[n] },
  }));
});
afterAll(() => platform?.close());

const known = () => fieldsInRange(platform.eventStore, { clusterId, scopes: ['s1'], ingestRange: RANGE }, {});

async function rowsOf(query: string, values: readonly ValuePath[] | undefined) {
  const compiled = compileKql(query, { schema: eventSchema([]), now: new Date(), unknownColumns: 'warn' });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics));
  const boundary = { database: `tenant_${clusterId}`, scopes: ['s1'], ...(values ? { values } : {}) };
  const { columns, ...printed } = printQuery(scopeToTenant(compiled.plan, boundary));
  const { rows } = await platform.eventStore.rows(clusterId, { ...printed, scopes: ['s1'] });
  return { sql: printed.sql, rows: rows.map((row) => decodeRow(columns, row)) };
}

describe('the fields of a range', () => {
  it('[C041] are told with whether all of their values are texts', async () => {
    const fields = new Map((await known()).map(({ path, isText }) => [path, isText]));
    expect(Object.fromEntries(fields)).toMatchObject({
      text: true,
      number: false,
      either: false,
      'either.text': true,
      above: true,
      'above.below': true,
      list: false,
      flag: false,
      'other.deep': true,
    });
    expect(fields.has('none')).toBe(false);
  });

  it.each(FIELDS)('[C041] give the same answers where they are known: %s', async (field) => {
    const text = `tostring(Ext.${field})`;
    const conditions = [`${text} == "5"`, `${text} has "x"`, `${text} contains "5"`, `isempty(${text})`];
    const query = `Events | project Raw, text = ${text}, ${conditions.map((each, at) => `c${at} = ${each}`).join(', ')} | sort by Raw asc`;
    const [plain, narrowed] = [await rowsOf(query, undefined), await rowsOf(query, await known())];
    expect(plain.rows).toHaveLength(EVENTS.length);
    expect(narrowed.rows).toEqual(plain.rows);
  });

  it('[C041] are read as plain texts where nothing else stands there', async () => {
    const { sql } = await rowsOf('Events | where tostring(Ext.text) == "5" | project Raw', await known());
    expect(sql).not.toContain('dynamicType');
    const other = await rowsOf('Events | where tostring(Ext.number) == "5" | project Raw', await known());
    expect(other.sql).toContain('dynamicType');
    expect(other.rows).toEqual([['event 0']]);
  });
});
