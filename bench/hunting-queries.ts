import { monitorEventLoopDelay } from 'node:perf_hooks';
import { openScratchQueries } from '../server/src/features/search/scratch-queries.ts';
import {
  END,
  inAll,
  inStream,
  makeEvents,
  median,
  type Pair,
  ranked,
  START,
  TENANT,
  timed,
} from './made-events.ts';

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

const PAIRS: readonly Pair[] = [
  {
    name: 'count of a stream',
    kql: `Dns | count`,
    sql: `SELECT count() ${inStream('Dns')}`,
  },
  {
    name: 'top ten hosts',
    kql: `ProcessEvent | summarize n = count() by DvcHostname | top 10 by n`,
    sql: `SELECT DvcHostname, count() AS n ${inStream('ProcessEvent')} GROUP BY DvcHostname ORDER BY n DESC LIMIT 10`,
  },
  {
    name: 'events over time',
    kql: `Events | summarize count() by Stream, bin(TimeGenerated, 15m)`,
    sql: `SELECT Stream, toStartOfInterval(TimeGenerated, INTERVAL 15 MINUTE) AS t, count() ${inAll} GROUP BY Stream, t`,
  },
  {
    name: 'a rare address',
    kql: `Events | where SrcIpAddr == '10.9.8.7' | summarize count() by Stream`,
    sql: `SELECT Stream, count() ${inAll} AND SrcIpAddr = '10.9.8.7' GROUP BY Stream`,
  },
  {
    name: 'a rare word',
    kql: `Events | where Raw has 'needle4711' | project TimeGenerated, DvcHostname, Raw`,
    sql: `SELECT TimeGenerated, DvcHostname, Raw ${inAll} AND hasAllTokens(lower(Raw), ['needle4711'])`,
  },
  {
    name: 'part of a command line',
    kql: `ProcessEvent | where CommandLine contains '--job 77' | summarize count() by ActorUsername`,
    sql: `SELECT ActorUsername, count() ${inStream('ProcessEvent')} AND CommandLine ILIKE '%--job 77%' GROUP BY ActorUsername`,
  },
  {
    name: 'a regular expression',
    kql: `ProcessEvent | where CommandLine matches regex @'job 1\\d\\d\\d7$' | count`,
    sql: `SELECT count() ${inStream('ProcessEvent')} AND match(CommandLine, 'job 1\\\\d\\\\d\\\\d7$')`,
  },
  {
    name: 'newest hundred',
    kql: `NetworkSession | top 100 by TimeGenerated desc | project TimeGenerated, SrcIpAddr, DstIpAddr`,
    sql: `SELECT TimeGenerated, SrcIpAddr, DstIpAddr ${inStream('NetworkSession')} ORDER BY TimeGenerated DESC LIMIT 100`,
  },
  {
    name: 'distinct names per host',
    kql: `Dns | summarize dcount(DnsQuery) by DvcHostname`,
    sql: `SELECT DvcHostname, uniqExact(DnsQuery) ${inStream('Dns')} GROUP BY DvcHostname`,
  },
  {
    name: 'a field of Ext',
    kql: `Events | where tostring(Ext.colour) == 'red' | summarize count() by Stream`,
    sql: `SELECT Stream, count() ${inAll} AND Ext.colour.:String = 'red' GROUP BY Stream`,
  },
  {
    name: 'a let table in in()',
    kql: `let bad = Dns | where DnsQuery == 'site77.example' | distinct DvcHostname; ProcessEvent | where DvcHostname in (bad) | summarize count() by ActorUsername`,
    sql: `SELECT ActorUsername, count() ${inStream('ProcessEvent')} AND DvcHostname IN (SELECT DISTINCT DvcHostname ${inStream('Dns')} AND DnsQuery = 'site77.example') GROUP BY ActorUsername`,
  },
  {
    name: 'an inner join of groups',
    kql: `ProcessEvent | summarize p = count() by DvcHostname | join kind=inner (Dns | summarize d = count() by DvcHostname) on DvcHostname | project DvcHostname, p, d`,
    sql: `SELECT a.DvcHostname, p, d FROM (SELECT DvcHostname, count() AS p ${inStream('ProcessEvent')} GROUP BY DvcHostname) AS a INNER JOIN (SELECT DvcHostname, count() AS d ${inStream('Dns')} GROUP BY DvcHostname) AS b ON a.DvcHostname = b.DvcHostname`,
  },
  {
    name: 'hosts without a stream',
    kql: `NetworkSession | distinct SrcIpAddr | join kind=leftanti (WebSession | distinct SrcIpAddr) on SrcIpAddr | count`,
    sql: `SELECT count() FROM (SELECT DISTINCT SrcIpAddr ${inStream('NetworkSession')}) AS a LEFT ANTI JOIN (SELECT DISTINCT SrcIpAddr ${inStream('WebSession')}) AS b ON a.SrcIpAddr = b.SrcIpAddr`,
  },
  {
    name: 'a union of two streams',
    kql: `union Dns, WebSession | summarize count() by DvcHostname | top 20 by count_`,
    sql: `SELECT DvcHostname, count() AS n FROM (SELECT DvcHostname ${inStream('Dns')} UNION ALL SELECT DvcHostname ${inStream('WebSession')}) GROUP BY DvcHostname ORDER BY n DESC LIMIT 20`,
  },
  {
    name: 'latest event per host',
    kql: `Dns | summarize arg_max(TimeGenerated, SrcIpAddr, DnsQuery) by DvcHostname`,
    sql: `SELECT DvcHostname, max(TimeGenerated), argMax(SrcIpAddr, TimeGenerated), argMax(DnsQuery, TimeGenerated) ${inStream('Dns')} GROUP BY DvcHostname`,
  },
  {
    name: 'several conditional counts',
    kql: `Events | summarize dns = countif(Stream == 'Dns'), web = countif(Stream == 'WebSession'), all = count() by DvcHostname | where dns > 10`,
    sql: `SELECT DvcHostname, countIf(Stream = 'Dns') AS dns, countIf(Stream = 'WebSession') AS web, count() AS a ${inAll} GROUP BY DvcHostname HAVING dns > 10`,
  },
  {
    name: 'a set per user',
    kql: `ProcessEvent | where ActorUsername startswith 'user49' | summarize make_set(DvcHostname, 50) by ActorUsername`,
    sql: `SELECT ActorUsername, groupUniqArray(50)(DvcHostname) ${inStream('ProcessEvent')} AND startsWith(ActorUsername, 'user49') GROUP BY ActorUsername`,
  },
  {
    name: 'mv-expand of a made array',
    kql: `WebSession | where SrcIpAddr startswith '10.1.7.' | extend part = split(SrcIpAddr, '.') | mv-expand part to typeof(string) | summarize count() by part`,
    sql: `SELECT p, count() FROM (SELECT arrayJoin(splitByChar('.', SrcIpAddr)) AS p ${inStream('WebSession')} AND startsWith(SrcIpAddr, '10.1.7.')) GROUP BY p`,
  },
  {
    name: 'extract and group',
    kql: `ProcessEvent | extend job = extract('job ([0-9][0-9])', 1, CommandLine) | summarize count() by job`,
    sql: `SELECT extract(CommandLine, 'job ([0-9][0-9])') AS job, count() ${inStream('ProcessEvent')} GROUP BY job`,
  },
  {
    name: 'a private network',
    kql: `NetworkSession | where ipv4_is_in_range(SrcIpAddr, '10.1.7.0/24') | summarize count() by DstIpAddr | top 10 by count_`,
    sql: `SELECT DstIpAddr, count() AS n ${inStream('NetworkSession')} AND bitAnd(toUInt32(toIPv4OrNull(SrcIpAddr)), 4294967040) = 167839488 GROUP BY DstIpAddr ORDER BY n DESC LIMIT 10`,
  },
];

const { events, queries, close } = await openScratchQueries('tyrian-bench-', TENANT);

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
  await makeEvents(events, EVENTS);
  process.stdout.write(`${EVENTS} events, ${ROUNDS} rounds, medians in milliseconds: KQL, SQL, ratio\n`);
  const ratios: number[] = [];
  for (const pair of PAIRS) ratios.push(await comparePair(pair));
  const [middle, worst] = [median(ratios), Math.max(...ratios)];
  process.stdout.write(`median ratio ${middle.toFixed(2)}, worst ${worst.toFixed(2)}\n`);
  await timeCompiling();
} finally {
  await close();
}
