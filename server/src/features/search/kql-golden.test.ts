import { decodeRow, type PrintedQuery, printQuery } from '@tyrian/clickhouse-sql';
import { compileKql, eventSchema } from '@tyrian/kql';
import { scopeToTenant } from '@tyrian/plan';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestPlatform, testPlatform } from '../../engines/testing/index.ts';
import { insertEvents } from './testing/insert-events.ts';

// The SQL that KQL becomes, written down, so that a change of the compiler shows what it changes; and the rows that
// this SQL gives, so that what is written down is also right. After a wanted change: `vitest -u` on this file.

const HOUR = 3_600_000;
const NOW = Date.parse('2026-03-01T12:00:00Z');
const DATABASE = 'tenant_golden';

const QUERIES: readonly {
  readonly title: string;
  readonly kql: string;
  readonly rows: readonly unknown[];
}[] = [
  {
    title: 'where and has on the raw text',
    kql: 'Authentication | where Raw has "mallory" and EventResult == "Failure" | project TimeGenerated, ActorUsername',
    rows: [
      ['2026-03-01T10:00:00.0000000Z', 'mallory'],
      ['2026-03-01T11:00:00.0000000Z', 'mallory'],
    ],
  },
  {
    title: 'has over every stream',
    kql: 'Events | where Raw has "mallory" | count',
    rows: [[2]],
  },
  {
    title: 'counts by hour and result',
    kql: 'Authentication | where TimeGenerated >= ago(6h) | summarize Count = count() by bin(TimeGenerated, 1h), EventResult | sort by TimeGenerated asc, EventResult asc',
    rows: [
      ['2026-03-01T08:00:00.0000000Z', 'Success', 1],
      ['2026-03-01T09:00:00.0000000Z', 'Failure', 1],
      ['2026-03-01T10:00:00.0000000Z', 'Failure', 1],
      ['2026-03-01T11:00:00.0000000Z', 'Failure', 1],
    ],
  },
  {
    title: 'the default join takes one row of the left for each key',
    kql: 'Authentication | where EventResult == "Failure" | project ActorUsername | join (Authentication | where EventResult == "Success" | project ActorUsername, SrcIpAddr) on ActorUsername',
    rows: [['alice', 'alice', '10.0.0.1']],
  },
  {
    title: 'union with the name of the source',
    kql: 'union withsource = Stream Authentication, Dns | summarize Count = count() by Stream | sort by Stream asc',
    rows: [
      ['Authentication', 4],
      ['Dns', 1],
    ],
  },
  {
    title: 'a row for each element of Ext',
    kql: 'Dns | mv-expand Answer = Ext.answers to typeof(string) | project Answer',
    rows: [['192.0.2.1'], ['192.0.2.2']],
  },
  {
    title: 'parse of the raw text',
    kql: 'Authentication | parse Raw with "user=" User " from=" Address " " * | summarize by User, Address | sort by User asc',
    rows: [
      ['alice', '10.0.0.1'],
      ['mallory', '203.0.113.7'],
    ],
  },
  {
    title: 'top',
    kql: 'Authentication | top 2 by TimeGenerated desc | project TimeGenerated, ActorUsername',
    rows: [
      ['2026-03-01T11:00:00.0000000Z', 'mallory'],
      ['2026-03-01T10:00:00.0000000Z', 'mallory'],
    ],
  },
  {
    title: 'the newest row of each user',
    kql: 'Authentication | project TimeGenerated, ActorUsername, EventResult | summarize arg_max(TimeGenerated, *) by ActorUsername | sort by ActorUsername asc',
    rows: [
      ['alice', '2026-03-01T09:00:00.0000000Z', 'Failure'],
      ['mallory', '2026-03-01T11:00:00.0000000Z', 'Failure'],
    ],
  },
  {
    title: 'let of a table and of a scalar',
    kql: 'let wanted = "alice"; let Logons = Authentication | where ActorUsername == wanted; Logons | count',
    rows: [[2]],
  },
  {
    title: 'search over every stream',
    kql: 'search "mallory" | summarize Count = count() by Stream',
    rows: [['Authentication', 2]],
  },
  {
    title: 'in with a query as the list',
    kql: 'Dns | where SrcIpAddr in ((Authentication | where EventResult == "Success" | project SrcIpAddr)) | project SrcIpAddr',
    rows: [['10.0.0.1']],
  },
  {
    title: 'rows written in the query',
    kql: 'datatable(name:string, count:long)["a", 1, "b", 2] | where count > 1',
    rows: [['b', 2]],
  },
  {
    title: 'a field below Ext that no stream declares',
    kql: 'Authentication | where Ext.attempt > 1 | project attempt = toint(Ext.attempt) | sort by attempt asc',
    rows: [[2], [3]],
  },
];

/** As they came when the query says in which order; else sorted, since two shards answer in either order. */
function comparable(kql: string, rows: readonly unknown[]): readonly unknown[] {
  if (/\| (sort|top) /.test(kql)) return rows;
  return rows.map((row) => JSON.stringify(row)).sort();
}

function compiled(kql: string, database: string): PrintedQuery {
  const result = compileKql(kql, {
    schema: eventSchema([]),
    now: new Date(NOW),
    unknownColumns: 'error',
  });
  if (!result.ok) throw new Error(result.diagnostics.map((one) => one.message).join('; '));
  const timeRange = result.filtersTime ? {} : { timeRange: { from: NOW - 24 * HOUR, to: NOW } };
  return printQuery(
    scopeToTenant(result.plan, { database, scopes: ['s1', 's2'], ...timeRange, maxRows: 1000 }),
  );
}

describe('the SQL of a query', () => {
  for (const { title, kql } of QUERIES)
    it(title, () => {
      const { sql, params } = compiled(kql, DATABASE);
      expect(`${kql}\n\n${sql}\n\n${JSON.stringify(params, null, 1)}`).toMatchSnapshot();
    });
});

describe('the rows of that SQL', () => {
  let platform: TestPlatform;
  let clusterId: string;
  beforeAll(async () => {
    platform = await testPlatform();
    clusterId = await platform.newTenant();
    await insertEvents(platform.eventStore, clusterId, EVENTS.length, (n) => EVENTS[n] as Event);
  });
  afterAll(() => platform.close());

  for (const { title, kql, rows } of QUERIES)
    it(title, async () => {
      const { columns, ...query } = compiled(kql, `tenant_${clusterId}`);
      const answer = await platform.eventStore.rows(clusterId, { ...query, scopes: ['s1', 's2'] });
      const decoded = answer.rows.map((row) => decodeRow(columns, row));
      expect(comparable(kql, decoded)).toEqual(comparable(kql, rows));
    });
});

type Event = Record<string, unknown> & { TimeGenerated: number };

const logon = (hoursAgo: number, user: string, address: string, result: string, attempt: number): Event => ({
  TimeGenerated: NOW - hoursAgo * HOUR,
  Scope: 's1',
  Stream: 'Authentication',
  ActorUsername: user,
  SrcIpAddr: address,
  EventResult: result,
  Raw: `user=${user} from=${address} result=${result}`,
  Ext: { attempt },
});

const EVENTS: readonly Event[] = [
  logon(4, 'alice', '10.0.0.1', 'Success', 1),
  logon(3, 'alice', '10.0.0.1', 'Failure', 1),
  logon(2, 'mallory', '203.0.113.7', 'Failure', 2),
  logon(1, 'mallory', '203.0.113.7', 'Failure', 3),
  { ...logon(1, 'mallory', '203.0.113.7', 'Success', 9), Scope: 's3' },
  {
    TimeGenerated: NOW - HOUR,
    Scope: 's2',
    Stream: 'Dns',
    SrcIpAddr: '10.0.0.1',
    Raw: 'query www.example.com A',
    Ext: { answers: ['192.0.2.1', '192.0.2.2'] },
  },
];
