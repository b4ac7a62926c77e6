import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { planRetention } from '../server/src/features/identity/tenants/retention-plan.ts';
import { openScratchQueries } from '../server/src/features/search/scratch-queries.ts';
import { deleteEvents } from '../server/src/platform/clickhouse/delete-events.ts';
import { FIGURE_SETTINGS, minutesWithin } from '../server/src/platform/clickhouse/event-figures.ts';
import { readHoldings } from '../server/src/platform/clickhouse/event-holdings.ts';
import { tenantDatabase } from '../server/src/platform/clickhouse/event-store.ts';
import { TEXT_INDEX } from '../server/src/platform/clickhouse/event-tables.ts';
import { median } from './made-events.ts';

// How events are kept: what a query over sixty days of arrival costs beside the same query on a tenant that has one
// day only, what figures cost beside counting events, what an insert costs, and what retention leaves behind.
//
//   node --import tsx bench/event-storage.ts [--events 1500000] [--rounds 3]
//
// One event in a hundred came in up to thirty days late. The claims: a query of the last minute or day over sixty days
// reads what it reads over one (ratio of rows near 1); retention leaves no mutation; an insert of ninety days of logs
// makes at most three parts; figures read a small part of the rows.

const { values } = parseArgs({
  options: { events: { type: 'string', default: '1500000' }, rounds: { type: 'string', default: '3' } },
});
const EVENTS = Number(values.events);
const ROUNDS = Number(values.rounds);
const DAYS = 60;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const END = Math.floor(Date.now() / DAY_MS) * DAY_MS;
const ALL = 'sixty';
const LAST = 'lastday';
const TENTH = 'tenthday';
const DENSE = 'dense';
/** A day comes in by so many inserts, so that its parts are merged, and the index of the text is built, as they are. */
const INSERTS = 4;
const PER_DAY = Math.floor(EVENTS / DAYS);

const { events, queries, close } = await openScratchQueries('tyrian-storage-', ALL);
const say = (line: string) => process.stdout.write(`${line}\n`);

/** The events that came in on a day, `back` days before the last; the same in every tenant that has the day. */
const dayOf = (back: number, piece: number) => `
  INSERT INTO events (EventUid, TimeGenerated, IngestedTime, Scope, Stream, SourceName, SourceType, ParseStatus,
    DvcHostname, ActorUsername, SrcIpAddr, CommandLine, DnsQuery, Ext, Raw, RetentionDays)
  SELECT generateUUIDv4(),
    t - if(cityHash64(number, ${back}) % 100 = 0, toIntervalSecond(cityHash64(number, 9) % 2592000), toIntervalSecond(cityHash64(number, 8) % 3)),
    fromUnixTimestamp64Milli(${END - (back + 1) * DAY_MS} + intDiv(number * ${DAY_MS}, ${PER_DAY})) AS t, 'main',
    ['NetworkSession', 'NetworkSession', 'Dns', 'ProcessEvent', 'WebSession'][number % 5 + 1] AS s,
    concat('source', toString(cityHash64(number, 5) % 20)), 'made', if(number % 50 = 0, 'PER', 'PAD'),
    concat('host', toString(cityHash64(number) % 300)), concat('user', toString(cityHash64(number, 1) % 500)),
    concat('10.1.', toString(cityHash64(number, 2) % 200), '.', toString(cityHash64(number, 3) % 250)),
    if(s = 'ProcessEvent', concat('C:\\\\Tools\\\\run.exe --job ', toString(cityHash64(number, 6) % 20000)), ''),
    if(s = 'Dns', concat('site', toString(cityHash64(number, 7) % 5000), '.example'), ''),
    concat('{"colour":"', if(number % 97 = 0, 'red', 'blue'), '","size":', toString(number % 4000), '}'),
    concat('event ', toString(number), ' of ', s, ' on host', toString(cityHash64(number) % 300), if(number = 77, ' needle4711', ''), repeat(concat(' field', toString(cityHash64(number, 11) % 997), '=value', toString(cityHash64(number, 12) % 9973)), 10)),
    60
  FROM numbers(${Math.floor((PER_DAY * piece) / INSERTS)}, ${Math.floor(PER_DAY / INSERTS)})
  SETTINGS materialize_skip_indexes_on_insert = 0`;

interface Asked {
  readonly name: string;
  readonly kql: string;
  /** The tenant of one day that has what is asked for. */
  readonly beside: string;
  readonly came?: { from: number; to: number };
  readonly happened?: { from: number; to: number };
  readonly maxRows?: number;
}

const hourTenDaysAgo = {
  from: END - 10 * DAY_MS - 12 * 60 * MINUTE_MS,
  to: END - 10 * DAY_MS - 11 * 60 * MINUTE_MS,
};
const lastDay = { from: END - DAY_MS, to: END };
const lastMinute = { from: END - MINUTE_MS, to: END };
const ASKED: readonly Asked[] = [
  { name: 'detection: last minute, one stream', kql: 'ProcessEvent | count', beside: LAST, came: lastMinute },
  { name: 'detection: last minute, all streams', kql: 'Events | count', beside: LAST, came: lastMinute },
  {
    name: 'search: one hour ten days ago',
    kql: 'Events | summarize count() by Stream, SrcIpAddr',
    beside: TENTH,
    happened: hourTenDaysAgo,
  },
  {
    name: 'search: last 24 h, all streams',
    kql: 'Events | summarize count() by Stream, SrcIpAddr',
    beside: LAST,
    happened: lastDay,
  },
  { name: 'newest 100 of 24 h', kql: 'Events | take 100', beside: LAST, happened: lastDay, maxRows: 100 },
  {
    name: 'a needle over 60 days',
    kql: 'Events | where Raw has "needle4711" | project TimeGenerated, Raw',
    beside: LAST,
    happened: { from: END - 90 * DAY_MS, to: END },
  },
];

async function ask(clusterId: string, one: Asked): Promise<{ ms: number; rows: number }> {
  const began = performance.now();
  const { stats } = await queries.run({
    clusterId,
    scopes: ['main'],
    kql: one.kql,
    queue: 'interactive',
    order: 'newest-first',
    ...(one.happened ? { timeRange: one.happened } : {}),
    ...(one.came ? { ingestRange: one.came } : {}),
    // Find keeps so many rows of events.
    ...(one.happened ? { maxRows: one.maxRows ?? 1_000 } : {}),
  });
  return { ms: performance.now() - began, rows: stats.rowsRead };
}

/** Medians of the same work done in turns. */
async function inTurns<K extends string>(
  rounds: number,
  works: Readonly<Record<K, () => Promise<{ ms: number; rows: number }>>>,
): Promise<Record<K, { ms: number; rows: number }>> {
  const names = Object.keys(works) as K[];
  const seen = Object.fromEntries(
    names.map((name) => [name, [] as { ms: number; rows: number }[]]),
  ) as Record<K, { ms: number; rows: number }[]>;
  for (let round = -1; round < rounds; round += 1) {
    for (const name of names) {
      const found = await works[name]();
      if (round >= 0) seen[name].push(found);
    }
  }
  const of = (name: K) => ({
    ms: median(seen[name].map((one) => one.ms)),
    rows: median(seen[name].map((one) => one.rows)),
  });
  return Object.fromEntries(names.map((name) => [name, of(name)])) as Record<K, { ms: number; rows: number }>;
}

const line = (name: string, figures: readonly (number | string)[]) =>
  say(
    `${name.padEnd(44)}${figures.map((one) => (typeof one === 'number' ? one.toFixed(1) : one).padStart(12)).join('')}`,
  );

async function queriesOverDays(): Promise<void> {
  say(
    '\nquery                                       60 days: ms        rows   1 day: ms        rows       ms x      rows x',
  );
  for (const one of ASKED) {
    const { all, single } = await inTurns(ROUNDS, {
      all: () => ask(ALL, one),
      single: () => ask(one.beside, one),
    });
    line(one.name, [
      all.ms,
      String(all.rows),
      single.ms,
      String(single.rows),
      all.ms / single.ms,
      all.rows / Math.max(1, single.rows),
    ]);
  }
}

async function timedRows(
  clusterId: string,
  sql: string,
  params: Readonly<Record<string, unknown>>,
): Promise<{ ms: number; rows: number }> {
  const began = performance.now();
  const answer = await events.query(clusterId, {
    sql,
    params: { ...params, scope: 'main' },
    settings: FIGURE_SETTINGS,
    scopes: ['main'],
  });
  for await (const _batch of answer.batches);
  return { ms: performance.now() - began, rows: answer.progress().rowsRead };
}

async function figuresBesideEvents(): Promise<void> {
  say(
    '\nfigure                                      events: ms        rows figures: ms        rows       ms x      rows x',
  );
  const asked = [
    ['a day, one event in three seconds', ALL, 1],
    ['thirty days, one event in three seconds', ALL, 30],
    ['a day, four events a second', DENSE, 1],
  ] as const;
  for (const [name, tenant, days] of asked) {
    const { where, params } = minutesWithin({ from: END - days * DAY_MS, to: END });
    const { counted, told } = await inTurns(ROUNDS, {
      counted: () =>
        timedRows(
          tenant,
          `SELECT Stream, toStartOfHour(TimeGenerated) AS h, count(), countIf(ParseStatus != 'PAD') FROM events WHERE Scope = {scope:String}
           AND TimeGenerated >= fromUnixTimestamp64Milli({from:Int64}) AND TimeGenerated < fromUnixTimestamp64Milli({to:Int64})
           AND IngestedTime >= fromUnixTimestamp64Milli({from:Int64} - 600000) GROUP BY Stream, h`,
          params,
        ),
      told: () =>
        timedRows(
          tenant,
          `SELECT Stream, intDiv(EventMinute, 60) AS h, sum(Events), sumIf(Events, ParseStatus != 'PAD') FROM event_figures
           WHERE Scope = {scope:String} AND ${where} GROUP BY Stream, h`,
          params,
        ),
    });
    line(name, [
      counted.ms,
      String(counted.rows),
      told.ms,
      String(told.rows),
      told.ms / counted.ms,
      told.rows / counted.rows,
    ]);
  }
}

const DENSE_EVENTS = 350_000;

/** Events of twenty sources, each with a stream of its own, that came in evenly over a time before the end. */
const insertOf = (rows: number, overMs: number, settings = '') => `
  INSERT INTO events (TimeGenerated, IngestedTime, Scope, Stream, SourceName, SourceType, ParseStatus, DvcHostname, Raw)
  SELECT t - toIntervalMillisecond(cityHash64(number) % 3000),
    fromUnixTimestamp64Milli(${END - overMs} + intDiv(number * ${overMs}, ${rows})) AS t, 'main',
    ['NetworkSession', 'Dns', 'ProcessEvent', 'WebSession'][number % 20 % 4 + 1], concat('source', toString(number % 20)), 'made',
    if(number % 50 = 0, 'PER', 'PAD'), concat('host', toString(cityHash64(number) % 300)),
    concat('event ', toString(number), repeat(concat(' field', toString(cityHash64(number, 11) % 997), '=value', toString(cityHash64(number, 12) % 9973)), 10))
  FROM numbers(${rows}) SETTINGS max_threads = 1, insert_deduplicate = 0${settings}`;

/** What an insert costs in each way, in turns, each into a tenant of its own: what came in within five seconds. */
async function inserts(): Promise<void> {
  const rows = 20_000;
  const ways = { plain: '', kept: TEXT_INDEX, bare: TEXT_INDEX };
  for (const way of Object.keys(ways)) await events.ensureTenant(`insert${way}`);
  for (const view of ['fill_event_figures', 'fill_host_figures'])
    await events.command('insertbare', `DROP VIEW ${view}`);
  const insert = async (way: keyof typeof ways) => {
    const began = performance.now();
    const left = `, exclude_materialize_skip_indexes_on_insert = '${ways[way]}'`;
    await events.command(`insert${way}`, insertOf(rows, 5_000, left));
    return { ms: performance.now() - began, rows };
  };
  const cost = await inTurns(4 * ROUNDS, {
    plain: () => insert('plain'),
    kept: () => insert('kept'),
    bare: () => insert('bare'),
  });
  say(`\ninsert of ${rows} rows                                ms     x first`);
  line('text index in the insert, with figures', [cost.plain.ms, 1]);
  line('text index left to the merges, with figures', [cost.kept.ms, cost.kept.ms / cost.plain.ms]);
  line('text index left to the merges, no figures', [cost.bare.ms, cost.bare.ms / cost.plain.ms]);
}

async function fillDay(clusterId: string, back: number): Promise<void> {
  for (let piece = 0; piece < INSERTS; piece += 1) await events.command(clusterId, dayOf(back, piece));
}

/** Waits until the engine merges nothing any more, half a minute at most. */
async function merged(): Promise<void> {
  for (let quiet = 0, looks = 0; quiet < 4 && looks < 60; looks += 1) {
    const running = await events.systemRows('SELECT 1 FROM system.merges');
    quiet = running.length === 0 ? quiet + 1 : 0;
    await sleep(500);
  }
}

/** Days that are over are merged into one part, as the engine does it by itself after six hours. */
async function closeDays(): Promise<void> {
  const began = performance.now();
  for (const tenant of [ALL, LAST, TENTH])
    await events.command(tenant, 'ALTER TABLE events MODIFY SETTING min_age_to_force_merge_seconds = 1');
  for (let looks = 0; looks < 240; looks += 1) {
    const [found] = await events.systemRows<{ open: number }>(
      `SELECT toInt32(count() - uniqExact(partition_id)) AS open FROM system.parts
       WHERE database = {database:String} AND active AND table = 'events'`,
      { database: tenantDatabase(ALL) },
    );
    if (Number(found?.open) === 0) break;
    await sleep(500);
  }
  say(`\ndays that are over merged in ${((performance.now() - began) / 1000).toFixed(1)} s`);
}

/** One request with logs of ninety days, of streams with three times of keeping. */
async function replay(): Promise<void> {
  await events.ensureTenant('replay');
  await events.command(
    'replay',
    `INSERT INTO events (TimeGenerated, IngestedTime, Scope, Stream, Raw, RetentionDays)
     SELECT fromUnixTimestamp64Milli(${END} - toInt64(number % 90) * ${DAY_MS}), fromUnixTimestamp64Milli(${END}), 'main',
       ['Dns', 'Authentication', 'Generic'][number % 3 + 1], concat('old ', toString(number)), [30, 90, 365][number % 3 + 1]
     FROM numbers(50000)`,
  );
  const [found] = await events.systemRows<{ parts: number }>(
    `SELECT toInt32(count()) AS parts FROM system.parts WHERE database = 'tenant_replay' AND table = 'events' AND level = 0`,
  );
  say(`\nreplay of 90 days of logs in one insert: ${found?.parts} parts (at most 3)`);
  if (Number(found?.parts) > 3) process.exitCode = 1;
}

async function bytes(): Promise<void> {
  const rows = await events.systemRows<{ name: string; bytes: string | number; held: string | number }>(
    `SELECT table AS name, sum(bytes_on_disk) AS bytes, sum(rows) AS held FROM system.parts
     WHERE database = {database:String} AND active AND table IN ('events', 'event_figures', 'host_figures') GROUP BY table ORDER BY table`,
    { database: tenantDatabase(ALL) },
  );
  const total = DAYS * PER_DAY;
  say('\ntable                                               rows      MB on disk  bytes/event');
  for (const one of rows)
    line(one.name, [String(one.held), Number(one.bytes) / 1e6, Number(one.bytes) / total]);
}

async function retention(): Promise<void> {
  const rowsIn = new Map((await events.partitions(ALL)).map(({ id, rows }) => [id, rows]));
  const began = performance.now();
  const plan = planRetention(await readHoldings(events, ALL), rowsIn, () => 30, END);
  const planned = performance.now();
  const gone = await deleteEvents(events, ALL, plan);
  const done = performance.now();
  const [found] = await events.systemRows<{ mutations: number }>(
    'SELECT toInt32(count()) AS mutations FROM system.mutations WHERE database = {database:String}',
    { database: tenantDatabase(ALL) },
  );
  say(
    `\nretention of 30 of 60 days: ${gone} events in ${plan.length} partitions, planned in ${(planned - began).toFixed(0)} ms,`,
  );
  say(
    `deleted in ${(done - planned).toFixed(0)} ms, mutations in system.mutations: ${found?.mutations} (must be 0)`,
  );
  if (Number(found?.mutations) !== 0) process.exitCode = 1;
}

try {
  await events.ensureTenant(LAST);
  await events.ensureTenant(TENTH);
  say(`${DAYS * PER_DAY} events over ${DAYS} days of arrival, ${ROUNDS} rounds, medians`);
  const began = performance.now();
  for (let back = DAYS - 1; back >= 0; back -= 1) await fillDay(ALL, back);
  await fillDay(LAST, 0);
  await fillDay(TENTH, 10);
  await events.ensureTenant(DENSE);
  await events.command(DENSE, insertOf(DENSE_EVENTS, DAY_MS));
  say(`made in ${((performance.now() - began) / 1000).toFixed(1)} s`);
  await merged();
  await queriesOverDays();
  await closeDays();
  await queriesOverDays();
  await figuresBesideEvents();
  await inserts();
  await replay();
  await bytes();
  await retention();
} finally {
  await close();
}
