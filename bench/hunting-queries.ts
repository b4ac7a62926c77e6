import { rmSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { startEmbeddedClickhouse } from '../server/src/engines/clickhouse/embedded-clickhouse.ts';
import { engineSecrets } from '../server/src/engines/engine-secrets.ts';
import { scratchFolder } from '../server/src/engines/scratch-engines.ts';
import { createKqlCompiler } from '../server/src/features/search/kql-compiler.ts';
import { createQueryPlaces } from '../server/src/features/search/query-places.ts';
import { createQueryService } from '../server/src/features/search/query-service.ts';
import { createEventStore } from '../server/src/platform/clickhouse/clickhouse-event-store.ts';
import { systemClock } from '../server/src/platform/clock.ts';
import { createLog } from '../server/src/platform/log.ts';

// Twenty hunting queries beside the SQL that one would write by hand, on the same events in the same run.
//
//   node --import tsx bench/hunting-queries.ts [events, 5000000] [rounds, 7]
//
// Both go through the same client as the same user, in turns, and give the same number of rows. The plan is kept from
// the round before; compiling is timed apart: new texts one after the other, in the worker, while the longest block of
// this process' event loop is watched. The claims: median ratio at most 1.15, worst 1.6, compiling p95 under 30 ms, no
// block over 50 ms.

const EVENTS = Number(process.argv[2] ?? 5_000_000);
const ROUNDS = Number(process.argv[3] ?? 7);
const TENANT = 'bench';
const HOUR_MS = 3_600_000;
const END = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
const START = END - 24 * HOUR_MS;

const SPAN = `TimeGenerated >= fromUnixTimestamp64Milli(${START}) AND TimeGenerated < fromUnixTimestamp64Milli(${END})`;
const of = (stream: string) => `FROM events WHERE Scope = 'main' AND Stream = '${stream}' AND ${SPAN}`;
const ALL = `FROM events WHERE Scope = 'main' AND ${SPAN}`;

interface Pair {
  readonly name: string;
  readonly kql: string;
  readonly sql: string;
}

const PAIRS: readonly Pair[] = [
  {
    name: 'count of a stream',
    kql: `Dns | count`,
    sql: `SELECT count() ${of('Dns')}`,
  },
  {
    name: 'top ten hosts',
    kql: `ProcessEvent | summarize n = count() by DvcHostname | top 10 by n`,
    sql: `SELECT DvcHostname, count() AS n ${of('ProcessEvent')} GROUP BY DvcHostname ORDER BY n DESC LIMIT 10`,
  },
  {
    name: 'events over time',
    kql: `Events | summarize count() by Stream, bin(TimeGenerated, 15m)`,
    sql: `SELECT Stream, toStartOfInterval(TimeGenerated, INTERVAL 15 MINUTE) AS t, count() ${ALL} GROUP BY Stream, t`,
  },
  {
    name: 'a rare address',
    kql: `Events | where SrcIpAddr == '10.9.8.7' | summarize count() by Stream`,
    sql: `SELECT Stream, count() ${ALL} AND SrcIpAddr = '10.9.8.7' GROUP BY Stream`,
  },
  {
    name: 'a rare word',
    kql: `Events | where Raw has 'needle4711' | project TimeGenerated, DvcHostname, Raw`,
    sql: `SELECT TimeGenerated, DvcHostname, Raw ${ALL} AND hasAllTokens(lower(Raw), ['needle4711'])`,
  },
  {
    name: 'part of a command line',
    kql: `ProcessEvent | where CommandLine contains '--job 77' | summarize count() by ActorUsername`,
    sql: `SELECT ActorUsername, count() ${of('ProcessEvent')} AND CommandLine ILIKE '%--job 77%' GROUP BY ActorUsername`,
  },
  {
    name: 'a regular expression',
    kql: `ProcessEvent | where CommandLine matches regex @'job 1\\d\\d\\d7$' | count`,
    sql: `SELECT count() ${of('ProcessEvent')} AND match(CommandLine, 'job 1\\\\d\\\\d\\\\d7$')`,
  },
  {
    name: 'newest hundred',
    kql: `NetworkSession | top 100 by TimeGenerated desc | project TimeGenerated, SrcIpAddr, DstIpAddr`,
    sql: `SELECT TimeGenerated, SrcIpAddr, DstIpAddr ${of('NetworkSession')} ORDER BY TimeGenerated DESC LIMIT 100`,
  },
  {
    name: 'distinct names per host',
    kql: `Dns | summarize dcount(DnsQuery) by DvcHostname`,
    sql: `SELECT DvcHostname, uniqExact(DnsQuery) ${of('Dns')} GROUP BY DvcHostname`,
  },
  {
    name: 'a field of Ext',
    kql: `Events | where tostring(Ext.colour) == 'red' | summarize count() by Stream`,
    sql: `SELECT Stream, count() ${ALL} AND Ext.colour.:String = 'red' GROUP BY Stream`,
  },
  {
    name: 'a let table in in()',
    kql: `let bad = Dns | where DnsQuery == 'site77.example' | distinct DvcHostname; ProcessEvent | where DvcHostname in (bad) | summarize count() by ActorUsername`,
    sql: `SELECT ActorUsername, count() ${of('ProcessEvent')} AND DvcHostname IN (SELECT DISTINCT DvcHostname ${of('Dns')} AND DnsQuery = 'site77.example') GROUP BY ActorUsername`,
  },
  {
    name: 'an inner join of groups',
    kql: `ProcessEvent | summarize p = count() by DvcHostname | join kind=inner (Dns | summarize d = count() by DvcHostname) on DvcHostname | project DvcHostname, p, d`,
    sql: `SELECT a.DvcHostname, p, d FROM (SELECT DvcHostname, count() AS p ${of('ProcessEvent')} GROUP BY DvcHostname) AS a INNER JOIN (SELECT DvcHostname, count() AS d ${of('Dns')} GROUP BY DvcHostname) AS b ON a.DvcHostname = b.DvcHostname`,
  },
  {
    name: 'hosts without a stream',
    kql: `NetworkSession | distinct SrcIpAddr | join kind=leftanti (WebSession | distinct SrcIpAddr) on SrcIpAddr | count`,
    sql: `SELECT count() FROM (SELECT DISTINCT SrcIpAddr ${of('NetworkSession')}) AS a LEFT ANTI JOIN (SELECT DISTINCT SrcIpAddr ${of('WebSession')}) AS b ON a.SrcIpAddr = b.SrcIpAddr`,
  },
  {
    name: 'a union of two streams',
    kql: `union Dns, WebSession | summarize count() by DvcHostname | top 20 by count_`,
    sql: `SELECT DvcHostname, count() AS n FROM (SELECT DvcHostname ${of('Dns')} UNION ALL SELECT DvcHostname ${of('WebSession')}) GROUP BY DvcHostname ORDER BY n DESC LIMIT 20`,
  },
  {
    name: 'latest event per host',
    kql: `Dns | summarize arg_max(TimeGenerated, SrcIpAddr, DnsQuery) by DvcHostname`,
    sql: `SELECT DvcHostname, max(TimeGenerated), argMax(SrcIpAddr, TimeGenerated), argMax(DnsQuery, TimeGenerated) ${of('Dns')} GROUP BY DvcHostname`,
  },
  {
    name: 'several conditional counts',
    kql: `Events | summarize dns = countif(Stream == 'Dns'), web = countif(Stream == 'WebSession'), all = count() by DvcHostname | where dns > 10`,
    sql: `SELECT DvcHostname, countIf(Stream = 'Dns') AS dns, countIf(Stream = 'WebSession') AS web, count() AS a ${ALL} GROUP BY DvcHostname HAVING dns > 10`,
  },
  {
    name: 'a set per user',
    kql: `ProcessEvent | where ActorUsername startswith 'user49' | summarize make_set(DvcHostname, 50) by ActorUsername`,
    sql: `SELECT ActorUsername, groupUniqArray(50)(DvcHostname) ${of('ProcessEvent')} AND startsWith(ActorUsername, 'user49') GROUP BY ActorUsername`,
  },
  {
    name: 'mv-expand of a made array',
    kql: `WebSession | where SrcIpAddr startswith '10.1.7.' | extend part = split(SrcIpAddr, '.') | mv-expand part to typeof(string) | summarize count() by part`,
    sql: `SELECT p, count() FROM (SELECT arrayJoin(splitByChar('.', SrcIpAddr)) AS p ${of('WebSession')} AND startsWith(SrcIpAddr, '10.1.7.')) GROUP BY p`,
  },
  {
    name: 'extract and group',
    kql: `ProcessEvent | extend job = extract('job ([0-9][0-9])', 1, CommandLine) | summarize count() by job`,
    sql: `SELECT extract(CommandLine, 'job ([0-9][0-9])') AS job, count() ${of('ProcessEvent')} GROUP BY job`,
  },
  {
    name: 'a private network',
    kql: `NetworkSession | where ipv4_is_in_range(SrcIpAddr, '10.1.7.0/24') | summarize count() by DstIpAddr | top 10 by count_`,
    sql: `SELECT DstIpAddr, count() AS n ${of('NetworkSession')} AND bitAnd(toUInt32(toIPv4OrNull(SrcIpAddr)), 4294967040) = 167839488 GROUP BY DstIpAddr ORDER BY n DESC LIMIT 10`,
  },
];

const FILL = `INSERT INTO events (EventUid, TimeGenerated, IngestedTime, Scope, Stream, SourceName, DvcHostname,
    ActorUsername, SrcIpAddr, DstIpAddr, DstPortNumber, DvcAction, CommandLine, DnsQuery, Ext, Raw)
  SELECT generateUUIDv4(), fromUnixTimestamp64Milli(${START} + intDiv(number * ${END - START}, ${EVENTS})) AS t, t,
    'main', ['NetworkSession', 'NetworkSession', 'Dns', 'ProcessEvent', 'WebSession'][number % 5 + 1] AS s, 'bench',
    concat('host', toString(cityHash64(number) % 300)), concat('user', toString(cityHash64(number, 1) % 500)),
    if(number % 1000003 = 7, '10.9.8.7', concat('10.1.', toString(cityHash64(number, 2) % 200), '.', toString(cityHash64(number, 3) % 250))),
    concat('198.18.', toString(cityHash64(number, 4) % 250), '.', toString(cityHash64(number, 5) % 250)), 443, 'accept',
    if(s = 'ProcessEvent', concat('C:\\\\Tools\\\\run.exe --job ', toString(cityHash64(number, 6) % 20000)), ''),
    if(s = 'Dns', concat('site', toString(cityHash64(number, 7) % 5000), '.example'), ''),
    concat('{"colour":"', if(number % 97 = 0, 'red', 'blue'), '","size":', toString(number % 4000), '}'),
    concat('event ', toString(number), ' of ', s, ' on host', toString(cityHash64(number) % 300), if(number % 500009 = 3, ' needle4711', ''))
  FROM numbers(__FROM__, __COUNT__)`;

const ranked = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};
const median = (values: readonly number[]): number => ranked(values, 0.5);

const dataFolder = scratchFolder('tyrian-bench-');
const log = createLog('silent');
const secrets = engineSecrets(dataFolder);
const engine = await startEmbeddedClickhouse({ dataFolder, secrets, log, durable: false });
const events = createEventStore({
  url: engine.url,
  ingest: { user: 'ingest', password: secrets.clickhouseIngest },
  query: { user: 'query', password: secrets.clickhouseQuery },
  keepAlive: false,
  log,
});
const compiler = createKqlCompiler();
const noFields = async () => ({ version: 'bench', fields: [], extFields: [] });
const queries = createQueryService({
  events,
  compiler,
  seenFields: { fieldsOf: noFields, sampledFieldsOf: noFields },
  places: createQueryPlaces(),
  clock: systemClock,
});

async function fill(): Promise<void> {
  await events.ensureTenant(TENANT);
  const piece = Math.min(EVENTS, 500_000);
  for (let from = 0; from < EVENTS; from += piece) {
    const count = Math.min(piece, EVENTS - from);
    await events.command(TENANT, FILL.replace('__FROM__', String(from)).replace('__COUNT__', String(count)));
  }
}

async function timed(work: () => Promise<number>): Promise<{ ms: number; rows: number }> {
  const began = performance.now();
  const rows = await work();
  return { ms: performance.now() - began, rows };
}

const ask = async (kql: string): Promise<number> => {
  const timeRange = { from: START, to: END };
  const request = { clusterId: TENANT, scopes: ['main'], kql, timeRange, queue: 'interactive' } as const;
  return (await queries.run(request)).rows.length;
};
const askByHand = async (sql: string): Promise<number> =>
  (await events.rows(TENANT, { sql, scopes: ['main'] })).rows.length;

/** Whoever goes first changes by turns; the first round warms both and is not counted. */
async function comparePair({ name, kql, sql }: Pair): Promise<number> {
  const ours: number[] = [];
  const byHand: number[] = [];
  for (let round = -1; round < ROUNDS; round += 1) {
    const first = round % 2 === 0 ? await timed(() => ask(kql)) : null;
    const hand = await timed(() => askByHand(sql));
    const own = first ?? (await timed(() => ask(kql)));
    if (own.rows !== hand.rows) throw new Error(`${name}: ${own.rows} rows, by hand ${hand.rows}`);
    if (round < 0) continue;
    ours.push(own.ms);
    byHand.push(hand.ms);
  }
  const [k, s] = [median(ours), median(byHand)];
  const cells = [k.toFixed(1), s.toFixed(1), (k / s).toFixed(2)].map((cell) => cell.padStart(10)).join('');
  process.stdout.write(`${name.padEnd(30)}${cells}\n`);
  return k / s;
}

async function timeCompiling(): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const times: number[] = [];
  for (let round = 0; round < 10; round += 1)
    for (const { kql } of PAIRS) {
      const text = `${kql}\n// a new text ${round}`;
      const { ms } = await timed(async () => {
        await queries.compile({ clusterId: TENANT, scopes: ['main'], kql: text });
        return 0;
      });
      if (round > 1) times.push(ms);
    }
  delay.disable();
  const [middle, high, block] = [median(times), ranked(times, 0.95), delay.max / 1e6];
  process.stdout.write(
    `compiling a new text: median ${middle.toFixed(1)} ms, p95 ${high.toFixed(1)} ms; longest block of the event loop ${block.toFixed(1)} ms\n`,
  );
}

try {
  await fill();
  process.stdout.write(`${EVENTS} events, ${ROUNDS} rounds, medians in milliseconds: KQL, SQL, ratio\n`);
  const ratios: number[] = [];
  for (const pair of PAIRS) ratios.push(await comparePair(pair));
  const [middle, worst] = [median(ratios), Math.max(...ratios)];
  process.stdout.write(`median ratio ${middle.toFixed(2)}, worst ${worst.toFixed(2)}\n`);
  await timeCompiling();
} finally {
  await compiler.close();
  await events.close();
  await engine.stop();
  rmSync(dataFolder, { recursive: true, force: true });
}
